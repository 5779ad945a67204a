package git

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/memory"
)

// bomb is a folder that lists the same folder so many times, level by level: a
// few KB that stand for times^levels files.
func (r *Repo) bomb(t *testing.T, name string, times, levels int) OID {
	t.Helper()
	id := r.storeTree(t, treeOf("100644", "rule.yaml", BlobOID([]byte("1\n"))))
	for range levels {
		var entries []any
		for i := range times {
			entries = append(entries, "40000", fmt.Sprintf("%s%04d", name, i), id)
		}
		id = r.storeTree(t, treeOf(entries...))
	}
	return id
}

// Where the root itself is such a folder, nothing of it is read.
func TestRootBomb(t *testing.T) {
	r := memoryRepo()
	wide := r.bomb(t, "f", 400, 2) // it would be read if it were there once
	root := r.storeTree(t, bytes.Repeat(treeOf("40000", "guidelines", wide), 1000))
	files, err := r.Changes(OID{}, root, func(string, Mode) bool { return true })
	if want := []File{{"", Folder, root}}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%d files, %v", len(files), err)
	}
	files, err = r.Changes(OID{}, root, func(path string, _ Mode) bool { return path != "guidelines" })
	if err != nil || len(files) != 0 {
		t.Errorf("nothing is wanted of it: %v, %v", files, err)
	}
}

func (r *Repo) storeCommit(t *testing.T, tree OID, parents ...OID) OID {
	t.Helper()
	return r.storeCommitAt(t, 0, tree, parents...)
}

func (r *Repo) storeCommitAt(t *testing.T, date int64, tree OID, parents ...OID) OID {
	t.Helper()
	at := object.Signature{Name: "A", Email: "a@example.org", When: time.Unix(date, 0).UTC()}
	c := &object.Commit{Author: at, Committer: at, TreeHash: plumbing.Hash(tree)}
	for _, p := range parents {
		c.ParentHashes = append(c.ParentHashes, plumbing.Hash(p))
	}
	raw := &plumbing.MemoryObject{}
	if err := c.Encode(raw); err != nil {
		t.Fatal(err)
	}
	hash, err := r.refs.(*memory.Storage).SetEncodedObject(raw)
	if err != nil {
		t.Fatal(err)
	}
	return OID(hash)
}
