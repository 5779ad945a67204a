//go:build slow

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/content"
	"rulestore/loader"
	"rulestore/server"
)

// staged is a remote, its canary and two regions that wait for it, each a process.
type staged struct {
	*guardedRemote
	caches  []string
	line    string       // to the canary, for the regions
	cut     *atomic.Bool // that line is
	canary  *process
	regions []*process
}

// newStaged starts all of them, at a version that is served everywhere.
func newStaged(t *testing.T, delay string) *staged {
	t.Helper()
	g := newGuarded(t, "8.0.0")
	s := &staged{guardedRemote: g, caches: []string{t.TempDir(), t.TempDir()}}
	s.canary = spawn(t, nil, s.args(g.cache, "--canary")...)
	var line string
	line, s.cut = severable(t, s.canary.url)
	s.line = strings.TrimRight(line, "/")
	for i := range s.caches {
		s.regions = append(s.regions, s.region(t, i, delay))
	}
	return s
}

func (s *staged) args(cache string, more ...string) []string {
	return append([]string{"--repo", s.host.URL + "/rules.git", "--cache-dir", cache, "--poll", "1s",
		"--base-url", baseURL}, more...)
}

func (s *staged) region(t *testing.T, i int, delay string) *process {
	t.Helper()
	return spawn(t, nil, s.args(s.caches[i], "--delay", delay, "--behind", s.line)...)
}

// What is new is served by the canary at once and by the others after a while, which a
// restart does not shorten; each says so. While the canary is away nothing new is served.
func TestStagedRollout(t *testing.T) {
	t.Parallel()
	s := newStaged(t, "1h")
	before := s.regions[0].title(common)
	if h := s.canary.staging(); h.Rollout == nil || h.Rollout.Role != "canary" ||
		h.Rollout.Content == "" || h.HeldBack != nil {
		t.Errorf("the canary says %+v", h)
	}
	if got := s.regions[0].heldHeader(); got != "" {
		t.Errorf("at first the header says %q", got)
	}
	s.publish("8.1.0")
	s.canary.await("the publication", func() bool { return s.canary.title(common) == "Издание 8.1.0" })
	state := ""
	for _, r := range s.regions {
		r.await("that it waits, and the canary serves it", func() bool {
			return r.waits("delay") && r.staging().Status == "ok"
		})
		h := r.staging()
		if h.Remote.State != "waiting" || h.HeldBack.New != 1 || h.HeldBack.Lost != 0 || h.HeldBack.Until == nil ||
			h.HeldBack.Until.Sub(h.HeldBack.Since) < time.Hour || h.Rollout.Role != "delayed" ||
			h.Rollout.Delay != 3600 ||
			h.Rollout.Canary.State != "serving" || h.HeldBack.Commit != s.a.git("rev-parse", "HEAD") {
			t.Errorf("health says %s\n%s", r.mustGet("/api/v1/health", "*/*").body, r.toOperators())
		}
		if h.Rollout.Canary.Address != "" {
			t.Error("clients are told where the canary is")
		}
		state = h.HeldBack.State
		if got := r.heldHeader(); !strings.HasPrefix(got, `delay; state="`+state+`"`) ||
			!strings.Contains(got, `until="`) {
			t.Errorf("the header says %q", got)
		}
		if got := r.title(common); got != before {
			t.Errorf("%q is served", got)
		}
		for metric, want := range map[string]string{
			"rulestore_waiting": "1", "rulestore_delay_seconds": "3600", "rulestore_canary_serving": "1",
			"rulestore_held_back": "0",
		} {
			t.Run(metric, func(t *testing.T) {
				if got := r.metric(metric); got != want {
					t.Errorf("%s is %q, want %s", metric, got, want)
				}
			})
		}
	}
	if _, body := s.regions[0].operator("/served"); !strings.Contains(body, `"waiting"`) ||
		!strings.Contains(body, state) {
		t.Errorf("operators are told %s", body)
	}

	t.Log("a restart, with the canary away and the host too")
	s.cut.Store(true)
	s.host.away.Store(true)
	was := s.regions[0].staging().HeldBack
	if err := s.regions[0].end(syscall.SIGKILL); err == nil {
		t.Fatal("it was not killed")
	}
	s.regions[0] = s.region(t, 0, "1h")
	r := s.regions[0]
	if got := r.title(common); got != before {
		t.Errorf("after a restart %q is served", got)
	}
	r.await("that the canary is away", func() bool { return r.staging().Rollout.Canary.State == "away" })
	h := r.staging()
	if h.Status != "degraded" || h.Rollout.Canary.State != "away" || h.HeldBack.State != state ||
		!h.HeldBack.Since.Equal(was.Since) ||
		h.HeldBack.Until == nil || !h.HeldBack.Until.Equal(*was.Until) {
		t.Errorf("after a restart %+v %+v, before %+v", h, h.HeldBack, was)
	}
	if r.metric("rulestore_canary_serving") != "0" {
		t.Error("the metric says that the canary serves")
	}
	if _, body := r.operator("/api/v1/health"); !strings.Contains(body, s.line) ||
		!strings.Contains(body, `"rule": "canary"`) {
		t.Errorf("operators are not told of the canary: %s", body)
	}
	s.host.away.Store(false)
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}

	t.Log("with a delay that is over, it still waits for the canary")
	s.regions[0] = s.region(t, 0, "1s")
	r = s.regions[0]
	r.await("that the canary is away", func() bool { return r.waits("canary-away") })
	r.await("that its time is up", func() bool {
		h := r.staging().HeldBack
		return h != nil && time.Now().After(*h.Until)
	})
	if got := r.title(common); got != before {
		t.Errorf("without the canary %q is served", got)
	}
	s.cut.Store(false)
	r.await("the publication", func() bool { return r.title(common) == "Издание 8.1.0" })
	r.await("that nothing is held back", func() bool {
		h := r.staging()
		return h.HeldBack == nil && h.Remote.State == "followed" && r.heldHeader() == ""
	})
	if got := s.regions[1].title(common); got != before {
		t.Errorf("the other region serves %q", got)
	}

	t.Log("an operator does not want to wait")
	out, err := exec.Command(
		"rulestore", "admin", "--admin-addr", s.regions[1].admin(), "confirm", state,
	).CombinedOutput()
	if err != nil || s.regions[1].title(common) != "Издание 8.1.0" {
		t.Errorf("%v: %s", err, out)
	}
}

