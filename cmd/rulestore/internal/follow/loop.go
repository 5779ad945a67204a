package follow

import (
	"context"
	"errors"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/server"
)

// A reload is done when a fetch that began after it was asked for was judged; here, after any look.
type reload struct {
	fetch int           // the number of that fetch
	done  chan struct{} // nil: nobody waits, and only a fetch is asked for
}

// An order confirms a state that is held back.
type order struct {
	state string
	done  chan error
}

// follow tells the machine what happens, and does what it says, until the context ends: when the watcher has
// noticed something, after each fetch, when somebody asks for it, and at midnight, when versions and marks with a
// date take effect. Clocks are adjusted, so it does not wait for midnight in one step.
func (p *Follower) follow(ctx context.Context) {
	var waiting []reload
	defer func() {
		p.endFetch()
		for _, r := range waiting {
			close(r.done)
		}
	}()
	p.do(ctx, look) // changes since the first load
	for {
		next := nothing
		select {
		case <-ctx.Done():
			return
		case <-p.looks():
			next = p.machine.on(changed, time.Now())
		case <-time.After(min(untilMidnight(p.result.Snapshot, time.Now()), time.Minute)):
			next = p.machine.on(changed, time.Now())
		case r := <-p.reloads:
			if r.done != nil {
				p.seen = ""
				waiting = append(waiting, reload{p.machine.begun + 1, r.done})
			}
			next = p.machine.on(asked, time.Now())
		case o := <-p.orders:
			p.endFetch() // what is confirmed does not change meanwhile
			o.done <- p.confirm(ctx, o.state)
		case <-p.due():
			next = p.machine.on(due, time.Now())
		case err := <-p.fetches:
			next = p.machine.on(ending(err), time.Now())
		}
		p.do(ctx, next)
		if next == look && !p.machine.fetching {
			waiting = p.judged(waiting)
		}
	}
}

// do does an action.
func (p *Follower) do(ctx context.Context, a action) {
	switch a {
	case look:
		p.Look(ctx)
	case abandon:
		took := time.Since(p.machine.began).Round(time.Second)
		err := i18n.Errorf("it had not ended after %s, and is abandoned for another one", took)
		p.notFetched(err)
		p.logNotFetched(err)
		p.abandon(errAbandoned)
	case fetch:
		ctx, p.abandon = context.WithCancelCause(ctx)
		go func() { p.fetches <- p.fetch(ctx) }()
	}
}

// looks are the messages of the watcher.
func (p *Follower) looks() <-chan struct{} {
	if p.Watcher == nil {
		return nil
	}
	return p.Watcher.Looks()
}

// due receives a message when it is time for the next step of the machine.
func (p *Follower) due() <-chan time.Time {
	wait, ok := p.machine.wait(time.Now())
	if !ok {
		return nil
	}
	return time.After(wait)
}

// judged tells those who wait for it that what the last fetch brought was judged, and returns the others.
func (p *Follower) judged(waiting []reload) (left []reload) {
	for _, r := range waiting {
		if r.fetch > p.machine.begun && p.Remote != nil {
			left = append(left, r)
			continue
		}
		close(r.done)
	}
	return left
}

var errAbandoned = errors.New("the fetch was abandoned for another one")

// ending is the event of a fetch that ended with this error.
func ending(err error) event {
	switch {
	case err == nil:
		return fetched
	case errors.Is(err, errAbandoned):
		return abandoned
	}
	return failed
}

// endFetch abandons the fetch that runs, and waits for its end.
func (p *Follower) endFetch() {
	if p.machine.fetching {
		p.abandon(errAbandoned)
		p.machine.on(ending(<-p.fetches), time.Now())
	}
}

// fetch updates the copy, records the result, and logs why nothing came.
func (p *Follower) fetch(ctx context.Context) error {
	err := p.fetchSilently(ctx)
	if err != nil && ctx.Err() == nil {
		p.logNotFetched(err)
	}
	return err
}

// fetchSilently is fetch for a caller that says itself why nothing came. Of one that was told to end the error is the
// reason of that.
func (p *Follower) fetchSilently(ctx context.Context) error {
	start := time.Now()
	changed, err := p.tryFetch(ctx)
	if ctx.Err() != nil { // however it ended
		return context.Cause(ctx)
	}
	p.counts.fetches.Observe(time.Since(start))
	if err != nil {
		p.counts.notFetched.Add(1)
		p.notFetched(err)
		return err
	}
	p.counts.fetched.Add(1)
	p.update(func(s *server.Status) {
		if s.Remote.Error != "" {
			p.Log.Info("the repository can be fetched again")
		}
		s.Remote.SucceededAt, s.Remote.Error = start, ""
	})
	if changed {
		p.Log.Info("fetched", "took", time.Since(start).Round(time.Millisecond))
	}
	return nil
}

// tryFetch fetches, and turns a panic caused by the remote into an error.
func (p *Follower) tryFetch(ctx context.Context) (changed bool, err error) {
	defer crash.Rescue(&err)
	return p.Remote.Source.Fetch(ctx)
}

// notFetched records that a fetch brought nothing.
func (p *Follower) notFetched(err error) {
	crash.Tell(p.Log, err, "doing", "fetching")
	p.update(func(s *server.Status) { s.Remote.FailedAt, s.Remote.Error = time.Now(), err.Error() })
}

func (p *Follower) logNotFetched(err error) {
	p.Log.Warn("the repository could not be fetched", "error", err)
}

// Reload reads the repository again, even if it appears unchanged. What it returns is closed when that is done, if
// the follower does not end before. A remote one is fetched first: a fetch that hangs is abandoned for it.
func (p *Follower) Reload(ctx context.Context) <-chan struct{} {
	r := reload{done: make(chan struct{})}
	select {
	case p.reloads <- r:
	case <-ctx.Done():
		close(r.done)
	}
	return r.done
}

// RequestFetch requests a fetch soon. It never blocks: where another request waits, that will do.
func (p *Follower) RequestFetch() {
	select {
	case p.reloads <- reload{}:
	default:
	}
}

// untilMidnight returns the time to the next day in the time zone of a snapshot; long without one.
func untilMidnight(s *content.Snapshot, now time.Time) time.Duration {
	if s == nil {
		return time.Hour
	}
	return max(s.Begin(content.DayAfter(s.DayOf(now))).Sub(now), time.Millisecond)
}
