//go:build slow

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/cmd/rulestore/internal/follow"
)

// A branch that is pushed back to its first commit takes nothing away: what was served
// goes on being served, after a restart too, until somebody confirms that very state.
func TestLossesAreHeldBack(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	head := g.a.git("rev-parse", "HEAD")
	s := g.start(t)
	before, count := s.everything(), s.publications()
	if held := s.metric("rulestore_held_back"); held != "0" {
		t.Errorf("at first %s is held back", held)
	}

	first := g.a.git("rev-list", "--max-parents=0", "HEAD")
	g.a.git("reset", "-q", "--hard", first)
	g.a.push()
	h := s.heldBy("the first commit", anything)
	if !h.Rewritten || h.Losses == 0 || len(h.Lost) == 0 || h.Commit != first {
		t.Errorf("held is %+v", h)
	}
	assertServed(t, s, before, count, head)
	if got := s.health(); got.Status != "degraded" || got.Remote.State != "held" {
		t.Errorf("health is %+v %+v", got, got.Remote)
	}
	for metric, want := range map[string]string{
		"rulestore_held_back": "1", "rulestore_held_back_total": "1", "rulestore_ready": "1", "rulestore_pinned": "0",
	} {
		t.Run(metric, func(t *testing.T) {
			if got := s.metric(metric); got != want {
				t.Errorf("%s is %s, want %s", metric, got, want)
			}
		})
	}
	header := s.mustGet("/api/v1/guidelines/"+common, "*/*").header.Get("X-Held-Back")
	if !strings.HasPrefix(header, `guard; state="`+h.State+`"; commit="`+first+`"; since="`) {
		t.Errorf("an answer says %q", header)
	}
	public := string(s.mustGet("/api/v1/health", "*/*").body)
	if !strings.Contains(public, `"held-back"`) || !strings.Contains(public, "rulestore admin confirm "+h.State) {
		t.Errorf("health does not say what to do: %s", public)
	}
	if !strings.Contains(s.log.String(), "held back") {
		t.Errorf("the log does not say so:\n%s", s.log)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}

	t.Log("a restart, with the host and without it")
	for _, away := range []bool{false, true} {
		g.host.away.Store(away)
		s = g.start(t)
		assertServed(t, s, before, count, head)
		if got := s.mustOrder().Held; got == nil || got.State != h.State {
			t.Errorf("after a restart %+v is held back", got)
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
	g.host.away.Store(false)

	s = g.start(t)
	if _, err := s.ordered("confirm", "0123456789abcdef"); err == nil || !strings.Contains(err.Error(), h.State) {
		t.Errorf("another state is confirmed: %v", err)
	}
	assertServed(t, s, before, count, head)
	now := s.mustOrder("confirm", h.State)
	if now.Held != nil || now.State != h.State || s.commitServed() != first {
		t.Errorf("after the confirmation %+v", now)
	}
	s.await("good health", func() bool { return s.health().Remote.State == "following" })
	if s = g.again(t, s); s.commitServed() != first || s.mustOrder().Held != nil {
		t.Error("the confirmation is forgotten")
	}
}

func assertServed(t *testing.T, s *running, before map[string]string, count int, commit string) {
	t.Helper()
	if got := s.commitServed(); got != commit || s.publications() != count {
		t.Errorf("commit %s with %d publications is served, want %s with %d", got, s.publications(), commit, count)
	}
	for path, got := range s.everything() {
		if got != before[path] {
			t.Errorf("%s is\n%s\nand was\n%s", path, got, before[path])
		}
	}
}

// Each way to lose something is held back, and ends when what was lost is pushed again.
func TestWaysToLose(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(g *guardedRemote){
		"a tag is deleted": func(g *guardedRemote) {
			g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.0.0")
		},
		"a tag is moved to other content": func(g *guardedRemote) {
			g.a.retitle(common, "Подмена")
			g.a.git("push", "-q", "-f", "origin", "HEAD:refs/tags/guidelines/"+common+"/v8.0.0", "HEAD:main")
		},
		"a release of the product is deleted": func(g *guardedRemote) {
			g.a.git("push", "-q", "origin", ":refs/tags/v8.0.0")
		},
		"the branch is rewritten and loses nothing": func(g *guardedRemote) {
			g.a.git("push", "-q", "-f", "origin", "HEAD~1:main")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, "8.0.0")
			g.a.git("tag", "-a", "-m", "Выпуск", "v8.0.0")
			g.a.push()
			g.a.git("commit", "-q", "--allow-empty", "-m", "Ничего")
			g.a.push()
			s := g.start(t)
			before, count, head := s.everything(), s.publications(), g.a.git("rev-parse", "HEAD")
			lose(g)
			s.heldBy(name, anything)
			assertServed(t, s, before, count, head)

			g.a.git("reset", "-q", "--hard", head)
			g.a.push()
			s.await("what was lost is back", func() bool { return s.mustOrder().Held == nil })
			assertServed(t, s, before, count, head)
			if got := s.health(); got.Remote.State != "following" {
				t.Errorf("health is %+v", got.Remote)
			}
			g.publish("8.1.0")
			s.await("the next publication", func() bool { return s.title(common) == "Издание 8.1.0" })
		})
	}
}

