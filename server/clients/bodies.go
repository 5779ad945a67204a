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

// grace is the time after which a client that is sending something counts as slow.
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
	in.slot = b.table.Enter(b.proxies.Client(r), in)
	if in.slot == nil {
		in.within(0)
	} else if allowed := b.table.time(b.timeout); allowed < b.timeout {
		in.within(allowed)
	}
	return in
}

// A body is a request body in transit.
type body struct {
	io.ReadCloser
	conn    *Conn // nil without a [Listener]
	control *http.ResponseController
	slot    *Place // nil if it has none
	since   time.Time
	timeout time.Duration

	mu    sync.Mutex
	until time.Time // the read deadline, zero for that of the server
	done  bool
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.slot == nil {
		return 0, ErrBusy
	}
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.arrived()
	}
	return n, err
}

// arrived releases the slot: from now on the request is processed.
func (b *body) arrived() {
	b.slot.Leave()
	b.conn.answering()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.done && !b.until.IsZero() { // further reads only detect whether the client is still connected
		b.setDeadline(b.since.Add(b.timeout))
	}
	b.done = true
}

// leave releases the slot of a body that was not read to its end. The server reads the rest, to
// keep the connection, but only for a short time.
func (b *body) leave() {
	if b.slot != nil {
		b.slot.Leave()
	}
	b.within(grace)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = true
}

// within limits the remaining time for the body.
func (b *body) within(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	until := time.Now().Add(d)
	if b.done || !b.until.IsZero() && b.until.Before(until) {
		return // the connection may be used by the next request
	}
	b.setDeadline(until)
}

// setDeadline sets the read deadline of the connection.
func (b *body) setDeadline(until time.Time) {
	b.until = until
	_ = b.control.SetReadDeadline(until) // fails only for connections of tests
}

// Doing implements [Holder].
func (b *body) Doing() (Doing, time.Time) { return receivingSince(b.since), b.since }

// End implements [Holder].
func (b *body) End() { b.within(0) }

// receivingSince returns the state of a client that has been sending since a time.
func receivingSince(t time.Time) Doing {
	if time.Since(t) < grace {
		return Busy
	}
	return Slow
}

type connKey struct{}

// connOf returns the connection of a request, nil without a [Listener].
func connOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}
