package author

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Apply executes the plan. If a step fails, the steps before it are undone; if the process is
// killed, the same command continues. Only after a push that broke off nothing is undone,
// because it is unknown whether it arrived.
func (p *Plan) Apply(ctx context.Context) error {
	err := p.write(ctx)
	if err == nil && p.pushes {
		err = p.push(ctx)
	}
	if err == nil || errors.Is(err, errBroken) {
		return err
	}
	if p.commit == "" && len(p.created) == 0 {
		return err
	}
	if e := p.undo(context.WithoutCancel(ctx)); e != nil {
		return i18n.Errorf("%w\nand what was done before could not be undone: %w", err, e)
	}
	return i18n.Errorf("%w\nwhat was done before is undone: nothing was published", err)
}

// write commits the seals and creates the tags.
func (p *Plan) write(ctx context.Context) error {
	if err := p.commitSeals(ctx); err != nil {
		return err
	}
	steps := slices.DeleteFunc(slices.Clone(p.Steps), func(s TagStep) bool {
		return s.Seal != nil && p.mode == Prepare // tagged after the merge
	})
	if len(steps) == 0 {
		return nil
	}
	signing, err := p.repo.signing(ctx)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := p.tag(ctx, s); err != nil {
			return err
		}
		if err := p.signed(ctx, s.Tag, signing); err != nil {
			return err
		}
	}
	return nil
}

// commitSeals commits the files of seals and nothing else. If that fails, they are restored, or
// the commit is recorded for [Plan.undo].
func (p *Plan) commitSeals(ctx context.Context) error {
	paths := p.before.differing(p.seals)
	if len(paths) == 0 {
		return nil
	}
	err := p.repo.writeSeals(paths, p.seals)
	if err == nil {
		err = p.repo.commit(ctx, paths, p.commitMessage())
	}
	ctx = context.WithoutCancel(ctx) // to find out what to undo
	if err != nil {
		return errors.Join(err, p.uncommitted(ctx, paths))
	}
	return p.committed(ctx)
}

// commit commits files of the work tree and nothing else.
func (r *Repository) commit(ctx context.Context, paths []string, message string) error {
	err := r.unskip(ctx, paths)
	if err == nil {
		_, err = r.git(ctx, slices.Concat([]string{"add", "--all", "--sparse", "--"}, tops(paths))...)
	}
	if err == nil {
		_, err = r.run(ctx, command{
			args:  slices.Concat([]string{"commit", "--quiet", "--cleanup=whitespace", "--file=-", "--"}, tops(paths)),
			stdin: message,
		})
	}
	return err
}

// unskip adds files of the work tree to the index that a sparse checkout would leave out, as a
// commit would ignore them.
func (r *Repository) unskip(ctx context.Context, paths []string) error {
	out, err := r.git(ctx, slices.Concat([]string{"ls-files", "-t", "-z", "--"}, tops(paths))...)
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, path := range paths {
		written[path] = true
	}
	var skipped strings.Builder
	for entry := range strings.SplitSeq(out, "\x00") {
		if path, ok := strings.CutPrefix(entry, "S "); ok && written[path] {
			skipped.WriteString(path + "\x00")
		}
	}
	if skipped.Len() == 0 {
		return nil
	}
	_, err = r.run(
		ctx, command{args: []string{"update-index", "--no-skip-worktree", "-z", "--stdin"}, stdin: skipped.String()},
	)
	return err
}

// uncommitted restores the seals in the index and the work tree after a failure. If git was
// stopped after it made the commit, by a signal while a hook ran, the commit is recorded to be
// undone.
func (p *Plan) uncommitted(ctx context.Context, paths []string) error {
	head, err := p.repo.head(ctx)
	if err != nil {
		return errors.Join(err, p.repo.writeSeals(paths, p.before))
	}
	if head != p.base {
		parent, _, e1 := p.repo.resolve(ctx, head+"^")
		seals, e2 := p.repo.sealsAt(head)
		if parent == p.base && maps.Equal(seals, p.seals) {
			p.commit = head
			return nil
		}
		if err := errors.Join(e1, e2); err != nil {
			return err
		}
	}
	_, err = p.repo.git(ctx, slices.Concat([]string{"reset", "--quiet", "--"}, tops(paths))...)
	return errors.Join(err, p.repo.writeSeals(paths, p.before))
}

