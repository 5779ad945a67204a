package mcpserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"rulestore/server/site"
)

// newMeta is what a request of 2026-07-28 says of its client.
const newMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// Bad input gets the JSON-RPC error that the revision prescribes, and nothing of
// it ends the server.
func TestBadInput(t *testing.T) {
	r := start(t)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":`
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, bad := range append(calls().Bad,
		message{"no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", nil, 400, -32601},
		message{"a large batch", "[" + strings.Repeat(ping+",", 50) + ping + "]", nil, 400, -32600},
		message{"deep", call + deep + `}}}`, nil, 400, -32700},
		message{"too large", call + `"` + strings.Repeat("x", 300<<10) + `"}}}`, nil, 413, -32600}) {
		t.Run(bad.Name, func(t *testing.T) {
			status, body := r.message(strings.ReplaceAll(bad.Body, "META", newMeta), bad.Headers)
			var answer struct {
				Version string `json:"jsonrpc"`
				Error   struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Version != "2.0" {
				t.Errorf("%s: %d, no message of JSON-RPC: %.300s", bad.Name, status, body)
			}
			if status != bad.Status || answer.Error.Code != bad.Code || answer.Error.Message == "" {
				t.Errorf("%s: %d %d %q, want %d %d", bad.Name, status, answer.Error.Code,
					answer.Error.Message, bad.Status, bad.Code)
			}
			if len(body) > 1000 {
				t.Errorf("%s: %d bytes of answer", bad.Name, len(body))
			}
		})
	}
	if status, body := r.message(ping,
		map[string]string{"Origin": r.url}); status != 200 {
		t.Errorf("the own origin: %d %s", status, body)
	}
	if status, body := r.message(ping,
		map[string]string{"Host": "rules.example.org", "Origin": baseURL}); status != 200 {
		t.Errorf("the name that the service is known by: %d %s", status, body)
	}
}

// Arguments that a known tool cannot take are for the model to read: what is wrong
// with each, and what to do.
func TestBadArguments(t *testing.T) {
	r := start(t)
	all := append(calls().Refused,
		[4]string{"search", `{"q":"` + strings.Repeat("щ", 2001) + `"}`, "/q", "too_long"},
		[4]string{"calculate_loan", `{"inputs":{"principal":"1000000","annual_rate_pct":"10","term_months":12},"x":"` +
			strings.Repeat("x", 70_000) + `"}`, "", "body_too_large"})
	for i, bad := range all {
		tool, args, pointer, code := bad[0], bad[1], bad[2], bad[3]
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool +
				`","arguments":` + args + `}}`
			_, body := r.messageTo("/mcp?toolsets=all", message, nil)
			var answer struct {
				Result struct {
					IsError    bool
					Structured json.RawMessage `json:"structuredContent"`
					Content    []struct{ Text string }
				}
			}
			var told struct {
				Code, Detail string
				Errors       []struct{ Pointer, Code, Detail, Hint string }
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil || !answer.Result.IsError ||
				answer.Result.Structured != nil {
				t.Errorf("%s %.200s: %.300s", tool, args, body)
				return
			}
			if err := json.Unmarshal([]byte(answer.Result.Content[0].Text), &told); err != nil ||
				!isRussian(told.Detail) {
				t.Errorf("%s %.200s: %s", tool, args, answer.Result.Content[0].Text)
			}
			if pointer == "" && told.Code != code || pointer != "" &&
				(len(told.Errors) == 0 || told.Errors[0].Pointer != pointer || told.Errors[0].Code != code) {
				t.Errorf("%s %.200s: %s", tool, args, answer.Result.Content[0].Text)
			}
		})
	}
}

