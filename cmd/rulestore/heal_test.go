package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A first start that waits ends when it is told to.
func TestFirstStartEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	log := &lockedBuffer{}
	time.AfterFunc(100*time.Millisecond, cancel)
	err := run(ctx, []string{
		"serve", "--addr", "127.0.0.1:0", "--repo", "http://" + freeAddr(t) + "/rules.git", "--cache-dir", t.TempDir(),
	},
		func(string) string { return "" }, nil, io.Discard, log)
	if err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}

// What is wrong on this machine no waiting mends.
func TestFirstStartRefuses(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"unknown to the host": {[]string{"--repo", h.URL + "/nowhere.git"}, "check the address"},
		"a bad address":       {[]string{"--repo", "ftp://example.org/rules.git"}, "begins with"},
		"no such folder":      {[]string{"--repo", "file:///nowhere/rules.git"}, "--repo file:///nowhere/rules.git: "},
		"no repository":       {[]string{"--repo", "file://" + t.TempDir()}, "no git repository"},
		"no password file": {[]string{"--repo", h.URL + "/rules.git", "--git-password-file", empty + ".gone"},
			"--git-password-file: "},
		"an empty password": {[]string{"--repo", h.URL + "/rules.git", "--git-password-file", empty},
			"the first line"},
		"no key": {[]string{"--repo", "git@localhost:rules.git", "--ssh-key", empty + ".gone"},
			"--ssh-key: "},
		"no known hosts": {[]string{"--repo", "git@localhost:rules.git", "--known-hosts", empty + ".gone"},
			"--known-hosts: "},
		"an address with user": {[]string{"--repo", "https://anna:s3cret@example.org/rules.git"},
			"must not say who signs in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out lockedBuffer
			err := run(t.Context(), append([]string{"serve", "--addr", "127.0.0.1:0", "--cache-dir", t.TempDir()},
				c.args...),
				func(string) string { return "" }, nil, io.Discard, &out)
			want := exitUsage
			if name == "unknown to the host" { // which only the host could say
				want = exitFailed
			}
			if exitCode(err) != want || !strings.Contains(out.String(), c.says) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}