// What the canary holds back, nobody else serves, whatever these would allow themselves.
func TestHoldingCanaryStopsTheRest(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0", "8.1.0")
	s := &staged{guardedRemote: g, caches: []string{t.TempDir(), t.TempDir()}}
	s.canary = spawn(t, nil, s.args(g.cache, "--canary")...)
	s.line = s.canary.url
	for _, cache := range s.caches {
		s.regions = append(s.regions, spawn(t, nil, s.args(cache, "--delay", "1s", "--behind", s.line,
			"--max-loss", "all")...))
	}
	g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.1.0")
	s.canary.await("that it is held back", func() bool { return s.canary.waits("guard") })
	if h := s.canary.staging().HeldBack; h.Lost != 1 || !strings.HasPrefix(s.canary.heldHeader(), "guard; ") {
		t.Errorf("the canary says %+v and %q", h, s.canary.heldHeader())
	}
	state := s.canary.staging().HeldBack.State
	for _, r := range s.regions {
		r.await("that the canary stops it", func() bool { return r.waits("canary-holding") })
		if h := r.staging(); h.Status != "degraded" || h.HeldBack.State != state ||
			h.HeldBack.Until != nil || h.HeldBack.Lost != 1 {
			t.Errorf("health says %+v %+v", h, h.HeldBack)
		}
		if got := r.title(common); got != "Издание 8.1.0" {
			t.Errorf("%q is served", got)
		}
	}
	if out, err := exec.Command(
		"rulestore", "admin", "--admin-addr", s.canary.admin(), "confirm", state,
	).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, r := range s.regions {
		r.await("what was confirmed", func() bool { return r.title(common) == "Издание 8.0.0" })
		r.await("that nothing is held back", func() bool {
			h := r.staging()
			return h.Status == "ok" && h.HeldBack == nil
		})
	}
}

