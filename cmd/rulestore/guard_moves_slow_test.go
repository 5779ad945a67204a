//go:build slow

package main

import (
	"os"
	"strings"
	"testing"

	"rulestore/cmd/rulestore/internal/follow"
)

// What is held back is what the repository has now: once it has moved on, also to what
// cannot be loaded, nobody is asked to confirm what is no longer there.
func TestHeldBackMovesOn(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0", "8.1.0")
	head := g.a.git("rev-parse", "HEAD")
	p := opened(t, g.host.URL+"/rules.git", g.cache)
	lose := func(version string) {
		g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v"+version)
	}
	held := func() *follow.HeldState { p.poll(); return p.remote.Guard.Decisions().Held }
	lose("8.0.0")
	one := held()
	if one == nil || one.Losses != 1 {
		t.Fatalf("held is %+v", one)
	}

	tags := strings.Fields(g.a.git("tag", "--list"))
	empty := g.a.git("commit-tree", "-m", "Ничего", g.a.git("hash-object", "-w", "-t", "tree", os.DevNull))
	g.a.git("push", "-q", "-f", "origin", empty+":main")
	for _, tag := range tags {
		if tag != "guidelines/"+common+"/v8.0.0" {
			g.a.git("push", "-q", "origin", ":refs/tags/"+tag)
		}
	}
	for range 2 {
		if h := held(); h != nil {
			t.Errorf("nothing can be loaded, and held is %+v", h)
		}
		if s := p.Status(); s.LastError == "" || len(p.remote.Guard.Findings()) > 0 || p.remote.Guard.Counts().Now {
			t.Errorf("health says %q, and of decisions %v", s.LastError, p.remote.Guard.Findings())
		}
	}

	g.a.git("push", "-q", "-f", "--tags", "origin", head+":main")
	lose("8.0.0")
	if again := held(); again == nil || again.State != one.State {
		t.Errorf("once it is back, held is %+v, want %s", again, one.State)
	}
	if got := p.serves(); got != "8.1.0" {
		t.Errorf("%s is served", got)
	}
}
