package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/cmd/rulestore/internal/follow"
)

// ordered tells a server something, by the command, and returns what it says then.
func (s *running) ordered(args ...string) (now follow.Served, err error) {
	s.Helper()
	var out, says bytes.Buffer
	err = run(
		s.Context(), append([]string{"admin", "--admin-addr", s.admin(), "--json"}, args...),
		func(string) string { return "" }, nil, &out, &says,
	)
	if err == nil {
		if err := json.Unmarshal(out.Bytes(), &now); err != nil {
			s.Fatalf("%v: %s", err, &out)
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

// publications is how many are served.
func (s *running) publications() int {
	s.Helper()
	var h struct{ Counts struct{ Publications int } }
	if err := json.Unmarshal(s.mustGet("/api/v1/health", "*/*").body, &h); err != nil {
		s.Fatal(err)
	}
	return h.Counts.Publications
}

// heldBy waits until a server holds something back, and returns that.
func (s *running) heldBy(what string, right func(*follow.HeldState) bool) *follow.HeldState {
	s.Helper()
	var h *follow.HeldState
	s.await(what+" is held back", func() bool { h = s.mustOrder().Held; return h != nil && right(h) })
	return h
}

// guarded is a remote with a history, and a server that follows it.
type guardedRemote struct {
	bare  string
	a     *clone
	host  *host
	cache string
}

// newGuarded makes a remote to which these versions of the common guideline were published.
func newGuarded(t *testing.T, versions ...string) *guardedRemote {
	t.Helper()
	bare, a := newYoung(t)
	g := &guardedRemote{bare, a, newHost(t, filepath.Dir(bare)), t.TempDir()}
	for _, version := range versions {
		g.publish(version)
	}
	return g
}

func (g *guardedRemote) start(t *testing.T, args ...string) *running {
	t.Helper()
	return start(t, append([]string{
		"--repo", g.host.URL + "/rules.git", "--cache-dir", g.cache, "--poll", "1s", "--admin-addr",
		"127.0.0.1:0", "--base-url", baseURL,
	}, args...)...)
}

// again stops the server and starts another one.
func (g *guardedRemote) again(t *testing.T, s *running, args ...string) *running {
	t.Helper()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	return g.start(t, args...)
}

// publish publishes a version of the common guideline.
func (g *guardedRemote) publish(version string) {
	g.a.Helper()
	g.a.retitle(common, "Издание "+version)
	g.a.git("tag", "-a", "-m", version, "guidelines/"+common+"/v"+version)
	g.a.push()
}

// What an author marks is no loss: readers are told.
func TestMarksAreNoLoss(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	s := g.start(t)
	g.a.write("lifecycle.yaml", "schema_version: \"1.0\"\nmarks:\n  - {item: guidelines/"+common+
		", version: 8.0.0, status: redacted, reason: Ошибка, since: 2026-01-01}\n")
	g.a.git("add", "-A")
	g.a.git("commit", "-q", "-m", "Изъято")
	g.a.push()
	s.await("the mark", func() bool {
		return s.mustGet("/api/v1/guidelines/"+common+"/versions/8.0.0", "*/*").status == http.StatusGone
	})
	if h := s.mustOrder().Held; h != nil {
		t.Errorf("%+v is held back", h)
	}
}

// Without a guard nothing is held back.
func TestHoldNothingBack(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	s := g.start(t, "--max-loss", "all")
	first := g.a.git("rev-list", "--max-parents=0", "HEAD")
	g.a.git("push", "-q", "-f", "origin", first+":main")
	s.await("the first commit", func() bool { return s.commitServed() == first })
}

// Only who is on the machine changes what is served, and no page of another origin.
func TestWhoMayOrder(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	s := g.start(t)
	at := "http://" + s.admin()
	for name, header := range map[string][2]string{
		"another origin": {"Origin", "https://evil.example"},
		"another site":   {"Sec-Fetch-Site", "cross-site"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequest(http.MethodPost, at+"/served/confirm?state=0", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set(header[0], header[1])
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusForbidden {
				t.Error(res.Status)
			}
		})
	}
	if got := s.mustGet("/served", "*/*").status; got != http.StatusNotFound {
		t.Errorf("clients are answered %d", got)
	}
}

// A wrong allowance is a wrong command line.
func TestWrongAllowance(t *testing.T) {
	bare, _ := newYoung(t)
	for name, args := range map[string][]string{
		"below nothing":              {"--repo", "https://git.example.org/x.git", "--max-loss", "-1"},
		"no number":                  {"--repo", "https://git.example.org/x.git", "--max-loss", "some"},
		"of a repository here":       {"--repo", bare, "--max-loss", "0"},
		"of the starter content":     {"--max-loss", "3"},
		"with nothing held back yet": {"--repo", bare, "--max-loss", "all"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, log bytes.Buffer
			if err := run(
				t.Context(), append([]string{"check"}, args...), func(string) string { return "" }, nil,
				&out, &log,
			); exitCode(err) != exitUsage {
				t.Errorf("%v", err)
			}
		})
	}
}