// committed verifies that the commit is the planned one: a hook may have changed a file.
func (p *Plan) committed(ctx context.Context) (err error) {
	if p.commit, err = p.repo.head(ctx); err != nil {
		return err
	}
	seals, err := p.repo.sealsAt(p.commit)
	if err != nil {
		return err
	}
	if paths := seals.differing(p.seals); len(paths) > 0 {
		return i18n.Errorf(
			"%s was committed with other content than was written: a commit hook or a filter changes it, take the "+
				"file out of that",
			paths[0],
		)
	}
	return nil
}

func (p *Plan) commitMessage() string {
	var tags []string
	for _, s := range p.Steps {
		if s.Seal != nil {
			tags = append(tags, s.Tag)
		}
	}
	tags = append(tags, p.Unsealed...)
	switch len(tags) {
	case 0:
		return p.commitSubject()
	case 1:
		t, _ := content.ParseTag(tags[0]) // planned
		return fmt.Sprintf("Публикация: %s %s\n", t.Item(), t.Version)
	}
	return fmt.Sprintf("Публикация, версий: %d\n\n- %s\n", len(tags), strings.Join(tags, "\n- "))
}

// commitSubject is the subject of a commit of seals that publishes nothing.
func (p *Plan) commitSubject() string {
	if len(p.Restored) == 0 {
		return fmt.Sprintf("Отозваны печати: %d\n", len(p.Withdrawn))
	}
	return fmt.Sprintf("Возвращены печати: %d\n", len(p.Restored))
}

// tag creates an annotated tag, which is signed if the author's git signs tags.
func (p *Plan) tag(ctx context.Context, s TagStep) error {
	commit := s.commit
	if commit == "" {
		commit = p.commit
	}
	if commit == "" {
		commit = p.base
	}
	args := []string{"tag", "--annotate", "--cleanup=whitespace", "--file=-"}
	if s.was != "" {
		args = append(args, "--force")
	}
	_, err := p.repo.run(
		ctx, command{args: append(args, "--end-of-options", p.repo.prefix()+s.Tag, commit), stdin: s.Message},
	)
	if err == nil || stopped(err) && p.tagged(context.WithoutCancel(ctx), s.Tag, commit) {
		p.created = append(p.created, s)
	}
	return err
}

// tagged reports whether a git process that was stopped while a hook ran had created the tag. It
// did not exist on that commit before, or it would not be planned.
func (p *Plan) tagged(ctx context.Context, tag, commit string) bool {
	at, _, err := p.repo.resolve(ctx, p.repo.tagRef(tag)+"^{commit}")
	return err == nil && at == commit
}

// signing returns the setting by which the author's git signs tags, "" if there is none.
func (r *Repository) signing(ctx context.Context) (string, error) {
	for _, setting := range []string{"tag.gpgSign", "tag.forceSignAnnotated"} {
		out, err := r.git(ctx, "config", "--type=bool", "--get", setting)
		if err == nil && strings.TrimSpace(out) == "true" {
			return setting, nil
		}
		if err != nil && !answeredNo(err) {
			return "", err
		}
	}
	return "", nil
}

// signed verifies that a tag is signed if a setting says so: some versions of git create an
// unsigned one when ssh-keygen fails.
func (p *Plan) signed(ctx context.Context, tag, setting string) error {
	if setting == "" {
		return nil
	}
	text, err := p.repo.git(ctx, "cat-file", "tag", p.repo.tagRef(tag))
	if err == nil && !strings.Contains(text, "\n-----BEGIN ") {
		err = i18n.Errorf(
			"%s is to be signed, and git could not sign it: mend user.signingKey, or unset %s", tag, setting,
		)
	}
	return err
}

// undo undoes what was created here: the tags, of which a moved one is moved back, then the
// commit, unless the branch has new commits since.
func (p *Plan) undo(ctx context.Context) error {
	var updates strings.Builder
	for _, s := range p.created {
		if s.was != "" {
			fmt.Fprintf(&updates, "update %s %s\n", p.repo.tagRef(s.Tag), s.was)
		} else {
			fmt.Fprintf(&updates, "delete %s\n", p.repo.tagRef(s.Tag))
		}
	}
	if len(p.created) > 0 {
		if _, err := p.repo.run(
			ctx, command{args: []string{"update-ref", "--stdin"}, stdin: updates.String()},
		); err != nil {
			return err
		}
		p.created = nil
	}
	if p.commit == "" {
		return nil
	}
	head, err := p.repo.head(ctx)
	if err != nil {
		return err
	}
	if head != p.commit {
		return i18n.Errorf("the branch has moved on from %s", p.commit)
	}
	_, err = p.repo.git(ctx, "reset", "--quiet", "--keep", p.base)
	p.commit = ""
	return err
}
