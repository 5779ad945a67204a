package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/server"
	"rulestore/server/site"
)

// publisher is where loading and serving meet: one goroutine makes sites,
// everybody else reads the current one.
type publisher struct {
	name       string // of what is served, for people
	loader     *loader.Loader
	config     site.Config
	base       func(content.Settings) string // the base URL that goes with these settings
	log        *slog.Logger
	encoder    *site.Encoder
	staleAfter time.Duration
	swapped    func(old, next *site.Site) // tells who wants to know; set before run
	watcher    watcher                    // nil if what is served never changes
	remote     *remote                    // the watcher, if the repository is not on this machine

	current  atomic.Pointer[site.Site]
	draining atomic.Bool
	seen     string // the state of what is served
	hangups  chan chan struct{}
	reloads  reloads

	mu      sync.Mutex
	last    server.Status
	changed chan struct{} // closed when what is served changes
}

func newPublisher(l *loader.Loader, log *slog.Logger) *publisher {
	return &publisher{
		loader: l, log: log, encoder: site.NewEncoder(),
		base:    func(s content.Settings) string { return s.CanonicalBaseURL },
		swapped: func(_, _ *site.Site) {}, hangups: make(chan chan struct{}), changed: make(chan struct{}),
	}
}

// Current implements server.Sites.
func (p *publisher) Current() *site.Site { return p.current.Load() }

// status tells the server what only the process knows.
func (p *publisher) status() server.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.last
	s.WatchMode, s.Draining, s.StaleAfter = "none", p.draining.Load(), p.staleAfter
	if p.watcher != nil {
		s.WatchMode = p.watcher.Mode()
	}
	if p.remote != nil {
		p.remote.describe(&s)
	}
	return s
}

// load loads what is served first, by one of the loader's ways.
func (p *publisher) load(ctx context.Context, load func(context.Context) (loader.Result, error)) (result loader.Result, err error) {
	if p.remote != nil {
		result, err = p.remote.first(ctx, load)
	} else {
		result, err = load(ctx)
	}
	if err != nil {
		err = fmt.Errorf("load %s: %w", p.name, err)
	}
	return result, err
}

// close lets go of what was opened for reading.
func (p *publisher) close() {
	if p.remote != nil {
		p.remote.close()
	}
}

// run follows the repository until the context ends; without a watcher there is
// only the date to follow.
func (p *publisher) run(ctx context.Context) {
	go p.encode(ctx)
	if p.watcher == nil {
		go p.follow(ctx, nil)
		return
	}
	go p.watcher.Run(ctx)
	go p.follow(ctx, p.watcher.Looks())
}

// reload reads the repository anew, even if it looks as it did, and returns when
// that is done or the context has ended.
func (p *publisher) reload(ctx context.Context) {
	done := make(chan struct{})
	select {
	case p.hangups <- done:
		<-done
	case <-ctx.Done():
	}
}

// next returns a channel that is closed when what is served changes next.
func (p *publisher) next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// announce wakes those who wait for a change.
func (p *publisher) announce() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

// drain says that the process is about to stop.
func (p *publisher) drain() {
	p.draining.Store(true)
	p.announce()
}

// follow looks at the repository whenever it is told to, and at midnight UTC,
// when versions and marks with a date come into force. Clocks are set, so it does
// not rely on one wait until then.
func (p *publisher) follow(ctx context.Context, looks <-chan struct{}) {
	p.look(ctx) // what happened since the first load
	for {
		select {
		case <-ctx.Done():
			return
		case <-looks:
		case <-time.After(min(untilMidnight(time.Now()), time.Minute)):
		case done := <-p.hangups:
			p.seen = ""
			p.look(ctx)
			close(done)
			continue
		}
		p.look(ctx)
	}
}

// untilMidnight returns the time to the next day in UTC.
func untilMidnight(now time.Time) time.Duration {
	return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
}

// look loads the repository if it is not what is served. If that fails, what is
// served stays, and the next look tries again.
func (p *publisher) look(ctx context.Context) {
	start := time.Now()
	err := p.guarded(func() error { return p.refresh(ctx, start) })
	if err == nil || ctx.Err() != nil {
		return
	}
	p.log.Error("reload failed, what was served goes on being served", "error", err)
	p.update(func(s *server.Status) { s.LastError = err.Error() })
	if p.remote != nil {
		p.remote.unreadable(err)
	}
	p.reloads.done(&p.reloads.failed, start)
}

