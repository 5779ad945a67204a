package loader

import "rulestore/loader/gitrepo"

// ancestry has the commits that are reachable from the branch, parents before children.
type ancestry struct {
	ids     []gitrepo.OID
	index   map[gitrepo.OID]int
	parents [][]int
}

// extend adds the commits that are reachable from a head, and returns those that are new, parents before
// children.
func (a *ancestry) extend(h *gitrepo.History, head gitrepo.OID) (fresh []gitrepo.Commit) {
	type step struct {
		gitrepo.Commit
		next int // the parent to visit next
	}
	var stack []step
	visit := func(id gitrepo.OID) {
		if _, known := a.index[id]; known {
			return
		}
		if c, ok := h.Commit(id); ok {
			stack = append(stack, step{Commit: c})
		}
	}
	for visit(head); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next < len(top.Parents) {
			top.next++
			visit(top.Parents[top.next-1])
			continue
		}
		var parents []int
		for _, p := range top.Parents {
			if i, known := a.index[p]; known {
				parents = append(parents, i)
			}
		}
		a.index[top.OID] = len(a.parents)
		a.ids, a.parents, fresh = append(a.ids, top.OID), append(a.parents, parents), append(fresh, top.Commit)
		stack = stack[:len(stack)-1]
	}
	return fresh
}

// descendants reports for each commit whether it is one of some commits or descends from one.
func (a *ancestry) descendants(commits []gitrepo.OID) []bool {
	from := make([]bool, len(a.parents))
	for _, c := range commits {
		from[a.index[c]] = true
	}
	for i, parents := range a.parents {
		for _, p := range parents {
			from[i] = from[i] || from[p]
		}
	}
	return from
}

// properDescendant reports whether a commit descends from one of those that from was made of, and not only is one.
func (a *ancestry) properDescendant(c gitrepo.OID, from []bool) bool {
	for _, p := range a.parents[a.index[c]] {
		if from[p] {
			return true
		}
	}
	return false
}

// mergedBeside reports whether a commit of one set was merged with a commit outside another set.
func (a *ancestry) mergedBeside(from, with []bool) bool {
	for _, parents := range a.parents {
		inside, outside := false, false
		for _, p := range parents {
			inside, outside = inside || from[p], outside || !with[p]
		}
		if inside && outside {
			return true
		}
	}
	return false
}
