package git

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

// History is the state of every followed file at every commit that is reachable from the branch
// or from one of the other requested commits. It is valid until its [Walker] reads the next
// one, which may extend it.
//
// It answers what git log would, but for all files in one pass. Commits are divided into
// chains: a chain follows first parents, and the branch's own is chain 0. For each file, by its
// name ([Walker].Name), only the commits are kept at which it differs from the first parent, so
// the state of a file at a commit is the last such entry at or below it on its chain, or else
// on the chain from which this one forked.
type History struct {
	commits []*node
	index   map[OID]*node
	branch  *chain
	main    []*node // on it, oldest first
	latest  []int64 // the results of Arrived for main, in Unix seconds; nil before the first use
	beside  int     // number of other chains
	places  map[string]*places
	name    func(path string) string // see [Walker].Name
	work    int64                    // cost of reading, see maxHistory
}

type node struct {
	*commitData
	parents []*node
	order   int // position among all commits, parents before children
	chain   *chain
	pos     int // on its chain, from the oldest
	entered int // the first position on chain 0 from which it is reachable; -1 if there is none
}

type chain struct {
	id   int   // 0 for the branch's own
	base *node // the first parent of the oldest commit, nil at the root
	last *node // nil for the branch's own
}

// place is a commit at which a file differs from the first parent, or has another path.
type place struct {
	node *node
	file File   // its path is the last one if there is none now
	all  []File // the same, by path: of several paths file is [Several]
	by   *node  // the commit of git log -1; nil if there is none
}

// places are the places of one file by chain and position: on the branch and on other chains.
// They are added from the oldest to the newest, so mostly at the end.
type places struct{ main, beside []place }

func (p *places) on(c *chain) *[]place {
	if c.id == 0 {
		return &p.main
	}
	return &p.beside
}

// Version is a state of a file.
type Version struct {
	File
	Changed Commit // the commit that git log -1 -- <file> shows, if there is one
	At      OID    // the commit that introduced the state: a merge, if it took it from another parent
}

// newHistory returns a history without commits.
func newHistory(name func(path string) string) *History {
	return &History{index: map[OID]*node{}, branch: &chain{}, places: map[string]*places{}, name: name}
}

// head returns the branch's newest commit.
func (h *History) head() *node { return h.main[len(h.main)-1] }

// continues reports whether the first parents of a new head lead to the current head.
func (h *History) continues(data func(OID) *commitData, head OID) bool {
	for h.index[head] == nil && len(data(head).Parents) > 0 {
		head = data(head).Parents[0]
	}
	return head == h.head().OID
}

// add adds the commits reachable from the tips. The first parents of the first one lead to
// the current head. It reports false, and stops, if the history is too large.
func (h *History) add(data func(OID) *commitData, tips []OID) bool {
	from, end := len(h.commits), len(h.main)
	h.order(data, tips)
	h.chains(h.index[tips[0]], h.commits[from:])
	h.enter(end)
	h.latest = nil
	for _, n := range h.commits[from:] {
		h.work += n.work
		if h.place(n); h.work > maxHistory {
			return false
		}
	}
	return true
}

// order lists the commits, parents before children.
func (h *History) order(data func(OID) *commitData, tips []OID) {
	for todo := slices.Clone(tips); len(todo) > 0; {
		id := todo[len(todo)-1]
		n := h.index[id]
		if n == nil {
			n = &node{commitData: data(id), order: -1, entered: -1}
			h.index[id] = n
			for _, p := range n.Parents { // they come first
				if h.index[p] == nil {
					todo = append(todo, p)
				}
			}
			continue
		}
		if todo = todo[:len(todo)-1]; n.order < 0 {
			for _, p := range n.Parents {
				n.parents = append(n.parents, h.index[p])
			}
			n.order = len(h.commits)
			h.commits = append(h.commits, n)
		}
	}
}

