package main

import (
	"context"
	"fmt"
	"maps"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader/author"
)

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
	if err := repo.CommitLog(ctx, files, author.Signing, head.Size); err != nil {
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
	if err := repo.CommitLog(
		ctx, map[string]string{content.CheckpointFile: string(signed)}, author.Witnessing, now.Size,
	); err != nil {
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
