package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"rulestore/content/crash"
)

// background is what a process does beside answering. All of it is rescued where it
// is started, goes on after a crash, and is waited for by whoever started it, before
// what it works with is released.
type background struct {
	work sync.WaitGroup
	tell func(doing string, err error) // of a crash
}

// afterCrash is how long a work rests that has crashed.
const afterCrash = time.Second

// run does a work until the context ends; it returns by itself only when there is
// nothing left to do.
func (b *background) run(ctx context.Context, doing string, work func(context.Context)) {
	b.work.Go(func() {
		for {
			err := crash.Do(func() { work(ctx) })
			if err == nil {
				return
			}
			b.tell(doing, err)
			select {
			case <-ctx.Done():
				return
			case <-time.After(afterCrash):
			}
		}
	})
}

// wait waits until all work has ended, whose contexts have.
func (b *background) wait() { b.work.Wait() }

// waitFor waits so long at most, and reports whether all work has ended.
func (b *background) waitFor(patience time.Duration) bool {
	done := make(chan struct{})
	go func() { defer close(done); b.wait() }()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// lastRequests is how long requests under way may take where nobody drains.
const lastRequests = time.Second

// serveUntil has a server answer at a listener until the context ends.
func serveUntil(ctx context.Context, srv *http.Server, l net.Listener) error {
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(closed)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRequests)
		defer cancel()
		if srv.Shutdown(last) != nil {
			_ = srv.Close()
		}
	})
	err := srv.Serve(l)
	if !stop() {
		<-closed
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
