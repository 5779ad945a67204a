package git

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rulestore/content/crash"
)

// historyDiffer computes the changes of commits. Each range of the history is read by one
// goroutine, as objects that are stored close together are then read once.
type historyDiffer struct {
	w     *Walker
	known map[OID]*commitData
	fresh []*commitData // the commits, newest first
	work  atomic.Int64  // the total cost, in bytes

	byGit  bool         // see [diffTree]
	weight atomic.Int64 // that no folder exceeds, in bytes, if all changes are known from git
}

// rangeSize is the number of commits per goroutine, each with its own handle.
var rangeSize = 1000

// all computes the changes of all commits, on all processors. If many commits are new and none is known, git compares
// the trees, unless there may be a folder that is too large to be read: git does not tell which are.
func (l *historyDiffer) all(r *Repo) error {
	before := l.work.Load()
	l.byGit = len(l.fresh) == len(l.known) && len(l.fresh) > fewCommits
	err := l.parts(r)
	if l.byGit && l.weight.Load() > MaxFolder {
		l.byGit = false
		l.work.Store(before)
		err = l.parts(r)
	}
	return err
}

// parts computes the changes of ranges of commits at once.
func (l *historyDiffer) parts(r *Repo) error {
	n := 1
	if r.again != nil {
		n = max(1, min(runtime.GOMAXPROCS(0), len(l.fresh)/rangeSize))
	}
	parts, ctx := errgroup.WithContext(context.Background()) // after an error the other goroutines stop
	for i := range n {
		part := l.fresh[len(l.fresh)*i/n : len(l.fresh)*(i+1)/n]
		parts.Go(func() error { return l.part(ctx, r, i > 0, part) })
	}
	return parts.Wait()
}

// part computes the changes of some commits, with its own handle if own is set.
func (l *historyDiffer) part(ctx context.Context, r *Repo, own bool, commits []*commitData) (err error) {
	defer crash.Rescue(&err)
	if own {
		if r, err = r.reopen(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
	}
	var git *diffTree
	if l.byGit {
		pairs := make([][2]OID, 0, len(commits))
		for _, f := range commits {
			pairs = append(pairs, [2]OID{l.parent(f), f.Tree})
		}
		git = newDiffTree(r, pairs, l.w.keep)
		defer git.close()
	}
	for some := range slices.Chunk(commits, together) {
		if ctx.Err() != nil || l.work.Load() > maxHistory || l.byGit && l.weight.Load() > MaxFolder {
			return nil
		}
		if err := l.diff(r, git, some); err != nil {
			return err
		}
	}
	return nil
}

// parent returns the tree of the first parent of a commit.
func (l *historyDiffer) parent(f *commitData) (tree OID) {
	if len(f.Parents) > 0 {
		tree = l.known[f.Parents[0]].Tree
	}
	return tree
}

// diff computes what some commits changed against their first parents.
func (l *historyDiffer) diff(r *Repo, git *diffTree, commits []*commitData) error {
	told := make([]*changed, len(commits))
	for i := range commits {
		told[i] = git.next(&l.weight)
	}
	if !git.sound() {
		clear(told)
	}
	visited := make([]CommitFiles, len(commits))
	for i, f := range commits {
		c, err := l.changed(r, told[i], f)
		if err != nil {
			return err
		}
		f.changes, f.changed = c.files, c.work
		l.work.Add(c.work)
		visited[i] = CommitFiles{f.OID, f.changes}
	}
	if l.w.Visit != nil {
		return l.w.Visit(r, visited)
	}
	return nil
}

// changed are the files in which two trees differ, and what it cost to compare them, in bytes.
type changed struct {
	files []File
	work  int64
}

// changed returns what a commit changed, as git told, or else as its trees differ.
func (l *historyDiffer) changed(r *Repo, told *changed, f *commitData) (changed, error) {
	f.torn = false
	if told != nil {
		return *told, nil
	}
	d, err := r.compare(l.parent(f), f.Tree, l.w.keep)
	if err != nil {
		return changed{}, err
	}
	f.torn = d.torn
	return changed{d.changes, d.work}, nil
}
