//go:build slow

package git

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// A history that is read in stretches is that which is read at once, and every
// commit is visited once.
func TestStretches(t *testing.T) {
	dir := versions(t)
	gitIn(t, dir, "repack", "-qadf")
	keep := func(string, Mode) bool { return true }
	together, alone := openDisk(t, dir), openDisk(t, dir)
	alone.again = nil
	refs, err := together.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	visited := map[OID]int{}
	repos := map[*Repo]bool{}
	w := NewWalker(keep)
	w.Visit = func(r *Repo, commits []CommitFiles) error {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range commits {
			visited[c.Commit]++
		}
		repos[r] = true
		return nil
	}
	got, err := w.History(together, refs.Commit, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewWalker(keep).History(alone, refs.Commit, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Paths(refs.Commit)) != 702 {
		t.Errorf("%d files", len(got.Paths(refs.Commit)))
	}
	for _, f := range want.Paths(refs.Commit) {
		if a, b := got.Versions(f.Path), want.Versions(f.Path); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v, expected %v", f.Path, a, b)
		}
	}
	for commit, n := range visited {
		if n != 1 {
			t.Errorf("%s is visited %d times", commit, n)
		}
	}
	if len(visited) != 30 {
		t.Errorf("%d commits are visited", len(visited))
	}
	if n := runtime.GOMAXPROCS(0); len(repos) != min(n, 30/rangeSize) {
		t.Errorf("%d handles are read through, on %d processors", len(repos), n)
	}
}

// What goes wrong in a stretch ends the walk with what it says, also where a library
// gives up; nothing of the walk is remembered.
func TestStretchesThatFail(t *testing.T) {
	dir := versions(t)
	r := openDisk(t, dir)
	refs, err := r.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("enough")
	for what, visit := range map[string]func() error{
		"enough":                 func() error { return broken },
		"crashed: out of bounds": func() error { panic("out of bounds") },
	} {
		w := NewWalker(func(string, Mode) bool { return true })
		var mu sync.Mutex
		n := 0
		w.Visit = func(_ *Repo, commits []CommitFiles) error {
			mu.Lock()
			defer mu.Unlock()
			if n += len(commits); n >= 20 {
				return visit()
			}
			return nil
		}
		if _, err := w.History(r, refs.Commit, nil); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
		if w.last != nil {
			t.Errorf("%s: a history is remembered", what)
		}
	}
	r.again = func() (*Repo, error) { return nil, fmt.Errorf("gone: %w", broken) }
	_, err = NewWalker(func(string, Mode) bool { return true }).History(r, refs.Commit, nil)
	if several := runtime.GOMAXPROCS(0) > 1; errors.Is(err, broken) != several {
		t.Errorf("without another handle: %v", err)
	}
}
