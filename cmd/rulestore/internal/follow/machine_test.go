package follow

import (
	"testing"
	"time"

	"rulestore/server"
)

// What the machine says to each event, by the clock of the events.
func TestMachine(t *testing.T) {
	type step struct {
		after time.Duration // since the step before
		event event
		want  action
		wait  time.Duration // then until the next step of its own; 0: it has none
		state server.RemoteState
	}
	const poll, following, held, broken = time.Hour, server.RemoteFollowing, server.RemoteHeld, server.RemoteUnreadable
	for name, steps := range map[string][]step{
		"it is polled": {
			{0, due, fetch, 0, following}, {time.Second, fetched, look, poll, following},
			{0, accepted, nothing, poll, following}, {poll, due, fetch, 0, following},
		},
		"a webhook long after a fetch": {
			{0, due, fetch, 0, following}, {time.Second, fetched, look, poll, following},
			{time.Minute, asked, nothing, -time.Minute, following}, {0, due, fetch, 0, following},
		},
		"a webhook right after a fetch began": {
			{0, due, fetch, 0, following}, {100 * time.Millisecond, asked, nothing, 900 * time.Millisecond, following},
			{100 * time.Millisecond, fetched, look, 800 * time.Millisecond, following},
			{800 * time.Millisecond, due, fetch, 0, following},
		},
		"a webhook while a fetch hangs": {
			{0, due, fetch, 0, following}, {time.Minute, asked, nothing, -59 * time.Second, following},
			{0, due, abandon, 0, following}, {0, abandoned, nothing, 0, following}, {0, due, fetch, 0, following},
			{time.Second, asked, nothing, time.Second, following}, // the next one gets twice as long
		},
		"failures": {
			{0, due, fetch, 0, following}, {0, failed, look, poll, following}, {poll, due, fetch, 0, following},
			{0, failed, look, poll, following}, {0, asked, nothing, time.Second, following},
		},
		"held, and confirmed": {
			{0, due, fetch, 0, following}, {0, fetched, look, poll, following}, {0, heldBack, nothing, poll, held},
			{0, changed, look, poll, held}, {0, accepted, nothing, poll, following},
		},
		"held, and unreadable": {
			{0, heldBack, nothing, 0, held}, {0, due, fetch, 0, held}, {0, failed, look, poll, held},
			{10 * time.Second, unreadable, nothing, -9 * time.Second, broken}, {0, due, fetch, 0, broken},
			{time.Second, fetched, look, poll, broken}, {0, heldBack, nothing, poll, held},
		},
		"it publishes nothing any more": {{0, heldBack, nothing, 0, held}, {0, unloadable, nothing, 0, following}},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			m, now := machine{poll: poll, state: following, next: start}, start
			for i, s := range steps {
				now = now.Add(s.after)
				if got := m.on(s.event, now); got != s.want || m.state != s.state {
					t.Errorf("step %d, %s: %q in state %s", i, s.event, got, m.state)
				}
				wait, _ := m.wait(now)
				if allowed := s.wait.Abs() / 10; (wait - s.wait).Abs() > allowed {
					t.Errorf("step %d, %s: the next step is in %s, not %s", i, s.event, wait, s.wait)
				}
			}
		})
	}
	t.Run("failures, further and further apart", func(t *testing.T) {
		m := machine{poll: 30 * time.Second}
		for _, minutes := range []float64{.5, 1, 2, 4, 8, 10, 10} {
			m.on(due, m.next)
			m.on(failed, m.next)
			wait, _ := m.wait(m.began)
			if want := time.Duration(minutes * float64(time.Minute)); (wait - want).Abs() > want/10 {
				t.Errorf("after %d failures the next fetch is in %s, not %s", m.failures, wait, want)
			}
		}
	})
	t.Run("on this machine", func(t *testing.T) {
		m := machine{}
		for _, e := range []event{changed, asked} {
			if got := m.on(e, time.Now()); got != look {
				t.Errorf("%s: %q", e, got)
			}
		}
		if _, ok := m.wait(time.Now()); ok {
			t.Error("something is due")
		}
	})
}
