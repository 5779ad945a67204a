package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rulestore/cmd/rulestore/internal/background"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/site"
)

// goroutines are the stacks of those that the program's own code is part of, by number.
func goroutines() map[string]string {
	buf := make([]byte, 16<<20)
	all := map[string]string{}
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		number, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		if own.MatchString(stack) && !tests.MatchString(stack) {
			all[number] = stack
		}
	}
	return all
}

var (
	own   = regexp.MustCompile(`rulestore/|go-git|fsnotify|modelcontextprotocol|opentelemetry|persistConn`)
	tests = regexp.MustCompile(`_test\.go`)
)

// Whatever a command serves and however it ends, nothing of it runs on after that.
func TestNothingRunsOn(t *testing.T) {
	bare, _ := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(strings.Repeat("s3cret", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	serve := func(args ...string) []string {
		return append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, args...)
	}
	cache := t.TempDir()
	for name, c := range map[string]struct {
		args   []string
		env    map[string]string
		serves bool
	}{
		"starter":    {serve(), nil, true},
		"repository": {serve("--repo", bare, "--poll", "1s"), nil, true},
		"drafts":     {serve("--repo", filepath.Join(filepath.Dir(bare), "author"), "--drafts"), nil, true},
		"remote":     {serve("--repo", h.URL+"/rules.git", "--cache-dir", t.TempDir(), "--webhook-addr", "127.0.0.1:0", "--webhook-secret-file", secret), nil, true},
		"file":       {serve("--repo", "file://"+bare, "--cache-dir", cache), nil, true},
		"traces":     {serve("--repo", bare), map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": h.URL}, true},
		"check":      {serve("--check", "--repo", bare), nil, false},
		"no branch":  {serve("--repo", bare, "--ref", "nowhere"), map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": h.URL}, false},
		"no remote":  {serve("--repo", h.URL+"/nowhere.git", "--cache-dir", t.TempDir()), nil, false},
		"taken":      {serve("--repo", bare, "--addr", strings.TrimPrefix(h.URL, "http://")), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			before := goroutines()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out, in := io.Pipe()
			done := make(chan error, 1)
			log := &lockedBuffer{}
			go func() {
				err := run(ctx, c.args, func(name string) string { return c.env[name] }, strings.NewReader(""), in, log)
				in.Close()
				done <- err
			}()
			line := make([]byte, 1<<10)
			n, _ := io.ReadAtLeast(out, line, 1)
			go func() { _, _ = io.Copy(io.Discard, out) }()
			end := func() {}
			if c.serves {
				s := &running{T: t, log: log}
				s.url = s.address(string(line[:n]))
				end = s.converse()
				cancel()
			}
			err := <-done
			end()
			if (err == nil) != c.serves && name != "check" {
				t.Errorf("ended with %v\n%s", err, log)
			}
			nothingNew(t, before)
		})
	}
}

// converse asks for this and that, and leaves a stream open until it is told to close
// it.
func (s *running) converse() (end func()) {
	s.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	for _, path := range []string{"/", "/api/v1/search?q=банк", "/api/v1/health"} {
		res, err := client.Get(s.url + path)
		if err != nil {
			s.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			s.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	post := func(body, accept string) *http.Response {
		req, err := http.NewRequest(http.MethodPost, s.url+"/mcp", strings.NewReader(body))
		if err != nil {
			s.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		res, err := client.Do(req)
		if err != nil {
			s.Fatal(err)
		}
		return res
	}
	const both = "application/json, text/event-stream"
	res := post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, both)
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	req, err := http.NewRequest(http.MethodGet, s.url+"/mcp", nil)
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"))
	stream, err := client.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	return func() { stream.Body.Close() }
}

// nothingNew waits until no goroutines are left but those of before.
func nothingNew(t *testing.T, before map[string]string) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		left = nil
		for number, stack := range goroutines() {
			if before[number] == "" {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines run on:\n%s", len(left), strings.Join(left, "\n\n"))
		}
	}
}

// over is a watcher that knows whether it is let go of while it works.
type over struct {
	looks   chan struct{}
	working atomic.Int64
	early   atomic.Bool
	closed  atomic.Bool
	crash   atomic.Int64 // how often it still does
	runs    atomic.Int64
}

func (o *over) Run(ctx context.Context) {
	o.runs.Add(1)
	o.working.Add(1)
	defer o.working.Add(-1)
	if o.crash.Add(-1) >= 0 {
		panic("a defect of the watcher")
	}
	<-ctx.Done()
	time.Sleep(50 * time.Millisecond) // what is under way takes its time
}

func (o *over) Looks() <-chan struct{} { return o.looks }
func (o *over) Mode() string           { return "test" }
func (o *over) Close() error {
	o.closed.Store(true)
	o.early.Store(o.working.Load() > 0)
	return nil
}

// youngPublisher publishes the starter content as it was at its first release.
func youngPublisher(t *testing.T, log io.Writer) *publisher {
	t.Helper()
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	source, err := gitrepo.InMemory(script[:1])
	if err != nil {
		t.Fatal(err)
	}
	p := newPublisher(loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}), slog.New(slog.NewTextHandler(log, nil)))
	p.config = site.Config{BaseURL: baseURL, Schemas: schemas.Embedded()}
	p.look(t.Context())
	if p.Current() == nil {
		t.Fatal("nothing is served")
	}
	return p
}

// Closing waits for what works with what is let go of, whether or not its context
// has ended; a watcher that was never run is let go of, too.
func TestCloseWaits(t *testing.T) {
	for name, begin := range map[string]func(*publisher){
		"running":   func(p *publisher) { p.run(t.Context()) },
		"never run": func(*publisher) {},
		"told to end": func(p *publisher) {
			ctx, cancel := context.WithCancel(t.Context())
			p.run(ctx)
			cancel()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := youngPublisher(t, io.Discard)
			o := &over{looks: make(chan struct{})}
			p.watcher = o
			begin(p)
			p.close()
			if !o.closed.Load() || o.early.Load() || o.working.Load() != 0 {
				t.Errorf("closed %v, early %v, %d at work", o.closed.Load(), o.early.Load(), o.working.Load())
			}
		})
	}
}

