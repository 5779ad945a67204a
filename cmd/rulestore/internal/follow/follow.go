// Package follow follows one source: fetch, load, hold back, swap. One goroutine loads a repository
// and builds sites from it ([Follower.follow] is its loop), all others read the current one. A repository
// on this machine is followed by the same code, without the fetch.
//
// A [Follower] is made by [New], loads once ([Follower.Load] or [Follower.Begin]), serves
// the result ([Follower.Serve]), follows the repository from [Follower.Run] on, and is closed.
package follow

import (
	"context"
	"errors"
	"log/slog"
	"slices"
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

// Config is the configuration of a follower.
type Config struct {
	Loader     *loader.Loader
	Name       i18n.Text                // of the repository, for people
	Watcher    Watcher                  // nil if the content never changes
	Remote     *Remote                  // the watcher, for a remote repository
	Starter    bool                     // the starter content is served
	StaleAfter time.Duration            // maximum age of the content; 0: unlimited
	Findings   func() []content.Finding // that time makes; may be nil
	Settled    func()                   // called each time a site is encoded; may be nil
	Log        *slog.Logger
}

// Watcher notices that the repository may have changed.
type Watcher interface {
	Run(context.Context)    // watches until the context ends
	Looks() <-chan struct{} // receives a message when it is time to look
	Mode() string           // how changes are noticed
	Close() error           // after Run has returned, or without it
}

// Follower loads and serves the publications of one repository.
type Follower struct {
	Site    site.Config                   // without the base URL; set before Serve
	Base    func(content.Settings) string // returns the base URL for these settings; set before Serve
	Swapped func(old, next *site.Site)    // notifies subscribers; set before Run

	name       i18n.Text
	turn       sync.Mutex    // one load, confirmation or swap at a time
	result     loader.Result // the one loaded last; without a snapshot before the first load
	loader     *loader.Loader
	log        *slog.Logger
	encoder    *site.Encoder
	staleAfter time.Duration
	watcher    Watcher
	background background.Work    // since Run
	cancel     context.CancelFunc // ends it
	remote     *Remote
	starter    bool
	timely     func() []content.Finding // that time makes
	logged     []content.Finding        // those of them that the log has

	current  atomic.Pointer[site.Site]
	unproven atomic.Pointer[unprovenSite]
	// the tag or commit that was requested for the served content; nil if there is none
	fixed       atomic.Pointer[string]
	draining    atomic.Bool
	servedState string // the served state
	loadedState string // the state loaded last, which may be held back
	tasks       chan task
	asked       chan chan struct{} // for reloads, each with what is closed then
	reloads     *reloads

	mu             sync.Mutex
	last           server.Status
	fallbackReason string            // why an older site than the loaded one is served; empty if it is not
	crashes        []content.Finding // of the process, not of a load
	changed        chan struct{}     // closed when what is served changes
}

// New returns a follower without any content.
func New(c Config) *Follower {
	p := &Follower{
		name: c.Name, reloads: new(reloads), loader: c.Loader, log: c.Log,
		encoder: site.NewEncoder(), staleAfter: c.StaleAfter,
		watcher: c.Watcher, remote: c.Remote, starter: c.Starter, timely: c.Findings,
		Base:    func(s content.Settings) string { return s.CanonicalBaseURL },
		Swapped: func(_, _ *site.Site) {}, cancel: func() {}, tasks: make(chan task), changed: make(chan struct{}),
		asked: make(chan chan struct{}),
	}
	if p.timely == nil {
		p.timely = func() []content.Finding { return nil }
	}
	p.background.Crashed = p.Crashed
	p.encoder.Settled = c.Settled
	p.encoder.Warmed = p.indexBuilt
	p.encoder.Crashed = func(err error) { p.Crashed("encoding what is served", err) }
	return p
}

// Encoder returns the encoder of the sites.
func (p *Follower) Encoder() *site.Encoder { return p.encoder }

// Current implements server.Sites.
func (p *Follower) Current() *site.Site { return p.current.Load() }

// Name returns what people call the repository.
func (p *Follower) Name() i18n.Text { return p.name }

// Status returns the state of the process for the server.
func (p *Follower) Status() server.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.last
	if p.fallbackReason != "" {
		s.LastError = p.fallbackReason
	}
	s.Report.Findings = p.withOwnFindings(s.Report.Findings)
	s.WatchMode, s.Draining, s.StaleAfter, s.Starter = "none", p.draining.Load(), p.staleAfter, p.starter
	s.Repository = p.name.String()
	if p.watcher != nil {
		s.WatchMode = p.watcher.Mode()
	}
	s.Pinned = p.pinned()
	if p.remote != nil {
		s.WatchMode = p.remote.mode()
		p.remote.describe(&s)
	}
	return s
}

