package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/loader"
)

// Delay is the delay before an acceptable state is served.
type Delay struct {
	For    time.Duration // 0: no delay
	Behind bool          // it starts when the canary serves the state
}

// WaitingState is a state of a remote that is served after a delay.
type WaitingState struct {
	State      string    `json:"state"`
	Commit     string    `json:"commit"`
	Branch     string    `json:"branch"`
	Generation int       `json:"generation"`     // of the mirror
	Content    string    `json:"content"`        // see [ContentOf]
	Since      time.Time `json:"since"`          // when it was found in the repository
	First      time.Time `json:"first"`          // when the first of several successive ones was found
	Tried      time.Time `json:"tried,omitzero"` // when the canary was first seen to serve it; zero: it does not
	Until      time.Time `json:"until,omitzero"` // zero: unknown
	New        int       `json:"new"`            // number of added publications
	Gone       int       `json:"gone"`           // number of removed and changed publications
}

// maxReplacements is the maximum number of consecutive delays for which newer states replace a waiting
// one. Without a limit a busy repository would never be served.
const maxReplacements = 3

// StartDelay starts the delay of an acceptable state, if it has one, and reports whether the state
// waits. A state does not wait if it has the content that is served, or if somebody confirmed
// it.
func (g *Guard) StartDelay(r loader.Result) bool {
	before, name, found := g.Decisions(), NameState(r), g.content(r.Snapshot)
	if found == "" || g.served == nil || name == before.Accepted.State || name == g.confirmed {
		return false
	}
	if found == before.Accepted.Content {
		return false
	}
	w := g.nextWaiting(before.Waiting, r, found)
	if before.Held == nil && before.Waiting != nil && w == *before.Waiting {
		return true
	}
	if before.Waiting == nil || w.Content != before.Waiting.Content {
		g.log.Info("a new state of the repository waits before it is served", "state", w.State,
			"commit", content.ShortCommit(w.Commit), "new", w.New, "gone", w.Gone, "delay", g.delay.For)
	}
	_ = g.decide(func(r *Decisions) { r.Waiting, r.Held = &w, nil }) // logged, and stored by Rewrite
	return true
}

// nextWaiting returns the waiting state after another one was found: the newer one, as a push is mostly
// followed by its correction. One that was replaced too often is served first.
func (g *Guard) nextWaiting(before *WaitingState, r loader.Result, found string) WaitingState {
	w := WaitingState{
		State: NameState(r), Commit: r.Snapshot.Commit, Branch: r.Snapshot.Branch, Generation: g.mirror.Opened(),
		Content: found, Since: preciseNow(),
	}
	w.First = w.Since
	w.New, w.Gone = g.differences(r.Snapshot)
	if before != nil {
		w.First = before.First
		switch {
		case before.Content == found: // another commit with the same content
			w.Since, w.Tried = before.Since, before.Tried
		case before.State == w.State: // a mark has come into force, or the build has changed
			w.Since = before.Since
		case w.Since.Sub(before.First) >= maxReplacements*g.delay.For && w.Since.Before(before.Until):
			return *before
		}
	}
	w.Until = g.dueAt(w)
	return w
}

// preciseNow is a time from which delays are counted, not truncated to seconds, which would be too
// early.
func preciseNow() time.Time { return time.Now().UTC().Round(0) }

// dueAt returns the time at which a state's delay has passed; zero if it is unknown.
func (g *Guard) dueAt(w WaitingState) time.Time {
	from := w.Since
	if g.delay.Behind {
		from = w.Tried
	}
	if from.IsZero() {
		return from
	}
	return from.Add(g.delay.For)
}

// RecordTrial records what the canary serves, and whether it is healthy. If it has gone back to the
// content that is served here, it no longer tests the waiting state.
func (g *Guard) RecordTrial(found string, well bool) {
	r := g.Decisions()
	w := r.Waiting
	if w == nil {
		return
	}
	next := *w
	switch {
	case found == w.Content && well && w.Tried.IsZero():
		next.Tried = preciseNow()
	case found != w.Content && found == r.Accepted.Content:
		next.Tried = time.Time{}
	}
	if next.Tried.Equal(w.Tried) {
		return
	}
	g.setWaiting(next)
}

