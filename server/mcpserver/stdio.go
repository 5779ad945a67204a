package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one client over a pair of streams until the context ends or the client closes its
// stream. Earlier requests are still answered, so that requests can be piped in.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	p := &pair{in: bufio.NewReader(in), out: out, asked: newAsked()}
	err := s.mcp.Run(mayStream(ctx), drainingTransport{&mcp.IOTransport{Reader: p, Writer: p}, p.asked})
	if ctx.Err() != nil {
		return nil // cancelled by the caller
	}
	return err
}

// A pair is both streams of a client. A line that is not a message is answered with an error
// as over HTTP; the SDK would end the session.
type pair struct {
	in    *bufio.Reader
	rest  []byte // of the current line
	asked *pendingRequests

	mu  sync.Mutex // for out
	out io.Writer
}

// Read implements [io.Reader], a line at a time.
func (p *pair) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		line, whole, err := p.line()
		line = bytes.TrimSpace(line)
		switch {
		case len(line) > 0:
			if err := p.take(line, whole); err != nil {
				return 0, err
			}
		case err != nil:
			return 0, err
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// take passes a line to the SDK, or answers it with an error.
func (p *pair) take(line []byte, whole bool) error {
	m, fault := message{}, failure(
		jsonrpc.CodeInvalidRequest, "the request is too large: at most "+strconv.Itoa(maxBody)+" bytes",
	)
	if whole {
		m, fault = p.check(line)
	}
	if fault != nil {
		_, err := p.Write(append(refusal(m.ID, fault), '\n'))
		return err
	}
	p.rest = append(line, '\n')
	return nil
}

// check validates a line. The SDK ends the session on messages that it cannot parse and on
// ids of unanswered requests. For a notification in a batch it waits for an answer (v1.8.0,
// ioConn.Read), so that none of the batch is answered.
func (p *pair) check(line []byte) (message, *jsonrpc.Error) {
	m, fault := readMessage(line, "")
	if fault != nil {
		return m, fault
	}
	var asked []*jsonrpc.Request
	for _, raw := range batch(line) {
		one, err := jsonrpc.DecodeMessage(raw)
		if err != nil {
			return m, badRequest("it nests too deeply, or a member is of a wrong type")
		}
		r, ok := one.(*jsonrpc.Request)
		if ok && !r.IsCall() && !bytes.Equal(raw, line) {
			return m, badRequest(
				"a batch on this transport holds no notifications, send them by themselves",
			)
		}
		if ok && r.IsCall() {
			asked = append(asked, r)
		}
	}
	if !p.asked.add(asked) {
		return m, badRequest("its id is that of one not answered yet")
	}
	return m, nil
}

// batch returns the messages of a batch, or the line if it is not one.
func batch(line []byte) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return []json.RawMessage{line}
	}
	return all
}

// line returns the next line, the last one also without its end, or the beginning of one that
// is too long.
func (p *pair) line() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := p.in.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= maxBody; whole {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, whole, err
		}
	}
}

// Write implements [io.Writer]; each call is one message.
func (p *pair) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// Close implements [io.Closer]. The streams belong to the caller.
func (p *pair) Close() error { return nil }

// drainingTransport is a transport that delays the end of input until all requests have been
// answered, as the SDK does not answer after it.
type drainingTransport struct {
	mcp.Transport
	asked *pendingRequests
}

// Connect implements [mcp.Transport].
func (t drainingTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conversation{c, t.asked}, nil
}

// A conversation tracks the answers of the SDK, so that it does not wait for those that never
// come.
type conversation struct {
	mcp.Connection
	asked *pendingRequests
}

// Read implements [mcp.Connection].
func (c *conversation) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		c.asked.wait()
	}
	return m, err
}

// Write implements [mcp.Connection]. A failed write ends the conversation.
func (c *conversation) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	write := func() error { return c.Connection.Write(ctx, m) }
	var err error
	if ok {
		r.Error = protocolError(r.Error)
		err = c.asked.answer(r.ID, write)
	} else {
		err = write()
	}
	if err != nil {
		c.asked.end()
	}
	return err
}

// Close implements [mcp.Connection].
func (c *conversation) Close() error {
	c.asked.end()
	return c.Connection.Close()
}

// pendingRequests are the unanswered requests of a client.
type pendingRequests struct {
	mu       sync.Mutex
	ids      map[jsonrpc.ID]bool // whether to wait for the answer
	answered chan struct{}       // receives when a request is answered
	over     chan struct{}       // closed when there will be no more answers
	once     sync.Once
}

func newAsked() *pendingRequests {
	return &pendingRequests{ids: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1), over: make(chan struct{})}
}

func (a *pendingRequests) end() { a.once.Do(func() { close(a.over) }) }

// add adds requests, and reports whether none of their ids is pending already, else none is added.
// Requests that listen are answered at their end, which is not waited for.
func (a *pendingRequests) add(all []*jsonrpc.Request) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range all {
		if _, open := a.ids[r.ID]; open {
			return false
		}
	}
	for _, r := range all {
		a.ids[r.ID] = r.Method != listenMethod
	}
	return true
}

// answer writes an answer and removes the id before other requests are added: the client may
// reuse the id as soon as it has the answer.
func (a *pendingRequests) answer(id jsonrpc.ID, write func() error) error {
	a.mu.Lock()
	err := write()
	delete(a.ids, id)
	a.mu.Unlock()
	select {
	case a.answered <- struct{}{}:
	default: // already signalled
	}
	return err
}

// wait waits until all requests are answered.
func (a *pendingRequests) wait() {
	for a.open() {
		select {
		case <-a.answered:
		case <-a.over:
			return
		}
	}
}

// open reports whether there is an answer to wait for.
func (a *pendingRequests) open() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, waited := range a.ids {
		if waited {
			return true
		}
	}
	return false
}
