package clients_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"rulestore/server/clients"
)

func TestOwnHost(t *testing.T) {
	const lan, loop, lan6 = "192.168.1.5:8080", "127.0.0.1:8080", "[fe80::1%eth0]:8080"
	tests := []struct {
		local, host string
		names       []string
		want        bool
	}{
		{loop, "127.0.0.1:8080", nil, true},
		{loop, "127.0.0.1", nil, true},
		{loop, "127.0.0.1:9", nil, true},
		{loop, "127.8.8.8", nil, true},
		{loop, "[::1]:8080", nil, true},
		{loop, "[::1]", nil, true},
		{loop, "[0:0:0:0:0:0:0:1]:8080", nil, true},
		{loop, "[::ffff:127.0.0.1]:8080", nil, true},
		{loop, "localhost", nil, true},
		{loop, "LocalHost.:8080", nil, true},
		{lan, "localhost:8080", nil, true},
		{lan, "192.168.1.5", nil, true},
		{lan, "[::ffff:192.168.1.5]:8080", nil, true},
		{lan, "192.168.1.6:8080", nil, false},
		{loop, "192.168.1.5:8080", nil, false},
		{lan6, "[fe80::1]:8080", nil, true},
		{lan6, "[fe80::1%25eth0]:8080", nil, true},
		{lan6, "[fe80::2]:8080", nil, false},
		{"[2001:db8::1]:80", "[2001:DB8::1]", nil, true},
		{"[2001:db8::1]:80", "[2001:db8:0::1]:9", nil, true},
		{loop, "", nil, false},
		{loop, "", []string{""}, false},
		{loop, ":8080", []string{":8080"}, false},
		{loop, ".", []string{"."}, false},
		{loop, "0.0.0.0:8080", nil, false},
		{loop, "0.0.0.0:8080", []string{"0.0.0.0:8080"}, false},
		{loop, "[::]:8080", []string{"[::]:8080"}, false},
		{loop, "127.1", nil, false},
		{loop, "localhost..", nil, false},
		{loop, "localhost@evil.example", nil, false},
		{loop, "evil.example", []string{"rules.example.org:443", ":8080"}, false},
		{loop, "rules.example.org", []string{"rules.example.org:443"}, true},
		{loop, "Rules.Example.Org.:8443", []string{"rules.example.org:443"}, true},
		{loop, "rules.example.org", []string{"RULES.example.org."}, true},
		{loop, "xn--80aafypuh.xn--p1ai", []string{"Правила.рф:443"}, true},
		{loop, "author-laptop:8080", []string{"", "author-laptop:8080"}, true},
		{loop, "203.0.113.7", []string{"203.0.113.7:8080"}, true},
		{loop, "[2001:db8::7]:8080", []string{"[2001:db8:0:0::7]:443"}, true},
		{"", "localhost", nil, true},
		{"", "192.0.2.1", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.local+" asked as "+tt.host, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = tt.host
			if tt.local != "" {
				local := net.Addr(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(tt.local)))
				r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
			}
			if got := clients.OwnHost(r, tt.names...); got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestOwnOrigin(t *testing.T) {
	for _, tt := range []struct {
		host, base, origin string
		want               bool
	}{
		{"rules.example.org", "", "", true},
		{"rules.example.org", "", "https://rules.example.org", true},
		{"rules.example.org:443", "", "https://Rules.example.org", true},
		{"rules.example.org:8080", "", "http://rules.example.org:8080", true},
		{"127.0.0.1:8080", "https://rules.example.org", "https://rules.example.org:443", true},
		{"127.0.0.1:8080", "https://rules.example.org", "http://127.0.0.1:8080", true},
		{"127.0.0.1:8080", "https://rules.example.org", "http://rules.example.org", false},
		{"127.0.0.1:8080", "", "http://127.0.0.1:9090", false},
		{"rules.example.org", "", "https://evil.example", false},
		{"rules.example.org", "", "https://rules.example.org.evil.example", false},
		{"rules.example.org", "", "https://evil.example/rules.example.org", false},
		{"rules.example.org", "", "https://rules.example.org@evil.example", false},
		{"rules.example.org", "", "null", false},
		{"", "", "null", false},
		{"", "", "file://", false},
		{"rules.example.org", "%", "%", false},
	} {
		t.Run(tt.host+" asked from "+tt.origin, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = tt.host
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			if got := clients.OwnOrigin(r, tt.base); got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}
