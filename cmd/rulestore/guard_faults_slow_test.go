//go:build slow

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/cmd/rulestore/internal/follow"
)

// What is held back stays held back when the copy of what was accepted cannot be read any more, if
// the host still has it.
func TestHeldOutlivesItsCopy(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	g.a.git("push", "-q", "origin", "HEAD~1:refs/heads/older")
	s := g.start(t)
	count, head := s.publications(), g.a.git("rev-parse", "HEAD")
	gitIn(t, g.bare, "symbolic-ref", "HEAD", "refs/heads/older")
	held := s.heldBy("another default branch", anything)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	corruptions()["nothing in its place"](t, mirrorIn(t, g.cache))
	for range 2 {
		s = g.start(t)
		if now := s.mustOrder(); now.Commit != head || now.Publications != count {
			t.Errorf("served is %+v, want %d publications of %s", now, count, head)
		}
		s.heldBy("the same state", func(h *follow.HeldState) bool { return h.State == held.State })
		if now := s.mustOrder(); now.Pinned != "" || now.Branch != "main" {
			t.Errorf("%q is served, of branch %q", now.Pinned, now.Branch)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, g.bare, "symbolic-ref", "HEAD", "refs/heads/main")
	s = g.start(t)
	g.publish("8.1.0")
	s.await("the next publication", func() bool { return s.title(common) == "Издание 8.1.0" })
}

// A decision that could not be stored is stored as soon as the disk allows it, without another one.
func TestDecisionIsStoredLater(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	s := g.start(t)
	head := g.a.git("rev-parse", "HEAD")
	file := filepath.Join(filepath.Dir(mirrorIn(t, g.cache)), "accepted.json")
	if err := errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "in the way"), 0o755)); err != nil {
		t.Fatal(err)
	}
	g.a.git("push", "-q", "-f", "origin", "HEAD~1:main")
	held := s.heldBy("the loss", anything)
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	s.await("the record", func() bool { _, err := os.Stat(file); return err == nil })
	s = g.again(t, s)
	if got := s.commitServed(); got != head {
		t.Errorf("commit %s is served, want %s", got, head)
	}
	s.heldBy("the same state", func(h *follow.HeldState) bool { return h.State == held.State })
}

// An order that went to the address for clients was not carried out, and is not said to be.
func TestOrdersToClientsAddress(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	s := g.start(t)
	for _, command := range []string{"admin", "admin confirm 5c938b1b3eb90a5a"} {
		args := append(strings.Fields(command), "--admin-addr", strings.TrimPrefix(s.url, "http://"))
		out, err := rulestoreIn(t.TempDir(), nil, args...)
		if err == nil || !strings.Contains(out, "does not answer operators") {
			t.Errorf("%s: %v, printed %q", command, err, out)
		}
	}
}
