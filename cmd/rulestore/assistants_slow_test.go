//go:build slow

package main

import (
	"net/http"
	"strings"
	"testing"
)

// Sessions and streams of MCP are counted, go through everything that observes
// requests, and do not keep the process from ending.
func TestAssistantsAreObserved(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--access-log")
	session := ""
	send := func(method, body string) *http.Response {
		t.Helper()
		req, err := http.NewRequest(method, p.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		if method == http.MethodPost {
			req.Header.Set("Accept", "application/json, text/event-stream")
		}
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		res, err := (&http.Client{}).Do(req) // a stream has no end to wait for
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	res := send(
		http.MethodPost,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
			`"capabilities":{},"clientInfo":{"name":"TAJNA","version":"1"}}}`,
	)
	session = res.Header.Get("Mcp-Session-Id")
	if res.StatusCode != http.StatusOK || session == "" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	send(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if stream := send(http.MethodGet, ""); stream.StatusCode != http.StatusOK ||
		!strings.HasPrefix(stream.Header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("the stream: %d %v", stream.StatusCode, stream.Header)
	}
	if sessions, streams := p.metric("rulestore_mcp_sessions"), p.metric("rulestore_mcp_streams"); sessions != "1" ||
		streams != "1" {
		t.Errorf("%s sessions, %s streams", sessions, streams)
	}
	if got := p.metric(`rulestore_http_requests_total{representation="none",route="/mcp",status="202"}`); got != "1" {
		t.Errorf("%q notifications were counted", got)
	}
	if err := p.stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if log := p.log.String(); strings.Contains(log, "TAJNA") || strings.Contains(log, session) ||
		!strings.Contains(log, "route=/mcp") {
		t.Errorf("the log:\n%s", log)
	}
}
