package gitrepo

import (
	"context"
	"io"
	"time"

	"rulestore/content/i18n"
)

// The timeouts of remotes.
const (
	patience = time.Minute      // until it answers, and from one part of a pack to the next
	longest  = 15 * time.Minute // in all
)

// conversation is a session that ends when nothing comes any more.
type conversation struct {
	session
	silence *time.Timer
	cancel  context.CancelCauseFunc
}

// newConversation returns a conversation that is yet to be opened, and the
// context that it all happens in.
func newConversation(ctx context.Context) (*conversation, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	end := time.AfterFunc(longest, func() { cancel(i18n.Errorf("it took more than %s", longest)) })
	context.AfterFunc(ctx, func() { end.Stop() })
	silence := time.AfterFunc(patience, func() { cancel(i18n.Errorf("nothing came for %s", patience)) })
	return &conversation{cancel: cancel, silence: silence}, ctx
}

// attend counts everything that comes as a sign of life.
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

// end closes the session. That it was cut is known already.
func (c *conversation) end() {
	c.silence.Stop()
	if c.session != nil {
		_ = c.session.Close()
	}
	c.cancel(nil)
}
