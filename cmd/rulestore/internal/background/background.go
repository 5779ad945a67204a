// Package background runs the background work of a process: goroutines that recover
// from panics, and servers on listeners of their own.
package background

import (
	"context"
	"sync"
	"time"

	"rulestore/content/crash"
)

// Work is what one owner has begun. All of it is rescued where it is started, goes on
// after a crash, and is waited for by the owner, before what it works with is released.
type Work struct {
	// Crashed is told of a crash, and what the work was doing. Set it before the first Run.
	Crashed func(doing string, err error)

	group sync.WaitGroup
}

// Rest is how long a work rests that has crashed.
const Rest = time.Second

// Run does a work until the context ends; it returns by itself only when there is
// nothing left to do. Run itself returns at once.
func (w *Work) Run(ctx context.Context, doing string, work func(context.Context)) {
	w.group.Go(func() {
		for {
			err := crash.Do(func() { work(ctx) })
			if err == nil {
				return
			}
			w.Crashed(doing, err)
			select {
			case <-ctx.Done():
				return
			case <-time.After(Rest):
			}
		}
	})
}

// Wait waits until all work has ended, whose contexts have.
func (w *Work) Wait() { w.group.Wait() }

// WaitFor waits so long at most, and reports whether all work has ended.
func (w *Work) WaitFor(patience time.Duration) bool {
	done := make(chan struct{})
	go func() { defer close(done); w.Wait() }()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}
