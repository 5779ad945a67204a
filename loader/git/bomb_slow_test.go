//go:build slow

package git

import (
	"strings"
	"testing"
)

// What many commits list again and again is an error before it is too much, with
// a walker that has read some of it before as with a new one.
func TestHistoryBomb(t *testing.T) {
	r := memoryRepo()
	long := strings.Repeat("f", 250)
	tree, none := r.bomb(t, long, 120, 2), r.storeTree(t, nil)
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
