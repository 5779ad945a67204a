package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/clients"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// behindProxy starts a server to which this machine is a proxy, so that a test can be
// many clients.
func behindProxy(t *testing.T) *running {
	t.Helper()
	return startWith(t, starterSite(), mcpserver.Config{Proxies: clients.Proxies{netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("::1/128")}})
}

// openFor opens a session for a client, and returns its id and the status.
func (r *running) openFor(client string) (string, int) {
	r.Helper()
	req := must(http.NewRequestWithContext(r.Context(), http.MethodPost, r.url+"/mcp", strings.NewReader(initialize)))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("X-Forwarded-For", client)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.Header.Get("Mcp-Session-Id"), res.StatusCode
}

// alive returns how many of the sessions answer.
func (r *running) alive(ids []string) (n int) {
	r.Helper()
	for _, id := range ids {
		if status, _ := r.message(`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			map[string]string{"Mcp-Session-Id": id}); status == http.StatusOK {
			n++
		}
	}
	return n
}

// However many sessions a client opens, those of others live, though they are idle for
// longer. That it is as many addresses as it likes does not help.
func TestSessionsAreShared(t *testing.T) {
	for name, address := range map[string]func(int) string{
		"an address": func(int) string { return "198.51.100.1" },
		"a /64":      func(i int) string { return fmt.Sprintf("2001:db8:0:1::%x", i+1) },
		"a /48":      func(i int) string { return fmt.Sprintf("2001:db8:0:%x::1", i+1) },
	} {
		t.Run(name, func(t *testing.T) {
			r := behindProxy(t)
			r.mcp.LimitSessions(40)
			var others, greedy []string
			for i := range 20 {
				id, _ := r.openFor(fmt.Sprintf("203.0.113.%d", i+1))
				others = append(others, id)
			}
			for i := range 200 {
				id, status := r.openFor(address(i))
				if status != http.StatusOK {
					t.Fatalf("session %d: %d", i+1, status)
				}
				greedy = append(greedy, id)
			}
			if got := r.alive(others); got != len(others) {
				t.Errorf("%d of %d sessions of others live", got, len(others))
			}
			if got := r.alive(greedy); got > 20 {
				t.Errorf("%d sessions of the client live", got)
			}
			if got := r.alive(greedy[180:]); got != 20 {
				t.Errorf("%d of its last 20 sessions live", got)
			}
		})
	}
}

// streamFor opens a stream for a client.
func (r *running) streamFor(client, version string) *http.Response {
	r.Helper()
	req := must(http.NewRequestWithContext(r.Context(), http.MethodGet, r.url+"/mcp", nil))
	if version >= "2026-07-28" {
		listen := `{"jsonrpc":"2.0","id":"listener","method":"subscriptions/listen",` +
			`"params":{"notifications":{"resourcesListChanged":true},` + newMeta + `}}`
		req = must(http.NewRequestWithContext(r.Context(), http.MethodPost, r.url+"/mcp", strings.NewReader(listen)))
		req.Header.Set("Mcp-Method", "subscriptions/listen")
	} else {
		id, _ := r.openFor(client)
		req.Header.Set("Mcp-Session-Id", id)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Mcp-Protocol-Version", version)
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("X-Forwarded-For", client)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { res.Body.Close() })
	return res
}

// A client that holds all streams makes room for others, until they hold as many; what
// it wants beyond that is refused.
func TestStreamsAreShared(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			const most = 8
			r := behindProxy(t)
			r.mcp.LimitStreams(most)
			var greedy []*http.Response
			for range most {
				greedy = append(greedy, r.streamFor("198.51.100.1", era.version))
			}
			if got := r.streamFor("198.51.100.1", era.version); got.StatusCode != http.StatusServiceUnavailable ||
				got.Header.Get("Retry-After") == "" {
				t.Errorf("one more of the same client: %d", got.StatusCode)
			}
			for i := range most / 2 {
				if got := r.streamFor("203.0.113.1", era.version); got.StatusCode != http.StatusOK {
					t.Errorf("stream %d of another: %d", i+1, got.StatusCode)
				}
				if _, err := io.Copy(io.Discard, greedy[i].Body); err != nil {
					t.Errorf("stream %d that made room: %v", i+1, err)
				}
			}
			if got := r.streamFor("203.0.113.1", era.version); got.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("when both hold as many: %d", got.StatusCode)
			}
			if got := r.streamFor("203.0.113.2", era.version); got.StatusCode != http.StatusOK {
				t.Errorf("a third: %d", got.StatusCode)
			}
			if _, open := r.mcp.Open(); open != most {
				t.Errorf("%d streams are open", open)
			}
		})
	}
}

// Who is behind a proxy that names nobody, as are all behind one that nobody named, is
// not taken for one client that has too much: until all places are taken nothing ends,
// and then what was idle for longest does.
func TestNobodyIsManyClients(t *testing.T) {
	for name, r := range map[string]*running{"a proxy that names nobody": behindProxy(t),
		"a proxy that was not named": start(t, starterSite())} {
		t.Run(name, func(t *testing.T) {
			const most = 10
			r.mcp.LimitSessions(most)
			var ids []string
			for range most {
				ids = append(ids, r.open())
			}
			if got := r.alive(ids); got != most {
				t.Fatalf("%d of %d sessions live", got, most)
			}
			ids = append(ids, r.open())
			if got := r.alive(ids[:1]); got != 0 {
				t.Error("the idlest session lives")
			}
			if got := r.alive(ids[1:]); got != most {
				t.Errorf("%d of the other %d sessions live", got, most)
			}
		})
	}
}

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
