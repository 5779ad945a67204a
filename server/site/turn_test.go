package site

import (
	"testing"
	"time"
)

// Content is kept no longer than until it changes by itself.
func TestCacheControl(t *testing.T) {
	at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	s := &Site{nextChange: at}
	for before, want := range map[time.Duration]string{
		72 * time.Hour:         cacheControl,
		freshFor + saveFor:     cacheControl,
		2 * time.Hour:          "public, max-age=60, stale-while-revalidate=600, stale-if-error=7140",
		90 * time.Second:       "public, max-age=60, stale-while-revalidate=30, stale-if-error=30",
		40 * time.Second:       "public, max-age=40, stale-while-revalidate=0, stale-if-error=0",
		500 * time.Millisecond: "public, max-age=0, stale-while-revalidate=0, stale-if-error=0",
		-time.Hour:             "public, max-age=0, stale-while-revalidate=0, stale-if-error=0",
	} {
		if got := s.CacheControl(at.Add(-before)); got[0] != want {
			t.Errorf("%s before: %s, want %s", before, got[0], want)
		}
	}
	if never := new(Site).CacheControl(at); !IsContentControl(never) {
		t.Errorf("%s", never)
	}
}
