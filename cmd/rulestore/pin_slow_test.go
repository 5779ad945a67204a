//go:build slow

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/guard"
)

// What is pinned is served whatever is pushed, over restarts, until it is unpinned.
func TestPin(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	s := g.start(t)
	if now := s.mustOrder("pin"); now.Pinned == "" {
		t.Fatalf("after pin %+v", now)
	}
	before, count, head := s.everything(), s.publications(), g.a.git("rev-parse", "HEAD")
	first := s.fetches()
	g.publish("8.1.0")
	s.await("the fetch", func() bool { return s.fetches() > first })
	assertServed(t, s, before, count, head)
	assertPinned(t, s, true)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for _, away := range []bool{true, false} {
		g.host.away.Store(away)
		s = g.start(t)
		assertServed(t, s, before, count, head)
		assertPinned(t, s, true)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
	s = g.start(t)
	now := s.mustOrder("unpin")
	if now.Pinned != "" || s.title(common) != "Издание 8.1.0" {
		t.Errorf("after unpin %+v, served is %q", now, s.title(common))
	}
	assertPinned(t, s, false)
	if _, err := s.ordered("unpin"); err == nil {
		t.Error("nothing is pinned, and is unpinned")
	}
	g.publish("8.2.0")
	s.await("the next publication", func() bool { return s.title(common) == "Издание 8.2.0" })
}

// assertPinned checks what a server says of itself against what it should.
func assertPinned(t *testing.T, s *running, pinned bool) {
	t.Helper()
	status, metric := "ok", "0"
	if pinned {
		status, metric = "degraded", "1"
	}
	s.await("the host's answer", func() bool {
		return s.health().Remote.LastError == nil || s.health().Remote.State == "unreachable"
	})
	if got := s.health(); !pinned && got.Status != status || pinned && got.Status != status {
		t.Errorf("health is %+v", got)
	}
	if got := s.metric("rulestore_pinned"); got != metric {
		t.Errorf("rulestore_pinned is %s", got)
	}
	if says := strings.Contains(string(s.mustGet("/api/v1/health", "*/*").body), `"pinned"`); says != pinned {
		t.Errorf("health says pinned: %v", says)
	}
}

// What was served before is served again within a second, and stays.
func TestBack(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	s := g.start(t)
	if _, err := s.ordered("back"); err == nil {
		t.Error("there is something before the first state")
	}
	before, count, head := s.everything(), s.publications(), g.a.git("rev-parse", "HEAD")
	g.publish("8.1.0")
	s.await("the mistake", func() bool { return s.title(common) == "Издание 8.1.0" })
	start := time.Now()
	now := s.mustOrder("back")
	t.Logf("back after %s", time.Since(start))
	if now.Pinned == "" {
		t.Errorf("after back %+v", now)
	}
	assertServed(t, s, before, count, head)
	s = g.again(t, s)
	assertServed(t, s, before, count, head)
	s.mustOrder("back")
	if got := s.title(common); got != "Издание 8.1.0" {
		t.Errorf("after back and back again %q is served", got)
	}
	s.mustOrder("back")
	assertServed(t, s, before, count, head)

	t.Log("the mistake is mended, by a push that rewrites nothing of what is served")
	g.a.git("reset", "-q", "--hard", head)
	g.a.git("tag", "-d", "guidelines/"+common+"/v8.1.0")
	first := s.fetches()
	g.publish("8.2.0")
	s.await("the fetch", func() bool { return s.fetches() > first })
	s.mustOrder("unpin")
	if got := s.title(common); got != "Издание 8.2.0" {
		t.Errorf("after unpin %q is served", got)
	}
	if h := s.mustOrder().Held; h != nil {
		t.Errorf("%+v is held back", h)
	}
}

// A tag or a commit of what is served can be pinned, and what is not there cannot.
func TestPinRevision(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0", "8.1.0", "8.2.0")
	change := g.a.git("commit-tree", "-m", "Непроверенное", "-p", "HEAD", "HEAD^{tree}")
	g.a.git("push", "-q", "origin", change+":refs/heads/change")
	s := g.start(t)
	for revision, want := range map[string]string{
		"v99.0.0": "no tag or commit", "main~1": "no tag or commit", "main": "no tag or commit", "": "is empty",
		g.a.git("rev-parse", "HEAD")[:6]: "no tag or commit", change: "not in the history",
	} {
		t.Run(revision, func(t *testing.T) {
			if _, err := s.ordered("pin", revision); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("pin %q: %v, want %s", revision, err, want)
			}
		})
	}
	s.mustOrder("pin", "guidelines/"+common+"/v8.1.0")
	if got := s.title(common); got != "Издание 8.1.0" {
		t.Errorf("served is %q", got)
	}
	s.mustOrder("pin", g.a.git("rev-parse", "HEAD~2")[:10])
	if got := s.title(common); got != "Издание 8.0.0" {
		t.Errorf("served is %q", got)
	}
	s.mustOrder("pin", "refs/tags/guidelines/"+common+"/v8.2.0")
	if got := s.title(common); got != "Издание 8.2.0" {
		t.Errorf("what came after what is pinned cannot be pinned: served is %q", got)
	}
	s.mustOrder("pin", g.a.git("rev-parse", "HEAD~2")[:10])
	before, count, commit := s.everything(), s.publications(), s.commitServed()
	s = g.again(t, s)
	assertServed(t, s, before, count, commit)
	s.mustOrder("unpin")
	if got := s.title(common); got != "Издание 8.2.0" {
		t.Errorf("after unpin %q is served", got)
	}
}

