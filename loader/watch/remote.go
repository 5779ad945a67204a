package watch

import (
	"context"
	"time"
)

// Remote schedules fetches of a remote repository: every Poll, with a jitter of a tenth; with a
// back-off after failures; and on request ([Remote.RequestFetch]).
type Remote struct {
	poll     time.Duration
	fetch    func(context.Context) error
	requests chan struct{}
	looks    chan struct{}
}

const (
	// minInterval is the least time between two fetches, however many requests come.
	minInterval = time.Second
	// maxBackoff is how far apart failures spread the fetches, unless the poll is
	// slower than that anyway.
	maxBackoff = 10 * time.Minute
)

// NewRemote returns a scheduler that calls fetch.
func NewRemote(poll time.Duration, fetch func(context.Context) error) *Remote {
	return &Remote{poll, fetch, make(chan struct{}, 1), make(chan struct{}, 1)}
}

// Looks receives a message after each successful fetch: the result should be loaded. It buffers
// one message.
func (r *Remote) Looks() <-chan struct{} { return r.looks }

// Look sends a message for the result of an earlier fetch.
func (r *Remote) Look() { signal(r.looks) }

// RequestFetch requests a fetch soon. It never blocks, and several requests are merged into one.
func (r *Remote) RequestFetch() { signal(r.requests) }

// Run fetches immediately and then repeatedly, until the context ends.
func (r *Remote) Run(ctx context.Context) {
	for failures := 0; ; {
		if err := r.fetch(ctx); err == nil {
			failures = 0
			signal(r.looks)
		} else {
			failures++
		}
		due := time.After(jitter(r.pause(failures)))
		select {
		case <-ctx.Done():
			return
		case <-time.After(minInterval):
		}
		select {
		case <-ctx.Done():
			return
		case <-r.requests:
		case <-due:
		}
	}
}

// pause returns the time to the next fetch: doubled with each failure after the
// first.
func (r *Remote) pause(failures int) time.Duration {
	pause := r.poll
	for range failures - 1 {
		if pause >= maxBackoff {
			break
		}
		pause = min(2*pause, maxBackoff)
	}
	return pause
}
