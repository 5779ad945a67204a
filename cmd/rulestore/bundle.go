package main

import (
	"context"
	"errors"
	"os"

	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
)

// bundleCopy is a copy of a repository in a folder for the time of a command.
type bundleCopy struct {
	*mirror.Mirror
	dir string
}

// openBundle copies the bundle at an address or a path. The caller closes the copy.
func openBundle(ctx context.Context, repo string) (*bundleCopy, error) {
	a, err := git.ParseAddress(repo)
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
	m, err := mirror.Open(ctx, dir, mirror.Remote{Address: a})
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
