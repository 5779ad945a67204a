// Package follow follows one source: fetch, load, judge, swap. A repository elsewhere is followed by its copy;
// one on this machine by the same code, without the fetch and without being held back.
//
// One goroutine follows ([Follower.follow]). What happens is an event to its [machine], a value that names the
// next action: to fetch, to abandon a fetch that hangs, or to look. A look ([Follower.look]) loads what has
// arrived, compares it with what is served ([judge]), and either swaps it in or goes on with what was served.
// What has come of that is in one [server.Status], which health, metrics and headers read.
//
// A copy has what has arrived and what is served side by side, so that a process that starts serves what an
// earlier one did, whether the host answers or not, and goes on holding back what it held back.
//
// A [Follower] is made by [New], loads once ([Follower.Load] or [Follower.Begin]), serves the result
// ([Follower.Serve]), follows the repository from [Follower.Run] on, and is closed.
package follow

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git/mirror"
	"rulestore/server"
	"rulestore/server/site"
)

// Config is the configuration of a follower.
type Config struct {
	Loader     *loader.Loader
	Name       i18n.Text     // of the repository, for people
	Watcher    Watcher       // of a repository on this machine; nil if the content never changes
	Remote     *Remote       // nil for a repository on this machine
	Starter    bool          // the starter content is served
	StaleAfter time.Duration // maximum age of the content; 0: unlimited
	Settled    func()        // called each time a site is encoded; may be nil
	Log        *slog.Logger
}

// Remote says how a repository elsewhere is followed.
type Remote struct {
	Source Copy // closed with the follower
	Poll   time.Duration
	Losses int    // how many publications a new state may lose; below 0: nothing is held back
	Mode   string // how changes are noticed
}

// Copy is the copy of a repository elsewhere, as [mirror.Mirror] is.
type Copy interface {
	Fetch(context.Context) (changed bool, err error)
	Select(served bool) // what the loader reads: what is served, or what has arrived
	Serve() error       // what has arrived is served from now on
	Failed(error) bool  // it cannot be read; reports whether it is fetched into an empty folder
	Renewal() mirror.Renewal
	Agree(time.Time)
	Agreed() time.Time
	Folder() string
	Close() error
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
	Config
	Site    site.Config                   // without the base URL; set before Serve
	Base    func(content.Settings) string // returns the base URL for these settings; set before Serve
	Swapped func(old, next *site.Site)    // notifies subscribers; set before Run

	encoder    *site.Encoder
	background crash.Work         // since Run
	cancel     context.CancelFunc // ends it

	// Of the goroutine that follows, which alone changes status and state below as well.
	machine machine
	result  loader.Loaded     // the one that is served
	seen    string            // the state that was loaded last of what has arrived
	logged  []content.Finding // which the log has

	fetches chan error              // the ends of fetches
	abandon context.CancelCauseFunc // the fetch that runs
	reloads chan reload             // buffers one
	orders  chan order

	current  atomic.Pointer[site.Site]
	draining atomic.Bool
	counts   counts

	mu      sync.Mutex
	status  server.Status
	state   string            // the name of what is served
	crashes []content.Finding // of the process, not of a load
}

// New returns a follower without any content.
func New(c Config) *Follower {
	p := &Follower{
		Config: c, encoder: site.NewEncoder(),
		Base:    func(s content.Settings) string { return s.CanonicalBaseURL },
		Swapped: func(_, _ *site.Site) {}, cancel: func() {},
		fetches: make(chan error, 1), reloads: make(chan reload, 1), orders: make(chan order),
	}
	p.background.Crashed = p.Crashed
	p.encoder.Settled = c.Settled
	p.encoder.Crashed = func(err error) { p.Crashed("encoding what is served", err) }
	p.status = server.Status{
		WatchMode: "none", StaleAfter: c.StaleAfter, Starter: c.Starter, Repository: c.Name.String(),
	}
	if r := c.Remote; r != nil {
		p.machine = machine{poll: r.Poll, state: server.RemoteFollowing}
		p.status.WatchMode, p.status.CheckedAt = r.Mode, r.Source.Agreed()
		p.status.Remote = &server.Remote{State: p.machine.state, SucceededAt: p.status.CheckedAt}
	}
	return p
}

// Encoder returns the encoder of the sites.
func (p *Follower) Encoder() *site.Encoder { return p.encoder }

// Current implements server.Sites.
func (p *Follower) Current() *site.Site { return p.current.Load() }

// Load loads the first snapshot completely.
func (p *Follower) Load(ctx context.Context) (loader.Loaded, error) {
	return p.loadFirst(ctx, p.Loader.Load, false)
}

// Begin loads the first snapshot, and defers what is not needed for it. A patient one waits for
// a remote repository that is unavailable.
func (p *Follower) Begin(ctx context.Context, patient bool) (loader.Loaded, error) {
	return p.loadFirst(ctx, p.Loader.Begin, patient)
}

func (p *Follower) loadFirst(
	ctx context.Context, load func(context.Context) (loader.Loaded, error), patient bool,
) (result loader.Loaded, err error) {
	if p.Remote != nil {
		result, err = p.first(ctx, load, patient)
	} else {
		result, err = load(ctx)
	}
	if err != nil {
		crash.Tell(p.Log, err, "doing", "loading the repository")
		return result, i18n.Errorf("load %s: %w", p.Name, err)
	}
	return result, nil
}

// Serve serves the first snapshot.
func (p *Follower) Serve(first loader.Loaded, start time.Time) error {
	if p.Starter {
		p.seen = first.State // there is no more of it to read
	}
	if err := p.swap(first, start); err != nil {
		crash.Tell(p.Log, err, "doing", "making the site")
		return i18n.Errorf("make a site of %s: %w", p.Name, err)
	}
	return nil
}

// Close stops the work of Run, waits for it, and then closes the resources.
func (p *Follower) Close() {
	p.cancel()
	p.background.Wait()
	var err error
	if p.Watcher != nil {
		err = p.Watcher.Close()
	}
	if p.Remote != nil {
		err = errors.Join(err, p.Remote.Source.Close())
	}
	if err != nil {
		p.Log.Warn("what was opened stays open until the process ends", "error", err)
	}
}

// Run follows the repository until the context ends or the follower is closed, and prepares each site for
// requests. Without a watcher only the date is followed.
func (p *Follower) Run(ctx context.Context) {
	ctx, p.cancel = context.WithCancel(ctx)
	if p.Remote != nil {
		p.Look(ctx) // what is held back is known from the beginning
	}
	if p.Watcher != nil {
		p.background.Run(ctx, "watching the repository", p.Watcher.Run)
	}
	p.background.Run(ctx, "following the repository", p.follow)
	p.background.Run(ctx, "encoding what is served", p.encoder.Run)
}

// Draining reports whether the process is about to stop.
func (p *Follower) Draining() bool { return p.draining.Load() }

// Drain marks the process as about to stop.
func (p *Follower) Drain() {
	p.draining.Store(true)
}
