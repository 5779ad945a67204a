package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Of many runs that begin with the same state one keeps what it has seen, and the others
// learn that they have to look again.
func TestStateOfTwoRuns(t *testing.T) {
	f := stateFile(filepath.Join(t.TempDir(), "state"))
	if err := f.replace(nil, []byte("first")); err != nil {
		t.Fatal(err)
	}
	var kept atomic.Int32
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			if f.replace([]byte("first"), fmt.Append(nil, i)) == nil {
				kept.Add(1)
			}
		})
	}
	wg.Wait()
	if kept.Load() != 1 {
		t.Errorf("%d of the runs have kept their state", kept.Load())
	}
	now, err := f.read()
	if err != nil || string(now) == "first" {
		t.Errorf("%q %v", now, err)
	}
	if err := f.replace([]byte("first"), []byte("late")); err == nil ||
		!strings.Contains(err.Error(), "another run has written") {
		t.Error(err)
	}
	if err := f.replace([]byte("first"), now); err != nil {
		t.Errorf("two runs saw the same: %v", err)
	}
	if err := os.WriteFile(string(f)+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.replace(now, []byte("next")); err == nil || !strings.Contains(err.Error(), "state.lock is there") {
		t.Error(err)
	}
	if again, err := f.read(); err != nil || string(again) != string(now) {
		t.Errorf("%q %v", again, err)
	}
}
