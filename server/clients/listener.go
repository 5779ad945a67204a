package clients

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Listener limits the number of open connections, which clients share. A connection that gets
// no slot waits, and is admitted in order of arrival.
type Listener struct {
	net.Listener
	proxies Proxies
	limits  Limits
	table   *Table
	shed    atomic.Int64

	accepted chan accepted // by the underlying listener, until that is closed
	ready    chan accepted // to be served
	freed    chan struct{} // a connection was closed
	settled  chan struct{} // closed when no connection waits or can be accepted
	done     chan struct{} // closed with the listener
	stopping atomic.Bool
	stop     func() error // closes the underlying listener
	close    func() error
	running  sync.WaitGroup
}

// Limits are the limits on the connections of a [Listener].
type Limits struct {
	Connections int           // open concurrently
	Client      int           // of these for one client, or one IPv6 network /48
	Waiting     int           // in addition; a quarter of these for one client
	Headers     time.Duration // for the first headers: less when over half are open, down to a second
}

type accepted struct {
	conn *Conn
	err  error
}

// Limit returns l with a maximum number of open connections and of waiting ones; further ones
// are closed. Connections are accepted from now on, until it is closed.
func Limit(l net.Listener, limits Limits, proxies Proxies) *Listener {
	to := &Listener{
		Listener: l, proxies: proxies, limits: limits, table: NewTable(limits.Connections),
		accepted: make(chan accepted), ready: make(chan accepted), freed: make(chan struct{}, 1),
		settled: make(chan struct{}), done: make(chan struct{}), stop: sync.OnceValue(l.Close),
	}
	to.table.each = max(1, limits.Client)
	to.close = sync.OnceValue(func() error {
		close(to.done)
		err := to.stop()
		to.running.Wait()
		return err
	})
	to.running.Go(to.accept)
	to.running.Go(to.admit)
	return to
}

// Open returns the number of open connections.
func (l *Listener) Open() int { return l.table.Held() }

// Shed returns the number of connections that were evicted.
func (l *Listener) Shed() int64 { return l.shed.Load() }

// Close implements [net.Listener].
func (l *Listener) Close() error { return l.close() }

// Stop closes the underlying listener, and returns when all accepted connections have been
// admitted, or when the context ends. [Listener.Accept] continues to wait until
// [Listener.Close].
func (l *Listener) Stop(ctx context.Context) {
	l.stopping.Store(true)
	_ = l.stop()
	select {
	case <-l.settled:
	case <-l.done:
	case <-ctx.Done():
	}
}

