//go:build slow

package git_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// Reading an object stops where its header says that it ends, whatever else there
// is, and what is not the object with that id is damaged. That costs little.
func TestDamagedLooseObjects(t *testing.T) {
	for name, raw := range damages() {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "rule\n")
			id := r.oid("HEAD:rule.yaml")
			dir := filepath.Join(r.dir, ".git")
			plant(t, dir, id, raw)
			repo := r.open()
			repo.Settle()
			peak := watchMemory(t)
			_, err := repo.Blob(id, 1<<20)
			if used := peak(); used > 64<<20 {
				t.Errorf("%d MB in use", used>>20)
			}
			if errors.Is(err, git.ErrTooLarge) { // it says so itself
				return
			}
			if mustFail(t, err, "git fsck"); !git.IsDamaged(err) {
				t.Error(err)
			}
		})
	}
}

// A large object of its own file is read in full and checked against its id, too.
func TestLargeLooseObject(t *testing.T) {
	r := newRepo(t)
	text := strings.Repeat("a line of a large file\n", 1<<19) // 11.5 MB
	r.put("rulestore.sum", text)
	id := r.oid("HEAD:rulestore.sum")
	if raw, err := r.open().Blob(id, 32<<20); err != nil || string(raw) != text {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
	if _, err := r.open().Blob(id, 1<<20); !errors.Is(err, git.ErrTooLarge) {
		t.Error(err)
	}
	plant(t, filepath.Join(r.dir, ".git"), id, deflated(fmt.Sprintf("blob %d\x00", len(text)),
		strings.NewReader(strings.Replace(text, "line", "lime", 1))))
	_, err := openFrom(t, git.Checked(git.OnDisk(r.dir))).Blob(id, 32<<20)
	if mustFail(t, err, "damaged"); !git.IsDamaged(err) {
		t.Error(err)
	}
}
