package clients

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// ErrBusy is the error of reading a body that has no slot: its client has most of the bodies in
// transit.
var ErrBusy = errors.New("too many requests are being received")

// grace is how long a client may take to send something before it counts as slow.
const grace = time.Second

// Bodies limits the number of request bodies in transit. A slot is taken from the headers to
// the last byte, never while a request is processed.
type Bodies struct {
	table   *Table
	timeout time.Duration
	proxies Proxies
}

// NewBodies returns a limit of n bodies. The time for a body is the timeout, which is that of
// the server, while at most half of the slots are taken, and decreases with the free slots,
// down to a tenth.
func NewBodies(limit int, timeout time.Duration, proxies Proxies) *Bodies {
	return &Bodies{NewTable(limit), timeout, proxies}
}

// Handler returns next with limited request bodies. Reading a body fails if it has no slot, or
// has lost it.
func (b *Bodies) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		in := b.receive(w, r)
		defer in.leave()
		with := *r
		with.Body = in
		next.ServeHTTP(w, &with)
	})
}

// receive begins to receive the body of a request.
func (b *Bodies) receive(w http.ResponseWriter, r *http.Request) *body {
	in := &body{
		ReadCloser: r.Body, conn: connOf(r.Context()), control: http.NewResponseController(w), since: time.Now(),
		timeout: b.timeout,
	}
	in.conn.receiving()
	in.place = b.table.Enter(b.proxies.Client(r), in)
	if in.place == nil {
		in.within(0)
	} else if allowed := b.table.time(b.timeout); allowed < b.timeout {
		in.within(allowed)
	}
	return in
}

// A body is one on its way.
type body struct {
	io.ReadCloser
	conn    *Conn // nil: of no [Listener]
	control *http.ResponseController
	place   *Place // nil: it has none
	since   time.Time
	timeout time.Duration

	mu    sync.Mutex
	until time.Time // its deadline, zero if that is the server's
	done  bool
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.place == nil {
		return 0, ErrBusy
	}
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.arrived()
	}
	return n, err
}

// arrived gives the place back: the request is answered from now on.
func (b *body) arrived() {
	b.place.Leave()
	b.conn.answering()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done && !b.until.IsZero() { // what is read next is whether the client is still there
		b.read(b.since.Add(b.timeout))
	}
	b.done = true
}

// leave gives the place of a body back that nobody read to its end. The server reads
// what is left of it, to keep the connection, but not for long.
func (b *body) leave() {
	if b.place != nil {
		b.place.Leave()
	}
	b.within(grace)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = true
}

// within sets how long the body may still take, at most.
func (b *body) within(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	until := time.Now().Add(d)
	if b.done || !b.until.IsZero() && b.until.Before(until) {
		return // once it is done the connection may be at its next request
	}
	b.read(until)
}

// read sets until when the connection may be read.
func (b *body) read(until time.Time) {
	b.until = until
	_ = b.control.SetReadDeadline(until) // what cannot have one is a test's
}

// Doing implements [Holder].
func (b *body) Doing() (Doing, time.Time) { return receivingSince(b.since), b.since }

// End implements [Holder].
func (b *body) End() { b.within(0) }

// receivingSince returns what a client does that has been sending something since then.
func receivingSince(t time.Time) Doing {
	if time.Since(t) < grace {
		return Busy
	}
	return Slow
}

type connKey struct{}

// connOf returns the connection of a request, nil if it is of no [Listener].
func connOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}
