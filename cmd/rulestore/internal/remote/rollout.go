package remote

import (
	"cmp"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/loader"
	"rulestore/server"
)

// Releases reports whether it is time to serve what waits: it has waited long enough, and the
// canary, if there is one, serves and holds nothing back.
func (r *Follower) Releases() bool {
	if r.Canary == nil {
		return r.Guard.Due()
	}
	c := r.Canary.State()
	if c.State != server.CanaryServing {
		return false
	}
	r.Guard.Tried(c.Content)
	return r.Guard.Due()
}

// Released is told what came of reading what has waited, and reports whether it is served.
// Anything else than was found then is judged as new.
func (r *Follower) Released(w guard.Waiting, result loader.Result) bool {
	if result.Damaged || guard.NameState(result) != w.State || r.Guard.Judge(result) != nil {
		return false
	}
	r.admitted(result)
	return true
}

// heldBack is what clients are told of what is not served.
func (r *Follower) heldBack(decided guard.Record) *server.HeldBack {
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
		Why: r.why(w), State: w.State, Commit: w.Commit, Since: w.Since, Until: w.Until, New: w.New, Lost: w.Gone,
	}
}

// why says what a state waits for.
func (r *Follower) why(w *guard.Waiting) string {
	if r.Canary == nil {
		return server.HeldForDelay
	}
	stops := map[server.CanaryState]string{
		server.CanaryUnknown: server.HeldByAway, server.CanaryAway: server.HeldByAway, server.CanaryHolding: server.HeldByHolding,
	}[r.Canary.State().State]
	if stops == "" && w.Tried.IsZero() {
		stops = server.HeldForCanary
	}
	return cmp.Or(stops, server.HeldForDelay)
}
