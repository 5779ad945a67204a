package git

import (
	"fmt"
	"testing"
)

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
