package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one client over a pair of streams until the context ends or the
// client closes its own. What it asked before is answered still, so that requests
// can be piped in.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	p := &pair{ctx: ctx, in: bufio.NewReader(in), out: out, answered: make(chan struct{}, 1)}
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: p, Writer: p})
	if ctx.Err() != nil {
		return nil // told to stop
	}
	return err
}

// A pair is both streams of a client. It keeps the end of what comes in back
// until all that was asked has been answered: the SDK answers nothing after it.
type pair struct {
	ctx  context.Context
	in   *bufio.Reader
	rest []byte // of a line
	out  io.Writer

	mu       sync.Mutex
	open     int           // requests without an answer
	answered chan struct{} // something was
}

// Read implements [io.Reader], a line at a time.
func (p *pair) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		line, err := p.in.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			p.rest = append(p.rest, line...)
			if len(p.rest) > maxBody {
				return 0, bufio.ErrTooLong
			}
			line, err = p.in.ReadSlice('\n')
		}
		p.rest = append(p.rest, line...)
		p.count(p.rest, 1)
		if len(p.rest) == 0 {
			p.wait()
			return 0, err
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Write implements [io.Writer]; each message is one.
func (p *pair) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.count(b, -1)
	return n, err
}

// Close implements [io.Closer]. The streams are not ours to close.
func (p *pair) Close() error { return nil }

// count notes a request that came in, or an answer that went out.
func (p *pair) count(text []byte, change int) {
	var m message
	if json.Unmarshal(text, &m) != nil || m.ID == nil || m.Method == listenMethod || (m.Method == "") != (change < 0) {
		return // a notification, or what stays open
	}
	p.mu.Lock()
	p.open += change
	p.mu.Unlock()
	select {
	case p.answered <- struct{}{}:
	default: // there is a signal already
	}
}

// wait waits until everything is answered.
func (p *pair) wait() {
	for {
		p.mu.Lock()
		open := p.open
		p.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-p.answered:
		case <-p.ctx.Done():
			return
		}
	}
}
