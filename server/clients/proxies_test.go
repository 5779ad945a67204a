package clients

import (
	"net/http"
	"net/netip"
	"testing"
)

// Only proxies that were named are believed, and only as far as they are ours.
func TestProxies(t *testing.T) {
	p := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::7/128")}
	const nobody = "invalid IP"
	for _, test := range []struct {
		name, remote string
		forwarded    []string
		sender       string
	}{
		{"a peer", "192.0.2.1:1", nil, "192.0.2.1"},
		{"a peer that pretends", "192.0.2.1:1", []string{"198.51.100.1"}, "192.0.2.1"},
		{"a proxy that names nobody", "10.0.0.1:1", nil, "10.0.0.1"},
		{"a proxy", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"proxies, and a client that pretends", "10.0.0.1:1", []string{"1.1.1.1, 198.51.100.1, 10.2.0.1"},
			"198.51.100.1"},
		{"two lines", "10.0.0.1:1", []string{"1.1.1.1", "198.51.100.1"}, "198.51.100.1"},
		{"a proxy that writes nonsense", "10.0.0.1:1", []string{"198.51.100.1, nonsense"}, "10.0.0.1"},
		{"proxies alone", "10.0.0.1:1", []string{"10.9.9.9"}, "10.9.9.9"},
		{"a /64", "[fd00::7]:1", []string{"2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::"},
		{"one address that is a proxy", "[fd00::7]:1", nil, "fd00::"},
		{"its neighbour, which is none", "[fd00::8]:1", []string{"198.51.100.1"}, "fd00::"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:1", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"a zone", "[2001:db8::1%eth0]:1", nil, "2001:db8::"},
		{"a Unix socket", "@", []string{"198.51.100.1"}, nobody},
		{"nothing", "", nil, nobody},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: test.remote, Header: http.Header{"X-Forwarded-For": test.forwarded}}
			if got := p.Sender(r).String(); got != test.sender {
				t.Errorf("the sender is %s, want %s", got, test.sender)
			}
		})
	}
}
