package gitrepo

import (
	"context"
	"errors"
	"runtime"
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
}

// rangeSize is the number of commits per goroutine, each with its own handle.
var rangeSize = 1000

// all computes the changes of all commits, on all processors.
func (l *historyDiffer) all(r *Repo) error {
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
	for _, f := range commits {
		if ctx.Err() != nil || l.work.Load() > maxHistory {
			return nil
		}
		if err := l.diff(r, f); err != nil {
			return err
		}
	}
	return nil
}

// diff computes what a commit changed against its first parent.
func (l *historyDiffer) diff(r *Repo, f *commitData) error {
	var parent OID
	if len(f.Parents) > 0 {
		parent = l.known[f.Parents[0]].Tree
	}
	d, err := l.changed(r, parent, f)
	if err != nil {
		return err
	}
	f.changes, f.work = d.Files, f.work+d.Work
	l.work.Add(d.Work)
	if l.w.Visit != nil {
		return l.w.Visit(r, f.OID, f.changes)
	}
	return nil
}
