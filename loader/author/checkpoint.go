package author

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// The reasons for committing a head of the log, in the message.
const (
	Signing    = "Sign"
	Witnessing = "Witness"
)

// CommitLog writes and commits only files of the log: its signed head, and leaves. The message has the
// reason, and the number of leaves.
func (r *Repository) CommitLog(ctx context.Context, files map[string]string, why string, leaves int64) error {
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths {
		if err := r.write(path, files[path]); err != nil {
			return err
		}
	}
	return r.commit(ctx, paths, fmt.Sprintf("%s the log of %d leaves\n", why, leaves))
}
