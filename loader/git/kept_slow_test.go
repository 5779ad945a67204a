//go:build slow

package git

import (
	"reflect"
	"sync"
	"testing"
)

// storedChanges keeps changes as a cache on disk does.
type storedChanges struct {
	mu    sync.Mutex
	bytes map[[2]OID][]byte
	asked int
}

func (s *storedChanges) Changes(_ string, old, new OID) (c Changed, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	raw, ok := s.bytes[[2]OID{old, new}]
	return c, ok && c.UnmarshalBinary(raw) == nil
}

func (s *storedChanges) Keep(_ string, old, new OID, c Changed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes[[2]OID{old, new}], _ = c.AppendBinary(nil)
}

// A history of kept changes is the same, takes as much of what it may take, and reads no
// folder again.
func TestKeptChanges(t *testing.T) {
	r := openDisk(t, versions(t))
	refs, err := r.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	s := &storedChanges{bytes: map[[2]OID][]byte{}}
	walk := func(kept KeptChanges) *History {
		t.Helper()
		w := NewWalker(func(string, Mode) bool { return true })
		w.Kept = kept
		h, err := w.History(r, refs.Commit, nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	want := walk(nil)
	walk(s)
	n := len(s.bytes)
	got := walk(s)
	if n == 0 || len(s.bytes) != n || s.asked < 2*n {
		t.Errorf("%d changes are kept, then %d; they were asked for %d times", n, len(s.bytes), s.asked)
	}
	if got.work != want.work {
		t.Errorf("it took %d, expected %d", got.work, want.work)
	}
	for _, f := range want.Paths(refs.Commit) {
		if a, b := got.Versions(f.Path), want.Versions(f.Path); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v, expected %v", f.Path, a, b)
		}
	}
}
