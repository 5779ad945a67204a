//go:build slow

package git

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A folder that stands for more files than anybody can read is listed itself, and
// what is beside it is read: the same from any commit, there and back.
func TestTreeBombs(t *testing.T) {
	r := memoryRepo()
	rule := BlobOID([]byte("1\n"))
	small := r.storeTree(t, treeOf("100644", "a.yaml", rule))
	with := func(bomb OID) OID {
		return r.storeTree(t, treeOf("40000", "guidelines", r.storeTree(t,
			treeOf("100644", "a.yaml", rule, "40000", "x", bomb, "100644", "y.yaml", rule))))
	}
	clean := r.storeTree(t, treeOf("40000", "guidelines", small))
	for name, bomb := range map[string]OID{
		"30 to the 4th": r.bomb(t, "f", 30, 4),
		"2000 squared":  r.bomb(t, "f", 2000, 2),
		"100 to the 3rd, under one name": r.storeTree(t, bytes.Repeat(treeOf("40000", "same", r.bomb(t, "f", 100, 2)),
			100)),
		"one name of a megabyte, 20 wide": r.storeTree(t, bytes.Repeat(treeOf("100644",
			strings.Repeat("n", 1<<20), rule), 20)),
	} {
		t.Run(name, func(t *testing.T) {
			bad := with(bomb)
			for i, c := range []struct {
				old, new OID
				want     string
			}{
				{OID{}, bad, "[guidelines/a.yaml guidelines/x guidelines/y.yaml]"},
				{clean, bad, "[guidelines/x guidelines/y.yaml]"},
				{bad, clean, "[guidelines/x guidelines/y.yaml]"},
				{with(small), bad, "[guidelines/x guidelines/x/a.yaml]"},
				{bad, with(small), "[guidelines/x guidelines/x/a.yaml]"},
				{bad, OID{}, "[guidelines/a.yaml guidelines/x guidelines/y.yaml]"},
			} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					files, err := r.Changes(c.old, c.new, func(string, Mode) bool { return true })
					if err != nil {
						t.Fatal(err)
					}
					var paths []string
					for _, f := range files {
						if paths = append(paths, f.Path); f.Path != "guidelines/x" {
							continue
						}
						if want := (File{"guidelines/x", Folder, bomb}); f.Mode != Absent && f != want {
							t.Errorf("%+v, expected %+v", f, want)
						}
					}
					slices.Sort(paths)
					if fmt.Sprint(paths) != c.want {
						t.Errorf("%q, expected %s", paths[:min(len(paths), 10)], c.want)
					}
				})
			}
		})
	}
}

// A list of entries may be larger than anybody reads in one piece.
func TestHugeFolder(t *testing.T) {
	r := memoryRepo()
	huge := r.storeTree(t, bytes.Repeat(treeOf("100644", strings.Repeat("n", 1<<20), BlobOID(nil)), maxTree>>20+1))
	root := r.storeTree(t, treeOf("100644", "a.yaml", BlobOID(nil), "40000", "guidelines", huge))
	for tree, want := range map[OID]string{root: "[a.yaml guidelines]", huge: "[]"} {
		if paths, err := r.changedPaths(OID{}, tree); err != nil || fmt.Sprint(paths) != want {
			t.Errorf("%q, %v, expected %s", paths, err, want)
		}
	}
}

// What many commits list again and again is an error before it is too much, with
// a walker that has read some of it before as with a new one.
func TestHistoryBomb(t *testing.T) {
	r := memoryRepo()
	long := strings.Repeat("f", 250)
	tree, none := r.bomb(t, long, 200, 2), r.storeTree(t, nil)
	for range 4 {
		tree = r.storeTree(t, treeOf("40000", long, tree))
	}
	var tips []OID
	for i := range 40 {
		tips = append(tips, r.storeCommit(t, []OID{tree, none}[i%2], tips[max(0, i-1):]...))
	}
	tip := tips[39]
	nothing := func(path string, m Mode) bool { return m == Folder }
	w := NewWalker(nothing)
	if _, err := w.History(r, tips[3], nil); err != nil {
		t.Fatal(err)
	}
	for name, walker := range map[string]*Walker{"known": w, "new": NewWalker(nothing)} {
		if _, err := walker.History(r, tip, nil); err == nil ||
			!strings.Contains(err.Error(), "the history of commit "+tip.String()[:12]+" is too large") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// However deep and wide, what is left to read of a folder is little.
func TestDeepBomb(t *testing.T) {
	r := memoryRepo()
	for _, times := range []int{2, 7, 20, 70, 1000} {
		root := r.storeTree(t, treeOf("40000", "guidelines", r.bomb(t, "f", times, 12)))
		files, err := r.Changes(OID{}, root, func(string, Mode) bool { return true })
		if err != nil || len(files) > MaxFolder/28 {
			t.Errorf("%d wide: %d files, %v", times, len(files), err)
		}
	}
}
