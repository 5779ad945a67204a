package crash

import (
	"context"
	"sync"
	"time"
)

// Work has the goroutines of one owner. They recover from panics, are restarted after one, and
// are waited for by the owner before it releases their resources.
type Work struct {
	// Crashed is called for a panic, with the name of the work. Set it before the first Run.
	Crashed func(doing string, err error)

	group sync.WaitGroup
}

// Rest is the delay before work is restarted after a panic.
const Rest = time.Second

// Run starts a goroutine that works until the context ends; work returns earlier only if it is
// complete. Run itself returns immediately.
func (w *Work) Run(ctx context.Context, doing string, work func(context.Context)) {
	w.group.Go(func() {
		for {
			err := Do(func() { work(ctx) })
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

// Wait waits until all goroutines have ended; their contexts have to have ended.
func (w *Work) Wait() { w.group.Wait() }

// WaitFor waits for a limited time, and reports whether all goroutines have ended.
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
