package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// Apply does the steps of a plan. If one fails, those before it are undone; if the process is
// killed, the same command continues. Only after a push that broke off nothing is undone,
// because it is unknown whether it arrived.
func (r *Repository) Apply(ctx context.Context, steps []Step) error {
	signing, err := "", error(nil)
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Do == tag }) {
		signing, err = r.signing(ctx)
	}
	var undo []func(context.Context) error
	for i, s := range steps {
		if err != nil {
			break
		}
		var back func(context.Context) error
		switch s.Do {
		case write:
			back = func(context.Context) error { return worktree.Write(r.Dir, s.Name, []byte(s.Was)) }
			err = worktree.Write(r.Dir, s.Name, []byte(s.Text))
		case commit:
			back, err = r.commit(ctx, steps[:i], s.Text)
		case tag:
			back, err = r.tag(ctx, s, signing)
		case push:
			err = r.push(ctx, s)
		}
		if back != nil {
			undo = append(undo, back)
		}
	}
	if err == nil || errors.Is(err, errBroken) || len(undo) == 0 {
		return err
	}
	for _, back := range slices.Backward(undo) {
		if e := back(context.WithoutCancel(ctx)); e != nil {
			return i18n.Errorf("%w\nand what was done before could not be undone: %w", err, e)
		}
	}
	return i18n.Errorf("%w\nwhat was done before is undone: nothing was published", err)
}

// commit commits the files that were written and nothing else. It returns how that is undone, also if git was
// stopped while a hook ran, and had made the commit before.
func (r *Repository) commit(
	ctx context.Context, written []Step, message string,
) (undo func(context.Context) error, err error) {
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
	undo = func(ctx context.Context) error {
		if now, err := r.head(ctx); err != nil || now != made {
			return cmp.Or(err, i18n.Errorf("the branch has moved on from %s", made))
		}
		_, err := r.git(ctx, "reset", "--quiet", "--keep", base)
		return err
	}
	return undo, errors.Join(err, e, r.verify(ctx, made, written))
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

// tag creates an annotated tag, which is signed if the author's git signs tags. It returns how that is undone,
// also if git was stopped while a hook ran.
func (r *Repository) tag(ctx context.Context, s Step, signing string) (undo func(context.Context) error, err error) {
	args := []string{"tag", "--annotate", "--cleanup=whitespace", "--file=-"}
	if s.Was != "" {
		args = append(args, "--force")
	}
	_, err = r.run(
		ctx, command{args: append(args, "--end-of-options", s.Name, cmp.Or(s.On, "HEAD")), stdin: s.Text},
	)
	if err != nil && !stopped(err) {
		return nil, err
	}
	ref := "refs/tags/" + s.Name
	undo = func(ctx context.Context) error {
		_, err := r.run(ctx, command{
			args:  []string{"update-ref", "--stdin"},
			stdin: "update " + ref + " " + cmp.Or(s.Was, git.OID{}.String()) + "\n",
		})
		return err
	}
	if err == nil && signing != "" { // some versions of git create an unsigned one when ssh-keygen fails
		var text string
		if text, err = r.git(ctx, "cat-file", "tag", ref); err == nil && !strings.Contains(text, "\n-----BEGIN ") {
			err = i18n.Errorf(
				"%s is to be signed, and git could not sign it: mend user.signingKey, or unset %s", s.Name, signing,
			)
		}
	}
	return undo, err
}

// signing returns the setting by which the author's git signs tags, "" if there is none.
func (r *Repository) signing(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "config", "--type=bool", "--get-regexp", `^tag\.(gpgsign|forcesignannotated)$`)
	if answeredNo(err) {
		return "", nil
	}
	for line := range strings.Lines(out) {
		if setting, set, _ := strings.Cut(strings.TrimSpace(line), " "); set == "true" {
			return setting, err
		}
	}
	return "", err
}

// The reasons for committing a head of the log, in the message.
const (
	Signing    = "Sign"
	Witnessing = "Witness"
)

// CommitLog writes and commits only files of the log: its signed head, and leaves. The message has the
// reason, and the number of leaves.
func (r *Repository) CommitLog(ctx context.Context, files map[string]string, why string, leaves int64) error {
	var steps []Step
	for _, path := range slices.Sorted(maps.Keys(files)) {
		was, err := worktree.Read(r.Dir, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		steps = append(steps, Step{Do: write, Name: path, Text: files[path], Was: string(was)})
	}
	return r.Apply(ctx, append(steps, Step{Do: commit, Text: fmt.Sprintf("%s the log of %d leaves\n", why, leaves)}))
}
