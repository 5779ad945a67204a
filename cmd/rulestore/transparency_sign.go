package main

import (
	"context"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader/author"
)

// sign signs the head, unless it is signed already. What the same log signed before has to be
// a beginning of it.
func (f *transparencyFlags) sign(ctx context.Context, e *env) error {
	key, err := f.key(e)
	if err != nil {
		return err
	}
	repo, view, err := f.load(ctx)
	if err != nil {
		return err
	}
	last, err := repo.Checkpoint()
	if err != nil {
		return err
	}
	before, unread := log.ReadCheckpoint([]byte(last))
	head := view.Head(key.Name())
	switch {
	case unread == nil && before.Origin == head.Origin && !view.Agrees(before):
		return foundErrorf(
			"not signed: %s has signed another log of %d leaves, so the history was rewritten or rolled back",
			key.Name(), before.Size,
		)
	case unread == nil && before == head && signedBy(key, last):
		return e.printer.Fprintf(e.stdout, "the log of %d leaves is signed already\n", head.Size)
	}
	signed, err := head.Sign(key.Log())
	if err != nil {
		return err
	}
	if err := repo.CommitCheckpoint(ctx, signed, author.Signing, head.Size); err != nil {
		return err
	}
	return printSigned(e, head, key)
}

// printSigned prints what was signed.
func printSigned(e *env, c log.Checkpoint, key log.Key) error {
	return e.printer.Fprintf(
		e.stdout, "signed the log of %d leaves as %s, and committed %s\n", c.Size, key.Name(), content.CheckpointFile,
	)
}

// signedBy reports whether a checkpoint has the signature of a log's key.
func signedBy(key log.Key, signed string) bool {
	public, err := log.NewVerifier(key.Public())
	if err != nil {
		return false
	}
	_, err = log.OpenCheckpoint([]byte(signed), public)
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
	repo, view, err := f.load(ctx)
	if err != nil {
		return err
	}
	if view.Refused || view.Checkpoint == nil {
		return foundErrorf("not signed: the repository has no checkpoint that agrees with its log")
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
	if err := repo.CommitCheckpoint(ctx, signed, author.Witnessing, now.Size); err != nil {
		return err
	}
	return printSigned(e, now, key)
}

// contradiction returns the reason why a checkpoint that agrees with a log contradicts the last one
// signed by the witness, if there is one. The log may have had another key then.
func (f *transparencyFlags) contradiction(view *log.View, key log.Key, seen []byte, now log.Checkpoint) error {
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
