// Package remote follows a remote repository: it keeps a mirror up to date, selects
// what a process serves first, and has an unreadable mirror fetched again.
package remote

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/cmd/rulestore/internal/webhook"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/gitrepo/mirror"
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

	mirror *mirror.Mirror
	log    *slog.Logger
	poll   time.Duration

	fetches fetches

	mu     sync.Mutex
	state  server.Remote
	agreed time.Time // when the remote last had what was judged: what is served, or is held back
}

// Follow returns a follower with a fetch interval. It closes the mirror when it is closed.
func Follow(m *mirror.Mirror, g *guard.Guard, poll time.Duration, log *slog.Logger) *Follower {
	r := &Follower{mirror: m, Guard: g, poll: poll, log: log}
	r.agreed = m.Agreed()
	r.state.SucceededAt = r.agreed
	r.Remote = watch.NewRemote(poll, r.Fetch)
	return r
}

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
// unavailable remote causes no delay, else the remote's current state. If that is held back, it is served
// all the same, as there is nothing else; if it cannot be loaded, what is left of the mirror.
func (r *Follower) First(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (loader.Result, error) {
	result, ok, err := r.loadAccepted(ctx, load)
	if ok || ctx.Err() != nil {
		return result, err
	}
	failed := r.fetchUntilReachable(ctx, result.Snapshot != nil)
	if failed == nil { // the remote may have sent what was lost
		if again, ok, err := r.loadAccepted(ctx, load); ok {
			return again, err
		}
	}
	next, err := load(ctx)
	switch {
	case err == nil && !(failed != nil && result.Snapshot != nil && r.Guard.Loses(next.Snapshot)):
		r.acceptFirst(ctx, next)
		return next, nil
	case result.Snapshot != nil:
		r.log.Warn("what is left of the mirror is served", "error", errors.Join(failed, err))
		return result, nil
	case errors.Is(err, mirror.ErrNotFetched) && failed != nil:
		return next, failed
	}
	r.ReportUnreadable(err)
	return next, errors.Join(err, failed)
}

// loadAccepted loads the state that an earlier process accepted: what the mirror has as served, or as arrived if
// that process ended in between. It is not ok if neither is that state, whole; the result is then what is left of it.
func (r *Follower) loadAccepted(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (left loader.Result, ok bool, err error) {
	accepted := r.Guard.Decisions().Accepted.State
	for _, served := range []bool{true, false} {
		if !served && accepted == "" {
			break // what has arrived is to be judged
		}
		r.mirror.Select(served)
		result, err := load(ctx)
		r.mirror.Select(false)
		switch {
		case errors.Is(err, mirror.ErrNotFetched), ctx.Err() != nil:
			continue
		case err != nil:
			r.log.Warn("the state that was accepted cannot be loaded", "state", accepted, "error", err)
			r.ReportUnreadable(err)
			continue
		case result.Damaged:
			r.log.Warn("the state that was accepted cannot be read in full", "state", accepted)
			r.ReportUnreadable(ErrDamagedObjects)
			left = result
			continue
		case accepted != "" && guard.NameState(result) != accepted:
			continue
		case accepted == "":
			r.Guard.Accept(result)
		default:
			r.Guard.UpdateAccepted(result)
		}
		if !served {
			r.keepServed(ctx)
		}
		return result, true, nil
	}
	return left, false, nil
}

// acceptFirst records the first result that the remote sent. It is served even if it is held back, as there is
// nothing else to serve.
func (r *Follower) acceptFirst(ctx context.Context, result loader.Result) {
	if r.needsRefetch(result) { // as far as is known, the mirror does not have the accepted state
		return
	}
	if h := r.Guard.WhyHeld(result); h != nil {
		r.Guard.Hold(h)
		r.log.Warn(
			"what is held back is served all the same: what was accepted cannot be read any more", "state", h.State,
		)
		return
	}
	r.Accept(ctx, result)
}

// Accept records that the newest state, which was loaded last, is served from now on.
func (r *Follower) Accept(ctx context.Context, result loader.Result) {
	before := r.Guard.Decisions().Accepted.State
	r.Guard.Accept(result)
	r.agree()
	if r.Guard.Decisions().Accepted.State != before {
		r.keepServed(ctx)
	}
}

// keepServed has the mirror keep what has arrived as what is served.
func (r *Follower) keepServed(ctx context.Context) {
	if err := r.mirror.Serve(ctx); err != nil && ctx.Err() == nil {
		r.log.Error("another process would not know what is served", "error", err)
	}
}

// Served calls a function while the mirror is read as it is served.
func (r *Follower) Served(do func()) {
	r.mirror.Select(true)
	defer r.mirror.Select(false)
	do()
}

// agree records that what the remote had at the last fetch was judged.
func (r *Follower) agree() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.agreed = r.state.SucceededAt; !r.agreed.IsZero() {
		r.mirror.Agree(r.agreed)
	}
}

// fetchUntilReachable fetches, repeatedly if the process waits for the remote: restarting it would
// not help, and service managers give up after some restarts. It does not wait if the remote
// answers that there is no such repository for this login.
func (r *Follower) fetchUntilReachable(ctx context.Context, once bool) error {
	for pause := time.Second; ; pause = min(2*pause, max(r.poll, time.Second)) {
		err := r.Fetch(ctx)
		if err == nil || once || !r.Patient || mirror.IsRefused(err) || ctx.Err() != nil {
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

// ErrDamagedObjects is the reason for fetching a mirror again after parts of it could not be
// read.
var ErrDamagedObjects = i18n.Errorf("some of what is published cannot be read: %w", gitrepo.ErrDamaged)

// Admit is called with the result of reading the newest state, and reports whether it is
// served. If objects are missing in the mirror only, it is fetched again first.
func (r *Follower) Admit(result loader.Result) bool {
	switch {
	case result.Snapshot == nil:
		r.agree()
		return true
	case r.needsRefetch(result) && r.Guard.Loses(result.Snapshot):
		return false
	}
	if h := r.Guard.WhyHeld(result); h != nil {
		r.Guard.Hold(h)
		r.agree()
		return false
	}
	return true
}

// needsRefetch reports whether objects are missing in the mirror only, so that it is fetched again.
func (r *Follower) needsRefetch(result loader.Result) bool {
	return result.Damaged && r.ReportUnreadable(ErrDamagedObjects)
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
	state, agreed := r.state, r.agreed
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
	if s.LastError != "" && agreed.Before(s.CheckedAt) {
		s.CheckedAt = agreed
	}
}
