// Package remote follows a remote repository: it keeps a mirror up to date, selects
// what a process serves first, and has an unreadable mirror fetched again.
package remote

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/cmd/rulestore/internal/webhook"
	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/watch"
	"rulestore/server"
)

// Follower follows a remote repository by its mirror. It fetches periodically and, if there is
// a webhook, when that is called.
type Follower struct {
	*watch.Remote
	Guard   *guard.Guard
	Hook    *webhook.Hook // nil if there is none; set before Run
	Patient bool          // the first load waits for the remote; set before it

	mirror       *gitrepo.Mirror
	log          *slog.Logger
	poll         time.Duration
	lastAdmitted string // the state that was admitted last

	fetches fetches

	mu         sync.Mutex
	state      server.Remote
	servedAsOf time.Time // when the remote had the served state, if it has changed since; else zero
}

// Follow returns a follower with a fetch interval. It closes the mirror when it is closed.
func Follow(m *gitrepo.Mirror, g *guard.Guard, poll time.Duration, log *slog.Logger) *Follower {
	r := &Follower{mirror: m, Guard: g, poll: poll, log: log}
	r.readFetchTime()
	r.Remote = watch.NewRemote(poll, r.Fetch)
	return r
}

// Intact returns the reason why the mirror cannot be opened; nil if it can.
func (r *Follower) Intact() error { return r.mirror.Intact() }

// Close closes the mirror and the webhook listener.
func (r *Follower) Close() error {
	r.Hook.Close()
	return r.mirror.Close()
}

// Run fetches and receives webhooks until the context ends. A panic ends everything, and the
// caller restarts it.
func (r *Follower) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	crashed := make(chan error, 1)
	go func() {
		err := crash.Do(func() { r.Hook.Run(ctx) })
		if err != nil {
			cancel()
		}
		crashed <- err
	}()
	defer func() {
		cancel()
		if err := <-crashed; err != nil {
			panic(err)
		}
	}()
	r.Remote.Run(ctx)
}

// Mode returns how changes are noticed.
func (r *Follower) Mode() string {
	if r.Hook != nil {
		return "fetch+webhook"
	}
	return "fetch"
}

// Fetch updates the mirror, and records the result.
func (r *Follower) Fetch(ctx context.Context) error {
	start := time.Now()
	changed, err := r.tryFetch(ctx)
	if ctx.Err() != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.fetches.count(&r.fetches.failed, start)
		r.state.FailedAt, r.state.Error = time.Now(), err.Error()
		r.log.Warn("the repository could not be fetched", "error", err)
		return err
	}
	if r.state.Error != "" {
		r.log.Info("the repository can be fetched again")
	}
	if changed {
		r.log.Info("fetched", "took", time.Since(start).Round(time.Millisecond))
		if r.servedAsOf.IsZero() { // until what was fetched is served
			r.servedAsOf = r.state.SucceededAt
		}
	}
	r.fetches.count(&r.fetches.succeeded, start)
	r.state.SucceededAt, r.state.Error = start, ""
	return nil
}

// tryFetch fetches, and turns a panic caused by the remote into an error.
func (r *Follower) tryFetch(ctx context.Context) (changed bool, err error) {
	if crashed := crash.Do(func() { changed, err = r.mirror.Fetch(ctx) }); crashed != nil {
		crash.Tell(r.log, crashed, "doing", "fetching")
		return false, crashed
	}
	return changed, err
}