// withOwnFindings joins findings about the content and about the process in the order of a
// report: the latter have no place, and are never left out.
func (p *Follower) withOwnFindings(ofContent []content.Finding) []content.Finding {
	own := slices.Concat(p.crashes, p.decisions())
	if len(own) == 0 {
		return ofContent
	}
	all := content.Report{Findings: slices.Concat(own, ofContent)}
	all.Sort()
	return all.Findings
}

// Load loads the first snapshot completely.
func (p *Follower) Load(ctx context.Context) (loader.Result, error) {
	return p.loadFirst(ctx, p.loader.Load)
}

// Begin loads the first snapshot, and defers what is not needed for it. A patient one waits for
// a remote repository that is unavailable.
func (p *Follower) Begin(ctx context.Context, patient bool) (loader.Result, error) {
	if p.remote != nil {
		p.remote.Patient = patient
	}
	return p.loadFirst(ctx, p.loader.Begin)
}

// loadFirst loads the first snapshot with a method of the loader.
func (p *Follower) loadFirst(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (result loader.Result, err error) {
	if p.remote != nil {
		result, err = p.remote.first(ctx, load)
	} else {
		result, err = load(ctx)
	}
	if err != nil {
		crash.Tell(p.log, err, "doing", "loading the repository")
		return result, i18n.Errorf("load %s: %w", p.name, err)
	}
	p.result = result
	return result, nil
}

// Serve serves the first snapshot.
func (p *Follower) Serve(first loader.Result, start time.Time) error {
	err := crash.Do(func() {
		p.swap(first, start)
		p.logTimely()
	})
	if err != nil {
		crash.Tell(p.log, err, "doing", "making the site")
		return i18n.Errorf("make a site of %s: %w", p.name, err)
	}
	return nil
}

// Close stops the work of Run, waits for it, and then closes the resources.
func (p *Follower) Close() {
	p.cancel()
	p.background.Wait()
	var err error
	if p.watcher != nil {
		err = p.watcher.Close()
	}
	if p.remote != nil {
		err = errors.Join(err, p.remote.Close())
	}
	if err != nil {
		p.log.Warn("what was opened stays open until the process ends", "error", err)
	}
}

// Run follows the repository as Follow does, and prepares each site for requests.
func (p *Follower) Run(ctx context.Context) {
	p.background.Run(p.Follow(ctx), "encoding what is served", p.encoder.Run)
}

// Follow follows the repository until the context ends or the follower is closed, which the returned
// context says; without a watcher only the date is followed.
func (p *Follower) Follow(ctx context.Context) context.Context {
	ctx, p.cancel = context.WithCancel(ctx)
	var looks <-chan struct{}
	if p.watcher != nil {
		looks = p.watcher.Looks()
		p.background.Run(ctx, "watching the repository", p.watcher.Run)
	}
	if p.remote != nil && p.remote.Hook != nil {
		p.background.Run(ctx, "hearing webhooks", p.remote.Hook.Run)
	}
	p.background.Run(ctx, "following the repository", func(ctx context.Context) { p.follow(ctx, looks) })
	return ctx
}

// Next returns a channel that is closed at the next change of what is served.
func (p *Follower) Next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// notifyWaiting notifies those who wait for a change.
func (p *Follower) notifyWaiting() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

// Draining reports whether the process is about to stop.
func (p *Follower) Draining() bool { return p.draining.Load() }

// Drain marks the process as about to stop.
func (p *Follower) Drain() {
	p.draining.Store(true)
	p.notifyWaiting()
}

// maxCrashes is the maximum number of different panics in the health document.
const maxCrashes = 20

// Crashed reports a panic in background work other than loading to operators: in the log, and
// in health until the process ends. Repeated panics are reported once.
func (p *Follower) Crashed(doing string, err error) {
	f := loader.CrashFinding("", content.Word(doing), err)
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

func (p *Follower) update(change func(*server.Status)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.last)
}
