package git

import (
	"container/heap"

	"rulestore/content/i18n"
)

// Walker reads histories and caches commits and their changes, which are immutable, so a later
// pass reads only new ones. A pass may read several histories; it ends with [Walker.Forget].
type Walker struct {
	// Visit, if it is set, is called for all commits that are read for the first time, some at a
	// time, with their changes relative to their first parents. It may read from the given
	// repository. Several goroutines call it, each for a range of the history, newest first. An
	// error ends the walk.
	Visit func(r *Repo, commits []CommitFiles) error

	// Name, if it is set, returns the name of the file at a path. If several paths have one
	// name, moving the file from one to another is not a change; if a file exists at several of
	// them at once, its mode is Several. It is a function of the path alone, and idempotent.
	Name func(path string) string

	keep     func(path string, m Mode) bool
	last     *History // the last one read
	previous *History // the last one of the previous pass
}

// CommitFiles are the files that a commit changed.
type CommitFiles struct {
	Commit OID
	Files  []File
}

// NewWalker returns a walker that follows the files that keep accepts.
func NewWalker(keep func(path string, m Mode) bool) *Walker { return &Walker{keep: keep} }

// Forget drops commits that are not reachable in the last history.
func (w *Walker) Forget() { w.previous = nil }

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
	if w.previous == nil {
		w.previous = w.last
	}
	h := newHistory(known, tips, w.name)
	if h.work += work; h.work > maxHistory {
		return nil, tooLarge(head)
	}
	w.last = h
	return h, nil
}

// name is Name, or the path itself if that is not set.
func (w *Walker) name(path string) string {
	if w.Name == nil {
		return path
	}
	return w.Name(path)
}

// maxGrowth is the maximum number of commits by which a history is extended; for more it is made
// again.
const maxGrowth = 1000

// grow extends the last history by the commits after its end, and by merges of other known
// commits. It returns nil if that is not all that changed.
func (w *Walker) grow(r *Repo, head OID) (*History, error) {
	h := w.last
	if h == nil || !h.alone || h.IsTorn() {
		return nil, nil
	}
	l := historyDiffer{w: w, known: map[OID]*commitData{}}
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
	if !h.continues(l.known, head) {
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
		w.last = nil // it is incomplete
		return nil, tooLarge(head)
	}
	return h, nil
}

// cached returns the data of a commit that was read before, nil if there is none.
func (w *Walker) cached(id OID) *commitData {
	for _, h := range []*History{w.last, w.previous} {
		if h != nil && h.index[id] != nil && !h.index[id].torn {
			return h.index[id].commitData
		}
	}
	return nil
}

// commitData is a commit with its changes.
type commitData struct {
	Commit
	changes []File // against the first parent
	torn    bool   // a folder of it or of the parent could not be read
	work    int64  // cost of the message in bytes
	changed int64  // and of the changes
}

// maxHistory is the maximum cost of all commits of a history in bytes, of their texts and of the
// paths that they change, wanted or not: a million ordinary commits, or ten thousand that change
// 500 files each. A commit of a few bytes can change 200,000 paths, and the next one can revert
// that.
const maxHistory = 1 << 30

// readCommitData reads a commit without its changes.
func readCommitData(r *Repo, id OID) (*commitData, error) {
	c, err := r.Commit(id)
	if err != nil {
		return nil, err
	}
	return &commitData{Commit: c, work: int64(len(c.Message)) + 500}, nil
}

// fewCommits is the number of commits up to which it costs less to read them one by one, and to compare their trees
// here, than to start a git that does it.
var fewCommits = 100

// collect reads all reachable commits, newest first, and returns their cost.
func (w *Walker) collect(r *Repo, tips []OID) (known map[OID]*commitData, work int64, err error) {
	known = map[OID]*commitData{}
	if w.last != nil {
		known = make(map[OID]*commitData, len(w.last.index))
	}
	read := 0
	var queue byDate
	push := func(id OID) error {
		if known[id] != nil {
			return nil
		}
		f := w.cached(id)
		if f == nil {
			if read++; read == fewCommits {
				r.readHistoryAhead(tips)
			}
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
	l := historyDiffer{w: w, known: known}
	for queue.Len() > 0 {
		f := heap.Pop(&queue).(*commitData)
		for _, p := range f.Parents {
			if err := push(p); err != nil {
				return nil, 0, err
			}
		}
		if w.cached(f.OID) == nil {
			l.fresh = append(l.fresh, f)
		}
		if l.work.Add(f.work+f.changed) > maxHistory {
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
		"the history of commit %s is too large: its commits and the paths that they change take more than %d bytes "+
			"to read; are there commits that add and remove a great many files? Serve a branch without them",
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