// What came after a pinned revision was served before, so after unpin it must not be missing
// unseen. The pinned revision outlives its copy.
func TestUnpinComparesWithWhatWasServed(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(a *clone){
		"a publication is gone": func(a *clone) {
			a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.2.0")
		},
		"the branch was rewritten": func(a *clone) { a.git("push", "-q", "-f", "origin", "HEAD~1:main") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, "8.0.0", "8.1.0", "8.2.0")
			g.a.git("commit", "-q", "--allow-empty", "-m", "Ничего")
			g.a.push()
			s := g.start(t)
			s.mustOrder("pin", "guidelines/"+common+"/v8.1.0")
			s.mustOrder("pin", "guidelines/"+common+"/v8.0.0")
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			lose(g.a)
			for _, generation := range generationsIn(t, g.cache) {
				corruptions()["nothing in its place"](t, generation)
			}
			s = g.start(t)
			if got := s.title(common); got != "Издание 8.0.0" || s.mustOrder().Pinned == "" {
				t.Errorf("what is pinned is not served any more, but %q", got)
			}
			s.await("the host's state", func() bool { return s.health().Remote.LastError == nil })
			s.mustOrder("unpin")
			s.heldBy(name, func(h *guard.HeldState) bool { return h.Losses == 1 || h.Rewritten })
			if got := s.title(common); got != "Издание 8.0.0" {
				t.Errorf("%q is served", got)
			}
			g.a.push()
			s.await("what was there before", func() bool { return s.title(common) == "Издание 8.2.0" })
			g.a.git("push", "-q", "-f", "origin", "HEAD~3:main")
			s.heldBy("a branch rewritten after that", anything)
		})
	}
}

// A tag that --ref pins may be moved at the host, or get publications there: nothing of that is
// served before somebody confirms it.
func TestRefIsMovedElsewhere(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(a *clone){
		"the tag is moved on":    func(a *clone) { a.git("tag", "-f", "release", "HEAD") },
		"the tag is moved back":  func(a *clone) { a.git("tag", "-f", "release", "HEAD~3") },
		"a publication is added": func(a *clone) { a.git("tag", "guidelines/"+common+"/v9.0.0", "release") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, "8.0.0", "8.1.0", "8.2.0")
			g.a.git("tag", "release", "HEAD~1")
			g.a.push()
			s := g.start(t, "--ref", "release")
			head := g.a.git("rev-parse", "HEAD~1")
			s.mustOrder("pin", "guidelines/"+common+"/v8.0.0")
			unpinned := s.mustOrder("unpin")
			if unpinned.Commit != head {
				t.Errorf("after unpin served is %+v", unpinned)
			}
			g.publish("8.3.0")
			s.await("what does not matter is taken", func() bool { return s.mustOrder().State != unpinned.State })
			before, count := s.everything(), s.publications()
			move(g.a)
			g.a.push()
			h := s.heldBy(name, anything)
			assertServed(t, s, before, count, head)
			if says := string(s.mustGet("/api/v1/health", "*/*").body); !strings.Contains(says, "--ref pins") {
				t.Errorf("health says %s", says)
			}
			s = g.again(t, s, "--ref", "release")
			assertServed(t, s, before, count, head)
			if now := s.mustOrder("confirm", h.State); now.State != h.State {
				t.Errorf("confirmed, and served is %+v", now)
			}
		})
	}
}

