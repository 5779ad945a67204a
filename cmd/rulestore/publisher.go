package main

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/cmd/rulestore/internal/background"
	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/server"
	"rulestore/server/site"
)

// publisher is where loading and serving meet: one goroutine makes sites,
// everybody else reads the current one.
type publisher struct {
	name       i18n.Text // of what is served, for people
	loader     *loader.Loader
	config     site.Config
	base       func(content.Settings) string // the base URL that goes with these settings
	log        *slog.Logger
	encoder    *site.Encoder
	staleAfter time.Duration
	swapped    func(old, next *site.Site) // tells who wants to know; set before run
	watcher    watcher                    // nil if what is served never changes
	background background.Work            // since run
	end        context.CancelFunc         // ends it
	remote     *remote                    // the watcher, if the repository is not on this machine
	starter    bool                       // what is served is the starter content

	current  atomic.Pointer[site.Site]
	trial    atomic.Pointer[trial]
	fixed    atomic.Bool // what is served was asked for by a tag or a commit
	draining atomic.Bool
	seen     string        // the state of what is served
	looked   string        // the state that was loaded last, which may be held back
	previous loader.Result // what was served before the state that is
	served   loader.Result
	orders   chan order
	reloads  reloads

	mu      sync.Mutex
	last    server.Status
	kept    string            // why an older site is served than was loaded; empty if it is not
	crashes []content.Finding // of the process, not of a load
	changed chan struct{}     // closed when what is served changes
}

func newPublisher(l *loader.Loader, log *slog.Logger) *publisher {
	p := &publisher{
		loader: l, log: log, encoder: site.NewEncoder(),
		base:    func(s content.Settings) string { return s.CanonicalBaseURL },
		swapped: func(_, _ *site.Site) {}, end: func() {}, orders: make(chan order), changed: make(chan struct{}),
	}
	p.background.Crashed = p.crashed
	p.encoder.Warmed = p.warmed
	p.encoder.Crashed = func(err error) { p.crashed("encoding what is served", err) }
	return p
}

// Current implements server.Sites.
func (p *publisher) Current() *site.Site { return p.current.Load() }

// status tells the server what only the process knows.
func (p *publisher) status() server.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.last
	if p.kept != "" {
		s.LastError = p.kept
	}
	s.Report.Findings = slices.Concat(s.Report.Findings, p.crashes, p.decisions())
	s.WatchMode, s.Draining, s.StaleAfter, s.Starter = "none", p.draining.Load(), p.staleAfter, p.starter
	s.Repository = p.name.String()
	if p.watcher != nil {
		s.WatchMode = p.watcher.Mode()
	}
	s.Pinned = p.pinned()
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
		crash.Tell(p.log, err, "doing", "loading the repository")
		err = i18n.Errorf("load %s: %w", p.name, err)
	}
	return result, err
}

// serve serves what was loaded first.
func (p *publisher) serve(first loader.Result, start time.Time) error {
	err := crash.Do(func() { p.publish(first, start) })
	if err != nil {
		crash.Tell(p.log, err, "doing", "making the site")
		return i18n.Errorf("make a site of %s: %w", p.name, err)
	}
	return nil
}

// close ends what run has begun, waits for it, and then lets go of what was opened.
func (p *publisher) close() {
	p.end()
	p.background.Wait()
	if p.watcher == nil {
		return
	}
	if err := p.watcher.Close(); err != nil {
		p.log.Warn("what was opened stays open until the process ends", "error", err)
	}
}

// run follows the repository until the context ends or the publisher is closed;
// without a watcher there is only the date to follow.
func (p *publisher) run(ctx context.Context) {
	ctx, p.end = context.WithCancel(ctx)
	p.background.Run(ctx, "encoding what is served", p.encoder.Run)
	var looks <-chan struct{}
	if p.watcher != nil {
		looks = p.watcher.Looks()
		p.background.Run(ctx, "watching the repository", p.watcher.Run)
	}
	p.background.Run(ctx, "following the repository", func(ctx context.Context) { p.follow(ctx, looks) })
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
		case o := <-p.orders:
			o.carryOut(ctx)
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
	err := p.attempt(ctx, start)
	if err == nil || ctx.Err() != nil {
		return
	}
	p.tellOnce(err)
	p.log.Error("reload failed, what was served goes on being served", "error", err)
	p.update(func(s *server.Status) { s.LastError = err.Error() })
	if p.remote != nil {
		p.remote.failed(err)
		p.lookBack(ctx, start)
	}
	p.reloads.done(&p.reloads.failed, start)
}

func (p *publisher) attempt(ctx context.Context, start time.Time) (err error) {
	if crashed := crash.Do(func() { err = p.refresh(ctx, start) }); crashed != nil {
		err = crashed
	}
	return err
}