// chains assigns every new commit to a chain: the first parents of the head to that of the branch, any other one to
// the chain that ends at its first parent, or to one of its own.
func (h *History) chains(head *node, commits []*node) {
	var line []*node
	for n := head; n != nil && n.chain == nil; n = n.firstParent() {
		n.chain = h.branch
		line = append(line, n)
	}
	for _, n := range slices.Backward(line) {
		n.pos = len(h.main)
		h.main = append(h.main, n)
	}
	for _, n := range commits {
		p := n.firstParent()
		switch {
		case n.chain != nil:
			continue
		case p != nil && p.chain.last == p:
			n.chain, n.pos = p.chain, p.pos+1
		default:
			h.beside++
			n.chain = &chain{id: h.beside, base: p}
		}
		n.chain.last = n
	}
}

// enter sets entered of commits that are reachable from the branch's commits at or after a
// position, and not from earlier ones.
func (h *History) enter(from int) {
	for i, m := range h.main[from:] {
		i += from
		for stack := []*node{m}; len(stack) > 0; {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if n.entered >= 0 {
				continue
			}
			n.entered = i
			stack = append(stack, n.parents...)
		}
	}
}

// sameAs reports whether the file has this state; that of no place is absence.
func (p place) sameAs(f File) bool { return p.file.Mode == f.Mode && p.file.OID == f.OID }

func comparePlace(p place, n *node) int {
	return cmp.Or(cmp.Compare(p.node.chain.id, n.chain.id), cmp.Compare(p.node.pos, n.pos))
}

// find returns the place with the state of the file at the commit.
func (h *History) find(n *node, path string) (place, bool) { return h.found(n, h.places[h.name(path)]) }

// found is find for given places of the file.
func (h *History) found(n *node, all *places) (place, bool) {
	for n != nil && all != nil {
		list := *all.on(n.chain)
		if last := len(list) - 1; n.chain.id == 0 && last >= 0 && list[last].node.pos <= n.pos {
			return list[last], true // mostly the head is asked about
		}
		i, exact := slices.BinarySearchFunc(list, n, comparePlace)
		if exact {
			return list[i], true
		}
		if i > 0 && list[i-1].node.chain == n.chain {
			return list[i-1], true
		}
		n = n.chain.base
	}
	return place{}, false
}

// Contains reports whether a commit is reachable from the branch.
func (h *History) Contains(commit OID) bool {
	n := h.index[commit]
	return n != nil && n.entered >= 0
}

// OnBranch reports whether the commit is on the branch itself: the first-parent chain of its
// head.
func (h *History) OnBranch(commit OID) bool {
	n := h.index[commit]
	return n != nil && n.chain.id == 0
}

// Arrived returns the time when a commit reached the branch itself, according to the branch:
// the latest committer date of it and of all commits that do not descend from it. Whoever
// pushes can write any date into a commit, but can neither insert it before existing commits,
// nor reduce their number by a merge with swapped parents. It is zero for a commit that is not
// on the branch itself.
func (h *History) Arrived(commit OID) time.Time {
	n := h.index[commit]
	if n == nil || n.chain.id != 0 {
		return time.Time{}
	}
	if h.latest == nil {
		h.latest = h.arrivals()
	}
	return time.Unix(max(h.latest[n.pos], n.Committed.Unix()), 0).UTC()
}

// arrivals returns, for each position on the branch, the latest date of the commit there and
// of all commits that do not descend from it.
func (h *History) arrivals() []int64 {
	latest := slices.Repeat([]int64{math.MinInt64}, len(h.main)+1)
	// for each commit, the number of the branch's commits that are its ancestors or itself
	on := make([]int, len(h.commits))
	for i, n := range h.commits {
		for _, p := range n.parents {
			on[i] = max(on[i], on[p.order])
		}
		if n.chain.id == 0 {
			on[i] = n.pos + 1
		}
		if n.entered >= 0 {
			latest[on[i]] = max(latest[on[i]], n.Committed.Unix())
		}
	}
	for i := 1; i < len(latest); i++ {
		latest[i] = max(latest[i], latest[i-1])
	}
	return latest
}

// Commits yields the commits that are reachable from the branch, parents before children: those from a position on,
// as a history only gets longer.
func (h *History) Commits(from int) iter.Seq[Commit] {
	return func(yield func(Commit) bool) {
		for _, n := range h.commits[from:] {
			if n.entered >= 0 && !yield(n.Commit) {
				return
			}
		}
	}
}

