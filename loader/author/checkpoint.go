package author

import (
	"context"
	"fmt"

	"rulestore/content"
)

// Checkpoint returns the signed head of the log in the work tree, "" if there is none.
func (r *Repository) Checkpoint() (string, error) { return r.read(content.CheckpointFile) }

// The reasons for committing a head of the log, in the message.
const (
	Signing    = "Sign"
	Witnessing = "Witness"
)

// CommitCheckpoint commits only the signed head of the log. The message has the reason, and the
// number of leaves.
func (r *Repository) CommitCheckpoint(ctx context.Context, signed []byte, why string, leaves int64) error {
	if err := r.write(content.CheckpointFile, string(signed)); err != nil {
		return err
	}
	return r.commit(ctx, []string{content.CheckpointFile}, fmt.Sprintf("%s the log of %d leaves\n", why, leaves))
}
