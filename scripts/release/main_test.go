package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A small program with the layout of the real one.
var sources = map[string]string{
	"go.mod":                   "module rulestore\n\ngo 1.26.0\n",
	".gitignore":               "/dist/\n",
	"cmd/rulestore/version.go": "package main\n\n// release is the version.\nconst release = \"1.2.3\"\n",
	"cmd/rulestore/main.go":    "package main\n\nfunc main() { println(release) }\n",
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_COMMITTER_DATE=2026-05-01T10:00:00+03:00")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func committed(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "one")
	for name, text := range sources {
		put(t, dir, name, text)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "Begin")
	return dir
}

// Nothing is made of what is no commit, nor into what is there already.
func TestRefused(t *testing.T) {
	dir := committed(t)
	to := filepath.Join(dir, "dist")
	put(t, dir, "dist/old", "")
	if err := release(t.Context(), dir, to, targets, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
	put(t, dir, "more.go", "package more\n")
	if err := release(t.Context(), dir, t.TempDir(), targets, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "?? more.go") {
		t.Error(err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked)
	if err := release(t.Context(), linked, t.TempDir(), targets, &bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "in a clone") {
		t.Error(err)
	}
	if err := release(t.Context(), t.TempDir(), t.TempDir(), targets, &bytes.Buffer{}); err == nil {
		t.Error("a release of no repository")
	}
}
