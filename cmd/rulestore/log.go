package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// transparencyFlags are the log and the keys.
type transparencyFlags struct{ repo, keyFile, verifyKey, state string }

func newLog(e *env) *cobra.Command {
	var f transparencyFlags
	c := newCommand("log", 0, 3, func(ctx context.Context, args []string) error {
		switch what := append(args, "check")[0]; {
		case what == "key" && len(args) == 3:
			return makeKey(e, args[1], e.path(args[2]))
		case what == "key":
			return usageErrorf("say the name of the key and the file to write: `rulestore log key NAME FILE`")
		case what == "witness" && (f.verifyKey == "" || f.state == ""):
			return usageErrorf("a witness needs --verify-key, the log's public key, and --state, a file of its own")
		case what == "witness" && len(args) == 1:
			return f.witness(ctx, e)
		case what == "sign" && len(args) == 1:
			return f.sign(ctx, e)
		case what == "check" && len(args) < 2:
			return f.check(ctx, e)
		}
		return usageErrorf(
			"%q is nothing that can be done with a log: expected `check`, `sign`, `witness` or `key`",
			strings.Join(args, " "),
		)
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	pathVar(flags, &f.keyFile, "key-file", "")
	flags.StringVar(&f.verifyKey, "verify-key", "", "")
	pathVar(flags, &f.state, "state", "")
	return c
}

// load loads the repository as it is committed. A log that does not stand is an error.
func (f *transparencyFlags) load(ctx context.Context, e *env) (*author.Repository, loader.Loaded, error) {
	repo, err := author.Open(f.repo, e.environ, false)
	if err != nil {
		return nil, loader.Loaded{}, err
	}
	c := loader.Config{Source: repo.Source(), Schemas: schemas.Embedded(), Now: time.Now}
	loaded, err := loader.New(c).LoadToPlan(ctx)
	if err != nil {
		return nil, loaded, i18n.Errorf("load %s: %w", f.repo, err)
	}
	for _, found := range loaded.Report.Findings {
		if found.Rule == "log" {
			err = foundErrorf("the log does not stand: %s", found)
		}
	}
	return repo, loaded, err
}

// key reads the private key.
func (f *transparencyFlags) key(e *env) (log.Key, error) {
	text, err := e.secret(f.keyFile, logKey)
	if err == nil && text == "" {
		err = i18n.Errorf("there is no key: give its file with --key-file, or set RULESTORE_LOG_KEY")
	}
	if err != nil {
		return log.Key{}, err
	}
	return log.ParseKey(text)
}

// check prints the size of the log, what it lacks, and whose it is. It fails if the log does not
// stand, or lacks required signatures.
func (f *transparencyFlags) check(ctx context.Context, e *env) error {
	_, loaded, err := f.load(ctx, e)
	if err != nil {
		return err
	}
	view := loaded.Log
	head := view.Leaves().Head("")
	e.printer.Fprintf(
		e.stdout, "the log has %d leaves, its root is %s; `rulestore log sign` would append %d\n", head.Size, head.Root,
		len(loaded.Unlogged),
	)
	switch {
	case view == nil && f.verifyKey != "":
		return foundErrorf("nobody has signed the log: `rulestore log sign` does")
	case view == nil:
		return nil
	}
	signed, err := log.ReadCheckpoint(view.Checkpoint)
	if f.verifyKey != "" && err == nil {
		signed, err = f.verifyOwn(view.Checkpoint)
	}
	if err != nil {
		return foundError{err}
	}
	return e.printer.Fprintf(
		e.stdout, "the first %d leaves are signed for %s\n", signed.Size, content.Printable(signed.Origin),
	)
}

// verifyOwn verifies the log's own signature.
func (f *transparencyFlags) verifyOwn(signed []byte) (log.Checkpoint, error) {
	public, err := log.NewVerifier(f.verifyKey)
	if err != nil {
		return log.Checkpoint{}, err
	}
	s, err := log.OpenCheckpoint(signed, public)
	return s.Checkpoint, err
}

// makeKey writes a new private key into a new file that no commit takes along, and prints its public
// forms.
func makeKey(e *env, name, path string) error {
	if err := checkUntracked(e, path); err != nil {
		return err
	}
	text, err := log.NewKey(rand.Reader, name)
	if err != nil {
		return usageError{err}
	}
	key, err := log.ParseKey(text)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	_, err = io.WriteString(e.stdout, key.Public()+"\n"+key.PublicOfWitness()+"\n")
	return err
}

// checkUntracked refuses a new file for a secret that git would offer to commit.
func checkUntracked(e *env, path string) error {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return err
	}
	repo, err := author.Look(dir, e.environ)
	if errors.Is(err, git.ErrNotRepository) {
		return nil
	} else if err != nil {
		return err
	}
	ignored, err := repo.Tree().Ignores(filepath.Join(dir, filepath.Base(path)))
	if err == nil && !ignored {
		err = i18n.Errorf(
			"%s lies in the git repository %s, and a commit could take the private key along: name a file outside it, "+
				"or one that its .gitignore lists",
			path, repo.Dir,
		)
	}
	return err
}

// sign appends what the head has and the log has not, and signs it, unless both are done already.
// What the same key signed before in this history has to be a beginning of it.
func (f *transparencyFlags) sign(ctx context.Context, e *env) error {
	key, err := f.key(e)
	if err != nil {
		return err
	}
	repo, loaded, err := f.load(ctx, e)
	if err != nil {
		return err
	}
	before := loaded.Log.Leaves()
	if longer := loaded.Longer; longer != nil && signedBy(key, longer.Checkpoint) {
		return foundErrorf(
			"not signed: %s has signed %d leaves, and the log was taken back to %d; `git restore --source %s --staged "+
				"--worktree log rulestore.checkpoint` brings back the others: commit that, and sign again",
			key.Name(), longer.Size(), before.Size(), loaded.LongerCommit,
		)
	}
	next := before.Extend(loaded.Unlogged...)
	head := next.Head(key.Name())
	if len(loaded.Unlogged) == 0 && loaded.Log != nil && signedBy(key, loaded.Log.Checkpoint) {
		return e.printer.Fprintf(e.stdout, "the log of %d leaves is signed already\n", head.Size)
	}
	signed, err := head.Sign(key.Log())
	if err != nil {
		return err
	}
	files := map[string]string{content.CheckpointFile: string(signed)}
	if len(loaded.Unlogged) > 0 {
		maps.Copy(files, next.Files(before.Size()))
	}
	if err := repo.CommitLog(ctx, loaded.Snapshot.Settings, files, author.Signing(head.Size)); err != nil {
		return err
	}
	for i, leaf := range loaded.Unlogged {
		if i == maxPrinted {
			fmt.Fprintln(e.stdout, "  …")
			break
		}
		fmt.Fprintf(e.stdout, "  %s\n", content.Printable(string(leaf)))
	}
	return printSigned(e, head, key)
}

// maxPrinted is the maximum number of appended leaves that are printed.
const maxPrinted = 100

// printSigned prints what was signed.
func printSigned(e *env, c log.Checkpoint, key log.Key) error {
	return e.printer.Fprintf(
		e.stdout, "signed the log of %d leaves as %s, and committed it: push it; if git refuses that, see rulestore help "+
			"log\n", c.Size, key.Name(),
	)
}

// signedBy reports whether a checkpoint has the signature of a log's key.
func signedBy(key log.Key, signed []byte) bool {
	public, err := log.NewVerifier(key.Public())
	if err != nil {
		return false
	}
	_, err = log.OpenCheckpoint(signed, public)
	return err == nil
}

// witness cosigns the newest checkpoint, unless it contradicts the last one. The state is stored
// first, so that no signature is ever forgotten.
func (f *transparencyFlags) witness(ctx context.Context, e *env) error {
	key, err := f.key(e)
	if err != nil {
		return err
	}
	public, err := log.NewVerifier(f.verifyKey)
	if err != nil {
		return usageError{err}
	}
	repo, loaded, err := f.load(ctx, e)
	if err != nil {
		return err
	}
	view := loaded.Log
	if view == nil {
		return foundErrorf("not signed: the repository has no log, `rulestore log sign` begins it")
	}
	kept := stateFile(f.state)
	seen, err := kept.read()
	if err != nil {
		return err
	}
	now, err := f.verifyOwn(view.Checkpoint)
	if err == nil {
		err = f.contradiction(view, key, seen, now)
	}
	if err != nil {
		return foundErrorf("not signed: %w", err)
	}
	signed, err := log.Cosign(view.Checkpoint, public, log.NewWitness(key, time.Now()))
	if err != nil {
		return err
	}
	if err := kept.replace(seen, signed); err != nil {
		return err
	}
	files := map[string]string{content.CheckpointFile: string(signed)}
	if err := repo.CommitLog(ctx, loaded.Snapshot.Settings, files, author.Witnessing(now.Size)); err != nil {
		return err
	}
	return printSigned(e, now, key)
}

// contradiction returns the reason why a checkpoint that agrees with a log contradicts the last one
// signed by the witness, if there is one. The log may have had another key then.
func (f *transparencyFlags) contradiction(view *log.Served, key log.Key, seen []byte, now log.Checkpoint) error {
	if seen == nil {
		return nil
	}
	own, err := log.NewPolicy(f.verifyKey, []string{key.PublicOfWitness()}, 1, 0)
	if err != nil {
		return err
	}
	last, err := own.Seen(seen)
	if err != nil {
		return i18n.Errorf("--state %s: %w", f.state, err)
	}
	return view.Follows(last, now)
}
