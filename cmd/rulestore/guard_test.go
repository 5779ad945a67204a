package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/server"
)

// ordered tells a server something, by the command, and returns what it says then.
func (s *running) ordered(args ...string) (now follow.Served, err error) {
	s.Helper()
	out, _, err := ran(s.T, nil, append([]string{"admin", "--admin-addr", s.admin()}, args...)...)
	if err == nil {
		if err := json.Unmarshal([]byte(out), &now); err != nil {
			s.Fatalf("%v: %s", err, out)
		}
	}
	return now, err
}

func (s *running) mustOrder(args ...string) follow.Served {
	s.Helper()
	now, err := s.ordered(args...)
	if err != nil {
		s.Fatalf("admin %s: %v\n%s", strings.Join(args, " "), err, s.log)
	}
	return now
}

// commitServed is the commit that is served.
func (s *running) commitServed() string {
	s.Helper()
	var h struct{ Commit string }
	if err := json.Unmarshal(s.mustGet("/api/v1/health", "*/*").body, &h); err != nil {
		s.Fatal(err)
	}
	return h.Commit
}

// A branch that is pushed back to its first commit takes nothing away: what was served goes on being served,
// after a restart without the host too, until somebody on the machine confirms that very state.
func TestLossesAreHeldBack(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.publish("8.0.0", "Издание")
	head, first := a.git("rev-parse", "HEAD"), a.git("rev-list", "--max-parents=0", "HEAD")
	h := newHost(t, filepath.Dir(bare))
	remote := []string{"--repo", h.URL + "/rules.git", "--cache-dir", t.TempDir()}
	begin := func() *running {
		return start(t, append(remote, "--poll", "1s", "--admin-addr", "127.0.0.1:0", "--base-url", baseURL)...)
	}
	s := begin()
	again := func() {
		t.Helper()
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		s = begin()
	}
	before := s.everything()
	a.git("push", "-q", "-f", "origin", first+":main")
	var held *server.HeldBack
	s.await("the first commit is held back", func() bool { held = s.mustOrder().Held; return held != nil })
	same := func() {
		t.Helper()
		for path, got := range s.everything() {
			if got != before[path] {
				t.Errorf("%s is\n%s\nand was\n%s", path, got, before[path])
			}
		}
		if got := s.commitServed(); got != head {
			t.Errorf("commit %s is served, want %s", got, head)
		}
	}
	same()
	if got := s.health(); got.Status != "degraded" || got.Remote.State != "held" || !held.Rewritten || held.Losses == 0 || held.Commit != first {
		t.Errorf("health is %+v %+v, held %+v", got, got.Remote, held)
	}
	for metric, want := range map[string]string{
		"rulestore_held_back": "1", "rulestore_held_back_total": "1", "rulestore_ready": "1", "rulestore_pinned": "0",
	} {
		if got := s.metric(metric); got != want {
			t.Errorf("%s is %s, want %s", metric, got, want)
		}
	}
	if public := string(s.mustGet("/api/v1/health", "*/*").body); !strings.Contains(public, "admin confirm "+held.State) {
		t.Errorf("health says %s", public)
	}
	h.away.Store(true)
	again()
	same()
	if got := s.mustOrder().Held; got == nil || got.State != held.State {
		t.Errorf("after a restart %+v is held back", got)
	}
	h.away.Store(false)
	if _, err := s.ordered("confirm", "0123456789abcdef"); err == nil || !strings.Contains(err.Error(), held.State) {
		t.Errorf("another state is confirmed: %v", err)
	}
	for name, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		req, err := http.NewRequest(http.MethodPost, "http://"+s.admin()+"/served/confirm?state="+held.State, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(name, value)
		if res, err := client.Do(req); err != nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %v, %v", name, res, err)
		}
	}
	out, err := rulestoreIn(t.TempDir(), nil, "admin", "confirm", held.State, "--admin-addr", strings.TrimPrefix(s.url, "http://"))
	if err == nil || !strings.Contains(out, "does not answer operators") {
		t.Errorf("an order to the address for clients: %v, %s", err, out)
	}
	same()
	if now := s.mustOrder("confirm", held.State); now.Held != nil || now.State != held.State || s.commitServed() != first {
		t.Errorf("after the confirmation %+v", now)
	}
	if again(); s.commitServed() != first || s.mustOrder().Held != nil {
		t.Error("the confirmation is forgotten")
	}
}

func TestLossLimit(t *testing.T) {
	for text, want := range map[string]int{"": 0, "3": 3, "all": -1} {
		if got := (&config{maxLoss: text}).lossLimit(); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
