package gitrepo

import (
	"cmp"
	"slices"
)

// Since returns the commits that changed the file on the way to a commit, and
// are not part of what another commit reaches, oldest first: what
// git log <lower>..<commit> -- <file> lists. A zero lower excludes nothing.
func (h *History) Since(commit, lower OID, path string) []Commit {
	var found []*node
	before := h.ancestors(lower)
	seen := map[*node]bool{}
	todo := []*node{h.index[commit]}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == nil {
			continue
		}
		p, ok := h.find(n, path)
		if !ok || seen[p.by] || before(p.by) {
			continue
		}
		seen[p.by] = true
		found = append(found, p.by)
		todo = append(todo, p.by.parents...)
	}
	slices.SortFunc(found, func(a, b *node) int {
		return cmp.Or(a.Committed.Compare(b.Committed), cmp.Compare(a.entered, b.entered), cmp.Compare(a.OID.String(), b.OID.String()))
	})
	commits := make([]Commit, len(found))
	for i, n := range found {
		commits[i] = n.Commit
	}
	return commits
}

// ancestors returns a test for what a commit reaches, itself included. On the
// branch it is a comparison of positions; elsewhere the commits are walked.
func (h *History) ancestors(commit OID) func(*node) bool {
	tip := h.index[commit]
	switch {
	case tip == nil:
		return func(*node) bool { return false }
	case tip.chain.id == 0:
		return func(n *node) bool { return n.entered >= 0 && n.entered <= tip.pos }
	}
	reached := map[*node]bool{}
	for todo := []*node{tip}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !reached[n] {
			reached[n] = true
			todo = append(todo, n.parents...)
		}
	}
	return func(n *node) bool { return reached[n] }
}