// delayedBy has a server wait with what is new.
func delayedBy(delay time.Duration) func(*serveFlags) {
	return func(f *serveFlags) { f.rollout.delay = delay }
}

// What readers cannot tell from what is served does not wait, and what is mended meanwhile is
// served in its mended form alone.
func TestWhatWaits(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	p := opened(t, g.host.URL+"/rules.git", g.cache, delayedBy(time.Hour))
	waiting := func() *guard.WaitingState { p.poll(); return p.remote.Guard.Decisions().Waiting }
	g.a.git("commit", "-q", "--allow-empty", "-m", "Черновик")
	g.a.push()
	if w := waiting(); w != nil || p.remote.Guard.Decisions().Accepted.Commit != g.a.git("rev-parse", "HEAD") {
		t.Errorf("a draft waits: %+v", w)
	}
	g.publish("8.1.0")
	one := waiting()
	if one == nil || one.New != 1 || p.serves() != "8.0.0" {
		t.Fatalf("%+v waits, %s is served", one, p.serves())
	}
	g.a.git("commit", "-q", "--allow-empty", "-m", "Ещё черновик")
	g.a.push()
	same := waiting()
	if same.State == one.State || same.Content != one.Content || !same.Since.Equal(one.Since) ||
		!same.Until.Equal(one.Until) {
		t.Errorf("the same for readers: %+v after %+v", same, one)
	}
	other := loader.Result{Refs: same.State, Snapshot: content.NewSnapshot(content.Input{})}
	if !p.remote.Guard.StartDelay(other) {
		t.Error("it does not wait any more")
	}
	if w := p.remote.Guard.Decisions().Waiting; w.Content == same.Content || !w.Until.Equal(one.Until) {
		t.Errorf("the same state with another content: %+v after %+v", w, same)
	}
	g.publish("8.2.0")
	two := waiting()
	if two.Content == one.Content || two.New != 2 || !two.First.Equal(one.First) || p.serves() != "8.0.0" {
		t.Errorf("%+v after %+v", two, one)
	}
	g.a.git("push", "-q", "origin", ":refs/tags/guidelines/"+common+"/v8.1.0",
		":refs/tags/guidelines/"+common+"/v8.2.0")
	if w := waiting(); w != nil || p.serves() != "8.0.0" {
		t.Errorf("what was withdrawn waits: %+v", w)
	}
}

// A repository in which something is published again and again is served all the same: what
// others have kept from being served for long is served when its time has come.
func TestBusyRepositoryIsServed(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	p := opened(t, g.host.URL+"/rules.git", g.cache, delayedBy(time.Second))
	for i := range 200 {
		g.publish(fmt.Sprintf("8.1.%d", i))
		p.poll()
		if p.serves() != "8.0.0" {
			return
		}
	}
	t.Errorf("after 200 publications in a row %s is served: %+v", p.serves(), p.remote.Guard.Decisions().Waiting)
}

// A canary is believed only as far as it says what it is.
func TestCanaryAnswers(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	var says atomic.Pointer[string]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text := *says.Load(); text == "redirect" {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		} else if text == "503" {
			http.Error(w, "", http.StatusServiceUnavailable)
		} else {
			_, _ = w.Write([]byte(text))
		}
	}))
	t.Cleanup(s.Close)
	empty := "{}"
	says.Store(&empty)
	r := g.start(t, "--delay", "1s", "--behind", s.URL)
	for text, want := range map[string]string{
		`{}`: "away", "no JSON": "away", `{"rollout":{"role":"delayed","content":"00"}}`: "away",
		"redirect": "away", "503": "away",
		`{"rollout":{"role":"canary"},"pinned":"c0ffee"}`:                      "holding",
		`{"rollout":{"role":"canary"},"held_back":{"why":"guard"}}`:            "holding",
		`{"rollout":{"role":"canary"},"last_error":"x"}`:                       "holding",
		`{"rollout":{"role":"canary","content":"<script>"},"last_error":null}`: "serving",
		strings.Repeat("[", 1<<20):                                             "away",
	} {
		says.Store(&text)
		r.await(want+" for "+text[:min(len(text), 60)], func() bool { return r.staging().Rollout.Canary.State == want })
	}
	if body := string(r.mustGet("/api/v1/health", "*/*").body); strings.Contains(body, "script") {
		t.Errorf("what a canary says is repeated: %s", body)
	}
}

