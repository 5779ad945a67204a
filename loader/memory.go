package loader

import (
	"fmt"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// memory is what a loader remembers of earlier loads. It makes findings, never
// content: a fresh loader serves the same.
type memory struct {
	served    map[string]map[string]string // checksums by item and tag, as first served
	head      gitrepo.OID
	branch    string
	rewritten *content.Finding // the last time that the branch lost commits
}

// remember keeps what the next load can use, now that this one has succeeded.
func (l *Loader) remember(b *build, s *content.Snapshot) {
	before := l.outcomes
	l.outcomes = make(map[string]*outcome, len(b.outcomes))
	for _, o := range b.outcomes {
		l.outcomes[o.item] = o
	}
	l.items.forget(func(item string) bool { return before[item] == nil || before[item] != l.outcomes[item] })
	l.torn = b.history.IsTorn()
	l.snapshot, l.verdicts = s, b.judged
	l.opened.forget()
	l.walker.Forget()
	for _, it := range s.Items {
		if o := l.outcomes[it.ID()]; o != nil && !o.recorded {
			l.memory.record(o, it, b.soon)
		}
	}
	l.memory.rewritten = b.rewritten()
	l.memory.head, l.memory.branch = b.refs.Commit, b.refs.Branch
}

// record keeps what is served of an item; not a text that is not held against its
// seal yet, see [Loader.Begin].
func (m *memory) record(o *outcome, it *content.Item, soon bool) {
	served := m.served[o.item]
	if served == nil {
		served = make(map[string]string, len(it.Entries))
		m.served[o.item] = served
	}
	recorded := 0
	for _, e := range it.Entries {
		if e.Draft || soon && isLate(e.Publication) {
			continue
		}
		recorded++
		if tag := e.Tag(); served[tag] == "" {
			served[tag] = e.Checksum
		}
	}
	o.recorded = recorded == len(o.made)
}

// rewritten finds a branch that does not contain what it was before.
func (b *build) rewritten() *content.Finding {
	m := b.memory
	if m.head.IsZero() || m.branch != b.refs.Branch || b.history.Contains(m.head) {
		return m.rewritten
	}
	f := warning("", "rewritten", fmt.Sprintf("branch %s was rewritten: commit %s is no longer part of it, the head is now %s", b.refs.Branch, m.head.String()[:12], b.refs.Commit.String()[:12]), "protect the branch against force-pushes")
	return &f
}