// lookBack serves what is accepted of a mirror while the newest cannot be loaded. Health
// goes on saying what is wrong.
func (p *publisher) lookBack(ctx context.Context, start time.Time) {
	if p.remote.guard.isPinned() {
		return // that is what could not be loaded
	}
	p.mu.Lock()
	failed := p.last
	p.mu.Unlock()
	var err error
	if crashed := crash.Do(func() { _, err = p.restore(ctx, start) }); crashed != nil {
		err = crashed
	}
	crash.Tell(p.log, err, "doing", "loading the mirror")
	p.update(func(s *server.Status) { s.CheckedAt, s.LastError = failed.CheckedAt, failed.LastError })
}

// tellOnce tells operators of the crash of a load, with its stack unless that is what
// became of the load before.
func (p *publisher) tellOnce(err error) {
	log := p.log
	if p.status().LastError == err.Error() {
		log = nil
	}
	crash.Tell(log, err, "doing", "loading the repository")
}

func (p *publisher) refresh(ctx context.Context, start time.Time) error {
	if p.remote != nil && p.remote.guard.isPinned() {
		return p.stay(ctx, start)
	}
	result, err := p.loader.Look(ctx, p.looked)
	switch {
	case err != nil:
		return err
	case p.remote != nil && !p.remote.admits(result):
		p.looked = result.State
		p.loader.Disown()
		return p.stay(ctx, start)
	case result.Snapshot == nil:
		p.unchanged(start)
		return nil
	}
	p.take(result, start)
	p.looked = result.State
	if p.remote != nil {
		p.remote.guard.accept(result)
	}
	return nil
}

// unchanged notes that the repository agrees with what was looked at.
func (p *publisher) unchanged(start time.Time) {
	p.update(func(s *server.Status) { s.CheckedAt, s.LastError = start, "" })
	p.reloads.unchanged.Add(1)
}

// stay serves the state that is accepted, whatever the newest is.
func (p *publisher) stay(ctx context.Context, start time.Time) error {
	took, err := p.restore(ctx, start)
	if err == nil && !took {
		p.unchanged(start)
	}
	return err
}

// restore serves the state that is accepted, and reports whether that is another than was
// served: another day may have made something else of it.
func (p *publisher) restore(ctx context.Context, start time.Time) (took bool, err error) {
	a := p.remote.guard.state().Accepted
	if a.Generation == 0 { // it cannot be read any more: what is served is what there is
		return false, nil
	}
	result, err := p.loadAccepted(ctx, a, p.seen)
	switch {
	case err != nil || result.Snapshot == nil:
		return false, err
	case a.State != "" && nameState(result) != a.State, result.Damaged && len(p.remote.guard.lost(result.Snapshot)) > 0:
		p.loader.Disown()
		return false, errDamagedObjects // all of it is served, as it was read before
	}
	p.take(result, start)
	p.remote.guard.reread(result)
	return true, nil
}

// loadAccepted loads an accepted state of the mirror, unless it was seen.
func (p *publisher) loadAccepted(ctx context.Context, a accepted, seen string) (loader.Result, error) {
	p.remote.guard.choose(a)
	defer p.remote.guard.newest()
	return p.loader.Look(ctx, seen)
}

// take serves a result, and keeps what was served before for who wants that back.
func (p *publisher) take(result loader.Result, start time.Time) {
	p.publish(result, start)
	p.seen = result.State
	if p.remote == nil {
		return
	}
	result.Reaches = nil // it holds all that was read
	if nameState(result) != nameState(p.served) {
		p.previous = p.served
	}
	p.served = result
}

// maxCrashes is how many crashes of different kinds health shows.
const maxCrashes = 20

// crashed tells operators of a crash of what the process does beside loading: in the
// log, and in health for as long as the process lives. What happens again and again
// is said once.
func (p *publisher) crashed(doing string, err error) {
	f := loader.Crashed("", content.Word(doing), err)
	f.Severity = content.Warning
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.crashes, f) {
		crash.Tell(nil, err)
		return
	}
	crash.Tell(p.log, err, "doing", doing)
	if len(p.crashes) < maxCrashes {
		p.crashes = append(p.crashes, f)
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
	p.try(old, next)
	p.current.Store(next)
	p.fixed.Store(r.Fixed)
	p.encoder.Warm(next)
	var before content.Report
	p.update(func(s *server.Status) {
		p.kept = ""
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
		p.tellSwapped(old, next)
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
	if marks := newMarks(old.Snapshot, s); len(marks) > 0 {
		attrs = append(attrs, "marked", some(marks))
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
