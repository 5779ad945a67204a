//go:build slow

package loader_test

import (
	"reflect"
	"testing"
	"time"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// switching is a source that is another repository from time to time.
type switching struct{ git.Opener }

// What a loader remembers of earlier loads saves work and changes nothing: at each
// commit, forth and back, it comes to what a new one does.
func TestLoadsAgain(t *testing.T) {
	t.Parallel()
	script, err := git.ReadReleases(starter.Files)
	must(t, err)
	at := &switching{}
	config := loader.Config{Source: at, Schemas: schemas.Embedded(), Now: func() time.Time {
		return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	}}
	old := loader.New(config)
	commits := []int{1, len(script) / 2, len(script), len(script) / 3, len(script)}
	for _, n := range commits {
		if at.Opener, err = git.InMemory(script[:n]); err != nil {
			t.Fatal(err)
		}
		again, err := old.Load(t.Context())
		must(t, err)
		fresh, err := loader.New(config).Load(t.Context())
		must(t, err)
		if !reflect.DeepEqual(again.Snapshot, fresh.Snapshot) {
			t.Errorf("after %d commits a loader that has loaded before comes to another snapshot", n)
		}
	}
}
