//go:build slow

package loader_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// stopping is a repository that is opened in vain: somebody ends the load.
type stopping struct {
	git.Opener
	stop context.CancelCauseFunc
}

var errStopped = errors.New("no longer wanted")

func (s *stopping) Open() (*git.Repo, error) {
	if s.stop != nil {
		s.stop(errStopped)
	}
	return s.Opener.Open()
}

// A load ends when its context does, and leaves nothing half done for the next.
func TestLoadStops(t *testing.T) {
	script, err := git.ReadReleases(starter.Files)
	must(t, err)
	memory, err := git.InMemory(script)
	must(t, err)
	source := &stopping{Opener: memory}
	now := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }
	fresh := func() *loader.Loader {
		return loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: now})
	}
	want, err := fresh().Load(t.Context())
	must(t, err)
	l := fresh()
	ctx, cancel := context.WithCancelCause(t.Context())
	source.stop = cancel
	if r, err := l.Load(ctx); !errors.Is(err, errStopped) {
		t.Errorf("the load that was ended came to %v, %v", r.Snapshot, err)
	}
	source.stop = nil
	got, err := l.Load(t.Context())
	if err != nil || got.Snapshot.Count() != want.Snapshot.Count() || !reflect.DeepEqual(got.Report, want.Report) {
		t.Errorf("the next load came to %v, %v; a fresh one to %v", got, err, want)
	}
}
