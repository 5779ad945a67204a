package gitrepo

import (
	"container/heap"

	"rulestore/content/i18n"
)

// Walker reads histories and caches commits and their changes, which are immutable, so a later
// pass reads only new ones. A pass may read several histories; it ends with [Walker.Forget].
type Walker struct {
	// Visit, if it is set, is called for every commit that is read for the first time, with its
	// changes relative to its first parent. It may read from the given repository. Several
	// goroutines call it, each for a range of the history, newest first. An error ends the
	// walk.
	Visit func(r *Repo, commit OID, changes []File) error

	// Name, if it is set, returns the name of the file at a path. If several paths have one
	// name, moving the file from one to another is not a change; if a file exists at several of
	// them at once, its mode is Several. It is a function of the path alone, and idempotent.
	Name func(path string) string

	// Kept, if it is set, caches the changes of commits across walks that follow the same
	// files.
	Kept KeptChanges

	keep   func(path string, m Mode) bool
	last   *History // that was read
	before *History // the last one of the pass before
}

// NewWalker returns a walker that follows the files that keep accepts.
func NewWalker(keep func(path string, m Mode) bool) *Walker { return &Walker{keep: keep} }

// Forget drops commits that are not reachable in the last history.
func (w *Walker) Forget() { w.before = nil }

// History reads everything reachable from the commits. The first is the branch's head.
func (w *Walker) History(r *Repo, head OID, others []OID) (*History, error) {
	if len(others) == 0 {
		if h, err := w.grow(r, head); h != nil || err != nil {
			return h, err
		}
	}
	tips := append([]OID{head}, others...)
	known, work, err := w.collect(r, tips)
	if err != nil {
		return nil, err
	}
	if w.before == nil {
		w.before = w.last
	}
	h := newHistory(known, tips, w.name)
	if h.work += work; h.work > maxHistory {
		return nil, tooLarge(head)
	}
	w.last = h
	return h, nil
}

// name is Name, of each path its own if that is not set.
func (w *Walker) name(path string) string {
	if w.Name == nil {
		return path
	}
	return w.Name(path)
}

// maxGrowth is how many commits a history grows by; for more it is made anew.
const maxGrowth = 1000

// grow adds to the last history what came to its end: commits, and merges of what
// stood beside it. It returns nil if that is not what happened.
func (w *Walker) grow(r *Repo, head OID) (*History, error) {
	h := w.last
	if h == nil || !h.alone || h.IsTorn() {
		return nil, nil
	}
	l := looking{w: w, known: map[OID]*commitData{}}
	l.work.Store(h.work)
	for todo := []OID{head}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch n := h.index[id]; {
		case l.known[id] != nil:
			continue
		case n != nil:
			l.known[id] = n.commitData
			continue
		case len(l.fresh) == maxGrowth:
			return nil, nil
		}
		f, err := readCommitData(r, id)
		if err != nil {
			return nil, err
		}
		l.known[id], l.fresh = f, append(l.fresh, f)
		l.work.Add(f.work)
		todo = append(todo, f.Parents...)
	}
	if !h.goesOn(l.known, head) {
		return nil, nil
	}
	if err := l.all(r); err != nil {
		return nil, err
	}
	if l.work.Load() > maxHistory {
		return nil, tooLarge(head)
	}
	h.work = l.work.Load()
	if h.add(l.known, []OID{head}); h.work > maxHistory {
		w.last = nil // it is half read
		return nil, tooLarge(head)
	}
	return h, nil
}

// remembered returns what was read of a commit before, nil if nothing was.
func (w *Walker) remembered(id OID) *commitData {
	for _, h := range []*History{w.last, w.before} {
		if h != nil && h.index[id] != nil && !h.index[id].torn {
			return h.index[id].commitData
		}
	}
	return nil
}

// commitData is what a commit object and its tree say.
type commitData struct {
	Commit
	changes []File // against the first parent
	torn    bool   // a folder of it or of the parent could not be read
	work    int64  // what the message and the changes took, in bytes
}

// maxHistory is what all commits of a history may take, in bytes of what they say
// and of the paths that differ in them, wanted or not: a million ordinary commits,
// or ten thousand that change 500 files each. A commit of a few bytes can differ
// in 200,000 paths from the one before, and the next can go back.
const maxHistory = 1 << 30

// readCommitData reads a commit, but not yet what it changed.
func readCommitData(r *Repo, id OID) (*commitData, error) {
	c, err := r.Commit(id)
	if err != nil {
		return nil, err
	}
	return &commitData{Commit: c, work: int64(len(c.Message)) + 500}, nil
}

// collect gathers the data of all reachable commits, newest first, and says what
// they took.
func (w *Walker) collect(r *Repo, tips []OID) (known map[OID]*commitData, work int64, err error) {
	known = map[OID]*commitData{}
	if w.last != nil {
		known = make(map[OID]*commitData, len(w.last.index))
	}
	var queue byDate
	push := func(id OID) error {
		if known[id] != nil {
			return nil
		}
		f := w.remembered(id)
		if f == nil {
			if f, err = readCommitData(r, id); err != nil {
				return err
			}
		}
		known[id] = f
		heap.Push(&queue, f)
		return nil
	}
	for _, id := range tips {
		if err := push(id); err != nil {
			return nil, 0, err
		}
	}
	l := looking{w: w, known: known}
	for queue.Len() > 0 {
		f := heap.Pop(&queue).(*commitData)
		for _, p := range f.Parents {
			if err := push(p); err != nil {
				return nil, 0, err
			}
		}
		if w.remembered(f.OID) == nil {
			l.fresh = append(l.fresh, f)
		}
		if l.work.Add(f.work) > maxHistory {
			return nil, 0, tooLarge(tips[0])
		}
	}
	if err := l.all(r); err != nil {
		return nil, 0, err
	}
	if l.work.Load() > maxHistory {
		return nil, 0, tooLarge(tips[0])
	}
	return known, l.work.Load(), nil
}

func tooLarge(tip OID) error {
	return i18n.Errorf(
		"the history of commit %s is too large: its commits and the paths that they change take more than %d bytes to read; are there commits that add and remove a great many files? Serve a branch without them",
		tip.String()[:12], maxHistory,
	)
}

type byDate []*commitData

func (q byDate) Len() int           { return len(q) }
func (q byDate) Less(i, j int) bool { return q[i].Committed.After(q[j].Committed) }
func (q byDate) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byDate) Push(x any)        { *q = append(*q, x.(*commitData)) }
func (q *byDate) Pop() any {
	old := *q
	f := old[len(old)-1]
	*q = old[:len(old)-1]
	return f
}
