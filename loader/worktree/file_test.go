package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/worktree"
)

// Files are replaced as a whole, with their mode, and not through a link that somebody left.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other, file := filepath.Join(dir, "other"), filepath.Join(dir, "a", "file")
	for _, text := range []string{"one", "two"} {
		if err := os.WriteFile(other, []byte("other"), 0o644); err != nil {
			t.Fatal(err)
		}
		_ = os.Symlink("../other", filepath.Join(dir, "a", ".file.new"))
		if err := worktree.Write(dir, "a/file", []byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if untouched, _ := os.ReadFile(other); err != nil || string(got) != text || string(untouched) != "other" {
			t.Errorf("%q, %q, %v", got, untouched, err)
		}
		if info, err := os.Lstat(file); err != nil || text == "two" && info.Mode() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "a")); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "full", "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := worktree.Write(dir, "full", []byte("x")); err == nil || !strings.HasPrefix(err.Error(), "write full: ") {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".full.new")); err == nil {
		t.Error("what could not be put in its place is left")
	}
	if err := worktree.Write(dir, "other/file", []byte("x")); err == nil ||
		!strings.HasPrefix(err.Error(), "write other/file: ") {
		t.Error(err)
	}
	for range 2 { // the second time there is none
		if err := worktree.Write(dir, "a/file", nil); err != nil {
			t.Error(err)
		}
	}
	if _, err := worktree.Read(dir, "a/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := worktree.Read(dir, "link"); err == nil {
		t.Error("a link that leaves the folder is followed")
	}
}
