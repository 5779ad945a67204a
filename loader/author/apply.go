package author

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// undo takes back what a step did; nil if there is nothing to take back.
type undo func(context.Context) error

// Apply does the steps of a plan. If one fails, those before it are undone; if the process is
// killed, the same command continues. Only after a push that broke off nothing is undone,
// because it is unknown whether it arrived.
func (r *Repository) Apply(ctx context.Context, steps []Step) error {
	var signing string
	var err error
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Do == tag }) {
		if signing, err = r.signing(ctx); err != nil {
			return err
		}
	}
	var done []undo
	for i, s := range steps {
		back, err := r.do(ctx, s, steps[:i])
		if err == nil && s.Do == tag && signing != "" {
			err = r.isSigned(ctx, s.Name, signing)
		}
		if back != nil {
			done = append(done, back)
		}
		if err != nil {
			return takeBack(context.WithoutCancel(ctx), done, err)
		}
	}
	return nil
}

// do does a step after others.
func (r *Repository) do(ctx context.Context, s Step, before []Step) (undo, error) {
	switch s.Do {
	case write:
		back := func(context.Context) error { return worktree.Write(r.Dir, s.Name, []byte(s.Was)) }
		return back, worktree.Write(r.Dir, s.Name, []byte(s.Text))
	case commit:
		return r.commit(ctx, before, s.Text)
	case tag:
		return r.tag(ctx, s)
	}
	return nil, r.push(ctx, s)
}

// takeBack undoes what was done, the last first, because of an error.
func takeBack(ctx context.Context, done []undo, err error) error {
	if errors.Is(err, errBroken) || len(done) == 0 {
		return err
	}
	for _, back := range slices.Backward(done) {
		if e := back(ctx); e != nil {
			return i18n.Errorf("%w\nand what was done before could not be undone: %w", err, e)
		}
	}
	return i18n.Errorf("%w\nwhat was done before is undone: nothing was published", err)
}

// commit commits the files that were written and nothing else. What it returns undoes that also if git was
// stopped while a hook ran, and had made the commit before.
func (r *Repository) commit(ctx context.Context, written []Step, message string) (undo, error) {
	var tops []string // tens of thousands of paths are too many for a command
	for _, s := range written {
		if top, _, _ := strings.Cut(s.Name, "/"); !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
	}
	base, err := r.head(ctx)
	if err == nil {
		_, err = r.git(ctx, slices.Concat([]string{"add", "--all", "--sparse", "--"}, tops)...)
	}
	if err == nil {
		_, err = r.run(ctx, command{
			args:  slices.Concat([]string{"commit", "--quiet", "--cleanup=whitespace", "--file=-", "--"}, tops),
			stdin: message,
		})
	}
	ctx = context.WithoutCancel(ctx) // to find out what to undo
	made, e := r.head(ctx)
	if e == nil && made == base {
		_, e = r.git(ctx, slices.Concat([]string{"reset", "--quiet", "--"}, tops)...)
		return nil, errors.Join(err, e)
	}
	back := func(ctx context.Context) error {
		if now, err := r.head(ctx); err != nil || now != made {
			return cmp.Or(err, i18n.Errorf("the branch has moved on from %s", made))
		}
		_, err := r.git(ctx, "reset", "--quiet", "--keep", base)
		return err
	}
	return back, errors.Join(err, e, r.verify(ctx, made, written))
}

// verify verifies that a commit has the files that were written: a hook may have changed one.
func (r *Repository) verify(ctx context.Context, commit string, written []Step) error {
	var names strings.Builder
	for _, s := range written {
		names.WriteString(commit + ":" + s.Name + "\n")
	}
	out, err := r.run(ctx, command{args: []string{"cat-file", "--batch-check=%(objectname)"}, stdin: names.String()})
	if err != nil {
		return err
	}
	ids := strings.Split(out, "\n")
	for i, s := range written {
		gone := s.Text == "" && strings.HasSuffix(ids[i], " missing")
		if !gone && ids[i] != git.BlobOID([]byte(s.Text)).String() {
			return i18n.Errorf(
				"%s was committed with other content than was written: a commit hook or a filter changes it, take the "+
					"file out of that",
				s.Name,
			)
		}
	}
	return nil
}

// tag creates an annotated tag, which is signed if the author's git signs tags. What it returns undoes that also if
// git was stopped while a hook ran.
func (r *Repository) tag(ctx context.Context, s Step) (undo, error) {
	args := []string{"tag", "--annotate", "--cleanup=whitespace", "--file=-"}
	if s.Was != "" {
		args = append(args, "--force")
	}
	_, err := r.run(
		ctx, command{args: append(args, "--end-of-options", s.Name, cmp.Or(s.On, "HEAD")), stdin: s.Text},
	)
	if err != nil && !stopped(err) {
		return nil, err
	}
	back := func(ctx context.Context) error {
		_, err := r.run(ctx, command{
			args:  []string{"update-ref", "--stdin"},
			stdin: "update refs/tags/" + s.Name + " " + cmp.Or(s.Was, git.OID{}.String()) + "\n",
		})
		return err
	}
	return back, err
}

// signing returns the setting by which the author's git signs tags, "" if there is none.
func (r *Repository) signing(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "config", "--type=bool", "--get-regexp", `^tag\.(gpgsign|forcesignannotated)$`)
	if git.AnsweredNo(err) {
		return "", nil
	}
	for line := range strings.Lines(out) {
		if setting, set, _ := strings.Cut(strings.TrimSpace(line), " "); set == "true" {
			return setting, err
		}
	}
	return "", err
}

// isSigned verifies that git signed a tag: 2.39 makes an unsigned one when ssh-keygen fails.
func (r *Repository) isSigned(ctx context.Context, name, setting string) error {
	text, err := r.git(ctx, "cat-file", "tag", "refs/tags/"+name)
	if err == nil && !strings.Contains(text, "\n-----BEGIN ") {
		err = i18n.Errorf(
			"%s is to be signed, and git could not sign it: mend user.signingKey, or unset %s",
			"refs/tags/"+name, setting,
		)
	}
	return err
}

// Signing is the message of a commit with a head of the log that its key signed.
func Signing(leaves int64) i18n.Text { return i18n.New("Sign the log of %d leaves", leaves) }

// Witnessing is the message of a commit with a head of the log that a witness signed too.
func Witnessing(leaves int64) i18n.Text { return i18n.New("Witness the log of %d leaves", leaves) }

// CommitLog writes and commits only files of the log: its signed head, and leaves. The message is in the language of
// the repository.
func (r *Repository) CommitLog(
	ctx context.Context, in content.Settings, files map[string]string, message i18n.Text,
) error {
	var steps []Step
	for _, path := range slices.Sorted(maps.Keys(files)) {
		was, err := worktree.Read(r.Dir, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		steps = append(steps, Step{Do: write, Name: path, Text: files[path], Was: string(was)})
	}
	return r.Apply(ctx, append(steps, Step{Do: commit, Text: inLanguageOf(in, message) + "\n"}))
}