// What crashes in the background goes on after a rest, is told of with its stack, and
// is in health without it.
func TestCrashInTheBackground(t *testing.T) {
	var log lockedBuffer
	p := youngPublisher(t, &log)
	o := &over{looks: make(chan struct{})}
	o.crash.Store(2)
	p.watcher = o
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := background.Work{Crashed: p.crashed}
		b.Run(ctx, "watching the repository", o.Run)
		time.Sleep(background.Rest*2 + background.Rest/2)
		if n := o.runs.Load(); n != 3 || o.working.Load() != 1 {
			t.Errorf("%d runs, %d at work", n, o.working.Load())
		}
		cancel()
		b.Wait()
	})
	found := fmt.Sprint(p.status().Report.Findings)
	if n := strings.Count(found, "watching the repository crashed: a defect of the watcher"); n != 1 || strings.Contains(found, ".go:") {
		t.Errorf("%d findings: %s", n, found)
	}
	if n := strings.Count(log.String(), "background_test.go"); n == 0 || strings.Count(log.String(), "msg=crashed") != 1 {
		t.Errorf("the log:\n%s", log.String())
	}
}

// A site in which nothing can be found, because making that ready crashes, gives way
// to the one before; the next one is served again.
func TestUnusableSite(t *testing.T) {
	var log lockedBuffer
	p := youngPublisher(t, &log)
	good := p.Current()
	defect := errors.New("a defect of the index")
	var told [][2]*site.Site
	p.swapped = func(old, next *site.Site) { told = append(told, [2]*site.Site{old, next}) }
	publish := func(version string) *site.Site {
		p.config.Version = version
		p.looked = ""
		p.look(t.Context())
		return p.Current()
	}
	p.warmed(good, nil)
	bad := publish("2")
	if bad == good {
		t.Fatal("no other site")
	}
	p.warmed(bad, defect)
	if p.Current() != good || !strings.Contains(p.status().LastError, "a defect of the index") {
		t.Errorf("%s is served, last error %q", p.Current().ID, p.status().LastError)
	}
	p.look(t.Context()) // nothing has changed
	if p.Current() != good || p.status().LastError == "" {
		t.Errorf("another look: %s is served, last error %q", p.Current().ID, p.status().LastError)
	}
	if want := [][2]*site.Site{{good, bad}, {bad, good}}; fmt.Sprint(told) != fmt.Sprint(want) {
		t.Errorf("subscribers were told %v, want %v", told, want)
	}
	worse, next := publish("3"), publish("4")
	p.warmed(worse, defect) // overtaken
	if p.Current() != next || p.status().LastError != "" {
		t.Errorf("%s is served, last error %q", p.Current().ID, p.status().LastError)
	}
	p.warmed(next, defect)
	if p.Current() != good {
		t.Errorf("%s is served, not the last that was usable", p.Current().ID)
	}
	last := publish("5")
	p.warmed(last, nil)
	if p.Current() != last || p.status().LastError != "" {
		t.Errorf("%s is served, last error %q", p.Current().ID, p.status().LastError)
	}
}

// Subscribers whose notification crashes miss it, and nothing else is wrong.
func TestCrashOfSubscribers(t *testing.T) {
	var log lockedBuffer
	p := youngPublisher(t, &log)
	p.swapped = func(_, _ *site.Site) { panic("a defect of a client") }
	before := p.Current()
	p.config.Version, p.looked = "2", ""
	p.look(t.Context())
	if p.Current() == before || p.status().LastError != "" || p.seen == "" {
		t.Errorf("last error %q, seen %q", p.status().LastError, p.seen)
	}
	if !strings.Contains(log.String(), "a defect of a client") {
		t.Errorf("the log:\n%s", log.String())
	}
}
