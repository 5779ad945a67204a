package site

import (
	"fmt"
	"sync/atomic"
	"time"
)

// The lifetimes of content in caches: fresh, stale while it is revalidated, and stale if the
// origin is unavailable.
const (
	freshFor = time.Minute
	staleFor = 10 * time.Minute
	saveFor  = 24 * time.Hour
)

// nextChange is the next moment at which the content changes without a push; caches may keep it until
// then.
type nextChange struct {
	at      time.Time // zero: unknown
	limited atomic.Pointer[limited]
}

var unlimited = []string{cacheControl}

// limited is a Cache-Control header, cached for the second in which it is valid.
type limited struct {
	unix  int64
	value []string
}

// ChangesByDate reports whether the content is known to change at a future moment without a push.
func (s *Site) ChangesByDate() bool { return !s.nextChange.at.IsZero() }

// UntilChange returns the part of a duration from now on in which the content does not change by
// itself.
func (s *Site) UntilChange(now time.Time, most time.Duration) time.Duration {
	if !s.ChangesByDate() {
		return most
	}
	return max(0, min(most, s.nextChange.at.Sub(now).Truncate(time.Second)))
}

// CacheControl returns the Cache-Control of content: the usual lifetimes, limited to the next
// known change.
func (s *Site) CacheControl(now time.Time) []string {
	if s.UntilChange(now, freshFor+saveFor) == freshFor+saveFor {
		return unlimited
	}
	if l := s.nextChange.limited.Load(); l != nil && l.unix == now.Unix() {
		return l.value
	}
	fresh := s.UntilChange(now, freshFor)
	rest := s.UntilChange(now, freshFor+saveFor) - fresh
	l := &limited{now.Unix(), []string{control(fresh, min(staleFor, rest), min(saveFor, rest))}}
	s.nextChange.limited.Store(l)
	return l.value
}

// control is a Cache-Control header with the times in which caches may serve content as fresh,
// while they revalidate it, and if the origin is unavailable (RFC 9111, RFC 5861).
func control(fresh, stale, saved time.Duration) string {
	return fmt.Sprintf(
		"public, max-age=%d, stale-while-revalidate=%d, stale-if-error=%d", fresh/time.Second, stale/time.Second,
		saved/time.Second,
	)
}

// IsContentControl reports whether a Cache-Control header is that of content.
func IsContentControl(value []string) bool { return len(value) == 1 && value[0] == cacheControl }