// First loads the first snapshot: the state that an earlier process accepted, so that an
// unavailable remote causes no delay, else the remote's current state. If neither is possible,
// the newest state of the mirror that can be loaded is served.
func (r *Follower) First(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (loader.Result, error) {
	if err := r.Intact(); err != nil {
		r.log.Warn("the mirror is damaged, it is fetched anew", "error", err)
		_ = r.Fetch(ctx) // if the remote is unavailable, the mirror is served
		r.readFetchTime()
	}
	if result, ok := r.loadAccepted(ctx, load); ok {
		return result, nil
	}
	if result, ok := r.recoverAccepted(ctx, load); ok {
		return result, nil
	}
	for fetched, passed := false, false; ; {
		result, err := load(ctx)
		if err == nil {
			r.acceptFirst(result, passed)
			return result, nil
		}
		r.ReportUnreadable(err)
		switch {
		case ctx.Err() != nil:
			return loader.Result{}, err
		case r.mirror.Pass():
			r.log.Warn("the newest state of the mirror cannot be loaded, the one before it is tried", "error", err)
			passed = true
			continue
		case fetched:
			return loader.Result{}, err
		}
		if failure := r.fetchUntilReachable(ctx); failure != nil && errors.Is(err, gitrepo.ErrNotFetched) {
			return loader.Result{}, failure
		} else if failure != nil {
			return loader.Result{}, errors.Join(err, failure)
		}
		fetched, passed = true, false
	}
}

// loadAccepted loads the state that an earlier process accepted. It is not ok if it cannot be read any
// more, or not completely: then the newest may be the same state, fetched again.
func (r *Follower) loadAccepted(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (result loader.Result, ok bool) {
	a := r.Guard.Decisions().Accepted
	newest, _ := r.mirror.Generations()
	if a.Generation == 0 || a.Generation == newest && a.At == "" {
		return result, false
	}
	r.Guard.Select(a)
	defer r.Guard.SelectNewest()
	result, err := load(ctx)
	switch {
	case err != nil:
		r.log.Warn("the state that was accepted cannot be loaded", "state", a.State, "error", err)
		return result, false
	case result.Damaged, a.State != "" && guard.NameState(result) != a.State:
		r.log.Warn("the state that was accepted cannot be read in full", "state", a.State)
		return result, false
	}
	r.recordLoaded(result)
	if a.Generation != newest {
		r.setServedAsOf(r.mirror.Fetched())
	}
	if a.State == "" {
		r.Guard.Accept(result)
	} else {
		r.Guard.UpdateAccepted(result)
	}
	return result, true
}

// recoverAccepted loads the commit of the accepted state from the newest generation, if its own cannot be
// read any more and the newest state is held back. If necessary, everything is fetched anew first.
func (r *Follower) recoverAccepted(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (result loader.Result, ok bool) {
	now := r.Guard.Decisions()
	if now.Accepted.Commit == "" || now.Held == nil {
		return result, false
	}
	if result, ok = r.loadFromNewest(ctx, load, now.Accepted); ok || r.Fetch(ctx) != nil {
		return result, ok
	}
	return r.loadFromNewest(ctx, load, now.Accepted)
}

// loadFromNewest loads the commit of an accepted state from the newest generation. It is not ok if some
// of what was served is not there.
func (r *Follower) loadFromNewest(
	ctx context.Context, load func(context.Context) (loader.Result, error), a guard.State,
) (result loader.Result, ok bool) {
	a.Generation, _ = r.mirror.Generations()
	a.At = cmp.Or(a.At, a.Commit)
	r.Guard.Select(a)
	defer r.Guard.SelectNewest()
	result, err := load(ctx)
	if err == nil && result.Damaged {
		err = ErrDamagedObjects
	}
	if err != nil {
		r.ReportUnreadable(err)
		return result, false
	}
	if r.Guard.Loses(result.Snapshot) {
		return result, false
	}
	r.log.Warn("the state that was accepted is read from the newest copy", "commit", content.ShortCommit(a.At))
	r.recordLoaded(result)
	r.Guard.Relocate(a, result)
	return result, true
}

// acceptFirst records the first result, of an older state if the newest was skipped. It is served even
// if it is held back, as there is nothing else to serve.
func (r *Follower) acceptFirst(result loader.Result, passed bool) {
	var asOf time.Time
	if passed {
		asOf = r.mirror.Fetched()
		r.log.Warn("an older state of the repository is served: the newest that could be loaded", "of", asOf)
	}
	r.setServedAsOf(asOf)
	if passed || r.needsRefetch(result) { // as far as is known, the mirror does not have the accepted state
		r.recordLoaded(result)
		return
	}
	if h := r.Guard.WhyHeld(result); h != nil {
		r.Guard.Hold(h)
		r.log.Warn(
			"what is held back is served all the same: what was accepted cannot be read any more", "state", h.State,
		)
		return
	}
	r.recordLoaded(result)
	r.Guard.Accept(result)
}

// setServedAsOf records when the remote had the served state if it has changed since; zero if it has
// not.
func (r *Follower) setServedAsOf(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.servedAsOf = at
}

// fetchUntilReachable fetches, repeatedly if the process waits for the remote: restarting it would
// not help, and service managers give up after some restarts. It does not wait if the remote
// answers that there is no such repository for this login.
func (r *Follower) fetchUntilReachable(ctx context.Context) error {
	for pause := time.Second; ; pause = min(2*pause, max(r.poll, time.Second)) {
		err := r.Fetch(ctx)
		if err == nil || !r.Patient || gitrepo.IsRefused(err) || ctx.Err() != nil {
			return err
		}
		r.log.Warn("there is nothing to serve until the repository can be fetched", "next", pause)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// readFetchTime reads when an earlier process last fetched the state of the mirror.
func (r *Follower) readFetchTime() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.SucceededAt = r.mirror.Fetched()
}

// ErrDamagedObjects is the reason for fetching a mirror again after parts of it could not be
// read.
var ErrDamagedObjects = i18n.Errorf("some of what is published cannot be read: %w", gitrepo.ErrDamaged)

// Admit is called with the result of reading the newest state, and reports whether it is
// served. If objects are missing in the mirror only, it is fetched again first.
func (r *Follower) Admit(result loader.Result) bool {
	switch {
	case result.Snapshot == nil && r.Guard.Decisions().Held != nil:
		return true
	case result.Snapshot == nil:
		r.recordLoaded(result)
		r.setServedAsOf(time.Time{})
		r.Guard.AlsoInNewest(r.lastAdmitted)
		return true
	case r.needsRefetch(result) && r.Guard.Loses(result.Snapshot):
		return false
	}
	if h := r.Guard.WhyHeld(result); h != nil {
		r.Guard.Hold(h)
		return false
	}
	r.recordLoaded(result)
	r.setServedAsOf(time.Time{})
	r.lastAdmitted = guard.NameState(result)
	return true
}

// needsRefetch reports whether objects are missing in the mirror only, so that it is fetched again.
func (r *Follower) needsRefetch(result loader.Result) bool {
	if result.Damaged {
		return r.ReportUnreadable(ErrDamagedObjects)
	}
	err := r.Intact()
	return err != nil && r.ReportUnreadable(&gitrepo.ReadError{What: i18n.New("open the mirror"), Err: err})
}

// recordLoaded reports the result of a load to the mirror.
func (r *Follower) recordLoaded(result loader.Result) {
	if result.Damaged {
		r.ReportUnreadable(ErrDamagedObjects)
		return
	}
	if err := r.mirror.Keep(); err != nil {
		r.log.Warn("the mirror keeps more than it needs", "error", err)
	}
}

// ReportUnreadable is called with the reason why the mirror could not be loaded, and reports whether
// it is fetched again for that reason.
func (r *Follower) ReportUnreadable(err error) bool {
	if _, crashed := errors.AsType[*crash.Error](err); crashed {
		crash.Tell(r.log, err, "doing", "loading the mirror")
	}
	condemned := r.mirror.Condemned() != ""
	if !r.mirror.Failed(err) {
		return false
	}
	if !condemned {
		r.log.Warn("the mirror is fetched anew", "error", err)
	}
	r.RequestFetch()
	return true
}

// Describe adds the state of the remote to the status. The age of the content is that of the
// fetch, not of the load.
func (r *Follower) Describe(s *server.Status) {
	r.mu.Lock()
	state, older := r.state, r.servedAsOf
	r.mu.Unlock()
	renewal, decided := r.mirror.Renewal(), r.Guard.Decisions()
	s.Decisions = decided
	state.RenewedAt, state.Renewal = renewal.At, renewal.Why
	state.Mirror, state.State = r.mirror.Folder(), server.RemoteFollowed
	condemned := r.mirror.Condemned()
	switch {
	case condemned != "":
		state.State, state.Renewal = server.RemoteDamaged, condemned
	case state.Error != "":
		state.State = server.RemoteAway
	case s.LastError != "":
		state.State = server.RemoteUnfit
	case decided.Held != nil:
		state.State = server.RemoteHeld
	}
	if h := decided.Held; h != nil {
		s.HeldBack = &server.HeldBack{State: h.State, Commit: h.Commit, Since: h.Since, New: h.New, Lost: h.Losses}
	}
	s.Remote = &state
	if state.SucceededAt.Before(s.CheckedAt) {
		s.CheckedAt = state.SucceededAt
	}
	if s.LastError != "" && !older.IsZero() && older.Before(s.CheckedAt) {
		s.CheckedAt = older
	}
}