// Who takes away a little at a time takes away no more than may be lost at once, over
// restarts too.
func TestLittleAtATime(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0", "8.1.0", "8.2.0")
	s := g.start(t, "--max-loss", "1")
	count := s.publications()
	lose := func(version string) {
		g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v"+version)
	}
	lose("8.0.0")
	s.await("one may be lost", func() bool { return s.publications() == count-1 })
	s = g.again(t, s, "--max-loss", "1")
	lose("8.1.0")
	h := s.heldBy("the second", anything)
	if h.Losses != 2 || s.publications() != count-1 {
		t.Errorf("%+v is held back, %d are served", h, s.publications())
	}
	g.a.push() // the tags as they were
	s.await("all are back", func() bool { return s.publications() == count })
	lose("8.2.0")
	s.await("one may be lost again", func() bool { return s.publications() == count-1 })
}

// Whatever becomes of the record, a server starts, serves what was accepted, and says so.
func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	head := g.a.git("rev-parse", "HEAD")
	s := g.start(t)
	g.a.git("push", "-q", "-f", "origin", "HEAD~1:main")
	g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.0.0")
	s.heldBy("the loss", func(h *follow.HeldState) bool { return h.Losses == 1 })
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(g.cache, "*", "accepted.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func() error{
		"half of it": func() error { return os.WriteFile(files[0], good[:len(good)/2], 0o600) },
		"one bit": func() error {
			return os.WriteFile(files[0], bytes.Replace(good, []byte("main"), []byte("maio"), 1), 0o600)
		},
		"nothing":   func() error { return os.WriteFile(files[0], nil, 0o600) },
		"zeros":     func() error { return os.WriteFile(files[0], make([]byte, len(good)), 0o600) },
		"a folder":  func() error { return os.Mkdir(files[0], 0o700) },
		"no record": func() error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(files[0]); err != nil {
				t.Fatal(err)
			}
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			s := g.start(t)
			s.heldBy("the loss", anything)
			if got := s.commitServed(); got != head || s.title(common) != "Издание 8.0.0" {
				t.Errorf("commit %s is served, want %s", got, head)
			}
			if says := strings.Contains(s.toOperators(), "could not be read"); says != (name != "no record") {
				t.Errorf("health says that the record is damaged: %v", says)
			}
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A mirror that heals neither gets past the guard nor is held back by it.
func TestHealedMirrorIsGuarded(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a scrambled pack", "half of packed-refs", "no HEAD", "nothing in its place"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t, "8.0.0")
			p := opened(t, g.host.URL+"/rules.git", g.cache)
			corruptions()[name](t, mirrorIn(t, g.cache))
			g.publish("8.1.0")
			p.heals("8.1.0")
			if h := p.remote.Guard.Decisions().Held; h != nil {
				t.Errorf("%+v is held back", h)
			}
			p.Close()

			corruptions()[name](t, mirrorIn(t, g.cache))
			g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.1.0")
			p = opened(t, g.host.URL+"/rules.git", g.cache)
			for range 3 {
				p.poll()
			}
			if h := p.remote.Guard.Decisions().Held; h == nil || h.Losses != 1 ||
				h.Lost[0] != "guidelines/"+common+"/v8.1.0" {
				t.Errorf("%+v is held back\n%s", h, p.log)
			}
		})
	}
}

// A check of what was mirrored says what a server would hold back, in the format of the
// log, and decides nothing.
func TestCheckForesees(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	s := g.start(t)
	g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.0.0")
	h := s.heldBy("the loss", anything)
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			var out, log bytes.Buffer
			err := run(t.Context(), []string{
				"check", "--repo", g.host.URL + "/rules.git", "--cache-dir", g.cache, "--log-format",
				format,
			},
				func(string) string { return "" }, nil, &out, &log)
			if exitCode(err) != exitFound || !strings.Contains(out.String(), "held-back") ||
				!strings.Contains(out.String(), h.State) {
				t.Errorf("%v: %s", err, &out)
			}
			for line := range strings.Lines(out.String() + log.String()) {
				var object map[string]any
				if isJSON := json.Unmarshal([]byte(line), &object) == nil; isJSON != (format == "json") {
					t.Errorf("a line of the check is %s", line)
				}
			}
		})
	}
	if now := s.mustOrder(); now.Held == nil || now.Held.State != h.State {
		t.Errorf("after the check %+v", now)
	}
}

func anything(*follow.HeldState) bool { return true }

// A confirmation names a state: one that is worse, and came meanwhile, is not confirmed by
// it.
func TestTwoLosses(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0", "8.1.0")
	s := g.start(t)
	lose := func(version string) {
		g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v"+version)
	}
	lose("8.0.0")
	one := s.heldBy("the first loss", anything)
	lose("8.1.0")
	two := s.heldBy("the second", func(h *follow.HeldState) bool { return h.Losses == 2 })
	if one.State == two.State || !one.Since.Equal(two.Since) {
		t.Errorf("held are %+v and %+v", one, two)
	}
	if _, err := s.ordered("confirm", one.State); err == nil {
		t.Error("a state is confirmed that is no longer held back")
	}
	if got := s.title(common); got != "Издание 8.1.0" {
		t.Errorf("served is %q", got)
	}
	s.mustOrder("confirm", two.State)
	if got := s.title(common); got == "Издание 8.1.0" || got == "Издание 8.0.0" {
		t.Errorf("served is %q", got)
	}
}
