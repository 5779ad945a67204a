package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/offer"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader"
	"rulestore/loader/gitcmd"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

type bundleFlags struct {
	repo, ref, since string
	remote           remoteFlags
}

func newBundle(e *env) *cobra.Command {
	var f bundleFlags
	c := &cobra.Command{
		Use: "bundle",
		Example: `  rulestore bundle
  rulestore bundle --since last.checkpoint news.bundle
  rulestore bundle --repo https://git.example.org/rules.git --cache-dir /var/cache/rulestore - >rules.bundle`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			name := gitrepo.BundleName
			if len(args) > 0 {
				name = args[0]
			}
			return f.run(c.Context(), e, name)
		},
	}
	flags := c.Flags()
	pathVar(flags, &f.repo, "repo", ".", "the repository, or the address of one that is mirrored")
	flags.StringVar(&f.ref, "ref", "", "the branch that is served; without it, the one that HEAD names")
	flags.StringVar(&f.since, "since", "", "a file with a checkpoint of the log, or a number of leaves")
	f.remote.registerCache(flags)
	return c
}

func (f bundleFlags) run(ctx context.Context, e *env, name string) error {
	size, head, err := f.sinceSize(e)
	if err != nil {
		return usageError{err}
	}
	if err := gitcmd.Installed(); err != nil {
		return err
	}
	source, err := f.source(e)
	if err != nil {
		return err
	}
	loaded, err := loader.New(loader.Config{
		Source: source, Branch: f.ref, Schemas: schemas.Embedded(), Now: time.Now,
	}).LoadToPlan(ctx)
	switch {
	case err != nil:
		return i18n.Errorf("load %s: %w", f.repo, err)
	case loaded.Bundle.Dir == "":
		return i18n.Errorf("%s is a folder of a repository, and a bundle has all of it: name the repository", f.repo)
	}
	var after gitrepo.OID
	if size > 0 {
		if size > loaded.Log.Leaves().Size() {
			return i18n.Errorf(
				"the log has %d leaves, and --since asks for what came after %d", loaded.Log.Leaves().Size(), size,
			)
		}
		if head != nil && !loaded.Log.Leaves().Agrees(*head) {
			return i18n.Errorf(
				"--since %s: this is a head of another log, or of a rewritten one: who has it needs a whole bundle",
				f.since,
			)
		}
		after = loaded.LogCommit(size)
	}
	write := func(w io.Writer) error { return offer.Write(ctx, e.environ, w, loaded.Bundle, after, nil) }
	if name == "-" {
		return write(e.stdout)
	}
	if err := replaceFile(e.path(name), write); err != nil {
		return err
	}
	return e.printer.Fprintf(
		e.stderr, "%s: the branch at %s and %d tags\n", name, loaded.Snapshot.Commit[:12], len(loaded.Bundle.Refs)-1,
	)
}

// source opens the repository of the bundle; of a remote one, the copy in the cache.
func (f bundleFlags) source(e *env) (gitrepo.Opener, error) {
	if !gitrepo.IsAddress(f.repo) {
		path, err := filepath.Abs(f.repo)
		if err == nil {
			_, err = gitrepo.Locate(path)
		}
		return gitrepo.OnDisk(path), err
	}
	address, err := gitrepo.ParseAddress(f.repo)
	if err != nil {
		return nil, usageErrorf("--repo: %w", err)
	}
	cache, err := f.remote.cache(e)
	if err != nil {
		return nil, err
	}
	source, ok := gitrepo.Mirrored(cache, address)
	if !ok {
		return nil, i18n.Errorf("there is no copy of %s in %s: `rulestore serve` makes one", address, cache)
	}
	return source, nil
}

// sinceSize returns the size of the log that --since names, 0 for nothing, and its head if it is known.
func (f bundleFlags) sinceSize(e *env) (size int64, head *log.Checkpoint, err error) {
	if f.since == "" {
		return 0, nil, nil
	}
	if size, err := strconv.ParseInt(f.since, 10, 64); err == nil {
		if size < 1 {
			return 0, nil, i18n.Errorf("--since %d: expected a number of leaves from 1 on", size)
		}
		return size, nil, nil
	}
	raw, err := readLimited(e.path(f.since), log.MaxCheckpoint)
	if err != nil {
		return 0, nil, i18n.Errorf("--since: %w", err)
	}
	c, err := log.ReadCheckpoint(raw)
	return c.Size, &c, err
}

// bundleCopy is a copy of a repository in a folder for the time of a command.
type bundleCopy struct {
	*gitrepo.Mirror
	dir string
}

// openBundle copies the bundle at an address or a path. The caller closes the copy.
func openBundle(ctx context.Context, repo string) (*bundleCopy, error) {
	a, err := gitrepo.ParseAddress(repo)
	if err == nil && !a.Bundled() {
		err = i18n.Errorf("expected a repository on this machine or a git bundle: clone %s first", a)
	}
	if err != nil {
		return nil, usageErrorf("--repo: %w", err)
	}
	dir, err := os.MkdirTemp("", "rulestore-bundle-")
	if err != nil {
		return nil, err
	}
	m, err := gitrepo.OpenMirror(ctx, dir, gitrepo.Remote{Address: a})
	if err == nil {
		_, err = m.Fetch(ctx)
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &bundleCopy{m, dir}, nil
}

// Close removes the copy.
func (u *bundleCopy) Close() error { return errors.Join(u.Mirror.Close(), os.RemoveAll(u.dir)) }