// setWaiting stores changes of the waiting state.
func (g *Guard) setWaiting(w WaitingState) {
	w.Until = g.dueAt(w)
	_ = g.decide(func(r *Decisions) { r.Waiting = &w }) // logged, and stored by Rewrite
}

// Due reports whether the delay of the waiting state has passed, as far as this guard knows.
func (g *Guard) Due() bool {
	g.correctTimes()
	r := g.Decisions()
	return r.Waiting != nil && r.Held == nil && !r.Waiting.Until.IsZero() && !time.Now().Before(r.Waiting.Until)
}

// correctTimes corrects times that a clock recorded when it was ahead: otherwise the state would wait
// for that much longer.
func (g *Guard) correctTimes() {
	w, now := g.Decisions().Waiting, preciseNow()
	if w == nil || !w.Since.After(now) && !w.Tried.After(now) {
		return
	}
	next := *w
	for _, noted := range []*time.Time{&next.Since, &next.First, &next.Tried} {
		if noted.After(now) {
			*noted = now
		}
	}
	g.setWaiting(next)
}

// UntilDue returns the time until the waiting state is due. An overdue state waits for another
// condition.
func (g *Guard) UntilDue() time.Duration {
	w := g.Decisions().Waiting
	if w == nil || w.Until.IsZero() || time.Since(w.Until) > time.Second {
		return time.Hour
	}
	return max(time.Until(w.Until), 10*time.Millisecond)
}

// IsWaiting reports whether a state is the waiting one.
func (g *Guard) IsWaiting() bool { return g.Decisions().Waiting != nil }

// DropWaiting removes the waiting state: it cannot be served, or will be found again.
func (g *Guard) DropWaiting() {
	if g.IsWaiting() {
		_ = g.decide(func(r *Decisions) { r.Waiting = nil }) // logged, and stored by Rewrite
	}
}

// differences counts the publications that a snapshot adds to the served ones, and those that it
// removes or changes.
func (g *Guard) differences(s *content.Snapshot) (added, gone int) {
	after := publicationsOf(s)
	for tag := range after {
		if _, ok := g.served[tag]; !ok {
			added++
		}
	}
	return added, len(g.lost(s))
}

// content is [ContentOf], empty if no state ever waits.
func (g *Guard) content(s *content.Snapshot) string {
	if g.delay.For == 0 {
		return ""
	}
	return ContentOf(s)
}

// ContentOf identifies the content of a snapshot for readers, independent of the day, the commit
// and the repositories that it builds on: publications, including upcoming and held ones,
// releases, marks and settings. Otherwise what refers to another repository would be new once
// more when that is served, and be delayed again.
func ContentOf(s *content.Snapshot) string {
	sums := publicationsOf(s)
	for _, p := range slices.Concat(s.Upcoming, s.Held) {
		sums[p.Tag()] = p.Checksum
	}
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, part := range []any{s.Settings, s.AllMarks(), sumLines(sums)} {
		if err := enc.Encode(part); err != nil {
			panic(fmt.Sprint("a snapshot that cannot be written: ", err)) // texts alone
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// header is the header value for a state that is held back, nil if there is none. An unknown time
// is omitted.
func (r Decisions) header() []string {
	why, state, commit, since, until := "guard", "", "", time.Time{}, time.Time{}
	switch h, w := r.Held, r.Waiting; {
	case h != nil:
		state, commit, since = h.State, h.Commit, h.Since
	case w != nil:
		why, state, commit, since, until = "delay", w.State, w.Commit, w.Since, w.Until
	default:
		return nil
	}
	value := fmt.Sprintf(
		`%s; state="%s"; commit="%s"; since="%s"`, why, state, commit, since.Format(time.RFC3339),
	)
	if !until.IsZero() {
		value += fmt.Sprintf(`; until="%s"`, until.Format(time.RFC3339))
	}
	return []string{value}
}

// HeldBack returns the value of the header for a state that is held back; nil if there is none.
// It is called for each response.
func (g *Guard) HeldBack() []string { return *g.header.Load() }
