package loader

import (
	"context"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader/git"
	"rulestore/loader/signers"
)

// Config is the configuration of a [Loader].
type Config struct {
	Source  git.Opener
	Branch  string // "" is the branch that HEAD names; a tag or a commit is possible
	Drafts  bool   // serve unpublished content
	Schemas content.Schemas
	Signers *signers.Set // the trusted signers; nil: whoever can push is trusted
	Now     func() time.Time
	Proven  bool        // tests have proved what a load checks in files: only Load checks it
	Filters bool        // the work tree is the author's own, see [git.WorkTree]
	Environ git.Environ // of the git that reads the work tree

	Opened *Opened // the files that what has this configuration shares; nil: none

	// Rewritable reports whether a line is ignored in all commits: a change may rewrite a line
	// that the branch it goes to does not have. nil: none is.
	Rewritable func(line string) bool

	// Crashed is called for each panic that was recovered from, from any goroutine; it may be
	// nil.
	Crashed func(error)
}

// Loader loads a repository repeatedly. It must be used by one goroutine at a time.
type Loader struct {
	Config
	cache *cache
	state *state
}

// New returns a loader without any state.
func New(c Config) *Loader {
	if c.Signers != nil {
		c.Source = git.Checked(c.Source) // else whoever writes its packs could change what was signed
	}
	return &Loader{Config: c, cache: newCache(), state: &state{}}
}

// Loaded is the result of one load.
type Loaded struct {
	Snapshot *content.Snapshot
	Report   content.Report
	Damaged  bool   // objects needed by single publications cannot be read: the report lists them
	State    string // identifies the loaded state, for [Loader.Look]; empty if another load may give more
	LogResult

	Refs    string                   // identifies the loaded commit and tags, independent of date and build
	Fixed   bool                     // Config.Branch is a tag or a commit
	Reaches func(commit string) bool // reports whether a commit is reachable from the branch; until the next load
}

// LogResult is what a load says of the log.
type LogResult struct {
	Log      *log.Served // nil if the repository has none
	Unlogged []log.Leaf  // what the head has and the log has not: what the next signing appends

	// With LoadToPlan: a log of an earlier commit that goes on where Log ends, since its leaves were
	// taken out; nil if there is none.
	Longer       *log.Served
	LongerCommit git.OID
}

// ErrNothingPublished is returned by Load for a repository without anything to serve.
var ErrNothingPublished = i18n.Errorf("nothing is published yet")

const (
	attempts = 5
	pause    = 20 * time.Millisecond
)

// Load reads the current state of the repository. An error means that the repository as a whole
// cannot be served. Errors that concurrent git processes may cause, such as a pack that was
// just replaced by a repack, are retried with a new handle first. The result is of one state of
// the refs: if they change during the load, it is repeated. The load ends with the context,
// with its cause as the error.
func (l *Loader) Load(ctx context.Context) (Loaded, error) {
	return l.load(ctx, options{complete: true})
}

// Begin is a [Loader.Load] for a fast start, and for the commands of authors: it defers the texts of
// superseded publications, see the package documentation. Whoever shows what is wrong with all publications
// has to Load after it.
func (l *Loader) Begin(ctx context.Context) (Loaded, error) {
	return l.load(ctx, options{deferring: true})
}

// LoadToPlan is a [Loader.Begin] that also returns what the next signing appends to the log.
func (l *Loader) LoadToPlan(ctx context.Context) (Loaded, error) {
	return l.load(ctx, options{deferring: true, signing: true})
}

// Look is a [Loader.Load] unless the state is still that of an earlier result: the same refs,
// the same date and, if drafts are served, the same files. Then there is no snapshot, and the
// cost is one listing of the refs. The result of an error has the state that could not be
// loaded, if that is known.
func (l *Loader) Look(ctx context.Context, seen string) (Loaded, error) {
	return l.load(ctx, options{seen: seen})
}

// options are the options of a load.
type options struct {
	complete    bool   // see Load
	deferring   bool   // see Begin
	signing     bool   // see LoadToPlan
	seen        string // see Look
	lastAttempt bool   // the last attempt
}

func (l *Loader) load(ctx context.Context, o options) (Loaded, error) {
	o.deferring = o.deferring || l.Proven && !o.complete
	for attempt := 1; ; attempt++ {
		o.lastAttempt = attempt == attempts
		result, unchanged, err := l.loadOnce(ctx, o)
		switch {
		case err == nil && (unchanged || attempt == attempts):
			return result, nil
		case err == nil:
			continue
		case !git.IsTransient(err) || attempt == attempts:
			return Loaded{State: result.State}, advise(err)
		}
		select {
		case <-ctx.Done():
			return Loaded{}, context.Cause(ctx)
		case <-time.After(pause << (attempt - 1)):
		}
	}
}

// loadOnce loads the repository after opening it once, by seven stages. It reports whether the refs did not change
// meanwhile. A panic is an error that does not depend on the repository.
func (l *Loader) loadOnce(ctx context.Context, o options) (result Loaded, unchanged bool, err error) {
	defer crash.Rescue(&err)
	repo, err := l.Source.Open()
	if err != nil {
		return Loaded{}, false, err
	}
	defer repo.Close()
	refs, err := l.list(repo, o) // 1: refs
	if err != nil || refs.state(refs.today) == o.seen {
		return Loaded{}, true, err
	}
	l.settle(refs)
	result = Loaded{State: refs.state(refs.today)}
	history, err := refs.walk() // 2: history
	if err != nil {
		return result, false, err
	}
	known, err := history.fold() // 3: facts
	if err != nil {
		return result, false, err
	}
	claims := known.takeStock(l.state)      // 4: claims
	made, err := known.publish(ctx, claims) // 5: content
	if err != nil {
		return result, false, err
	}
	held := made.hold(l.Drafts, known.ahead)                               // 6: hold
	concluded, err := known.conclude(claims, made, held, l.state.snapshot) // 7: report and snapshot
	if err != nil {
		return result, false, err
	}
	if result = concluded; !result.Damaged {
		l.state.missed = ""
	}
	if still, err := repo.Still(refs.refs, l.Branch, mayPublish); err != nil || !still {
		return result, false, err
	}
	l.remember(known, claims.outcomes, result.Snapshot)
	return result, true, nil
}

// settle has objects count as lost that are missing repeatedly, and are not being written or repacked by git. If an
// earlier snapshot can still be served, they have to be missing in two loads of one state.
func (l *Loader) settle(ls *listed) {
	if state := ls.state(ls.today); l.state.missed == state || ls.lastAttempt && l.state.snapshot == nil {
		ls.repo.Settle()
	}
	if ls.lastAttempt {
		l.state.missed = ls.state(ls.today)
	}
}
