//go:build slow

package loader_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// If a commit as a whole is such a folder, nothing of it is read; what was
// published before goes on being served.
func TestBombOfTheRoot(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	var list, root strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&list, "100644 blob %s\tfile-%06d\n", git.BlobOID([]byte(settings)), i)
	}
	folder := r.tree(list.String())
	for _, k := range content.Kinds {
		fmt.Fprintf(&root, "040000 tree %s\t%s\n", folder, k.Folder)
	}
	r.git("update-ref", "HEAD", r.git("commit-tree", "-p", "HEAD", "-m", "Bomb", r.tree(root.String())))
	r.tag("test.one.001", "1.1.0")
	commit := r.git("rev-parse", "--short=12", "HEAD")
	got := r.load()
	r.expect(got, "1.0.0 current", "refused guidelines/test.one.001/v1.1.0",
		"finding error: nothing of commit "+commit+" is read: the folders in it list more than 16 MiB of names [size]",
		"error: nothing of the tagged commit "+commit+" is read [missing-file]")
	r.refuse(got, "[removed]")
}

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
