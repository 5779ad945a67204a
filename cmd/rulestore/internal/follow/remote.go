package follow

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rulestore/cmd/rulestore/internal/webhook"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
	"rulestore/server"
)

// Source is the copy of a repository elsewhere, as [mirror.Mirror] is.
type Source interface {
	Fetch(context.Context) (changed bool, err error)
	Select(served bool)          // what the loader reads: what is served, or what has arrived
	Serve(context.Context) error // what has arrived is served from now on
	Failed(error) bool           // it cannot be read; reports whether it is fetched into an empty folder
	Condemned() string
	Renewal() mirror.Renewal
	Agree(time.Time)
	Agreed() time.Time
	Folder() string
	Close() error
}

// Remote is a repository elsewhere that is followed by its copy. It is in one of three states: following;
// held, while [Guard] holds back what has arrived; and unreadable, until the copy was fetched again.
type Remote struct {
	Guard   *Guard
	Hook    *webhook.Hook // nil if there is none
	Patient bool          // the first load waits for the remote; set before it

	source   Source
	log      *slog.Logger
	poll     time.Duration
	requests chan struct{} // for fetches; buffers one
	fetches  fetches

	mu     sync.Mutex
	state  server.Remote
	agreed time.Time // when the remote last had what was judged: what is served, or is held back
}

// NewRemote returns a remote that is fetched every poll. It closes the source when it is closed.
func NewRemote(s Source, g *Guard, poll time.Duration, log *slog.Logger) *Remote {
	r := &Remote{source: s, Guard: g, poll: poll, log: log, requests: make(chan struct{}, 1), agreed: s.Agreed()}
	r.state.SucceededAt = r.agreed
	return r
}

// RequestFetch requests a fetch soon. It never blocks, and several requests are merged into one.
func (r *Remote) RequestFetch() {
	select {
	case r.requests <- struct{}{}:
	default:
	}
}

// Close closes the source and the webhook listener.
func (r *Remote) Close() error {
	r.Hook.Close()
	return r.source.Close()
}

// mode returns how changes are noticed.
func (r *Remote) mode() string {
	if r.Hook != nil {
		return "fetch+webhook"
	}
	return "fetch"
}

// Fetch updates the mirror, and records the result. Of one that was abandoned the error is the reason of that.
func (r *Remote) Fetch(ctx context.Context) error {
	start := time.Now()
	changed, err := r.tryFetch(ctx)
	if ctx.Err() != nil { // however it ended
		return context.Cause(ctx)
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
func (r *Remote) tryFetch(ctx context.Context) (changed bool, err error) {
	if crashed := crash.Do(func() { changed, err = r.source.Fetch(ctx) }); crashed != nil {
		crash.Tell(r.log, crashed, "doing", "fetching")
		return false, crashed
	}
	return changed, err
}

// first loads the first snapshot: the state that an earlier process accepted, so that an
// unavailable remote causes no delay, else the remote's current state. If that is held back, it is served
// all the same, as there is nothing else; if it cannot be loaded, what is left of the mirror.
func (r *Remote) first(
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
func (r *Remote) loadAccepted(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (left loader.Result, ok bool, err error) {
	accepted := r.Guard.Decisions().Accepted.State
	for _, served := range []bool{true, false} {
		if !served && accepted == "" {
			break // what has arrived is to be judged
		}
		r.source.Select(served)
		result, err := load(ctx)
		r.source.Select(false)
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
		case accepted != "" && NameState(result) != accepted:
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
func (r *Remote) acceptFirst(ctx context.Context, result loader.Result) {
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
	r.accept(ctx, result)
}

// accept records that the newest state, which was loaded last, is served from now on.
func (r *Remote) accept(ctx context.Context, result loader.Result) {
	before := r.Guard.Decisions().Accepted.State
	r.Guard.Accept(result)
	r.agree()
	if r.Guard.Decisions().Accepted.State != before {
		r.keepServed(ctx)
	}
}

// keepServed has the mirror keep what has arrived as what is served.
func (r *Remote) keepServed(ctx context.Context) {
	if err := r.source.Serve(ctx); err != nil && ctx.Err() == nil {
		r.log.Error("another process would not know what is served", "error", err)
	}
}

// readServed calls a function while the mirror is read as it is served.
func (r *Remote) readServed(do func()) {
	r.source.Select(true)
	defer r.source.Select(false)
	do()
}

// agree records that what the remote had at the last fetch was judged.
func (r *Remote) agree() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.agreed = r.state.SucceededAt; !r.agreed.IsZero() {
		r.source.Agree(r.agreed)
	}
}

// fetchUntilReachable fetches, repeatedly if the process waits for the remote: restarting it would
// not help, and service managers give up after some restarts. It does not wait if the remote
// answers that there is no such repository for this login.
func (r *Remote) fetchUntilReachable(ctx context.Context, once bool) error {
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
var ErrDamagedObjects = i18n.Errorf("some of what is published cannot be read: %w", git.ErrDamaged)

// admit is called with the result of reading the newest state, and reports whether it is
// served. If objects are missing in the mirror only, it is fetched again first.
func (r *Remote) admit(result loader.Result) bool {
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
func (r *Remote) needsRefetch(result loader.Result) bool {
	return result.Damaged && r.ReportUnreadable(ErrDamagedObjects)
}

// ReportUnreadable is called with the reason why the mirror could not be loaded, and reports whether
// it is fetched again for that reason.
func (r *Remote) ReportUnreadable(err error) bool {
	if _, crashed := errors.AsType[*crash.Error](err); crashed {
		crash.Tell(r.log, err, "doing", "loading the mirror")
	}
	condemned := r.source.Condemned() != ""
	if !r.source.Failed(err) {
		return false
	}
	if !condemned {
		r.log.Warn("the mirror is unreadable, and is fetched anew", "error", err)
	}
	r.RequestFetch()
	return true
}

// describe adds the state of the remote to the status. The age of the content is that of the
// fetch, not of the load.
func (r *Remote) describe(s *server.Status) {
	r.mu.Lock()
	state, agreed := r.state, r.agreed
	r.mu.Unlock()
	renewal, decided := r.source.Renewal(), r.Guard.Decisions()
	s.Decisions = decided
	state.RenewedAt, state.Renewal = renewal.At, renewal.Why
	state.Mirror, state.State = r.source.Folder(), server.RemoteFollowing
	switch condemned := r.source.Condemned(); {
	case condemned != "":
		state.State, state.Renewal = server.RemoteUnreadable, condemned
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
