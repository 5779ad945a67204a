package follow

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"rulestore/content"
)

// follow fetches and looks in turn, until the context ends: when the watcher has noticed something, after
// each fetch, when somebody asks for it, and at midnight, when versions and marks with a date take effect.
// Clocks are adjusted, so it does not wait for midnight in one step.
func (p *Follower) follow(ctx context.Context, looks <-chan struct{}) {
	p.exclusively(func() { p.Look(ctx) }) // changes since the first load
	s := newSchedule(ctx, p.remote)
	defer s.end()
	for {
		select {
		case <-ctx.Done():
			return
		case <-looks:
		case <-time.After(min(p.untilDayEnds(), time.Minute)):
		case o := <-p.tasks:
			p.exclusively(func() { o.run(ctx) })
			continue
		case <-s.requests:
			s.request()
			continue
		case judged := <-p.asked:
			p.exclusively(func() { p.servedState, p.loadedState = "", "" })
			if s.waiting = append(s.waiting, judged); p.remote != nil {
				s.request()
				continue
			}
		case <-s.due():
			s.advance(ctx)
			continue
		case err := <-s.ended:
			if !s.finish(err) {
				continue
			}
		}
		p.exclusively(func() { p.Look(ctx) })
		s.judged()
	}
}

// Reload reads the repository again, even if it appears unchanged, and returns when that is done or the
// context has ended. A remote one is fetched first: a fetch that hangs is abandoned for it.
func (p *Follower) Reload(ctx context.Context) {
	judged := make(chan struct{})
	select {
	case p.asked <- judged:
	case <-ctx.Done():
		return
	}
	select {
	case <-judged:
	case <-ctx.Done():
	}
}

const (
	// minInterval is the least time between two fetches, however many requests come, and before one is abandoned.
	minInterval = time.Second
	// maxBackoff is how far apart failures spread the fetches, unless the poll is slower than that anyway.
	maxBackoff = 10 * time.Minute
)

var errAbandoned = errors.New("the fetch was abandoned for another one")

// schedule says when to fetch: every poll, with a jitter of a tenth; with a back-off after failures; and on
// request. A request during a fetch abandons it if it has taken a while, twice as long each time in a row,
// so that requests do not keep a slow fetch from its end. The zero schedule never fetches.
type schedule struct {
	remote    *Remote
	requests  <-chan struct{}
	ended     chan error              // receives the result of the fetch that runs
	cancel    context.CancelCauseFunc // abandons the fetch that runs; nil if none does
	began     time.Time               // the last fetch
	next      time.Time               // when the next one begins, unless one runs
	wanted    bool                    // another fetch was requested since the last one began
	failures  int                     // in a row
	abandoned int                     // in a row
	waiting   []chan struct{}         // closed when the next fetch that begins was judged
	served    []chan struct{}         // closed when the fetch that runs was judged
}

func newSchedule(ctx context.Context, r *Remote) *schedule {
	s := &schedule{remote: r, ended: make(chan error, 1)}
	if r != nil {
		s.requests, s.next = r.requests, time.Now()
	}
	return s
}

// request asks for a fetch soon.
func (s *schedule) request() {
	s.wanted = true
	s.next = s.began.Add(minInterval)
}

// due is when to advance.
func (s *schedule) due() <-chan time.Time {
	switch {
	case s.remote == nil || s.cancel != nil && !s.wanted:
		return nil
	case s.cancel != nil:
		return time.After(time.Until(s.began.Add(minInterval << min(s.abandoned, 10))))
	}
	return time.After(time.Until(s.next))
}

// advance begins the next fetch, or abandons the one that runs.
func (s *schedule) advance(ctx context.Context) {
	if s.cancel != nil {
		s.wanted = false // what is begun next is that
		s.cancel(errAbandoned)
		return
	}
	ctx, s.cancel = context.WithCancelCause(ctx)
	s.began, s.wanted = time.Now(), false
	s.served, s.waiting = append(s.served, s.waiting...), nil
	go func() { s.ended <- s.remote.Fetch(ctx) }()
}

// finish takes the result of a fetch, and reports whether it is to be judged.
func (s *schedule) finish(err error) bool {
	s.cancel(nil)
	s.cancel = nil
	if errors.Is(err, errAbandoned) {
		s.abandoned++
		s.next = time.Now()
		return false
	}
	s.abandoned = 0
	if err == nil {
		s.failures = 0
	} else {
		s.failures++
	}
	s.next = time.Now().Add(jitter(s.pause()))
	if s.wanted {
		s.next = s.began.Add(minInterval)
	}
	return true
}

// judged tells who waits for a look, or for the one after a fetch.
func (s *schedule) judged() {
	if s.remote == nil {
		s.served, s.waiting = s.waiting, nil
	} else if s.cancel != nil {
		return // the fetch that they wait for runs
	}
	for _, judged := range s.served {
		close(judged)
	}
	s.served = nil
}

// end abandons what runs, waits for its end, and lets go who waits.
func (s *schedule) end() {
	if s.cancel != nil {
		s.cancel(errAbandoned)
		<-s.ended
	}
	for _, judged := range append(s.served, s.waiting...) {
		close(judged)
	}
}

// pause is the time to the next fetch: doubled with each failure after the first.
func (s *schedule) pause() time.Duration {
	pause := s.remote.poll
	for range s.failures - 1 {
		if pause >= maxBackoff {
			break
		}
		pause = min(2*pause, maxBackoff)
	}
	return pause
}

// jitter varies a time by a tenth, so that many processes do not ask at once.
func jitter(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*float64(d)/5)
}

// untilDayEnds returns the time until the day of the loaded content ends.
func (p *Follower) untilDayEnds() (wait time.Duration) {
	p.exclusively(func() {
		if wait = time.Hour; p.result.Snapshot != nil {
			wait = untilMidnight(p.result.Snapshot, time.Now())
		}
	})
	return wait
}

// untilMidnight returns the time to the next day in the time zone of a snapshot.
func untilMidnight(s *content.Snapshot, now time.Time) time.Duration {
	return max(s.Begin(content.DayAfter(s.DayOf(now))).Sub(now), time.Millisecond)
}
