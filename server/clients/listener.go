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

// A Listener never has more than so many connections open, which clients share. Who
// comes when nobody has to make room waits, and is let in before who comes later.
type Listener struct {
	net.Listener
	proxies Proxies
	table   *Table
	waiting int // how many may wait
	shed    atomic.Int64

	accepted chan accepted // by the listener beneath
	ready    chan accepted // to be served
	freed    chan struct{} // a connection was closed
	done     chan struct{} // closed with the listener
	close    func() error
	running  sync.WaitGroup
}

type accepted struct {
	conn *Conn
	err  error
}

// Limit returns l with at most so many connections at a time, and so many more that wait;
// what comes beyond them is closed. Connections are taken from now on, until it is closed.
func Limit(l net.Listener, connections, waiting int, proxies Proxies) *Listener {
	to := &Listener{
		Listener: l, proxies: proxies, table: NewTable(connections), waiting: waiting,
		accepted: make(chan accepted), ready: make(chan accepted), freed: make(chan struct{}, 1), done: make(chan struct{}),
	}
	to.close = sync.OnceValue(func() error {
		close(to.done)
		err := l.Close()
		to.running.Wait()
		return err
	})
	to.running.Go(to.accept)
	to.running.Go(to.admit)
	return to
}

// Open returns how many connections are open.
func (l *Listener) Open() int { return l.table.Held() }

// Shed returns how many connections were closed to make room for others.
func (l *Listener) Shed() int64 { return l.shed.Load() }

// Close implements [net.Listener].
func (l *Listener) Close() error { return l.close() }

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
	for {
		next := accepted{}
		conn, err := l.Listener.Accept()
		if next.err = err; err == nil {
			next.conn = newConn(l, conn)
		}
		if !l.pass(l.accepted, next) || errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

// pass passes on what was accepted; false means that the listener was closed.
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
	// again is how often those who wait are looked at while nothing is closed: what is
	// open becomes slow with time.
	again = 100 * time.Millisecond
	// maxRefused is after how many clients for whom nobody makes room the others are
	// left waiting: looking for who does takes time.
	maxRefused = 8
)

// admit lets connections in, as places are free or become so.
func (l *Listener) admit() {
	var waiting []*Conn
	for {
		var later <-chan time.Time
		if len(waiting) > 0 {
			later = time.After(again)
		}
		select {
		case next := <-l.accepted:
			if next.err != nil {
				l.pass(l.ready, next)
				continue
			}
			waiting = l.arrive(waiting, next.conn)
		case <-l.freed:
			waiting = l.enter(waiting)
		case <-later:
			waiting = l.enter(waiting)
		case <-l.done:
			for _, c := range waiting {
				_ = c.Close()
			}
			return
		}
	}
}

// arrive lets a connection in or has it wait, behind those of its client that do.
func (l *Listener) arrive(waiting []*Conn, c *Conn) []*Conn {
	first := !slices.ContainsFunc(waiting, func(other *Conn) bool { return other.client == c.client })
	switch {
	case first && l.let(c):
	case len(waiting) < l.waiting:
		return append(waiting, c)
	default:
		l.shed.Add(1)
		_ = c.Close()
	}
	return waiting
}

// enter lets in who can be let in of those who wait, and returns the others.
func (l *Listener) enter(waiting []*Conn) (still []*Conn) {
	refused := map[netip.Addr]bool{}
	for _, c := range waiting {
		if len(refused) >= maxRefused || refused[c.client] || !l.let(c) {
			refused[c.client] = true
			still = append(still, c)
		}
	}
	return still
}

// let lets a connection in if there is a place for it, or somebody makes room.
func (l *Listener) let(c *Conn) bool {
	place := l.table.Enter(c.client, c)
	if place == nil {
		return false
	}
	c.enter(place)
	l.pass(l.ready, accepted{conn: c})
	return true
}

// left tells that a place may be free.
func (l *Listener) left() {
	select {
	case l.freed <- struct{}{}:
	default: // that is known already
	}
}

// ConnState is the hook of [http.Server] that tells what connections do.
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

// ConnContext is the hook of [http.Server] by which [Bodies] find the connection that a
// request came by.
func (l *Listener) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, connBeneath(conn))
}

// connBeneath returns the connection that this is, or is TLS over.
func connBeneath(conn net.Conn) *Conn {
	if over, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = over.NetConn()
	}
	c, _ := conn.(*Conn)
	return c
}

// What a connection does.
const (
	receiving = iota // headers, or a body
	answering
	idle // between two requests

	states = 4 // room for them beside a time
)

// A Conn is a connection that has a place.
type Conn struct {
	net.Conn
	listener *Listener
	client   netip.Addr
	place    atomic.Pointer[Place] // nil while it waits
	closed   atomic.Bool
	does     atomic.Int64 // since when in nanoseconds, a multiple of states, and what
}

func newConn(l *Listener, conn net.Conn) *Conn {
	c := &Conn{Conn: conn, listener: l, client: l.proxies.Peer(conn)}
	c.receiving()
	return c
}

// enter notes the place of a connection, which takes its time from now on.
func (c *Conn) enter(p *Place) {
	c.receiving()
	c.place.Store(p)
	if c.closed.Load() {
		p.Leave()
	}
}

// Close implements [net.Conn].
func (c *Conn) Close() error {
	err := c.Conn.Close()
	c.closed.Store(true)
	if p := c.place.Load(); p != nil {
		p.Leave()
		c.listener.left()
	}
	return err
}

func (c *Conn) receiving() { c.set(receiving) }
func (c *Conn) answering() { c.set(answering) }

func (c *Conn) set(does int64) {
	if c != nil {
		c.does.Store(time.Now().UnixNano()/states*states + does)
	}
}

// Doing implements [Holder].
func (c *Conn) Doing() (Doing, time.Time) {
	does := c.does.Load()
	since := time.Unix(0, does/states*states)
	switch does % states {
	case idle:
		return Unused, since
	case receiving:
		return receivingSince(since), since
	}
	return Busy, since
}

// End implements [Holder].
func (c *Conn) End() {
	c.listener.shed.Add(1)
	_ = c.Conn.Close() // whoever serves it notices, and closes it too
}
