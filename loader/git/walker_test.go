package git

import (
	"fmt"
	"testing"
)

// A walker reads a commit once, for however many histories of one pass after the
// other, and lets go of it when a pass has not reached it.
func TestWalkerRemembers(t *testing.T) {
	r := memoryRepo()
	tree := r.storeTree(t, treeOf("100644", "rule.yaml", BlobOID([]byte("1\n"))))
	root := r.storeCommit(t, tree)
	head, beside := r.storeCommit(t, r.storeTree(t, nil), root), r.storeCommit(t, tree, root, root)
	w := NewWalker(func(string, Mode) bool { return true })
	pass := func(want int, others ...OID) {
		t.Helper()
		read := 0
		for _, list := range [][]OID{nil, others} {
			fresh, err := w.collect(r, append([]OID{head}, list...))
			if err != nil {
				t.Fatal(err)
			}
			read += len(fresh.list)
			if _, err := w.History(r, head, list); err != nil {
				t.Fatal(err)
			}
		}
		w.Forget()
		if read != want {
			t.Errorf("%d commits were read, expected %d", read, want)
		}
	}
	pass(3, beside)
	pass(0, beside)
	pass(0)
	pass(1, beside)
	pass(0)
	if len(w.last.index) != 2 || w.previous != nil {
		t.Errorf("%d commits are remembered, %v", len(w.last.index), w.previous)
	}
}

// Where development happens on a branch of its own, what changed between two
// commits of it is found without walking all of it.
func TestSinceBesideTheBranch(t *testing.T) {
	const commits, files = 8000, 500
	r := memoryRepo()
	first := r.storeCommit(t, r.storeTree(t, nil))
	tip, beside := first, make([]OID, commits)
	for i := range beside {
		tip = r.storeCommitAt(t, int64(i), r.storeTree(t, treeOf("100644", fmt.Sprint(i%files),
			BlobOID(fmt.Append(nil, i)))), tip)
		beside[i] = tip
	}
	merge := r.storeCommitAt(t, commits, r.storeTree(t, nil), first, tip)
	h, err := NewWalker(func(string, Mode) bool { return true }).History(r, merge, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := files; i < commits; i++ {
		got := h.Since(beside[i], beside[i-files], fmt.Sprint(i%files))
		if len(got) != 2 || got[1].OID != beside[i] { // taken away by the next commit, and back
			t.Fatalf("since %d: %d commits", i, len(got))
		}
	}
}
