package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"rulestore/content/crash"
	"rulestore/server/clients"
)

const (
	// maxStreams is how many streams may be open, which clients share.
	maxStreams = 1000
	// maxBacklog is how many bytes may wait for a client to read them. A
	// notification has about 200.
	maxBacklog = 64 << 10
	// patience is how long one write to a client may take.
	patience = 5 * time.Second
	// heartbeat is how often something is written to a stream on which nothing
	// happens, so that nobody on the way takes it for dead.
	heartbeat = 25 * time.Second
)

// streams are the answers that stay open: what the server has to tell comes there
// when it happens. Clients share their number.
type streams struct {
	log    *slog.Logger
	table  *clients.Table
	closed chan struct{} // all end when this is closed
	once   sync.Once
}

func newStreams(limit int, log *slog.Logger) *streams {
	return &streams{log: log, table: clients.NewTable(limit), closed: make(chan struct{})}
}

func (s *streams) close() { s.once.Do(func() { close(s.closed) }) }

// A stream is one that somebody reads, and may be ended for another client's.
type stream struct {
	since  time.Time
	cancel context.CancelFunc
}

// Doing implements [clients.Holder].
func (s *stream) Doing() (clients.Doing, time.Time) { return clients.Busy, s.since }

// End implements [clients.Holder].
func (s *stream) End() { s.cancel() }

// serve has a handler answer on a stream of its own: what it writes is kept and
// sent by this goroutine, so that a client that does not read delays nobody who
// writes. A client for whom too much has to be kept loses its stream, and so does one
// whose handler crashes or aborts: its answer is cut off, those of others go on.
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
		panic(http.ErrAbortHandler) // which the server takes for what it is
	}
}

// report tells operators what a goroutine of ours crashed with, and reports whether it
// did. To abort an answer is no crash of ours.
func report(log *slog.Logger, what string, v any) bool {
	if v != nil && v != http.ErrAbortHandler {
		crash.Tell(log, crash.Of(v), "mcp", what)
	}
	return v != nil
}

// send sends what is written until the handler is done or the client is gone.
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

// A backlog is a response writer that keeps what is written until it is drained.
type backlog struct {
	header http.Header
	wake   chan struct{}
	cancel context.CancelFunc

	mu     sync.Mutex
	status int
	told   bool // the status was sent
	bytes  []byte
	broken bool
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

// Flush implements [http.Flusher]: what is written is sent as soon as it can be.
func (b *backlog) Flush() { b.signal() }

func (b *backlog) signal() {
	select {
	case b.wake <- struct{}{}:
	default: // it is awake
	}
}

// beat writes a comment, which clients ignore, to a stream of events.
func (b *backlog) beat() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.told && b.header.Get("Content-Type") == streamType {
		b.bytes = append(b.bytes, ": \n\n"...)
	}
}

// take takes what is to be sent.
func (b *backlog) take() (status int, p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, b.bytes = b.bytes, nil
	if !b.told {
		status, b.told = b.status, b.status != 0
	}
	return status, p
}

// drain sends what was written.
func (b *backlog) drain(w http.ResponseWriter) error {
	status, p := b.take()
	if status == 0 && len(p) == 0 {
		return nil
	}
	c := http.NewResponseController(w)
	_ = c.SetWriteDeadline(time.Now().Add(patience)) // what cannot have one is a test's
	if status != 0 {
		w.WriteHeader(status)
	}
	if _, err := w.Write(p); err != nil {
		return err
	}
	return c.Flush()
}
