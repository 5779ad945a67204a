package life

import (
	"errors"
	"net"
	"runtime"
	"testing"
	"time"
)

// A listener that ignores who comes still has those that came.
func TestIgnoreNew(t *testing.T) {
	for network, addr := range map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0"} {
		t.Run(network, func(t *testing.T) {
			l, err := listen(addr)
			if err != nil {
				t.Skip(err)
			}
			defer l.Close()
			first, err := net.Dial(network, l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer first.Close()
			if err := ignoreNew(l); errors.Is(err, errors.ErrUnsupported) && runtime.GOOS != "linux" {
				t.Skip("only Linux can")
			} else if err != nil {
				t.Fatal(err)
			}
			if c, err := net.DialTimeout(network, l.Addr().String(), 200*time.Millisecond); err == nil {
				c.Close()
				t.Error("a connection was made")
			}
			if _, err := first.Write([]byte("x")); err != nil {
				t.Error(err)
			}
			if nobodyWaits(l) {
				t.Error("nobody waits to be accepted")
			}
			c, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			if !nobodyWaits(l) {
				t.Error("somebody waits who was accepted")
			}
			defer c.Close()
			if n, err := c.Read(make([]byte, 1)); n != 1 {
				t.Errorf("what was sent is lost: %v", err)
			}
		})
	}
}
