package mcpserver

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one client over a pair of streams until the context ends or the client closes its
// stream. Earlier requests are still answered, so that requests can be piped in. It returns an error if
// the client sends what is no message.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.mcp.Run(ctx, draining{mcp.IOTransport{
		Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: maxBody,
	}})
	if ctx.Err() != nil {
		return nil // cancelled by the caller
	}
	return err
}

// unclosed is a writer that belongs to the caller.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// draining is a transport that delays the end of the input until all requests have been answered, as
// the SDK does not answer after it.
type draining struct{ mcp.IOTransport }

// Connect implements [mcp.Transport].
func (t draining) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	d := &drained{Connection: c, asked: map[jsonrpc.ID]bool{}}
	d.answered.L = &d.mu
	return d, err
}

type drained struct {
	mcp.Connection
	mu       sync.Mutex
	answered sync.Cond
	asked    map[jsonrpc.ID]bool // the unanswered requests, nil at the end
}

// Read implements [mcp.Connection].
func (d *drained) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := d.Connection.Read(ctx)
	for err == nil && hasLostID(m) {
		fault := failure(jsonrpc.CodeInvalidRequest, lostID)
		if err = d.Connection.Write(ctx, &jsonrpc.Response{Error: fault}); err == nil {
			m, err = d.Connection.Read(ctx)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// who listens is answered at the end
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != listenMethod && d.asked != nil {
		d.asked[r.ID] = true
	}
	for err != nil && len(d.asked) > 0 {
		d.answered.Wait()
	}
	return m, err
}

// hasLostID reports whether the answer to a message would have another id.
func hasLostID(m jsonrpc.Message) bool {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return false
	}
	n, _ := r.ID.Raw().(int64)
	return n >= maxID || n <= -maxID
}

// Write implements [mcp.Connection].
func (d *drained) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok {
		d.mu.Lock()
		delete(d.asked, r.ID) // before the client can use it again
		d.mu.Unlock()
		if _, coded := errors.AsType[*jsonrpc.Error](r.Error); r.Error != nil && !coded {
			m = &jsonrpc.Response{ID: r.ID, Error: failure(jsonrpc.CodeInvalidRequest, r.Error.Error())}
		}
		defer d.answered.Broadcast()
	}
	return d.Connection.Write(ctx, m)
}

// Close implements [mcp.Connection].
func (d *drained) Close() error {
	d.mu.Lock()
	d.asked = nil
	d.mu.Unlock()
	d.answered.Broadcast()
	return d.Connection.Close()
}
