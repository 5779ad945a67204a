package main

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// limited is a listener that never has more than so many connections open. At
// the limit it closes idle ones, so that clients who keep connections for later
// do not lock out those who want something now; who comes while all are busy
// waits.
type limited struct {
	net.Listener
	slots chan struct{}
	shed  func() // closes idle connections
	sheds atomic.Int64
	done  chan struct{} // closed with the listener
	close func() error
}

// limit returns l with at most so many connections.
func limit(l net.Listener, connections int) *limited {
	done := make(chan struct{})
	return &limited{
		Listener: l, slots: make(chan struct{}, connections), shed: func() {}, done: done,
		close: sync.OnceValue(func() error { close(done); return l.Close() }),
	}
}

// open returns how many connections are open.
func (l *limited) open() int64 { return int64(len(l.slots)) }

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !l.take() {
		_ = conn.Close()
		return nil, net.ErrClosed
	}
	return &limitedConn{Conn: conn, release: sync.OnceFunc(func() { <-l.slots })}, nil
}

// shedEvery is how often idle connections are closed while somebody waits.
const shedEvery = 200 * time.Millisecond

// take waits for a free slot; false means that the listener was closed.
func (l *limited) take() bool {
	select {
	case l.slots <- struct{}{}:
		return true
	default:
	}
	for {
		l.sheds.Add(1)
		l.shed()
		select {
		case l.slots <- struct{}{}:
			return true
		case <-l.done:
			return false
		case <-time.After(shedEvery):
		}
	}
}

// Close implements net.Listener.
func (l *limited) Close() error { return l.close() }

// limitedConn gives its slot back when it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}

// defaultFiles is what is assumed where the system does not say how many files
// may be open.
const defaultFiles = 1024

// maxConnections leaves a quarter of the files that the process may open for
// everything but connections: without any, the repository could not be read.
func maxConnections() int { return int(min(openFiles(), 1<<20)) / 4 * 3 }

// ownURL returns the address of a listener as programs on this machine can use it.
func ownURL(addr string, secure bool) string {
	if port, ok := everywhere(addr); ok {
		addr = net.JoinHostPort("localhost", port)
	}
	if secure {
		return "https://" + addr
	}
	return "http://" + addr
}

// everywhere says whether an address stands for every one that the machine has:
// nobody can connect to that.
func everywhere(addr string) (port string, ok bool) {
	host, port, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return port, err == nil && (host == "" || ip != nil && ip.IsUnspecified())
}
