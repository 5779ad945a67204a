package follow

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// over is a watcher that knows whether it is let go of while it works.
type over struct {
	looks   chan struct{}
	working atomic.Int64
	early   atomic.Bool
	closed  atomic.Bool
}

func (o *over) Run(ctx context.Context) {
	o.working.Add(1)
	defer o.working.Add(-1)
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

// history is that of six items: two commits, and one that publishes scenarios/two again.
func history(t *testing.T) git.Script {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "..", "..", "loader", "author", "testdata", "six.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := gittest.ParseTxtar(archive)
	if err != nil {
		t.Fatal(err)
	}
	two := "scenarios/two.yaml"
	return append(script, git.ScriptCommit{
		Date: script[1].Date.Add(time.Hour), Message: "Два, иначе", Tags: []git.NewTag{{Name: "scenarios/two/v1.1.0"}},
		Files: map[string][]byte{two: bytes.Replace(script[0].Files[two], []byte("Два"), []byte("Второй"), 1)},
	})
}

// begun is a repository with a history.
func begun(t *testing.T, script git.Script) git.Opener {
	t.Helper()
	source, err := git.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// young publishes the six items.
func young(t *testing.T, log io.Writer) *Follower {
	t.Helper()
	source := begun(t, history(t)[:2])
	p := New(Config{
		Loader: loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}),
		Log:    slog.New(slog.NewTextHandler(log, nil)),
	})
	p.Site = site.Config{BaseURL: "https://rules.example.org", Schemas: schemas.Embedded()}
	p.Look(t.Context())
	if p.Current() == nil {
		t.Fatal("nothing is served")
	}
	return p
}

// Closing waits for what works with what is let go of, whether or not its context
// has ended; a watcher that was never run is let go of, too.
func TestCloseWaits(t *testing.T) {
	for name, begin := range map[string]func(*Follower){
		"running":   func(p *Follower) { p.Run(t.Context()) },
		"never run": func(*Follower) {},
		"told to end": func(p *Follower) {
			ctx, cancel := context.WithCancel(t.Context())
			p.Run(ctx)
			cancel()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := young(t, io.Discard)
			o := &over{looks: make(chan struct{})}
			p.Watcher = o
			begin(p)
			p.Close()
			if !o.closed.Load() || o.early.Load() || o.working.Load() != 0 {
				t.Errorf("closed %v, early %v, %d at work", o.closed.Load(), o.early.Load(), o.working.Load())
			}
		})
	}
}

// What crashes in the background is told of once, with its stack, and is in health without it: before what is wrong
// with content, which may be more than health shows.
func TestCrashed(t *testing.T) {
	var log strings.Builder
	p := young(t, &log)
	p.update(func(s *server.Status) {
		for i := range 300 {
			s.Report.Add(content.Finding{Path: fmt.Sprintf("guidelines/%03d.yaml", i), Rule: "schema",
				Severity: content.Error})
		}
		s.Report.Sort()
	})
	for range 2 {
		p.Crashed("watching the repository", crash.Do(func() { panic("a defect") }))
		all := p.Status().Report.Findings
		if len(all) <= 300 || all[0].Rule != "crash" || all[1].Rule == "crash" || strings.Contains(fmt.Sprint(all), ".go:") {
			t.Errorf("first of %d: %v", len(all), all[:2])
		}
	}
	if strings.Count(log.String(), "msg=crashed") != 1 || !strings.Contains(log.String(), "follow_test.go") {
		t.Errorf("the log:\n%s", log.String())
	}
}

// Subscribers whose notification crashes miss it, and nothing else is wrong.
func TestCrashOfSubscribers(t *testing.T) {
	var log strings.Builder
	p := young(t, &log)
	p.Swapped = func(_, _ *site.Site) { panic("a defect of a client") }
	before := p.Current()
	p.Site.Version, p.seen = "2", ""
	p.Look(t.Context())
	if p.Current() == before || p.Status().LastError != "" || p.seen == "" {
		t.Errorf("last error %q, seen %q", p.Status().LastError, p.seen)
	}
	if !strings.Contains(log.String(), "a defect of a client") {
		t.Errorf("the log:\n%s", log.String())
	}
}

// Whatever crashes a reload, what was served goes on being served, health says
// what happened without the stack, and a later look tries again.
func TestCrashDuringReload(t *testing.T) {
	var log strings.Builder
	p := young(t, &log)
	served := p.Current()

	base := p.Base
	p.Base = func(content.Settings) string { panic("out of bounds") }
	p.seen = ""
	p.Look(t.Context())
	if p.Current() != served || p.Status().LastError != "crashed: out of bounds" {
		t.Errorf("served changed: %v, last error %q", p.Current() != served, p.Status().LastError)
	}
	if !strings.Contains(log.String(), "follow_test.go") {
		t.Errorf("the log has no stack: %s", log.String())
	}

	p.Base = base
	p.Look(t.Context())
	if p.Current().ID != served.ID || p.Status().LastError != "" {
		t.Errorf("after the repair: last error %q", p.Status().LastError)
	}
}

// The load after the first reads what the first left for later. What it finds is
// logged and in health, though nothing of the repository has changed.
func TestFoundLate(t *testing.T) {
	var log strings.Builder
	p := New(Config{
		Loader: loader.New(loader.Config{Source: begun(t, history(t)), Schemas: schemas.Embedded(), Now: time.Now}),
		Log:    slog.New(slog.NewTextHandler(&log, nil)),
	})
	p.Site.Schemas = schemas.Embedded()
	first, err := p.Begin(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	show := func(r loader.Loaded) {
		if err := p.Serve(r, time.Now()); err != nil {
			t.Fatal(err)
		}
		p.logFindings()
	}
	show(first)
	next := first
	next.Report.Add(content.Finding{Tag: "guidelines/a/v1.0.0", Rule: "seal-lost", Severity: content.Error,
		Message: "no version has the sealed checksum"})
	for range 2 {
		show(next)
	}
	if n := strings.Count(log.String(), "seal-lost"); n != 1 {
		t.Errorf("it is logged %d times: %s", n, log.String())
	}
	if found := p.Status().Report.Findings; len(found) != len(next.Report.Findings) {
		t.Errorf("health has %v", found)
	}
}