// What may be left out is left out: parameters of methods, and the header Accept.
func TestNothingIsGiven(t *testing.T) {
	r := start(t)
	for _, method := range []string{
		"ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "skills/list",
	} {
		for _, params := range []string{"", `,"params":null`, `,"params":{}`} {
			status, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"`+params+`}`,
				map[string]string{"Accept": ""})
			if status != 200 || !strings.Contains(body, `"id":1,"result":{`) {
				t.Errorf("%s%s: %d %.200s", method, params, status, body)
			}
		}
	}
	if status, body := r.message(ping, map[string]string{"Accept": "application/*"}); status != 200 {
		t.Errorf("whatever an application reads: %d %s", status, body)
	}
}

// What is wrong is told in words of tools, not in addresses.
func TestHintsNameTools(t *testing.T) {
	_, body := start(t).message(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fraud_brief",`+
		`"arguments":{"signal":["NOTHING"]}}}`, nil)
	if !strings.Contains(body, "list_fraud_signals") || strings.Contains(body, "/api/v1/") {
		t.Error(body)
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// Clients before 2026-07-28 get no session and no stream, are promised none, and go on with the one of
// another server.
func TestNoSessions(t *testing.T) {
	r := start(t)
	res, body := r.ask(http.MethodPost, "/mcp", initialize, nil)
	if res.Header.Get("Mcp-Session-Id") != "" || !strings.Contains(body, `"protocolVersion":"2025-11-25"`) ||
		strings.Contains(body, "listChanged") || strings.Contains(body, `"subscribe"`) {
		t.Errorf("%v %s", res.Header, body)
	}
	for method, header := range map[string]string{http.MethodGet: "text/event-stream", http.MethodDelete: "*/*"} {
		res, body := r.ask(method, "/mcp", "", map[string]string{"Accept": header})
		if res.StatusCode != 405 ||
			!strings.Contains(body, `"code":-32600`) || res.Header.Get("Allow") != "GET, HEAD, POST, OPTIONS" {
			t.Errorf("%s: %d %s", method, res.StatusCode, body)
		}
	}
	if status, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, map[string]string{
		"Mcp-Session-Id": "of another server", "Mcp-Protocol-Version": "2025-11-25"}); status != 200 ||
		!strings.Contains(body, `"tools":[`) {
		t.Errorf("%d %.200s", status, body)
	}
}

// pipes is a listener whose connections hold nothing: what one end writes waits
// until the other reads it.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// A client that has opened a stream and never reads it delays nobody, and loses its stream.
func TestClientThatNeverReads(t *testing.T) {
	r := start(t)
	connections := make(pipes)
	srv := &http.Server{Handler: r.handler}
	done := make(chan error)
	go func() { done <- srv.Serve(connections) }()
	defer func() { _ = srv.Close(); <-done }()
	var request bytes.Buffer
	if err := listening(t, r.url, `"resourceSubscriptions":["rulestore://guidelines/`+common+`"]`).Write(&request); err != nil {
		t.Fatal(err)
	}
	client, conn := net.Pipe()
	defer client.Close()
	connections <- conn
	if _, err := client.Write(request.Bytes()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReaderSize(client, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200 OK") {
		t.Fatalf("%q %v", line, err)
	}
	c, heard := r.client("2026-07-28", "")
	if _, err := c.ListResources(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	subscribe(t, c, heard, "rulestore://guidelines/"+common)
	open := r.mcp.Open()
	for i := range 4 {
		r.swap([]*site.Site{published(), kinds()}[i%2])
		<-soon(t, heard.updated)
	}
	r.await("the stream has ended", func() bool {
		r.swap(published())
		r.swap(kinds())
		return r.mcp.Open() == open-1
	})
}

// What crashes ends one request, and tells nothing of why.
func TestCrash(t *testing.T) {
	r := start(t)
	r.broken.Store(true)
	_, body := r.messageTo("/mcp"+all,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_health","arguments":{}}}`, nil)
	if !strings.Contains(body, `"code":-32603`) || strings.Contains(body, "secret") {
		t.Errorf("got %s", body)
	}
	r.broken.Store(false)
	if _, body := r.message(ping, nil); !strings.Contains(body, `"result":{}`) {
		t.Errorf("got %s", body)
	}
}
