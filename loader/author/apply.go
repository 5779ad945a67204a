package author

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// Apply does what the plan says. If a step fails, the steps before it are undone;
// if the process is killed, the same command again goes on. Only a push that broke
// off is left as it is, because nobody knows whether it arrived.
func (p *Plan) Apply(ctx context.Context) error {
	err := p.write(ctx)
	if err == nil && p.pushes {
		err = p.push(ctx)
	}
	if _, broken := errors.AsType[brokenPush](err); err == nil || broken {
		return err
	}
	if p.commit == "" && len(p.made) == 0 {
		return err
	}
	if e := p.undo(context.WithoutCancel(ctx)); e != nil {
		return fmt.Errorf("%w\nand what was done before could not be undone: %w", err, e)
	}
	return fmt.Errorf("%w\nwhat was done before is undone: nothing was published", err)
}

// write commits the seals and makes the tags.
func (p *Plan) write(ctx context.Context) error {
	if err := p.commitSeals(ctx); err != nil {
		return err
	}
	for _, s := range p.Steps {
		if s.Seal != nil && p.mode == Prepare {
			continue // tagged after the merge
		}
		if err := p.tag(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// commitSeals commits rulestore.sum and nothing else. If that fails, the file is
// what it was.
func (p *Plan) commitSeals(ctx context.Context) error {
	if p.seals == p.before {
		return nil
	}
	if err := p.repo.write(content.SealsFile, p.seals); err != nil {
		return err
	}
	if _, err := p.repo.git(ctx, "add", "--", content.SealsFile); err != nil {
		return errors.Join(err, p.restore(context.WithoutCancel(ctx)))
	}
	_, err := p.repo.run(ctx, command{
		args:  []string{"commit", "--quiet", "--cleanup=whitespace", "--file=-", "--", content.SealsFile},
		stdin: p.commitMessage(),
	})
	if err != nil {
		_, unstaged := p.repo.git(context.WithoutCancel(ctx), "reset", "--quiet", "--", content.SealsFile)
		return errors.Join(err, unstaged, p.restore(context.WithoutCancel(ctx)))
	}
	return p.committed(ctx)
}

// restore puts the work tree's rulestore.sum back to what is committed.
func (p *Plan) restore(ctx context.Context) error {
	if _, tracked, err := p.repo.resolve(ctx, p.base+":"+content.SealsFile); err != nil || !tracked {
		return errors.Join(err, p.repo.remove(content.SealsFile))
	}
	return p.repo.write(content.SealsFile, p.before)
}

// committed makes sure that the commit is what was planned: a hook may have
// changed the file.
func (p *Plan) committed(ctx context.Context) (err error) {
	if p.commit, err = p.repo.head(ctx); err != nil {
		return err
	}
	blob, _, err := p.repo.resolve(ctx, p.commit+":"+content.SealsFile)
	if err != nil {
		return err
	}
	if blob != gitrepo.BlobOID([]byte(p.seals)).String() {
		return fmt.Errorf("%s was committed with other content than was written: a commit hook or a filter changes it, take the file out of that", content.SealsFile)
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
	switch len(tags) {
	case 0:
		return fmt.Sprintf("Возвращены печати: %d\n", len(p.Restored))
	case 1:
		t, _ := content.ParseTag(tags[0]) // planned
		return fmt.Sprintf("Публикация: %s/%s %s\n", t.Kind.Folder, t.Name, t.Version)
	}
	return fmt.Sprintf("Публикация, версий: %d\n\n- %s\n", len(tags), strings.Join(tags, "\n- "))
}

// tag makes an annotated tag, signed if the author's git signs tags.
func (p *Plan) tag(ctx context.Context, s Step) error {
	commit := s.commit
	if commit == "" {
		commit = p.commit
	}
	if commit == "" {
		commit = p.base
	}
	args := []string{"tag", "--annotate", "--cleanup=whitespace", "--file=-"}
	if s.moves {
		args = append(args, "--force")
	}
	_, err := p.repo.run(ctx, command{args: append(args, "--end-of-options", s.Tag, commit), stdin: s.Message})
	if err != nil {
		return err
	}
	p.made = append(p.made, s.Tag)
	return p.signed(ctx, s.Tag)
}

// signed makes sure that a tag is signed if the author's git signs tags: some
// versions of git make an unsigned one when ssh-keygen fails.
func (p *Plan) signed(ctx context.Context, tag string) error {
	for _, setting := range []string{"tag.gpgSign", "tag.forceSignAnnotated"} {
		out, err := p.repo.git(ctx, "config", "--type=bool", "--get", setting)
		switch {
		case answeredNo(err) || err == nil && strings.TrimSpace(out) != "true":
			continue
		case err != nil:
			return err
		}
		text, err := p.repo.git(ctx, "cat-file", "tag", "refs/tags/"+tag)
		if err == nil && !strings.Contains(text, "\n-----BEGIN ") {
			err = fmt.Errorf("%s is to be signed, and git could not sign it: mend user.signingKey, or unset %s", tag, setting)
		}
		return err
	}
	return nil
}

// undo takes back what was made here: the tags, then the commit, unless the
// branch has moved on since.
func (p *Plan) undo(ctx context.Context) error {
	var names []string
	for _, tag := range p.made {
		names = append(names, "delete refs/tags/"+tag+"\n")
	}
	if len(names) > 0 {
		if _, err := p.repo.run(ctx, command{args: []string{"update-ref", "--stdin"}, stdin: strings.Join(names, "")}); err != nil {
			return err
		}
		p.made = nil
	}
	if p.commit == "" {
		return nil
	}
	head, err := p.repo.head(ctx)
	if err != nil {
		return err
	}
	if head != p.commit {
		return fmt.Errorf("the branch has moved on from %s", p.commit)
	}
	_, err = p.repo.git(ctx, "reset", "--quiet", "--keep", p.base)
	p.commit = ""
	return err
}
