package mcpserver_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// named is the starter content as settings name it.
func named(base string) *site.Site {
	snapshot := *starterSite().Snapshot
	snapshot.Settings.CanonicalBaseURL = base
	return build(nil, &snapshot)
}

// The Host header has to be a name of this server where its names are known: a page
// whose name was rebound to this address has another.
func TestHost(t *testing.T) {
	lan := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 8080}
	own := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	own6 := &net.TCPAddr{IP: net.IPv6loopback, Port: 8080}
	mapped := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5).To16(), Port: 8080}
	unix := &net.UnixAddr{Name: "/run/rulestore.sock", Net: "unix"}
	for _, test := range []struct {
		name           string
		flag, settings string
		local          net.Addr
		host           string
		want           int
	}{
		{"a name, of which nobody knows better", "", "", lan, "evil.example:8080", 200},
		{"a foreign name, with a flag", baseURL, "", lan, "evil.example:8080", 403},
		{"a foreign name, with settings", "", baseURL, lan, "evil.example", 403},
		{"the name of the base URL", baseURL, "", lan, "rules.example.org", 200},
		{"with its port", baseURL, "", lan, "rules.example.org:443", 200},
		{"through a tunnel's port", baseURL, "", lan, "rules.example.org:8443", 200},
		{"in capitals, and absolute", baseURL, "", lan, "RULES.example.org.", 200},
		{"with what comes after it", baseURL, "", lan, "rules.example.org.evil.example", 403},
		{"with what comes before it", baseURL, "", lan, "evil-rules.example.org", 403},
		{"the listening address", baseURL, "", lan, "192.168.1.5:8080", 200},
		{"the listening address, without a port", baseURL, "", mapped, "192.168.1.5", 200},
		{"another address", baseURL, "", lan, "192.168.1.6:8080", 403},
		{"a port that is forwarded from loopback", baseURL, "", lan, "localhost:8080", 200},
		{"loopback", baseURL, "", own, "localhost:8080", 200},
		{"loopback's address", "", "", own, "127.0.0.1:8080", 200},
		{"loopback of IPv6", "", "", own6, "[::1]:8080", 200},
		{"a foreign name on loopback", "", "", own, "evil.example:8080", 403},
		{"a name that begins like loopback", "", "", own, "localhost.evil.example:8080", 403},
		{"the base URL on loopback", "", "", own, "rules.example.org", 200},
		{"no name", baseURL, "", lan, "", 403},
		{"a Unix socket", baseURL, "", unix, "evil.example", 403},
		{"a Unix socket, behind a proxy", baseURL, "", unix, "rules.example.org", 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := starterSite()
			if test.settings != "" {
				s = named(test.settings)
			}
			r := startWith(t, s, mcpserver.Config{BaseURL: test.flag})
			ask := func(method, path, body string) int {
				ctx := context.WithValue(t.Context(), http.LocalAddrContextKey, test.local)
				req := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
				req.Host = test.host
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "application/json, text/event-stream")
				w := httptest.NewRecorder()
				r.handler.ServeHTTP(w, req)
				return w.Code
			}
			if got := ask(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`); got != test.want {
				t.Errorf("POST: %d, want %d", got, test.want)
			}
			if got := ask(http.MethodDelete, "/mcp", ""); (got == 403) != (test.want == 403) {
				t.Errorf("DELETE: %d", got)
			}
			if got := ask(http.MethodGet, content.Guidelines.Path, ""); got != http.StatusOK {
				t.Errorf("reading what is public: %d", got)
			}
		})
	}
}