func (p *publisher) refresh(ctx context.Context, start time.Time) error {
	result, err := p.loader.Look(ctx, p.seen)
	if err != nil {
		return err
	}
	if result.Snapshot == nil {
		p.update(func(s *server.Status) { s.CheckedAt, s.LastError = start, "" })
		p.reloads.unchanged.Add(1)
		return nil
	}
	if p.remote != nil {
		p.remote.loaded()
	}
	p.publish(result, start)
	p.seen = result.State
	return nil
}

// guarded turns a crash into an error: whatever a repository holds, the process
// goes on. The stack is for the log alone, since errors are shown to clients.
func (p *publisher) guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("crashed: %v", v)
			p.log.Error("crashed", "panic", v, "stack", string(debug.Stack()))
		}
	}()
	return f()
}

// encode compresses until the context ends. A crash costs the bodies that waited:
// they are served as they are until they are asked for again.
func (p *publisher) encode(ctx context.Context) {
	for ctx.Err() == nil {
		_ = p.guarded(func() error { p.encoder.Run(ctx); return nil })
	}
}

func (p *publisher) update(change func(*server.Status)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.last)
}

// publish makes the site of a load and swaps it in.
func (p *publisher) publish(r loader.Result, start time.Time) {
	old := p.current.Load()
	p.config.BaseURL = p.base(r.Snapshot.Settings)
	next := site.Build(old, r.Snapshot, p.config)
	p.current.Store(next)
	p.encoder.Warm(next)
	var before content.Report
	p.update(func(s *server.Status) {
		before = s.Report
		s.LoadedAt, s.CheckedAt, s.LastError, s.Report = time.Now(), start, "", r.Report
	})
	p.announce()
	if old != nil && old.ID == next.ID {
		p.reloads.done(&p.reloads.unchanged, start)
		p.reportFindings(before, r.Report)
		return
	}
	if old != nil {
		p.swapped(old, next)
	}
	p.reloads.done(&p.reloads.swapped, start)
	p.report(old, next, time.Since(start))
	p.reportFindings(before, r.Report)
}

// report logs a swap.
func (p *publisher) report(old, next *site.Site, took time.Duration) {
	s := next.Snapshot
	attrs := []any{"commit", short(s.Commit), "branch", s.Branch, "snapshot", next.ID, "publications", s.Count(), "took", took.Round(time.Microsecond)}
	if old == nil {
		p.log.Info("loaded", attrs...)
		return
	}
	added, removed := difference(old.Snapshot, s)
	attrs = append([]any{"old_commit", short(old.Snapshot.Commit)}, attrs...)
	attrs = append(attrs, "added", some(added))
	if len(removed) > 0 {
		attrs = append(attrs, "removed", some(removed))
	}
	p.log.Info("swapped", attrs...)
}

// difference lists the tags whose content is new, and those that are gone.
func difference(old, next *content.Snapshot) (added, removed []string) {
	before, after := sums(old, next), sums(next, old)
	for tag, sum := range after {
		if before[tag] != sum {
			added = append(added, tag)
		}
	}
	for tag := range before {
		if _, ok := after[tag]; !ok {
			removed = append(removed, tag)
		}
	}
	slices.Sort(added)
	slices.Sort(removed)
	return added, removed
}

// sums lists the checksums of a snapshot by tag, without items that are the same in
// another.
func sums(s, other *content.Snapshot) map[string]string {
	all := map[string]string{}
	for _, item := range s.Items {
		if other.Item(item.Kind, item.Name) == item {
			continue
		}
		for _, e := range item.Entries {
			all[e.Tag()] = e.Checksum
		}
	}
	return all
}

// maxLogged is how many names or findings one load writes into the log.
const maxLogged = 20

func some(names []string) string {
	if len(names) > maxLogged {
		names = append(slices.Clone(names[:maxLogged]), "…")
	}
	return strings.Join(names, " ")
}

// reportFindings logs the findings that the load before did not have.
func (p *publisher) reportFindings(before, after content.Report) {
	known := map[content.Finding]bool{}
	for _, f := range before.Findings {
		known[f] = true
	}
	logged := 0
	for _, f := range after.Findings {
		if known[f] {
			continue
		}
		if logged == maxLogged {
			p.log.Warn("more findings are in /api/v1/health", "total", len(after.Findings))
			return
		}
		logged++
		level := slog.LevelWarn
		if f.Severity == content.Error {
			level = slog.LevelError
		}
		p.log.Log(context.Background(), level, f.String())
	}
}

func short(commit string) string { return commit[:min(len(commit), 12)] }
