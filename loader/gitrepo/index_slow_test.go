//go:build slow

package gitrepo

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// An object is found where go-git finds it, also far from the beginning of its pack.
func TestPackIndex(t *testing.T) {
	dir := versions(t)
	gitIn(t, dir, "repack", "-qad")
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	ids, _, _ := objects(t, dir)
	for _, form := range []string{"2", "2,0x40"} { // offsets beyond 0x40 as if they were beyond 2 GiB
		name := filepath.Join(t.TempDir(), "form.idx")
		gitIn(t, dir, "index-pack", "--index-version="+form, "-o", name, packs[0])
		decoded, err := openIndex(name)
		if err != nil {
			t.Fatal(err)
		}
		if far := len(decoded.Offset64) > 0; far != strings.Contains(form, ",") {
			t.Fatalf("form %s: far offsets %t", form, far)
		}
		index := packIndex{decoded}
		for _, id := range ids {
			got, err := index.find(plumbing.Hash(id))
			if want, err2 := decoded.FindOffset(plumbing.Hash(id)); err != nil || err2 != nil || got != want {
				t.Fatalf("form %s: %s stands at %d, %v; go-git says %d, %v", form, id, got, err, want, err2)
			}
			id[len(id)-1] ^= 1
			if at, err := index.find(plumbing.Hash(id)); err == nil {
				t.Errorf("form %s: %s, which is not there, stands at %d", form, id, at)
			}
		}
		if decoded.Offset64 = nil; strings.Contains(form, ",") {
			if at, err := index.find(plumbing.Hash(ids[0])); err == nil && at > 0x40 {
				t.Errorf("an offset that is cut off is %d", at)
			}
		}
	}
	for _, id := range []plumbing.Hash{{}, {0xff}} {
		if _, err := (packIndex{idxfile.NewMemoryIndex()}).find(id); err == nil {
			t.Errorf("%s is found in an index of nothing", id)
		}
	}
}
