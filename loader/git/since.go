package git

import (
	"cmp"
	"slices"
)

// Since returns the commits that changed the file in the history of a commit and are not
// reachable from another commit, oldest first: the output of git log <commit> -- <file>,
// without commits reachable from lower. A zero lower excludes nothing.
//
// This is git log <lower>..<commit> except for one case: for a merge that took the file from
// below lower, git log also lists, depending on the commits' dates, the merge and the changes
// that it discarded.
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
		if !ok || p.by == nil || seen[p.by] || before(p.by) {
			continue
		}
		seen[p.by] = true
		found = append(found, p.by)
		todo = append(todo, p.by.parents...)
	}
	slices.SortFunc(found, func(a, b *node) int {
		return cmp.Or(
			a.Committed.Compare(b.Committed), cmp.Compare(a.entered, b.entered),
			cmp.Compare(a.OID.String(), b.OID.String()),
		)
	})
	commits := make([]Commit, len(found))
	for i, n := range found {
		commits[i] = n.Commit
	}
	return commits
}

// ancestors returns a test for the ancestors of a commit, itself included. On one chain it
// compares positions. Commits are walked only for those that are older and not on the chain of
// first parents.
func (h *History) ancestors(commit OID) func(*node) bool {
	from := h.index[commit]
	if from == nil {
		return func(*node) bool { return false }
	}
	var reached func(*node) bool
	return func(n *node) bool {
		if n.order > from.order {
			return false
		}
		for first := from; first != nil; first = first.chain.base {
			if first.chain == n.chain && n.pos <= first.pos {
				return true
			}
		}
		if reached == nil {
			reached = h.walk(from)
		}
		return reached(n)
	}
}

// walk returns a test for the ancestors of a commit.
func (h *History) walk(from *node) func(*node) bool {
	beside, top := make([]bool, from.order+1), -1 // no ancestor is after it
	for todo := []*node{from}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case beside[n.order]:
		case n.chain.id == 0:
			top = max(top, n.pos)
		default:
			beside[n.order] = true
			todo = append(todo, n.parents...)
		}
	}
	return func(n *node) bool {
		return n.order < len(beside) && beside[n.order] || n.entered >= 0 && n.entered <= top
	}
}
