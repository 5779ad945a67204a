//go:build slow

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/cmd/rulestore/internal/guard"
)

// What is pinned is served after a restart on a damaged mirror too, if the host still has it: an
// operator went back because what came after is wrong.
func TestPinOutlivesItsCopy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"half a pack", "nothing in its place", "no index"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, "8.0.0")
			s := g.start(t)
			count, head := s.publications(), g.a.git("rev-parse", "HEAD")
			g.publish("8.1.0")
			s.await("the mistake", func() bool { return s.title(common) == "Издание 8.1.0" })
			s.mustOrder("back")
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			corruptions()[name](t, generationsIn(t, g.cache)[0])
			for range 2 {
				s = g.start(t)
				if now := s.mustOrder(); now.Commit != head || now.Publications != count || now.Pinned == "" {
					t.Errorf("served is %+v, want %d publications of %s", now, count, head)
				}
				assertPinned(t, s, true)
				if err := s.stop(); err != nil {
					t.Fatal(err)
				}
			}
			s = g.start(t)
			s.mustOrder("unpin")
			if got := s.title(common); got != "Издание 8.1.0" {
				t.Errorf("after unpin %q is served", got)
			}
		})
	}
}

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
	corruptions()["nothing in its place"](t, generationsIn(t, g.cache)[0])
	for range 2 {
		s = g.start(t)
		if now := s.mustOrder(); now.Commit != head || now.Publications != count {
			t.Errorf("served is %+v, want %d publications of %s", now, count, head)
		}
		s.heldBy("the same state", func(h *guard.HeldState) bool { return h.State == held.State })
		if now := s.mustOrder(); now.Pinned != "" || now.Branch != "main" {
			t.Errorf("pinned is %q, of branch %q", now.Pinned, now.Branch)
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
	file := filepath.Join(filepath.Dir(generationsIn(t, g.cache)[0]), "accepted.json")
	if err := errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "in the way"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ordered("pin"); err == nil || !strings.Contains(err.Error(), "keep it for another process") {
		t.Errorf("pin: %v", err)
	}
	g.publish("8.1.0")
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	s.await("the record", func() bool { _, err := os.Stat(file); return err == nil })
	s = g.again(t, s)
	if got := s.commitServed(); got != head {
		t.Errorf("commit %s is served, want %s", got, head)
	}
	assertPinned(t, s, true)
}

// An order that went to the address for clients was not carried out, and is not said to be.
func TestOrdersToClientsAddress(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	s := g.start(t)
	for _, command := range []string{"admin", "admin pin", "history"} {
		args := append(strings.Fields(command), "--admin-addr", strings.TrimPrefix(s.url, "http://"))
		out, err := rulestoreIn(t.TempDir(), nil, args...)
		if err == nil || !strings.Contains(out, "does not answer operators") {
			t.Errorf("%s: %v, printed %q", command, err, out)
		}
	}
}
