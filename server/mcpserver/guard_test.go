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

// Pages of configured origins use the endpoint, others do not.
func TestOrigins(t *testing.T) {
	const chat = "https://chat.example.org"
	r := startWith(t, kinds(), mcpserver.Config{Origins: []string{chat}})
	for origin, want := range map[string]struct {
		status int
		admits string
	}{chat: {200, chat}, r.url: {200, ""}, "https://evil.example": {403, ""}, chat + ".evil.example": {403, ""}, "null": {403, ""}} {
		t.Run(origin, func(t *testing.T) {
			for _, method := range []string{http.MethodOptions, http.MethodPost} {
				res, _ := r.ask(method, "/mcp", ping, map[string]string{"Origin": origin,
					"Access-Control-Request-Method":  "POST",
					"Access-Control-Request-Headers": "content-type,mcp-protocol-version"})
				status := want.status
				if method == http.MethodOptions {
					status = 204
				}
				admits := res.Header.Get("Access-Control-Allow-Origin")
				if res.StatusCode != status || admits != want.admits && admits != "*" || admits == "*" && method == "POST" {
					t.Errorf("%s: %d, admits %q, want %d and %q", method, res.StatusCode, admits, status, want.admits)
				}
				if admits == chat && res.Header.Get("Access-Control-Allow-Headers") != "*" {
					t.Errorf("%s: allows the headers %q", method, res.Header.Get("Access-Control-Allow-Headers"))
				}
			}
		})
	}
}
