package loader

import (
	"slices"

	"rulestore/loader/git"
)

// ancestry has the commits that are reachable from the branch, parents before children.
type ancestry struct {
	ids     []git.OID
	index   map[git.OID]int
	parents [][]int
}

// ancestryOf returns the ancestry in a history.
func ancestryOf(h *git.History) *ancestry {
	a := &ancestry{index: map[git.OID]int{}}
	for c := range h.Commits(0) {
		var parents []int
		for _, p := range c.Parents {
			parents = append(parents, a.index[p])
		}
		a.index[c.OID] = len(a.ids)
		a.ids, a.parents = append(a.ids, c.OID), append(a.parents, parents)
	}
	return a
}

// descendants reports for each commit whether it is one of some commits or descends from one.
func (a *ancestry) descendants(commits []git.OID) []bool {
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

// precede reports whether all commits of a set descend from some of those that from was made of, and not only are
// such.
func (a *ancestry) precede(from []bool, set []git.OID) bool {
	for _, c := range set {
		if !slices.ContainsFunc(a.parents[a.index[c]], func(p int) bool { return from[p] }) {
			return false
		}
	}
	return true
}

// maxFirst is the maximum number of sets that are told apart from those after them: no work of people leaves
// more side by side, and each is compared with all others.
const maxFirst = 64

// first returns those of some sets of commits that no other precedes: all commits of a set descend from
// commits of the one before it. If more than [maxFirst] are side by side it returns all sets.
func (a *ancestry) first(sets [][]git.OID) [][]git.OID {
	earliest := func(set []git.OID) (least int) {
		least = len(a.ids)
		for _, c := range set {
			least = min(least, a.index[c])
		}
		return least
	}
	// A set comes after those that precede it. What one that is not first precedes, a first one precedes, too.
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(x, y []git.OID) int { return earliest(x) - earliest(y) })
	var first [][]git.OID
	var from [][]bool // the descendants of each of these
	for _, set := range sets {
		if slices.ContainsFunc(from, func(from []bool) bool { return a.precede(from, set) }) {
			continue
		}
		if len(first) == maxFirst {
			return sets
		}
		first, from = append(first, set), append(from, a.descendants(set))
	}
	return first
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
