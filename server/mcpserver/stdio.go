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
	err := s.mcp.Run(mayStream(ctx), patient{&mcp.IOTransport{Reader: p, Writer: p}, p.asked})
	if ctx.Err() != nil {
		return nil // told to stop
	}
	return err
}

// A pair is both streams of a client. A line that is no message is refused as over
// HTTP: to the SDK it would be the end.
type pair struct {
	in    *bufio.Reader
	rest  []byte // of a line
	asked *asked

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

// take takes a line for the SDK to read, or refuses it.
func (p *pair) take(line []byte, whole bool) error {
	m, fault := message{}, failure(jsonrpc.CodeInvalidRequest, "the request is too large: at most "+strconv.Itoa(maxBody)+" bytes")
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

// check says what is wrong with a line: what the SDK cannot read, and an id that is that
// of a request not answered yet, would be the end to it. To a notification in a batch the
// SDK waits for an answer (v1.8.0, ioConn.Read), so that none of the batch is answered.
func (p *pair) check(line []byte) (message, *jsonrpc.Error) {
	m, fault := readMessage(line, "")
	if fault != nil {
		return m, fault
	}
	var asked []*jsonrpc.Request
	for _, raw := range batch(line) {
		one, err := jsonrpc.DecodeMessage(raw)
		if err != nil {
			return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: it nests too deeply, or a member is of a wrong type")
		}
		r, ok := one.(*jsonrpc.Request)
		if ok && !r.IsCall() && !bytes.Equal(raw, line) {
			return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: a batch on this transport holds no notifications, send them by themselves")
		}
		if ok && r.IsCall() {
			asked = append(asked, r)
		}
	}
	if !p.asked.add(asked) {
		return m, failure(jsonrpc.CodeInvalidRequest, "invalid request: its id is that of one not answered yet")
	}
	return m, nil
}

// batch returns the messages of a batch, or the one that a line is.
func batch(line []byte) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return []json.RawMessage{line}
	}
	return all
}

// line returns the next line, which may be the last and without an end, or the beginning
// of one that is too long.
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
type patient struct {
	mcp.Transport
	asked *asked
}

// Connect implements [mcp.Transport].
func (t patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conversation{c, t.asked}, nil
}

// A conversation counts what the SDK gives as answers, and so waits for no answer that
// never comes.
type conversation struct {
	mcp.Connection
	asked *asked
}

// Read implements [mcp.Connection].
func (c *conversation) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		c.asked.wait()
	}
	return m, err
}

// Write implements [mcp.Connection]. What it cannot write ends the conversation.
func (c *conversation) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	write := func() error { return c.Connection.Write(ctx, m) }
	var err error
	if ok {
		r.Error = told(r.Error)
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

// asked are the requests of a client that have not been answered.
type asked struct {
	mu       sync.Mutex
	ids      map[jsonrpc.ID]bool // true: its answer is waited for
	answered chan struct{}       // something was
	over     chan struct{}       // closed when nothing will be answered any more
	once     sync.Once
}

func newAsked() *asked {
	return &asked{ids: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1), over: make(chan struct{})}
}

func (a *asked) end() { a.once.Do(func() { close(a.over) }) }

// add notes requests; false means that one with an id of theirs is not answered yet, and
// none is noted. Who listens is answered when it ends, which is not waited for.
func (a *asked) add(all []*jsonrpc.Request) bool {
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

// answer writes an answer and notes it before anything else is asked: the client may
// use the id again as soon as it can read that.
func (a *asked) answer(id jsonrpc.ID, write func() error) error {
	a.mu.Lock()
	err := write()
	delete(a.ids, id)
	a.mu.Unlock()
	select {
	case a.answered <- struct{}{}:
	default: // there is a signal already
	}
	return err
}

// wait waits until everything is answered.
func (a *asked) wait() {
	for a.open() {
		select {
		case <-a.answered:
		case <-a.over:
			return
		}
	}
}

// open reports whether there is an answer to wait for.
func (a *asked) open() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, waited := range a.ids {
		if waited {
			return true
		}
	}
	return false
}
