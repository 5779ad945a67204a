//go:build slow

package server_test

import (
	"slices"
	"testing"
)

// The starter content as of the day of its first release is that release.
func TestAsOfTheFirstRelease(t *testing.T) {
	t.Parallel()
	first := build(nil, history()[0])
	then, now := ask(t, first), ask(t, starterSite())
	for path := range listPaths {
		if a, b := ids(t, then, path), ids(t, now, path+"?as_of=2026-02-02"); !slices.Equal(a, b) {
			t.Errorf("%s: %q, and now as of then %q", path, a, b)
		}
	}
}
