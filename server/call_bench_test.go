package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// called are the calls of tools that are measured: their names and arguments.
var called = map[string][2]string{
	"read": {"get_parameter", `{"parameter_id":"consumer-rights.fo-response-standard-working-days"}`},
	"calculate": {"calculate_loan",
		`{"inputs":{"principal":"5000000.00","annual_rate_pct":"18.5","term_months":360},` +
			`"options":{"include_trace":false}}`},
}

// BenchmarkCall compares the processor time that the call of a tool costs over a
// real connection with that of a bare server of the SDK, which gives the same result
// (at most 1.3 times as much). Measured as in BenchmarkOverhead.
func BenchmarkCall(b *testing.B) {
	for _, name := range []string{"read", "calculate"} {
		for _, era := range []string{"stateful", "stateless"} {
			b.Run(name+"/"+era, func(b *testing.B) {
				ours, sdk := startProcess(b, "mcp", 1), startProcess(b, "sdk "+era+" "+name, 1)
				for _, p := range []*process{ours, sdk} {
					p.request = p.call(name, era)
				}
				if x, y := result(b, ours), result(b, sdk); x != y {
					b.Fatalf("the answers differ:\n%s\n%s", x, y)
				}
				compare(b, ours, sdk, "sdk")
			})
		}
	}
}

const (
	// calling is the call of a tool; what a client of 2026-07-28 says in addition
	// comes before the last two braces.
	calling   = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`
	stateless = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
)

// call returns a request that calls a tool.
func (p *process) call(name, era string) string {
	tool, args := called[name][0], called[name][1]
	if era == "stateless" {
		return posted(fmt.Sprintf(calling, tool, args, stateless), "Mcp-Protocol-Version: 2026-07-28",
			"Mcp-Method: tools/call", "Mcp-Name: "+tool)
	}
	return posted(fmt.Sprintf(calling, tool, args, ""), "Mcp-Protocol-Version: 2025-11-25")
}

// posted is a message as a request of HTTP.
func posted(body string, headers ...string) string {
	return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\n" +
		strings.Join(append(headers, fmt.Sprintf("Content-Length: %d", len(body))), "\r\n") + "\r\n\r\n" + body
}

// result is what a server answers to its request, but for the time of the answer and
// for a field that the SDK has in another place.
func result(b *testing.B, p *process) string {
	resp := p.ask(b, p.request)
	body := string(must(io.ReadAll(resp.Body)))
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `"structuredContent":{`) {
		b.Fatalf("%d %.300s", resp.StatusCode, body)
	}
	body = strings.NewReplacer(`"resultType":"complete",`, "", `,"resultType":"complete"`, "").Replace(body)
	return moment.ReplaceAllString(body, "")
}

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// assistant is our server of MCP.
func assistant() http.Handler {
	s := starterSite()
	return must(mcpserver.New(mcpserver.Config{
		Sites: serving(s), Health: func(*site.Site) []byte { return nil }, Version: "0.0.0-test",
		Log: slog.New(slog.DiscardHandler),
	}, s.Math()))
}

// floor is a bare server of the SDK, for one era, with one tool: it has what ours
// reads ready, or calculates it by the same engine, and does nothing else.
func floor(era, name string) http.Handler {
	s := starterSite()
	loan, _ := s.Math().Tool("loan_payment")
	meta, prepared := ready(name)
	results := map[string]func(json.RawMessage) json.RawMessage{
		"read":      func(json.RawMessage) json.RawMessage { return prepared },
		"calculate": func(args json.RawMessage) json.RawMessage { return must(loan.Calculate(args, s.Facts())).JSON() },
	}
	settings := s.Snapshot.Settings
	bare := mcp.NewServer(&mcp.Implementation{Name: settings.Service, Title: settings.Title, Version: "0.0.0-test"},
		nil)
	tool := &mcp.Tool{Name: called[name][0], InputSchema: json.RawMessage(`{"type":"object"}`)}
	bare.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result := results[name](req.Params.Arguments)
		return &mcp.CallToolResult{
			Meta: meta, Content: []mcp.Content{&mcp.TextContent{Text: string(result)}}, StructuredContent: result,
		}, nil
	})
	options := &mcp.StreamableHTTPOptions{Stateless: era == "stateless"}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return bare }, options)
}

// ready is the result of a call, as ours answers it, and what it says about it.
func ready(name string) (mcp.Meta, json.RawMessage) {
	req := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(fmt.Sprintf(calling,
		called[name][0], called[name][1], "")))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	rec := httptest.NewRecorder()
	assistant().ServeHTTP(rec, req)
	_, data, _ := strings.Cut(rec.Body.String(), "data: ")
	var answer struct {
		Result struct {
			Meta       mcp.Meta        `json:"_meta"`
			Structured json.RawMessage `json:"structuredContent"`
		}
	}
	if err := json.Unmarshal([]byte(data), &answer); err != nil {
		panic(err)
	}
	return answer.Result.Meta, answer.Result.Structured
}