// Len returns the number of commits.
func (h *History) Len() int { return len(h.commits) }

// Ancestors returns a test for the ancestors of a commit, itself included. The test is
// efficient for repeated calls.
func (h *History) Ancestors(commit OID) func(OID) bool {
	before := h.ancestors(commit)
	return func(other OID) bool {
		n := h.index[other]
		return n != nil && before(n)
	}
}

// Entry returns the first commit of the branch itself from which one of some commits is reachable; the zero id if none
// is.
func (h *History) Entry(commits []OID) (entry OID) {
	first := len(h.main)
	for _, c := range commits {
		if h.Contains(c) {
			first = min(first, h.index[c].entered)
		}
	}
	if first < len(h.main) {
		entry = h.main[first].OID
	}
	return entry
}

// Commit returns a commit of the history.
func (h *History) Commit(id OID) (Commit, bool) {
	n := h.index[id]
	if n == nil {
		return Commit{}, false
	}
	return n.Commit, true
}

// At returns the state of the file at the commit; not ok if it did not exist. Here and in the
// other methods any possible path of the file can be given.
func (h *History) At(commit OID, path string) (Version, bool) {
	n := h.index[commit]
	if n == nil {
		return Version{}, false
	}
	p, ok := h.find(n, path)
	return p.version(), ok && p.file.Mode != Absent
}

func (p place) version() Version {
	v := Version{File: p.file}
	if p.node != nil {
		v.At = p.node.OID
	}
	if p.by != nil {
		v.Changed = p.by.Commit
	}
	return v
}

// Where returns the path of a file at a commit, or its last path before: of several, the first.
// For an unknown file it is the given path.
func (h *History) Where(commit OID, path string) string {
	at, _ := h.At(commit, path)
	return cmp.Or(at.Path, path)
}

// Mainline returns the states of the file on the branch itself, oldest first, including
// absence.
func (h *History) Mainline(path string) []Version {
	var all []Version
	if places := h.places[h.name(path)]; places != nil {
		for _, p := range places.main {
			all = append(all, p.version())
		}
	}
	return all
}

// Brought returns the states of files that a commit introduced, by path.
func (h *History) Brought(commit OID, keep func(path string) bool) (all []Version) {
	n := h.index[commit]
	if n == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, f := range n.changes {
		name := h.name(f.Path)
		if p, ok := h.find(n, name); ok && keep(f.Path) && !seen[name] {
			seen[name] = true
			all = append(all, p.version())
		}
	}
	return all
}

// firstParent returns the first parent, nil if there is none.
func (n *node) firstParent() *node {
	if len(n.parents) == 0 {
		return nil
	}
	return n.parents[0]
}

// Had reports whether a file existed in any ancestor of a commit.
func (h *History) Had(commit OID, path string) bool {
	places := h.places[h.name(path)]
	if places == nil {
		return false
	}
	before := h.ancestors(commit)
	stoodBefore := func(p place) bool { return p.file.Mode != Absent && before(p.node) }
	return slices.ContainsFunc(places.main, stoodBefore) || slices.ContainsFunc(places.beside, stoodBefore)
}

// Versions returns every state of the file on the branch or on branches merged into it, newest
// first.
func (h *History) Versions(path string) (all []Version) {
	places := h.places[h.name(path)]
	if places == nil {
		return nil
	}
	for _, p := range slices.Concat(places.main, places.beside) {
		if p.node.entered >= 0 && p.by == p.node {
			all = append(all, p.each()...)
		}
	}
	slices.SortStableFunc(all, func(a, b Version) int {
		return cmp.Or(
			b.Changed.Committed.Compare(a.Changed.Committed),
			cmp.Compare(a.Changed.OID.String(), b.Changed.OID.String()),
		)
	})
	return all
}

// Paths yields the files at the commit, in no order: those with one name together, by path.
func (h *History) Paths(commit OID) iter.Seq[[]File] {
	return func(yield func([]File) bool) {
		n := h.index[commit]
		for _, all := range h.places {
			if p, ok := h.found(n, all); ok && len(p.all) > 0 && !yield(p.all) {
				return
			}
		}
	}
}
