package watch

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// fetches notes when a remote is asked, from the start of the bubble on.
type fetches struct {
	start time.Time
	at    []time.Duration
	takes time.Duration
	err   error
}

func (f *fetches) fetch(context.Context) error {
	f.at = append(f.at, time.Since(f.start))
	time.Sleep(f.takes)
	return f.err
}

// run lets a remote run for a time.
func run(t *testing.T, poll, length time.Duration, f *fetches, during func(*Remote)) {
	f.start = time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	r := NewRemote(poll, f.fetch)
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	if during != nil {
		during(r)
	}
	time.Sleep(length - time.Since(f.start))
	cancel()
	<-ended
}

func (f *fetches) pauses() []time.Duration {
	var all []time.Duration
	for i, at := range f.at[1:] {
		all = append(all, at-f.at[i])
	}
	return all
}

func TestRemotePolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fetches{}
		run(t, 30*time.Second, time.Hour, f, nil)
		if f.at[0] != 0 || len(f.at) < 109 || len(f.at) > 134 {
			t.Errorf("%d fetches in an hour, the first after %s", len(f.at), f.at[0])
		}
		for _, p := range f.pauses() {
			if p < 27*time.Second || p > 33*time.Second+1 {
				t.Errorf("a pause of %s", p)
			}
		}
	})
}

// A remote that fails is asked more and more seldom, and as before once it is
// back.
func TestRemoteBacksOff(t *testing.T) {
	for poll, want := range map[time.Duration][]time.Duration{
		30 * time.Second: {30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute,
			10 * time.Minute, 10 * time.Minute},
		time.Hour: {time.Hour, time.Hour, time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fetches{err: errors.New("away")}
			run(t, poll, 4*time.Hour, f, nil)
			for i, p := range f.pauses()[:len(want)] {
				if p < want[i]*9/10 || p > want[i]*11/10+1 {
					t.Errorf("poll %s: pause %d is %s, expected about %s", poll, i+1, p, want[i])
				}
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		f := &fetches{err: errors.New("away")}
		run(t, 30*time.Second, 2*time.Hour, f, func(r *Remote) {
			time.Sleep(time.Hour)
			synctest.Wait()
			select {
			case <-r.Looks():
				t.Error("there is nothing to look at")
			default:
			}
			f.err = nil
			r.RequestFetch()
		})
		last := f.pauses()
		if n := len(f.at); n < 110 || last[len(last)-1] > 33*time.Second+1 {
			t.Errorf("%d fetches, the last after %s", n, last[len(last)-1])
		}
	})
}

// A nudge is acted upon at once; a storm of them is one fetch each second.
func TestRemoteNudges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fetches{takes: 100 * time.Millisecond}
		run(t, time.Hour, 30*time.Minute, f, func(r *Remote) {
			time.Sleep(time.Minute)
			r.RequestFetch()
			time.Sleep(time.Minute)
			for range 500 {
				r.RequestFetch()
				time.Sleep(10 * time.Millisecond)
			}
		})
		if len(f.at) < 6 || len(f.at) > 9 || f.at[1] != time.Minute || f.at[2] != 2*time.Minute {
			t.Errorf("fetches at %v", f.at)
		}
		if p := slices.Min(f.pauses()); p < minInterval {
			t.Errorf("a pause of %s", p)
		}
	})
}

// Whoever looks late finds one message.
func TestRemoteLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run(t, time.Second, time.Minute, &fetches{}, func(r *Remote) {
			time.Sleep(10 * time.Second)
			synctest.Wait()
			<-r.Looks()
			select {
			case <-r.Looks():
				t.Error("messages pile up")
			default:
			}
		})
	})
}
