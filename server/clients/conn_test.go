package clients

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"testing"
)

// What a connection does is seen through TLS, and what is none of ours is left alone.
func TestConnStates(t *testing.T) {
	l := &Listener{}
	for name, over := range map[string]func(net.Conn) net.Conn{
		"plain": func(c net.Conn) net.Conn { return c },
		"TLS":   func(c net.Conn) net.Conn { return tls.Server(c, &tls.Config{}) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newConn(l, peer{addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}})
			for i, step := range []struct {
				state http.ConnState
				want  Doing
			}{{http.StateNew, Busy}, {http.StateActive, Busy}, {http.StateIdle, Unused}, {http.StateActive, Busy}} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					l.ConnState(over(c), step.state)
					if got, _ := c.Doing(); got != step.want {
						t.Errorf("%s: %d, want %d", step.state, got, step.want)
					}
				})
			}
			if got := connOf(l.ConnContext(t.Context(), over(c))); got != c {
				t.Errorf("a request finds %v", got)
			}
		})
	}
	l.ConnState(peer{}, http.StateIdle)
	if got := connOf(l.ConnContext(t.Context(), peer{})); got != nil {
		t.Errorf("a request of another connection finds %v", got)
	}
}
