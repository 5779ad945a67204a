package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content/crash"
)

const (
	// maxStreams is the maximum number of open streams of all clients.
	maxStreams = 1000
	// maxBacklog is the maximum size of unread data of a client, in bytes. A notification
	// has about 200.
	maxBacklog = 64 << 10
	// patience is the time limit of a write to a client.
	patience = 5 * time.Second
	// heartbeat is the interval of comments on idle streams, so that proxies keep them open.
	heartbeat = 25 * time.Second
)

// streams are the answers that stay open for notifications, up to a number.
type streams struct {
	log    *slog.Logger
	limit  int64
	open   atomic.Int64
	closed chan struct{} // closed to end all streams
	once   sync.Once
}

func newStreams(limit int64, log *slog.Logger) *streams {
	return &streams{log: log, limit: limit, closed: make(chan struct{})}
}

// enter counts another stream, and reports whether there may be one more.
func (s *streams) enter() bool {
	if s.open.Add(1) <= s.limit {
		return true
	}
	s.leave()
	return false
}

func (s *streams) leave() { s.open.Add(-1) }

func (s *streams) close() { s.once.Do(func() { close(s.closed) }) }

// serve runs a handler in another goroutine and sends its buffered output in this one, so
// that a client that does not read does not block the writer. The stream ends if the buffer
// is full, or if the handler panics or aborts; other streams continue.
func (s *streams) serve(w http.ResponseWriter, r *http.Request, h http.Handler) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	b := &backlog{header: w.Header(), wake: make(chan struct{}, 1), cancel: cancel}
	done, crashed := make(chan struct{}), false
	go func() {
		defer close(done)
		defer func() { crashed = report(s.log, "stream", recover()) }()
		h.ServeHTTP(b, r.WithContext(ctx))
	}()
	s.send(w, b, ctx, done)
	cancel()
	<-done
	b.drain(w)
	if crashed {
		panic(http.ErrAbortHandler) // aborts the response
	}
}

// report logs a recovered panic, and reports whether there was one. http.ErrAbortHandler is
// not one.
func report(log *slog.Logger, what string, v any) bool {
	if v != nil && v != http.ErrAbortHandler {
		crash.Tell(log, crash.Of(v), "mcp", what)
	}
	return v != nil
}

// send sends the output until the handler is done or the client has disconnected.
func (s *streams) send(w http.ResponseWriter, b *backlog, ctx context.Context, done <-chan struct{}) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-b.wake:
		case <-beat.C:
			b.beat()
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-s.closed:
			return
		}
		if b.drain(w) != nil {
			return
		}
	}
}

// A backlog is a response writer that buffers the output until it is drained.
type backlog struct {
	header http.Header
	wake   chan struct{}
	cancel context.CancelFunc

	mu         sync.Mutex
	status     int
	statusSent bool // the status was sent
	bytes      []byte
	broken     bool
}

var errSlow = errors.New("the client does not read its stream")

func (b *backlog) Header() http.Header { return b.header }

func (b *backlog) WriteHeader(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status == 0 {
		b.status = status
	}
}

func (b *backlog) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken || len(b.bytes)+len(p) > maxBacklog {
		b.broken = true
		b.cancel()
		return 0, errSlow
	}
	if b.status == 0 {
		b.status = http.StatusOK
	}
	b.bytes = append(b.bytes, p...)
	b.signal()
	return len(p), nil
}

// Flush implements [http.Flusher]: it wakes the sender.
func (b *backlog) Flush() { b.signal() }

func (b *backlog) signal() {
	select {
	case b.wake <- struct{}{}:
	default: // already signalled
	}
}

// beat writes a comment to an event stream, which clients ignore.
func (b *backlog) beat() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.statusSent && b.header.Get("Content-Type") == streamType {
		b.bytes = append(b.bytes, ": \n\n"...)
	}
}

// take removes and returns the buffered output.
func (b *backlog) take() (status int, p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, b.bytes = b.bytes, nil
	if !b.statusSent {
		status, b.statusSent = b.status, b.status != 0
	}
	return status, p
}

// drain sends the buffered output.
func (b *backlog) drain(w http.ResponseWriter) error {
	status, p := b.take()
	if status == 0 && len(p) == 0 {
		return nil
	}
	c := http.NewResponseController(w)
	_ = c.SetWriteDeadline(time.Now().Add(patience)) // not supported by response writers of tests
	if status != 0 {
		w.WriteHeader(status)
	}
	if _, err := w.Write(p); err != nil {
		return err
	}
	return c.Flush()
}
