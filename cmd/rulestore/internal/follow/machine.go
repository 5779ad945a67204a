package follow

import (
	"math/rand/v2"
	"time"

	"rulestore/server"
)

// A machine says what a follower does next. It is a value without a clock: [machine.on] is told what has
// happened and when. A repository elsewhere is fetched every poll; after failures less and less often; and soon
// when somebody asks. Who asks during a fetch has it abandoned if it has taken a while, twice as long each time
// in a row, so that requests do not keep a slow fetch from its end.
type machine struct {
	poll  time.Duration // between fetches; 0: nothing is fetched
	state server.RemoteState

	fetching  bool
	begun     int       // the number of fetches so far
	began     time.Time // the last one
	next      time.Time // when the next one begins, unless one runs
	wanted    bool      // another fetch was asked for since the last one began
	failures  int       // in a row
	abandoned int       // in a row
}

// An event is what has happened to a follower.
type event string

const (
	due       event = "due"       // the time of machine.wait has passed
	changed   event = "changed"   // something may have changed here, or the day
	asked     event = "asked"     // a signal or a webhook asks for what is new
	fetched   event = "fetched"   // a fetch succeeded
	failed    event = "failed"    // a fetch failed
	abandoned event = "abandoned" // a fetch was ended for another one

	accepted   event = "accepted"   // a look found what is served, or serves what it found
	heldBack   event = "held back"  // it found a state that is held back
	unloadable event = "unloadable" // it found one that cannot be served
	unreadable event = "unreadable" // it could not read the copy, which is fetched anew
)

// An action is what a follower does next.
type action string

const (
	nothing action = ""
	look    action = "look"
	fetch   action = "fetch"
	abandon action = "abandon" // the fetch that runs
)

const (
	// minInterval is the least time between two fetches, however many requests come, and before one is abandoned.
	minInterval = time.Second
	// maxBackoff is how far apart failures spread the fetches, unless the poll is slower than that anyway.
	maxBackoff = 10 * time.Minute
)

// on changes the machine by an event, and returns what to do about it.
func (m *machine) on(e event, now time.Time) action {
	switch e {
	case due:
		m.wanted = false // what begins next is that
		if m.fetching {
			return abandon
		}
		m.fetching, m.began, m.begun = true, now, m.begun+1
		return fetch
	case changed:
		return look
	case asked:
		if m.poll == 0 {
			return look
		}
		m.wanted, m.next = true, m.began.Add(minInterval)
	case abandoned:
		m.fetching, m.next = false, now
		m.abandoned++
	case fetched, failed:
		m.fetching, m.abandoned = false, 0
		if m.failures++; e == fetched {
			m.failures = 0
		}
		m.next = now.Add(jitter(m.pause()))
		if m.wanted {
			m.next = m.began.Add(minInterval)
		}
		return look
	case accepted, unloadable:
		m.state = server.RemoteFollowing
	case heldBack:
		m.state = server.RemoteHeld
	case unreadable:
		m.state, m.next = server.RemoteUnreadable, m.began.Add(minInterval)
	}
	return nothing
}

// wait is how long to wait for the event due; not ok if it never comes, as things are.
func (m *machine) wait(now time.Time) (d time.Duration, ok bool) {
	switch {
	case m.poll == 0 || m.fetching && !m.wanted:
		return 0, false
	case m.fetching:
		return m.began.Add(minInterval << min(m.abandoned, 10)).Sub(now), true
	}
	return m.next.Sub(now), true
}

// pause is the time to the next fetch: doubled with each failure after the first.
func (m *machine) pause() time.Duration {
	pause := m.poll
	for range m.failures - 1 {
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
