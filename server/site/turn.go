package site

import (
	"fmt"
	"sync/atomic"
	"time"
)

// How long caches may keep content, serve it while they look for a newer one, and serve
// it if we cannot be reached.
const (
	freshFor = time.Minute
	staleFor = 10 * time.Minute
	saveFor  = 24 * time.Hour
)

// turn is the next moment at which what is served changes by itself: nobody is to keep
// anything longer.
type turn struct {
	at      time.Time // zero: none is known of
	limited atomic.Pointer[limited]
}

var unlimited = []string{cacheControl}

// limited is a Cache-Control header, kept for the second in which it is right.
type limited struct {
	unix  int64
	value []string
}

// Turns says whether it is known that what is served will change by itself.
func (s *Site) Turns() bool { return !s.turn.at.IsZero() }

// Left returns how much of a time from now on what is served can be relied on to stay as
// it is.
func (s *Site) Left(now time.Time, most time.Duration) time.Duration {
	if !s.Turns() {
		return most
	}
	return max(0, min(most, s.turn.at.Sub(now).Truncate(time.Second)))
}

// CacheControl returns what content says to caches: what it says always, as long as that
// ends before what is served changes.
func (s *Site) CacheControl(now time.Time) []string {
	if s.Left(now, freshFor+saveFor) == freshFor+saveFor {
		return unlimited
	}
	if l := s.turn.limited.Load(); l != nil && l.unix == now.Unix() {
		return l.value
	}
	fresh := s.Left(now, freshFor)
	rest := s.Left(now, freshFor+saveFor) - fresh
	l := &limited{now.Unix(), []string{control(fresh, min(staleFor, rest), min(saveFor, rest))}}
	s.turn.limited.Store(l)
	return l.value
}

// control says for how long caches may keep something, serve it while they look for a newer
// one, and serve it if we cannot be reached (RFC 9111, RFC 5861).
func control(fresh, stale, saved time.Duration) string {
	return fmt.Sprintf(
		"public, max-age=%d, stale-while-revalidate=%d, stale-if-error=%d", fresh/time.Second, stale/time.Second, saved/time.Second,
	)
}

// IsContentControl says whether a Cache-Control header is that of content.
func IsContentControl(value []string) bool { return len(value) == 1 && value[0] == cacheControl }
