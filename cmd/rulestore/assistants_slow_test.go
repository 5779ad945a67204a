//go:build slow

package main

import (
	"net/http"
	"strings"
	"testing"
)

// listens asks for a stream of changes.
const listens = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
	`"params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":` +
	`"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// listenHeader are the headers of a request for a stream.
func listenHeader() http.Header {
	return http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"subscriptions/listen"},
	}
}

// Streams of MCP are counted, go through everything that observes requests, and do not keep the process
// from ending.
func TestAssistantsAreObserved(t *testing.T) {
	t.Parallel()
	p := spawnYoung(t, nil, "--access-log")
	send := func(body string, header http.Header) *http.Response {
		t.Helper()
		req, err := http.NewRequest(http.MethodPost, p.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = header
		res, err := (&http.Client{}).Do(req) // a stream has no end to wait for
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	plain := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	res := send(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
			`"capabilities":{},"clientInfo":{"name":"TAJNA","version":"1"}}}`, plain,
	)
	if res.StatusCode != http.StatusOK || res.Header.Get("Mcp-Session-Id") != "" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, plain)
	if stream := send(listens, listenHeader()); stream.StatusCode != http.StatusOK ||
		!strings.HasPrefix(stream.Header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("the stream: %d %v", stream.StatusCode, stream.Header)
	}
	if streams := p.metric("rulestore_mcp_streams"); streams != "1" {
		t.Errorf("%s streams", streams)
	}
	if got := p.metric(`rulestore_http_requests_total{representation="none",route="/mcp",status="202"}`); got != "1" {
		t.Errorf("%q notifications were counted", got)
	}
	if err := p.stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if log := p.log.String(); strings.Contains(log, "TAJNA") || !strings.Contains(log, "route=/mcp") {
		t.Errorf("the log:\n%s", log)
	}
}
