package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"

	"rulestore/content/i18n"
)

// Pack runs git to write a pack of all objects reachable from some objects and not from others,
// which are given by their ids. dir is the git directory. A thin pack contains deltas based on
// the others (git help pack-objects, --thin).
func (e Environ) Pack(ctx context.Context, dir string, objects, without []string, w io.Writer) error {
	args := []string{
		"--git-dir", dir, "pack-objects", "--quiet", "--revs", "--delta-base-offset", "--threads=1", "--stdout",
	}
	if len(without) > 0 {
		args = append(args, "--thin")
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = e.outside()
	var ask strings.Builder
	for _, id := range objects {
		ask.WriteString(id + "\n")
	}
	for _, id := range without {
		ask.WriteString("^" + id + "\n")
	}
	cmd.Stdin = strings.NewReader(ask.String())
	var said firstLines
	cmd.Stdout, cmd.Stderr = w, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return i18n.Errorf("git pack-objects: %s: %w", bytes.TrimSpace(said.text), err)
	}
	return nil
}

// Repack runs git to make one pack of a repository, for which it looks for deltas anew.
func (e Environ) Repack(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "git", "--git-dir", dir, "repack", "-a", "-d", "-f", "-q")
	cmd.Env = e.outside()
	if out, err := cmd.CombinedOutput(); err != nil {
		return i18n.Errorf("git repack: %s: %w", bytes.TrimSpace(out), err)
	}
	return nil
}

// Has reports whether a repository has a commit. It is also false if git cannot be run.
func (e Environ) Has(ctx context.Context, dir, commit string) bool {
	cmd := exec.CommandContext(ctx, "git", "--git-dir", dir, "cat-file", "-e", commit+"^{commit}")
	cmd.Env = e.outside()
	return cmd.Run() == nil
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
