package clients

import (
	"net"
	"net/http"
	"net/netip"
	"testing"
)

// Only proxies that were named are believed, and only as far as they are ours.
func TestProxies(t *testing.T) {
	p := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::7/128")}
	const nobody = "invalid IP"
	for _, test := range []struct {
		name, remote   string
		forwarded      []string
		sender, client string
	}{
		{"a peer", "192.0.2.1:1", nil, "192.0.2.1", "192.0.2.1"},
		{"a peer that pretends", "192.0.2.1:1", []string{"198.51.100.1"}, "192.0.2.1", "192.0.2.1"},
		{"a proxy that names nobody", "10.0.0.1:1", nil, "10.0.0.1", nobody},
		{"a proxy", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1", "198.51.100.1"},
		{"proxies, and a client that pretends", "10.0.0.1:1", []string{"1.1.1.1, 198.51.100.1, 10.2.0.1"},
			"198.51.100.1", "198.51.100.1"},
		{"two lines", "10.0.0.1:1", []string{"1.1.1.1", "198.51.100.1"}, "198.51.100.1", "198.51.100.1"},
		{"a proxy that writes nonsense", "10.0.0.1:1", []string{"198.51.100.1, nonsense"}, "10.0.0.1", nobody},
		{"proxies alone", "10.0.0.1:1", []string{"10.9.9.9"}, "10.9.9.9", nobody},
		{"a /64", "[fd00::7]:1", []string{"2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::", "2001:db8:1:2::"},
		{"one address that is a proxy", "[fd00::7]:1", nil, "fd00::", nobody},
		{"its neighbour, which is none", "[fd00::8]:1", []string{"198.51.100.1"}, "fd00::", "fd00::"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:1", []string{"::ffff:198.51.100.1"}, "198.51.100.1", "198.51.100.1"},
		{"a zone", "[2001:db8::1%eth0]:1", nil, "2001:db8::", "2001:db8::"},
		{"a Unix socket", "@", []string{"198.51.100.1"}, nobody, nobody},
		{"nothing", "", nil, nobody, nobody},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: test.remote, Header: http.Header{"X-Forwarded-For": test.forwarded}}
			if got := p.Sender(r).String(); got != test.sender {
				t.Errorf("the sender is %s, want %s", got, test.sender)
			}
			if got := p.Client(r).String(); got != test.client {
				t.Errorf("the client is %s, want %s", got, test.client)
			}
		})
	}
}

type peer struct {
	net.Conn
	addr net.Addr
}

func (p peer) RemoteAddr() net.Addr { return p.addr }

// A connection is of the client at its other end, if there is one.
func TestPeer(t *testing.T) {
	p := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	for _, test := range []struct {
		name string
		addr net.Addr
		want string
	}{
		{"a client", &net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 1}, "192.0.2.1"},
		{"a /64", &net.TCPAddr{IP: net.ParseIP("2001:db8:1:2:3::1"), Port: 1}, "2001:db8:1:2::"},
		{"a proxy", &net.TCPAddr{IP: net.ParseIP("10.1.1.1"), Port: 1}, "invalid IP"},
		{"a Unix socket", &net.UnixAddr{Name: "@", Net: "unix"}, "invalid IP"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := p.Peer(peer{addr: test.addr}).String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
