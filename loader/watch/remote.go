package watch

import (
	"context"
	"time"
)

// Remote schedules fetches of a remote repository: every Poll, with a jitter of a tenth; with a
// back-off after failures; and on request ([Remote.Nudge]).
type Remote struct {
	poll   time.Duration
	fetch  func(context.Context) error
	nudges chan struct{}
	looks  chan struct{}
}

const (
	// calm is the least time between two fetches, however many nudges come.
	calm = time.Second
	// seldom is how far apart failures spread the fetches, unless the poll is
	// slower than that anyway.
	seldom = 10 * time.Minute
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

// Nudge requests a fetch soon. It never blocks, and several nudges are merged into one.
func (r *Remote) Nudge() { signal(r.nudges) }

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
		case <-time.After(calm):
		}
		select {
		case <-ctx.Done():
			return
		case <-r.nudges:
		case <-due:
		}
	}
}

// pause returns the time to the next fetch: doubled with each failure after the
// first.
func (r *Remote) pause(failures int) time.Duration {
	pause := r.poll
	for range failures - 1 {
		if pause >= seldom {
			break
		}
		pause = min(2*pause, seldom)
	}
	return pause
}
