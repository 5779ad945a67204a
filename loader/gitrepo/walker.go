package gitrepo

import (
	"container/heap"
	"fmt"
	"maps"
)

// Walker reads histories and remembers what it read: commits and what they
// changed never change, so a later pass reads only what is new. A pass may take
// several histories; it ends with [Walker.Forget].
type Walker struct {
	// Visit, if it is set, is told of every commit that is read for the first
	// time, with what it changed against its first parent. It may read from the
	// repository given. Several goroutines call it, each for a stretch of history,
	// newest first. An error ends the walk.
	Visit func(r *Repo, commit OID, changes []File) error

	keep  func(path string, m Mode) bool
	known map[OID]*facts
	used  map[OID]*facts // since Forget
}

// NewWalker returns a walker that follows the files that keep approves of.
func NewWalker(keep func(path string, m Mode) bool) *Walker {
	return &Walker{keep: keep, used: map[OID]*facts{}}
}

// Forget drops what no history since the last time has reached.
func (w *Walker) Forget() { w.known, w.used = w.used, make(map[OID]*facts, len(w.used)) }

// remembered returns what was read of a commit before, nil if nothing was.
func (w *Walker) remembered(id OID) *facts {
	if f := w.used[id]; f != nil {
		return f
	}
	return w.known[id]
}

// facts is what a commit object and its tree say.
type facts struct {
	Commit
	changes []File // against the first parent
	work    int64  // what the message and the changes took, in bytes
}

// maxHistory is what all commits of a history may take, in bytes of what they say
// and of the paths that differ in them, wanted or not: a million ordinary commits,
// or ten thousand that change 500 files each. A commit of a few bytes can differ
// in 200,000 paths from the one before, and the next can go back.
const maxHistory = 1 << 30

// collect gathers the facts of all reachable commits, newest first.
func (w *Walker) collect(r *Repo, tips []OID) (map[OID]*facts, error) {
	known := make(map[OID]*facts, max(len(w.known), len(w.used)))
	var queue byDate
	push := func(id OID) error {
		if known[id] != nil {
			return nil
		}
		f := w.remembered(id)
		if f == nil {
			c, err := r.Commit(id)
			if err != nil {
				return err
			}
			f = &facts{Commit: c, work: int64(len(c.Message)) + 500}
		}
		known[id] = f
		heap.Push(&queue, f)
		return nil
	}
	for _, id := range tips {
		if err := push(id); err != nil {
			return nil, err
		}
	}
	l := looking{w: w, known: known}
	for queue.Len() > 0 {
		f := heap.Pop(&queue).(*facts)
		for _, p := range f.Parents {
			if err := push(p); err != nil {
				return nil, err
			}
		}
		if w.remembered(f.OID) == nil {
			l.fresh = append(l.fresh, f)
		}
		if l.work.Add(f.work) > maxHistory {
			return nil, tooLarge(tips[0])
		}
	}
	if err := l.all(r); err != nil {
		return nil, err
	}
	if l.work.Load() > maxHistory {
		return nil, tooLarge(tips[0])
	}
	maps.Copy(w.used, known)
	return known, nil
}

func tooLarge(tip OID) error {
	return fmt.Errorf("the history of commit %s is too large: its commits and the paths that they change take more than %d bytes to read; are there commits that add and remove a great many files? Serve a branch without them", tip.String()[:12], maxHistory)
}

type byDate []*facts

func (q byDate) Len() int           { return len(q) }
func (q byDate) Less(i, j int) bool { return q[i].Committed.After(q[j].Committed) }
func (q byDate) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byDate) Push(x any)        { *q = append(*q, x.(*facts)) }
func (q *byDate) Pop() any {
	old := *q
	f := old[len(old)-1]
	*q = old[:len(old)-1]
	return f
}
