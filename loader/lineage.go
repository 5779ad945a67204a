package loader

import (
	"slices"

	"rulestore/loader/gitrepo"
)

// lineage is the history of the branch as far as it does not depend on unsigned choices.
// Whoever pushes a merge with swapped parents decides which commits are on the branch itself.
// So only the first parent of a merge that a trusted signer signed is followed, and all parents
// of other merges.
type lineage struct {
	merges        []gitrepo.Commit // signed ones
	maybeOnBranch []gitrepo.OID    // commits outside the branch itself that may have been on it
	seen          map[gitrepo.OID]bool
}

// lineage returns the lineage of the branch, which is read once.
func (b *build) lineage() (*lineage, error) {
	if b.knownLineage == nil {
		l, err := b.readLineage()
		if err != nil {
			return nil, err
		}
		b.knownLineage = &l
	}
	return b.knownLineage, nil
}

// readLineage follows the merges of the branch.
func (b *build) readLineage() (l lineage, err error) {
	l.seen = map[gitrepo.OID]bool{}
	var todo []gitrepo.OID
	follow := func(c gitrepo.Commit) error {
		signed := false
		if len(c.Parents) > 1 {
			if signed, err = b.isTrusted(c.OID); err != nil {
				return err
			}
		}
		if signed {
			l.merges, todo = append(l.merges, c), append(todo, c.Parents[0])
		} else {
			todo = append(todo, c.Parents...)
		}
		return nil
	}
	for _, c := range b.history.Merges() {
		if err := follow(c); err != nil {
			return l, err
		}
	}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.seen[id] || b.history.OnBranch(id) {
			continue
		}
		l.seen[id], l.maybeOnBranch = true, append(l.maybeOnBranch, id)
		c, _ := b.history.Commit(id)
		if err := follow(c); err != nil {
			return l, err
		}
	}
	slices.Reverse(l.maybeOnBranch)
	return l, nil
}

// has reports whether a commit is on the branch itself or may have been.
func (l *lineage) has(h *gitrepo.History, commit gitrepo.OID) bool {
	return l.seen[commit] || h.OnBranch(commit)
}
