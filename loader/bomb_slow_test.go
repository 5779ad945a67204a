//go:build slow

package loader_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// A file of a megabyte that a commit lists 1000 times, or a work tree has so often.
func TestTooMuchTogether(t *testing.T) {
	r := newRepo(t)
	r.write("guidelines/test.one.001.yaml", "\xff"+strings.Repeat("x", 1<<20-1))
	r.play("edit two Два; publish two 1.0.0")
	blob, list := r.git("rev-parse", "HEAD:guidelines/test.one.001.yaml"), ""
	for i := range 1000 {
		list += fmt.Sprintf("100644 blob %s\ttest.one.%04d.yaml\n", blob, i)
	}
	r.plant("guidelines", r.tree(list))
	repo, err := git.OnDisk(r.dir).Open()
	must(t, err)
	defer repo.Close()
	head, err := repo.Head()
	must(t, err)
	const says = "the files up to guidelines/test.one.0256.yaml have more than 256 MiB together"
	if _, err := loader.ReadCommit(loader.Config{Schemas: schemas.Embedded()}, repo, head); err == nil ||
		!strings.Contains(err.Error(), says) {
		t.Errorf("a commit: %v", err)
	}
	drafts := loader.New(loader.Config{Source: git.At(git.OnDisk(r.dir), head), Drafts: true,
		Schemas: schemas.Embedded(), Now: time.Now})
	if _, err := drafts.Load(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("drafts: %v", err)
	}
	if got := r.load(); !strings.Contains(got, "1.0.0 current") {
		t.Errorf("without drafts:\n%s", got)
	}
	for i := range 300 {
		file := filepath.Join(r.dir, "guidelines", fmt.Sprintf("test.one.%04d.yaml", i))
		must(t, os.WriteFile(file, nil, 0o644))
		must(t, os.Truncate(file, 1<<20))
	}
	if _, err := loader.NewTreeReader(loader.Config{Schemas: schemas.Embedded()}, r.dir).Read(nil); err == nil ||
		!strings.Contains(err.Error(), "have more than 256 MiB together") {
		t.Errorf("the work tree: %v", err)
	}
}