// A pinned server that fetches everything anew goes on serving what is pinned.
func TestPinnedMirrorHeals(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	p := opened(t, g.host.URL+"/rules.git", g.cache)
	if err := p.remote.Guard.Pin(); err != nil {
		t.Fatal(err)
	}
	pinned := generationsIn(t, g.cache)[0]
	g.publish("8.1.0")
	p.poll()
	all := generationsIn(t, g.cache)
	corruptions()["half a pack"](t, all[len(all)-1])
	for _, version := range []string{"8.2.0", "8.3.0"} {
		g.publish(version)
		p.poll()
		if got := p.serves(); got != "8.0.0" {
			t.Errorf("%s is served", got)
		}
	}
	if now := generationsIn(t, g.cache); now[0] != pinned || len(now) > 3 {
		t.Errorf("generations are %v", now)
	}
	if err := p.remote.Guard.Unpin(); err != nil {
		t.Fatal(err)
	}
	p.heals("8.3.0")
}

// A repository on this machine is pinned with --ref, and has no copy to go back to.
func TestRefIsACommitOrATag(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	for _, version := range []string{"8.0.0", "8.1.0"} {
		a.retitle(common, "Издание "+version)
		a.git("tag", "-a", "-m", version, "guidelines/"+common+"/v"+version)
	}
	a.git("tag", "release", "HEAD~1")
	a.push()
	for name, ref := range map[string]string{
		"a commit":         a.git("rev-parse", "HEAD~1"),
		"its beginning":    a.git("rev-parse", "HEAD~1")[:9],
		"an annotated tag": "guidelines/" + common + "/v8.0.0",
		"another tag":      "release",
		"a whole name":     "refs/tags/release",
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, "--repo", bare, "--ref", ref, "--admin-addr", "127.0.0.1:0")
			if got := s.title(common); got != "Издание 8.0.0" {
				t.Errorf("served is %q", got)
			}
			if got := s.health(); got.Status != "degraded" || s.metric("rulestore_pinned") != "1" {
				t.Errorf("health is %+v", got)
			}
			if n := s.metric(`rulestore_snapshot_findings{severity="error"}`); n != "0" { // of what came later
				t.Errorf("%s errors in %s", n, s.mustGet("/api/v1/health", "*/*").body)
			}
			if _, err := s.ordered("back"); err == nil || !strings.Contains(err.Error(), "--ref") {
				t.Errorf("back: %v", err)
			}
		})
	}
	t.Run("checked against the same", func(t *testing.T) {
		s := start(t, "--repo", bare, "--ref", "release")
		if out, errs, err := verified(t, s.url, "--repo", bare, "--ref", "release"); err != nil {
			t.Errorf("%v\n%s%s", err, out, errs)
		}
	})
	t.Run("a branch of that name", func(t *testing.T) {
		a.git("branch", "release", "HEAD")
		a.git("push", "-q", "origin", "refs/heads/release:refs/heads/release")
		s := start(t, "--repo", bare, "--ref", "release", "--admin-addr", "127.0.0.1:0")
		if got := s.title(common); got != "Издание 8.1.0" || s.metric("rulestore_pinned") != "0" {
			t.Errorf("served is %q", got)
		}
	})
	t.Run("elsewhere", func(t *testing.T) {
		cache := t.TempDir()
		s := start(
			t, "--repo", "file://"+filepath.ToSlash(bare), "--cache-dir", cache, "--ref",
			"guidelines/"+common+"/v8.0.0", "--admin-addr", "127.0.0.1:0",
		)
		if got := s.title(common); got != "Издание 8.0.0" {
			t.Errorf("served is %q", got)
		}
		if files, err := filepath.Glob(filepath.Join(cache, "*", "accepted.json")); err != nil || len(files) != 1 {
			t.Error(files, err)
		} else if _, err := os.Stat(files[0]); err != nil {
			t.Error(err)
		}
	})
}

// fetches is how many fetches brought something.
func (s *running) fetches() int { return strings.Count(s.log.String(), "msg=fetched") }
