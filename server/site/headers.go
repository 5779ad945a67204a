package site

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

// CommonHeaders are the headers that every response carries, unless it has its own, as slices that are
// assigned and never changed (design, section 12).
var CommonHeaders = []Header{
	{"Access-Control-Allow-Origin", []string{"*"}},
	{"Access-Control-Expose-Headers", []string{exposed()}},
	{"Content-Security-Policy", []string{"default-src 'none'; frame-ancestors 'none'"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"X-Content-Type-Options", []string{"nosniff"}},
}

// exposed lists the response headers that scripts of other origins may read.
func exposed() string {
	names := []string{
		"ETag", "Link", "Last-Modified", "Deprecation", "Retry-After", "X-Request-Id", "X-Snapshot",
		"X-Content-Checksum", "X-Source-Tag", "X-Source-Blob", "X-Log-Index", "X-Schema-Version",
	}
	for _, k := range content.Kinds {
		for _, part := range []string{"-ID", "-Version", "-Status"} {
			if name := k.Header + part; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// immutable is the header of what never changes under its address.
var immutable = Header{"Cache-Control", []string{"public, max-age=31536000, immutable"}}

// language is the header of everything that is in Russian.
var language = Header{"Content-Language", []string{api.Language}}

// The lifetimes of content in caches: fresh, stale while it is revalidated, and stale if the
// origin is unavailable.
const (
	freshFor = time.Minute
	staleFor = 10 * time.Minute
	saveFor  = 24 * time.Hour
)

var unlimited = []string{cacheControl}

// ChangesByDate reports whether the content is known to change at a future moment without a push.
func (s *Site) ChangesByDate() bool { return !s.nextChange.IsZero() }

// UntilChange returns the part of a duration from now on in which the content does not change by
// itself.
func (s *Site) UntilChange(now time.Time, most time.Duration) time.Duration {
	if !s.ChangesByDate() {
		return most
	}
	return max(0, min(most, s.nextChange.Sub(now).Truncate(time.Second)))
}

// CacheControl returns the Cache-Control of content: the usual lifetimes, limited to the next
// known change.
func (s *Site) CacheControl(now time.Time) []string {
	if s.UntilChange(now, freshFor+saveFor) == freshFor+saveFor {
		return unlimited
	}
	fresh := s.UntilChange(now, freshFor)
	rest := s.UntilChange(now, freshFor+saveFor) - fresh
	return []string{control(fresh, min(staleFor, rest), min(saveFor, rest))}
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
