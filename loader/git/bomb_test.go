package git

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
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

// What stands for more files than anybody can read is an error where it is wanted, there and back, and costs nothing
// where it is not.
func TestTreeBombs(t *testing.T) {
	r := memoryRepo()
	rule := BlobOID([]byte("1\n"))
	for name, bomb := range map[string]OID{
		"30 to the 4th": r.bomb(t, "f", 30, 4),
		"2 to the 6th, in 20,000 folders": r.storeTree(t, bytes.Repeat(treeOf("40000", "f", r.bomb(t, "f", 2, 6)),
			20_000)),
		"1000 squared": r.bomb(t, "f", 1000, 2),
		"100 to the 3rd, under one name": r.storeTree(t, bytes.Repeat(treeOf("40000", "same", r.bomb(t, "f", 100, 2)),
			100)),
		"too large itself": r.storeTree(t, bytes.Repeat(treeOf("100644", strings.Repeat("n", 1<<20), rule), 65)),
	} {
		t.Run(name, func(t *testing.T) {
			root := r.storeTree(t, treeOf("40000", "guidelines", bomb, "100644", "y.yaml", rule))
			for _, c := range [][2]OID{{{}, root}, {root, {}}} {
				if _, err := r.Changes(c[0], c[1], func(string, Mode) bool { return true }); err != errTooMany {
					t.Error(err)
				}
			}
			files, err := r.Changes(OID{}, root, func(path string, _ Mode) bool { return path != "guidelines" })
			if err != nil || !slices.Equal(files, []File{{"y.yaml", Regular, rule}}) {
				t.Errorf("not wanted: %v, %v", files, err)
			}
		})
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
