package loader

import (
	"fmt"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// memory is what a loader remembers of earlier loads. It makes findings, never
// content: a fresh loader serves the same.
type memory struct {
	served    map[string]string // checksums by tag, as first served
	head      gitrepo.OID
	branch    string
	rewritten *content.Finding // the last time that the branch lost commits
}

// remember keeps what the next load can use, now that this one has succeeded.
func (l *Loader) remember(b *build, s *content.Snapshot) {
	l.known, l.verdicts = b.made, b.judged
	l.items.forget()
	l.opened.forget()
	l.walker.Forget()
	for _, it := range s.Items {
		for _, e := range it.Entries {
			if _, ok := l.memory.served[e.Tag()]; !ok && !e.Draft && !(b.soon && isLate(e.Publication)) {
				l.memory.served[e.Tag()] = e.Checksum
			}
		}
	}
	l.memory.rewritten = b.rewritten()
	l.memory.head, l.memory.branch = b.refs.Commit, b.refs.Branch
}

// recall compares what is served now with what was served before.
func (b *build) recall() {
	for tag, before := range b.memory.served {
		now, ok := b.made[tag]
		if ok && now.Checksum == before {
			continue
		}
		f := warning("", "gone", fmt.Sprintf("this publication was served with the checksum %s and is gone", before), "make the tag again, and seal publications in rulestore.sum so that they outlive their tags")
		if ok {
			f = warning("", "moved", fmt.Sprintf("the content of this publication changed: it was served with the checksum %s and is now %s", before, now.Checksum), "move the tag back and publish a new version")
		}
		f.Tag = tag
		b.report.Add(f)
	}
	if f := b.rewritten(); f != nil {
		b.report.Add(*f)
	}
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
