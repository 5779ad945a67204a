package remote

import (
	"cmp"
	"context"
	"time"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/loader"
	"rulestore/server"
)

// CanRelease reports whether the waiting state may be served: its delay has passed, and the
// canary, if there is one, serves it or a later one, and holds nothing back.
func (r *Follower) CanRelease(ctx context.Context) bool {
	switch {
	case r.Canary == nil:
		return r.Guard.Due()
	case !r.canaryTested():
		return false
	}
	r.Canary.Ask(ctx) // its last answer may be old: the process, or the machine, may have been suspended
	return r.canaryTested()
}

// canaryTested reports whether the waiting state was tested for long enough, by the last answer of the
// canary.
func (r *Follower) canaryTested() bool {
	c := r.Canary.State()
	well := c.State == server.CanaryServing
	if well || c.State == server.CanaryHolding {
		r.Guard.RecordTrial(c.Content, well)
	}
	return well && r.Guard.Due() && r.canaryFollows(c, r.Guard.Decisions().Waiting)
}

// canaryFollows reports whether the canary serves the waiting state or, as far as is known, a later one.
// Without a recent fetch it is unknown to which state a canary has moved on: it may be the
// correction of the waiting one.
func (r *Follower) canaryFollows(c server.Canary, w *guard.WaitingState) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	lately := time.Since(r.state.SucceededAt.Round(0)) < 3*r.poll
	return c.Content == w.Content || r.state.Error == "" && lately
}

// AdmitWaiting is called with the result of reading the waiting state, and reports whether it is
// served. If the state has changed meanwhile, it is checked as a new one.
func (r *Follower) AdmitWaiting(w guard.WaitingState, result loader.Result) bool {
	if result.Damaged || guard.NameState(result) != w.State || r.Guard.WhyHeld(result) != nil {
		return false
	}
	r.recordAdmitted(result)
	return true
}

// heldBack is the public description of the state that is not served.
func (r *Follower) heldBack(decided guard.Decisions) *server.HeldBack {
	if h := decided.Held; h != nil {
		return &server.HeldBack{
			Why: server.HeldByGuard, State: h.State, Commit: h.Commit, Since: h.Since, New: h.New, Lost: h.Losses,
		}
	}
	w := decided.Waiting
	if w == nil {
		return nil
	}
	return &server.HeldBack{
		Why: r.waitReason(w), State: w.State, Commit: w.Commit, Since: w.Since, Until: w.Until,
		New: w.New, Lost: w.Gone,
	}
}

// waitReason is the reason why a state waits.
func (r *Follower) waitReason(w *guard.WaitingState) string {
	if r.Canary == nil {
		return server.HeldForDelay
	}
	c := r.Canary.State()
	stops := map[server.CanaryState]string{
		server.CanaryUnknown: server.HeldByAway, server.CanaryAway: server.HeldByAway,
		server.CanaryHolding: server.HeldByHolding,
	}[c.State]
	if stops == "" && (w.Tried.IsZero() || !r.canaryFollows(c, w)) {
		stops = server.HeldForCanary
	}
	return cmp.Or(stops, server.HeldForDelay)
}
