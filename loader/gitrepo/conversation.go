package gitrepo

import (
	"context"
	"io"
	"time"

	"rulestore/content/i18n"
)

// The timeouts of remotes.
const (
	patience = time.Minute      // without data from the remote
	longest  = 15 * time.Minute // total
)

// conversation is a session that ends when the remote sends no data for some time.
type conversation struct {
	session
	silence *time.Timer
	cancel  context.CancelCauseFunc
}

// newConversation returns a conversation without a session, and the context of its
// operations.
func newConversation(ctx context.Context) (*conversation, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	end := time.AfterFunc(longest, func() { cancel(i18n.Errorf("it took more than %s", longest)) })
	context.AfterFunc(ctx, func() { end.Stop() })
	silence := time.AfterFunc(patience, func() { cancel(i18n.Errorf("nothing came for %s", patience)) })
	return &conversation{cancel: cancel, silence: silence}, ctx
}

// attend resets the timeout whenever data is read.
func (c *conversation) attend(r io.Reader) io.Reader { return &attended{r, c.silence} }

type attended struct {
	io.Reader
	silence *time.Timer
}

func (a *attended) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err == nil {
		a.silence.Reset(patience)
	} else {
		a.silence.Stop()
	}
	return n, err
}

// end closes the session. The error is ignored, as the transfer has ended.
func (c *conversation) end() {
	c.silence.Stop()
	if c.session != nil {
		_ = c.session.Close()
	}
	c.cancel(nil)
}
