package loader

import (
	"rulestore/content"
	"rulestore/loader/git"
)

// state is what the loads so far came to. A new loader, which has none, serves the same: it saves
// work, and affects findings, never content. Contrary to what the [cache] has, it is only true of
// the history that was loaded.
type state struct {
	// Of the last successful load, from which the next one goes on; empty before the first.
	head     git.OID
	outcomes map[string]*outcome // by item
	snapshot *content.Snapshot
	history  *git.History
	settings content.Settings
	torn     bool // folders could not be read: the next load may find more

	served map[string]map[string]string // checksums by item and tag, as first served
	missed string                       // the state in which the last load repeatedly found objects missing

	// The part that [Loader.Disown] can revert.
	known, previous knownBranch
	added           []itemTag // added by the last load
}

func newState() *state { return &state{served: map[string]map[string]string{}} }

// knownBranch is the known state of the branch, from what was served of it.
type knownBranch struct {
	head      git.OID
	name      string
	rewritten *content.Finding // last time at which the branch lost commits
}

// itemTag is a tag of an item.
type itemTag struct{ item, tag string }

// Disown declares that the result of the last load is not served: its new publications were not
// seen, so no later load reports them as lost.
func (l *Loader) Disown() {
	s := l.state
	for _, p := range s.added {
		delete(s.served[p.item], p.tag)
	}
	for _, o := range s.outcomes {
		o.recorded = false
	}
	s.added, s.known = nil, s.previous
}

// remember keeps what the next load can reuse, after this one has succeeded.
func (l *Loader) remember(b *build, all []*outcome, snapshot *content.Snapshot) {
	s, before, outcomes := l.state, l.state.outcomes, make(map[string]*outcome, len(all))
	for _, o := range all {
		outcomes[o.item] = o
	}
	l.cache.rotate(func(item string) bool { return before[item] == nil || before[item] != outcomes[item] })
	s.head, s.outcomes, s.snapshot = b.refs.Commit, outcomes, snapshot
	s.history, s.settings, s.torn = b.history, b.settings, b.history.IsTorn()
	s.added = nil
	for _, it := range snapshot.Items {
		if o := outcomes[it.ID()]; o != nil && !o.recorded {
			s.record(o, it, b.deferring)
		}
	}
	s.previous, s.known = s.known, knownBranch{b.refs.Commit, b.refs.Branch, b.rewritten()}
}

// record records what is served of an item, except a text that is not checked against its seal
// yet, see [Loader.Begin].
func (s *state) record(o *outcome, it *content.Item, deferring bool) {
	served := s.served[o.item]
	if served == nil {
		served = make(map[string]string, len(it.Entries))
		s.served[o.item] = served
	}
	recorded := 0
	for _, e := range it.Entries {
		if e.Draft || deferring && isDeferred(e.Publication) {
			continue
		}
		recorded++
		if tag := e.Tag(); served[tag] == "" {
			served[tag] = e.Checksum
			s.added = append(s.added, itemTag{o.item, tag})
		}
	}
	o.recorded = recorded == len(o.derived)
}

// rewritten reports a branch that does not contain its earlier head.
func (b *build) rewritten() *content.Finding {
	m := b.before.known
	if m.head.IsZero() || m.name != b.refs.Branch || b.history.Contains(m.head) {
		return m.rewritten
	}
	return new(warning("", say("rewritten", "branch", args{
		"branch": b.refs.Branch, "lost": m.head.String()[:12], "head": b.refs.Commit.String()[:12],
	})))
}
