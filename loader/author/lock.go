package author

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lockName is the file in the folder of git that is locked: the lock ends with the process that holds it.
const lockName = "rulestore.lock"

// Lock waits until nobody else publishes from the repository, and keeps others from it until it is released. It is
// held from before the plan: of two at once, the second would take back what the first has committed.
func (r *Repository) Lock(ctx context.Context) (release func(), err error) {
	type locked struct {
		release func()
		err     error
	}
	done := make(chan locked, 1)
	go func() { // the wait cannot be interrupted
		unlock, err := lockedfile.MutexAt(filepath.Join(r.place.CommonDir, lockName)).Lock()
		if errors.Is(err, errors.ErrUnsupported) { // by the file system
			unlock, err = func() {}, nil
		}
		done <- locked{unlock, err}
	}()
	select {
	case l := <-done:
		return l.release, l.err
	case <-ctx.Done():
		go func() { // who has given up keeps nobody from it
			if l := <-done; l.err == nil {
				l.release()
			}
		}()
		return nil, context.Cause(ctx)
	}
}
