package offer

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/gitrepo"
)

// A service runs longer than systems keep temporary files that nobody uses: bundles are made
// again, also where their folder is gone.
func TestTemporaryFilesAreRemoved(t *testing.T) {
	temp, repo := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	git := func(args ...string) string {
		t.Helper()
		args = append([]string{"-C", repo, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)
		out, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatal(string(out))
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "First")
	head, err := gitrepo.ParseOID(git("rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	const branch = "refs/heads/main"
	served := &Served{Bundle: gitrepo.Bundle{
		Dir: filepath.Join(repo, ".git"), Branch: branch, Refs: []gitrepo.Ref{{Name: branch, OID: head}},
	}}
	o, err := New(nil, func() *Served { return served })
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"nothing", "rulestore-bundles-*/*", "rulestore-bundles-*"} {
		found, _ := filepath.Glob(filepath.Join(temp, gone))
		for _, name := range found {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
		f, err := o.After(t.Context(), "", "")
		if err != nil {
			t.Fatalf("without %s: %v", gone, err)
		}
		if raw, err := io.ReadAll(f); err != nil || !strings.HasPrefix(string(raw), "# v2 git bundle\n") {
			t.Errorf("without %s: %v, %.50q", gone, err, raw)
		}
		_ = f.Close() // only read
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if f, err := o.After(t.Context(), "", ""); err == nil { // of a request that outlives the process's grace
		t.Error("a bundle is made after the end")
		_ = f.Close() // only read
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
