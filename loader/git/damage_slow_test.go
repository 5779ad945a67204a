//go:build slow

package git_test

import (
	"errors"
	"path/filepath"
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
