package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"rulestore/content/i18n"
)

// Pack runs git to write a pack of all objects reachable from some objects and not from others,
// which are given by their ids. dir is the git directory. A thin pack contains deltas based on
// the others (git help pack-objects, --thin).
func Pack(ctx context.Context, dir string, objects, without []string, w io.Writer) error {
	args := []string{"--git-dir", dir, "pack-objects", "--quiet", "--revs", "--delta-base-offset", "--threads=1", "--stdout"}
	if len(without) > 0 {
		args = append(args, "--thin")
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = outside()
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

// Has reports whether a repository has a commit. It is also false if git cannot be run.
func Has(ctx context.Context, dir, commit string) bool {
	cmd := exec.CommandContext(ctx, "git", "--git-dir", dir, "cat-file", "-e", commit+"^{commit}")
	cmd.Env = outside()
	return cmd.Run() == nil
}

// TagsBefore returns the tags that lead to a commit or to one that it reaches, and are no newer than
// it, each with the id of its object: those that were pushed with these commits, if no one kept a
// tag back. The names are full.
func TagsBefore(ctx context.Context, dir, commit string) (ids map[string]string, err error) {
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir", dir}, args...)...)
		cmd.Env = outside()
		return cmd.Output()
	}
	dated, err := run("show", "-s", "--format=%ct", commit)
	if err != nil {
		return nil, i18n.Errorf("git show: %w", err)
	}
	at, err := strconv.ParseInt(string(bytes.TrimSpace(dated)), 10, 64)
	if err != nil {
		return nil, i18n.Errorf("git show: %w", err)
	}
	const format = "--format=%(creatordate:unix) %(objectname) %(refname)"
	all, err := run("for-each-ref", "--merged="+commit, format, "refs/tags")
	if err != nil {
		return nil, i18n.Errorf("git for-each-ref: %w", err)
	}
	ids = map[string]string{}
	for line := range strings.Lines(string(all)) {
		part := strings.Fields(line)
		if len(part) != 3 { // without a date
			continue
		}
		if made, err := strconv.ParseInt(part[0], 10, 64); err == nil && made <= at {
			ids[part[2]] = part[1]
		}
	}
	return ids, nil
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
