package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one client over a pair of streams until the context ends or the
// client closes its own. What it asked before is answered still, so that requests
// can be piped in.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	p := &pair{in: bufio.NewReader(in), out: out}
	err := s.mcp.Run(mayStream(ctx), patient{&mcp.IOTransport{Reader: p, Writer: p}})
	if ctx.Err() != nil {
		return nil // told to stop
	}
	return err
}

// A pair is both streams of a client. A line that is no message is refused as over
// HTTP: to the SDK it would be the end.
type pair struct {
	in   *bufio.Reader
	rest []byte // of a line

	mu  sync.Mutex // for out
	out io.Writer
}

// Read implements [io.Reader], a line at a time.
func (p *pair) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		line, err := p.line()
		if len(line) == 0 || err == bufio.ErrTooLong {
			return 0, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		m, fault := readMessage(line, "")
		if fault == nil {
			p.rest = line
		} else if _, err := p.Write(append(refusal(m.ID, fault), '\n')); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// line returns the next line, which may be the last and without an end.
func (p *pair) line() (line []byte, err error) {
	for {
		part, err := p.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxBody:
			return nil, bufio.ErrTooLong
		case err != bufio.ErrBufferFull:
			return line, err
		}
	}
}

// Write implements [io.Writer]; each message is one.
func (p *pair) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// Close implements [io.Closer]. The streams are not ours to close.
func (p *pair) Close() error { return nil }

// patient is a transport that keeps the end of what comes in back until all that
// was asked has been answered: the SDK answers nothing after it.
type patient struct{ mcp.Transport }

// Connect implements [mcp.Transport].
func (t patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conversation{Connection: c, asked: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1), over: make(chan struct{})}, nil
}

// A conversation counts what the SDK takes for requests and gives as answers, and
// so waits for no answer that never comes.
type conversation struct {
	mcp.Connection

	mu       sync.Mutex
	asked    map[jsonrpc.ID]bool // and not answered
	answered chan struct{}       // something was
	over     chan struct{}       // closed when nothing will be answered any more
	once     sync.Once
}

// Read implements [mcp.Connection].
func (c *conversation) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			c.wait()
			return nil, err
		}
		r, ok := m.(*jsonrpc.Request)
		if !ok || !r.IsCall() || r.Method == listenMethod || c.ask(r.ID) {
			return m, nil
		}
		fault := failure(jsonrpc.CodeInvalidRequest, "invalid request: its id is that of one not answered yet")
		if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: r.ID, Error: fault}); err != nil {
			return nil, err
		}
	}
}

// Write implements [mcp.Connection].
func (c *conversation) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok {
		c.answer(r.ID)
	}
	err := c.Connection.Write(ctx, m)
	if err != nil {
		c.end()
	}
	return err
}

// Close implements [mcp.Connection].
func (c *conversation) Close() error {
	c.end()
	return c.Connection.Close()
}

func (c *conversation) end() { c.once.Do(func() { close(c.over) }) }

// ask notes a request; false means that one with its id is not answered yet.
func (c *conversation) ask(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked[id] {
		return false
	}
	c.asked[id] = true
	return true
}

// answer notes an answer, just before the client can read it and use its id again.
func (c *conversation) answer(id jsonrpc.ID) {
	c.mu.Lock()
	delete(c.asked, id)
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default: // there is a signal already
	}
}

// wait waits until everything is answered.
func (c *conversation) wait() {
	for {
		c.mu.Lock()
		open := len(c.asked)
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-c.over:
			return
		}
	}
}
