package git_test

import (
	"errors"
	"os"
	"testing"

	"rulestore/loader/git"
)

// openFiles counts the open files, where the system tells.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if errors.Is(err, os.ErrNotExist) {
		return 0
	} else if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// Files are let go of also where opening or reading fails.
func TestOpenFiles(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	r.git("gc", "--quiet")
	bad := newRepo(t)
	bad.put("rule.yaml", "1\n")
	writeFile(t, bad.dir+"/.git/shallow", bad.oid("HEAD").String()+"\n")
	before := openFiles(t)
	for range 20 {
		repo, err := git.OnDisk(r.dir).Open()
		if err != nil {
			t.Fatal(err)
		}
		refs, err := repo.Refs("")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := git.NewWalker(everything).History(repo, refs.Commit, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := repo.Blob(git.BlobOID([]byte("nothing")), 1); err == nil {
			t.Error("nothing can be read")
		}
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
		if _, err := git.OnDisk(bad.dir).Open(); err == nil {
			t.Error("a shallow repository is open")
		}
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, %d were before", after, before)
	}
}