// saying is a canary that answers what it is told to.
type saying struct {
	*httptest.Server
	text atomic.Pointer[string]
}

func newSaying(t *testing.T) *saying {
	t.Helper()
	s := new(saying)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(*s.text.Load()))
	}))
	t.Cleanup(s.Close)
	s.says("", "")
	return s
}

// says has it serve a content, and add something.
func (s *saying) says(found, more string) {
	s.text.Store(new(`{"rollout":{"role":"canary","content":"` + found + `"}` + more + `}`))
}

// What a canary has given up, or has moved on from to what nobody here has seen, is not served.
func TestCanaryThatWentBack(t *testing.T) {
	t.Parallel()
	for name, moved := range map[string]func(s *saying, g *guardedRemote, served string){
		"to what was before": func(s *saying, _ *guardedRemote, served string) { s.says(served, "") },
		"and is pinned there": func(s *saying, _ *guardedRemote,
			served string) {
			s.says(served, `,"pinned":"c0ffee"`)
		},
		"on, and the host is away": func(s *saying, g *guardedRemote, _ string) {
			s.says("facade", "")
			g.host.away.Store(true)
		},
		"on, holding something back": func(s *saying, _ *guardedRemote, _ string) {
			s.says("facade", `,"held_back":{"why":"guard"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, s := newGuarded(t, "8.0.0"), newSaying(t)
			p := opened(t, g.host.URL+"/rules.git", g.cache, delayedBy(time.Second),
				func(f *serveFlags) { f.rollout.behind = s.URL })
			look := func() *guard.WaitingState {
				p.remote.Canary.Ask(t.Context())
				_ = p.remote.Fetch(t.Context())
				p.Look(t.Context())
				return p.remote.Guard.Decisions().Waiting
			}
			look()
			served := p.remote.Guard.Decisions().Accepted.Content
			g.publish("8.1.0")
			w := look()
			if w == nil || served == "" {
				t.Fatal("nothing waits, or nobody knows what is served")
			}
			s.says(w.Content, "")
			if w = look(); w.Tried.IsZero() {
				t.Fatalf("%+v", w)
			}
			moved(s, g, served)
			for end := w.Until.Add(time.Second); time.Now().Before(end); {
				if look() == nil || p.serves() != "8.0.0" {
					t.Fatalf("%s is served", p.serves())
				}
			}
			s.says(w.Content, "")
			look()
			if strings.HasPrefix(name, "on,") { // it was served all the time, for all that is known
				if p.serves() != "8.1.0" {
					t.Errorf("in the end %s is served", p.serves())
				}
			} else if w := look(); w == nil || !w.Until.After(time.Now()) {
				t.Errorf("what the canary serves anew waits until %+v", w)
			}
		})
	}
}

// What a canary said before a process stood still is not believed afterwards.
func TestCanaryWasAskedLongAgo(t *testing.T) {
	t.Parallel()
	g, s := newGuarded(t, "8.0.0"), newSaying(t)
	p := opened(t, g.host.URL+"/rules.git", g.cache, delayedBy(time.Second),
		func(f *serveFlags) { f.rollout.behind = s.URL })
	g.publish("8.1.0")
	p.poll()
	s.says(p.remote.Guard.Decisions().Waiting.Content, "")
	p.remote.Canary.Ask(t.Context())
	p.Look(t.Context())
	until := p.remote.Guard.Decisions().Waiting.Until
	s.Close()
	<-time.After(time.Until(until)) // nothing is asked meanwhile
	p.Look(t.Context())
	if p.serves() != "8.0.0" || p.remote.Canary.State().State != server.CanaryAway {
		t.Errorf("%s is served, the canary is %+v", p.serves(), p.remote.Canary.State())
	}
}

// What a clock noted that was years ahead waits no longer than anything else, once it is right.
func TestClockThatWasAhead(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, "8.0.0")
	p := opened(t, g.host.URL+"/rules.git", g.cache, delayedBy(time.Hour))
	g.publish("8.1.0")
	p.poll()
	w := p.remote.Guard.Decisions().Waiting
	if w == nil {
		t.Fatal("nothing waits")
	}
	p.Close()
	files, err := filepath.Glob(filepath.Join(g.cache, "*/accepted.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n")
	for _, noted := range []time.Time{w.Since, w.First, w.Until} {
		text = strings.ReplaceAll(text, noted.Format(time.RFC3339Nano),
			noted.AddDate(10, 0, 0).Format(time.RFC3339Nano))
	}
	sum := sha256.Sum256([]byte(text))
	if err := os.WriteFile(files[0], []byte(hex.EncodeToString(sum[:])+"\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	p = opened(t, g.host.URL+"/rules.git", g.cache, delayedBy(time.Hour))
	if w := p.remote.Guard.Decisions().Waiting; w == nil || w.Since.Before(time.Now().AddDate(9, 0, 0)) {
		t.Fatalf("the test is about another file: %+v", w)
	}
	p.poll()
	if w := p.remote.Guard.Decisions().Waiting; w == nil || w.Until.After(time.Now().Add(time.Hour)) ||
		w.First.After(time.Now()) {
		t.Errorf("it waits until %+v", w)
	}
}

func TestRolloutFlags(t *testing.T) {
	t.Parallel()
	bare := young(t)
	remote := (&url.URL{Scheme: "file", Path: bare}).String()
	for name, args := range map[string][]string{
		"both parts":              {"--repo", remote, "--canary", "--delay", "1m"},
		"a delay of what is here": {"--repo", bare, "--delay", "1m"},
		"of the starter content":  {"--delay", "1m"},
		"a negative one":          {"--repo", remote, "--delay", "-1m"},
		"behind without a delay":  {"--repo", remote, "--behind", "https://canary.example.org"},
		"behind no address":       {"--repo", remote, "--delay", "1m", "--behind", "canary.example.org"},
		"behind a login":          {"--repo", remote, "--delay", "1m", "--behind", "https://a:b@canary.example.org"},
		"drafts":                  {"--repo", remote, "--delay", "1m", "--drafts"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := rulestoreIn(t.TempDir(), nil, append([]string{"check"}, args...)...)
			if code, ok := errors.AsType[*exec.ExitError](err); !ok || code.ExitCode() != exitUsage ||
				strings.Contains(out, "a:b@") {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		})
	}
}

// staging is what a server says of what it holds back, and of its part.
type staging struct {
	Status   string
	HeldBack *struct {
		Why, State, Commit string
		Since              time.Time
		Until              *time.Time
		New                int `json:"new_publications"`
		Lost               int `json:"lost_publications"`
	} `json:"held_back"`
	Rollout *struct {
		Role    string
		Content string
		Delay   int `json:"delay_seconds"`
		Canary  *struct {
			State, Address string
			LastError      string `json:"last_error"`
		}
	}
	Remote *struct{ State string }
}

func (s *running) staging() (all staging) {
	s.Helper()
	if err := json.Unmarshal(s.mustGet("/api/v1/health", "*/*").body, &all); err != nil {
		s.Fatal(err)
	}
	return all
}

// heldHeader is what an answer says of what is held back.
func (s *running) heldHeader() string {
	s.Helper()
	return s.mustGet("/api/v1/guidelines/"+common, "application/json").header.Get("X-Held-Back")
}

// waits reports whether a server holds something back for a reason.
func (s *running) waits(why string) bool {
	s.Helper()
	h := s.staging().HeldBack
	return h != nil && h.Why == why
}

// severable is a line to a server that can be cut.
func severable(t *testing.T, to string) (address string, cut *atomic.Bool) {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	cut = &atomic.Bool{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cut.Load() {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", cut
}
