package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

const (
	// maxStreams is how many streams may be open.
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
// when it happens.
type streams struct {
	mu     sync.Mutex
	open   int
	limit  int
	closed chan struct{} // all end when this is closed
	once   sync.Once
}

func newStreams(limit int) *streams { return &streams{limit: limit, closed: make(chan struct{})} }

func (s *streams) close() { s.once.Do(func() { close(s.closed) }) }

// enter takes a place for a stream; false means that there is none.
func (s *streams) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.limit {
		return false
	}
	s.open++
	return true
}

// count returns how many streams are open.
func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

func (s *streams) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
}

// serve has a handler answer on a stream of its own: what it writes is kept and
// sent by this goroutine, so that a client that does not read delays nobody who
// writes. A client for whom too much has to be kept loses its stream.
func (s *streams) serve(w http.ResponseWriter, r *http.Request, h http.Handler) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	b := &backlog{header: w.Header(), wake: make(chan struct{}, 1), cancel: cancel}
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.ServeHTTP(b, r.WithContext(ctx))
	}()
	s.send(w, b, ctx, done)
	cancel()
	<-done
	b.drain(w)
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
