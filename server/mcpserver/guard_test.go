package mcpserver_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rulestore/server/mcpserver"
)

// The Host header has to be a name of this server where its names are known: a page whose name was rebound to
// this address has another. Which names these are is for the tests of clients.
func TestHost(t *testing.T) {
	lan := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 8080}
	own := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
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
		{"the listening address", baseURL, "", lan, "192.168.1.5:8080", 200},
		{"a foreign name on loopback", "", "", own, "evil.example:8080", 403},
		{"loopback", "", "", own, "127.0.0.1:8080", 200},
		{"no name", baseURL, "", lan, "", 403},
		{"a Unix socket", baseURL, "", unix, "evil.example", 403},
		{"a Unix socket, behind a proxy", baseURL, "", unix, "rules.example.org", 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			snapshot := *kinds().Snapshot
			snapshot.Settings.CanonicalBaseURL = test.settings
			r := startWith(t, mcpserver.Build(nil, &snapshot), mcpserver.Config{BaseURL: test.flag})
			ctx := context.WithValue(t.Context(), http.LocalAddrContextKey, test.local)
			req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(ping))
			req.Host = test.host
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			w := httptest.NewRecorder()
			r.handler.ServeHTTP(w, req)
			if w.Code != test.want {
				t.Errorf("%d, want %d", w.Code, test.want)
			}
		})
	}
}
