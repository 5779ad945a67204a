package loader

import (
	"rulestore/content"
	"rulestore/loader/git"
)

// memory has facts of earlier loads. It affects findings, never content: a new loader serves
// the same.
type memory struct {
	served map[string]map[string]string // checksums by item and tag, as first served
	head   git.OID                      // of the last load

	// The part that [Loader.Disown] can revert.
	known, previous knownBranch
	added           []itemTag // added by the last load
}

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
	m := l.memory
	for _, p := range m.added {
		delete(m.served[p.item], p.tag)
	}
	for _, o := range l.last.outcomes {
		o.recorded = false
	}
	m.added, m.known = nil, m.previous
}

// remember keeps what the next load can reuse, after this one has succeeded.
func (l *Loader) remember(b *build, all []*outcome, s *content.Snapshot) {
	before, outcomes := l.last.outcomes, make(map[string]*outcome, len(all))
	for _, o := range all {
		outcomes[o.item] = o
	}
	l.last = &lastLoad{outcomes, s, b.history, b.settings, b.history.IsTorn()}
	l.memos.rotate(func(item string) bool { return before[item] == nil || before[item] != outcomes[item] })
	l.memory.added = nil
	for _, it := range s.Items {
		if o := outcomes[it.ID()]; o != nil && !o.recorded {
			l.memory.record(o, it, b.deferring)
		}
	}
	l.memory.head, l.memory.previous = b.refs.Commit, l.memory.known
	l.memory.known = knownBranch{b.refs.Commit, b.refs.Branch, b.rewritten()}
}

// record records what is served of an item, except a text that is not checked against its seal
// yet, see [Loader.Begin].
func (m *memory) record(o *outcome, it *content.Item, deferring bool) {
	served := m.served[o.item]
	if served == nil {
		served = make(map[string]string, len(it.Entries))
		m.served[o.item] = served
	}
	recorded := 0
	for _, e := range it.Entries {
		if e.Draft || deferring && isDeferred(e.Publication) {
			continue
		}
		recorded++
		if tag := e.Tag(); served[tag] == "" {
			served[tag] = e.Checksum
			m.added = append(m.added, itemTag{o.item, tag})
		}
	}
	o.recorded = recorded == len(o.derived)
}

// rewritten reports a branch that does not contain its earlier head.
func (b *build) rewritten() *content.Finding {
	m := b.memory.known
	if m.head.IsZero() || m.name != b.refs.Branch || b.history.Contains(m.head) {
		return m.rewritten
	}
	return new(warning("", say("rewritten", "branch", args{
		"branch": b.refs.Branch, "lost": m.head.String()[:12], "head": b.refs.Commit.String()[:12],
	})))
}