// Quiet reports whether no request is in progress: all open connections are idle, or too slow
// in sending one.
func (l *Listener) Quiet() bool {
	busy := func(h Holder) bool { does, _ := h.Doing(); return does == Busy }
	return len(l.table.find(busy)) == 0
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case next := <-l.ready:
		if next.err != nil {
			return nil, next.err
		}
		return next.conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// accept accepts connections and passes them on, until the listener is closed.
func (l *Listener) accept() {
	defer close(l.accepted)
	for {
		next := accepted{}
		conn, err := l.Listener.Accept()
		closed := errors.Is(err, net.ErrClosed)
		if closed && l.stopping.Load() {
			return // this is not reported as a failure
		}
		if next.err = err; err == nil {
			next.conn = newConn(l, conn)
		}
		if !l.pass(l.accepted, next) || closed {
			return
		}
	}
}

// pass passes on a connection or an error, and reports whether the listener was still open.
func (l *Listener) pass(to chan<- accepted, next accepted) bool {
	select {
	case to <- next:
		return true
	case <-l.done:
		if next.conn != nil {
			_ = next.conn.Close()
		}
		return false
	}
}

const (
	// checkInterval is the interval at which waiting and slow connections are checked, as open
	// ones become slow with time.
	checkInterval = 100 * time.Millisecond
	// maxRefused is the number of clients without a slot after which further waiting ones are not
	// tried, as searching takes time.
	maxRefused = 8
)

// admit admits connections as slots are or become free, until no more are accepted or wait.
func (l *Listener) admit() {
	defer close(l.settled)
	var waiting []*Conn
	for coming := l.accepted; coming != nil || len(waiting) > 0; {
		var retry <-chan time.Time
		if len(waiting) > 0 || l.pressed() {
			retry = time.After(checkInterval)
		}
		select {
		case next, ok := <-coming:
			switch {
			case !ok:
				coming = nil
			case next.err != nil:
				l.pass(l.ready, next)
			default:
				waiting = l.arrive(waiting, next.conn)
			}
		case <-l.freed:
			waiting = l.enter(waiting)
		case <-retry:
			l.hurry()
			waiting = l.enter(waiting)
		case <-l.done:
			for _, c := range waiting {
				_ = c.Close()
			}
			return
		}
	}
}

// arrive admits a connection, or lets it wait behind those of its client.
func (l *Listener) arrive(waiting []*Conn, c *Conn) []*Conn {
	own := 0 // waiting connections of the client; without a client, all without one
	for _, other := range waiting {
		if other.client == c.client {
			own++
		}
	}
	switch {
	case own == 0 && l.tryAdmit(c):
	case len(waiting) < l.limits.Waiting && (own < max(1, l.limits.Waiting/4) || !c.client.IsValid()):
		return append(waiting, c)
	default:
		l.shed.Add(1)
		_ = c.Close()
	}
	return waiting
}

// headers returns the present timeout for first headers, which is at least grace.
func (l *Listener) headers() time.Duration {
	full := l.limits.Headers
	return min(full, max(l.table.time(full), grace))
}

// pressed reports whether the timeout for headers is shorter than usual.
func (l *Listener) pressed() bool { return l.headers() < l.limits.Headers }

// hurry ends the connections that exceed the present timeout for first headers, the slowest first,
// until it is long enough for the others.
func (l *Listener) hurry() {
	all := l.table.find(func(h Holder) bool { return h.(*Conn).state.Load()%states == opening })
	slices.SortFunc(all, func(a, b Holder) int { return since(a).Compare(since(b)) })
	for _, h := range all {
		if !l.pressed() || time.Since(since(h)) < l.headers() {
			return
		}
		c := h.(*Conn)
		c.End()
		if p := c.slot.Load(); p != nil { // otherwise the slot is taken until the server notices
			p.Leave()
		}
	}
}

func since(h Holder) time.Time {
	_, t := h.Doing()
	return t
}

// enter admits the waiting connections that get a slot, and returns the others.
func (l *Listener) enter(waiting []*Conn) (still []*Conn) {
	refused := map[netip.Addr]bool{}
	for _, c := range waiting {
		if len(refused) >= maxRefused || refused[c.client] || !l.tryAdmit(c) {
			refused[c.client] = true
			still = append(still, c)
		}
	}
	return still
}

// tryAdmit reports whether a slot is free, or can be made free, and admits a connection to it.
func (l *Listener) tryAdmit(c *Conn) bool {
	place := l.table.Enter(c.client, c)
	if place == nil {
		return false
	}
	c.enter(place)
	l.pass(l.ready, accepted{conn: c})
	return true
}

// left signals that a slot may be free.
func (l *Listener) left() {
	select {
	case l.freed <- struct{}{}:
	default: // signalled already
	}
}

// ConnState is a hook of [http.Server] for the states of connections.
func (l *Listener) ConnState(conn net.Conn, state http.ConnState) {
	c := connBeneath(conn)
	switch {
	case c == nil:
	case state == http.StateActive:
		c.answering()
	case state == http.StateIdle:
		c.set(idle)
	}
}

// ConnContext is a hook of [http.Server] by which [Bodies] find the connection of a request.
func (l *Listener) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, connBeneath(conn))
}

// connBeneath returns the connection, which may be under a TLS connection; nil for other types.
func connBeneath(conn net.Conn) *Conn {
	if over, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = over.NetConn()
	}
	c, _ := conn.(*Conn)
	return c
}

// The states of a connection.
const (
	opening   = iota // until the headers of the first request arrived
	receiving        // a body
	answering
	idle // between two requests

	states // number of the states
)

// A Conn is an admitted connection.
type Conn struct {
	net.Conn
	listener *Listener
	client   netip.Addr
	slot     atomic.Pointer[Place] // nil while it waits
	closed   atomic.Bool
	state    atomic.Int64 // its start in nanoseconds, rounded to a multiple of states, plus the state
}

func newConn(l *Listener, conn net.Conn) *Conn {
	c := &Conn{Conn: conn, listener: l, client: l.proxies.Peer(conn)}
	c.set(opening)
	return c
}

// enter sets the slot of a connection, whose time begins now.
func (c *Conn) enter(p *Place) {
	c.set(opening)
	c.slot.Store(p)
	if c.closed.Load() {
		p.Leave()
	}
}

// Close implements [net.Conn].
func (c *Conn) Close() error {
	err := c.Conn.Close()
	c.closed.Store(true)
	if p := c.slot.Load(); p != nil {
		p.Leave()
		c.listener.left()
	}
	return err
}

func (c *Conn) receiving() { c.set(receiving) }
func (c *Conn) answering() { c.set(answering) }

func (c *Conn) set(does int64) {
	if c != nil {
		c.state.Store(time.Now().UnixNano()/states*states + does)
	}
}

// Doing implements [Holder].
func (c *Conn) Doing() (Doing, time.Time) {
	does := c.state.Load()
	since := time.Unix(0, does/states*states)
	switch does % states {
	case idle:
		return Unused, since
	case opening, receiving:
		return receivingSince(since), since
	}
	return Busy, since
}

// End implements [Holder].
func (c *Conn) End() {
	c.listener.shed.Add(1)
	_ = c.Conn.Close() // the server notices, and closes it too
}
