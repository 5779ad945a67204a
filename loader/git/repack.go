package git

import (
	"bytes"
	"context"
	"errors"
	"os/exec"

	"rulestore/content/i18n"
)

// Repack runs git to make one pack of a repository, for which it looks for deltas anew.
func (e Environ) Repack(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "git", "--git-dir", dir, "repack", "-a", "-d", "-f", "-q")
	cmd.Env = e.Without()
	if out, err := cmd.CombinedOutput(); err != nil {
		return i18n.Errorf("git repack: %s: %w", bytes.TrimSpace(out), err)
	}
	return nil
}

// ErrNoGit is the error if the git command is not installed.
var ErrNoGit = i18n.Errorf("the git command is not installed")

// Installed returns [ErrNoGit] if the git command cannot be found.
func Installed() error {
	if _, err := exec.LookPath("git"); errors.Is(err, exec.ErrNotFound) {
		return ErrNoGit
	}
	return nil
}
