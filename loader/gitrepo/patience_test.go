package gitrepo

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A remote may be slow, but not silent, and not for ever.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c, ctx := newConversation(t.Context())
		defer c.end()
		<-ctx.Done()
		if took := time.Since(start); took != patience || !strings.Contains(context.Cause(ctx).Error(),
			"nothing came for") {
			t.Errorf("%v after %s", context.Cause(ctx), took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c, ctx := newConversation(t.Context())
		defer c.end()
		slow := c.attend(&trickle{50 * time.Second})
		for ctx.Err() == nil {
			if _, err := slow.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took < longest || took > longest+patience ||
			!strings.Contains(context.Cause(ctx).Error(), "it took more than") {
			t.Errorf("%v after %s", context.Cause(ctx), took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c, ctx := newConversation(t.Context())
		defer c.end()
		if _, err := io.ReadAll(c.attend(strings.NewReader("all of it"))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * patience) // to make something of it takes as long as it takes
		if ctx.Err() != nil {
			t.Error(context.Cause(ctx))
		}
	})
}

// trickle gives one byte now and then.
type trickle struct{ pause time.Duration }

func (r *trickle) Read(p []byte) (int, error) {
	time.Sleep(r.pause)
	return 1, nil
}
