package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/api"
)

// Whatever comes as arguments, what passes is of the type and within the limits
// that the schema says, and what does not is told in words that can be sent.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"q":"x","limit":10}`, `{"q":"","day":"2026-05-01","sure":true}`, `{"a/b":1}`,
		`null`, `[]`, `{"limit":1e9}`} {
		f.Add([]byte(seed))
	}
	params := []*api.Param{
		{Name: "q", Type: api.Text, Length: 200, Required: true}, {Name: "day", Type: api.Date},
		{Name: "word", Type: api.Word, Values: []string{"a", "b"}}, {Name: "sure", Type: api.Switch},
		{Name: "limit", Type: api.Number, Default: 10, Least: 1, Most: 500},
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		a := readArgs(bytes.TrimSpace(raw), params)
		if a.err() != nil {
			if told := describe(a.err()); !json.Valid([]byte(told)) || !utf8.ValidString(told) || len(told) > 20_000 {
				t.Errorf("told %q", told)
			}
			return
		}
		if n := a.Number("limit"); n < 1 || n > 500 {
			t.Errorf("the limit is %d", n)
		}
		if w := a.Text("word"); w != "" && w != "a" && w != "b" {
			t.Errorf("the word is %q", w)
		}
		if utf8.RuneCountInString(a.Text("q")) > 200 || strings.TrimSpace(a.Text("q")) == "" {
			t.Errorf("the text is %q", a.Text("q"))
		}
	})
}

// Whatever comes as a URI or as toolsets is found or is not.
func FuzzURI(f *testing.F) {
	reader := serverOf(f, Kinds())
	s := reader.Sites.Current()
	for _, seed := range []string{
		"rulestore://guidelines/product.common.001", "rulestore://guidelines/product.common.001/v1.0.0.md",
		"rulestore://schemas/math%2Floan-calculation",
		"skill://assistant/SKILL.md", "rulestore://", "rulestore://guidelines/../x", "%zz", "rules,fraud",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if res, mediaType := locate(s, uri); res != nil && res.Gone == nil && bodyOf(res, mediaType, "") == nil {
			t.Errorf("%q is found and has nothing", uri)
		}
		if skill := reader.skillAt(uri); skill != nil && skill.brief.uri != uri {
			t.Errorf("%q is %q", uri, skill.brief.uri)
		}
		if chosen, err := parseSets(uri); err == nil && chosen == 0 {
			t.Errorf("%q chooses nothing", uri)
		}
	})
}

const (
	opens = `{"jsonrpc":"2.0","id":"opens","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	newMeta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
)

// wellFormed says what is wrong with messages as they were written.
func wellFormed(t *testing.T, written []byte) (messages int) {
	t.Helper()
	var m struct {
		Version       string `json:"jsonrpc"`
		Method        *string
		Result, Error json.RawMessage
	}
	var all []json.RawMessage
	if json.Unmarshal(written, &all) != nil {
		all = []json.RawMessage{written}
	}
	for _, one := range all {
		m.Method, m.Result, m.Error = nil, nil, nil
		if json.Unmarshal(one, &m) != nil || m.Version != "2.0" || !utf8.Valid(one) ||
			m.Method == nil && (m.Result == nil) == (m.Error == nil) {
			t.Errorf("no message of JSON-RPC: %.500q", one)
		}
	}
	return len(all)
}

// hostileStrings are strings of JSON, with their quotes, as somebody may write them.
var hostileStrings = []string{
	`""`, `"\""`, `"\\"`, `"%s%q%!d(MISSING)"`, `"<script>&"`, `"\u0000"`, `"x\u0001"`,
	"\"x\u007f\u0085\"", "\"\u2028\"",
	`"\udb40\udc01"`, "\"\ufeff\u202e\uffff\"", `"\ud800"`, `"\udc00\ud800"`, "\"\xff\xfe\"", "\"\xed\xa0\x80\"",
	"\"\xd0\"", "\"\xc0\xaf\"", `"` + strings.Repeat("ж", 3000) + `"`, `"` + strings.Repeat(`\u0001`, 30_000) + `"`,
}

// positions are the methods and parameters that have a string where %s is.
var positions = []string{
	`tools/call","params":{"name":%s,"arguments":{}`, `tools/call","params":{"name":"search","arguments":{%s:1}`,
	`tools/call","params":{"name":"search","arguments":{"q":%s}`,
	`tools/call","params":{"name":"search","arguments":%s`,
	`tools/call","params":{"name":"read_url","arguments":{"url":%s}`,
	`tools/call","params":{"name":"calculate","arguments":{"tool_id":%s,"inputs":{}}`,
	`tools/call","params":{"name":"calculate_loan","arguments":{"inputs":{"principal":%s}}`,
	`tools/call","params":{"name":"calculate_loan","arguments":{"inputs":{%s:1}}`,
	`tools/call","params":{"name":"calculate_loan","arguments":{"inputs":{},"contract_values":{%s:"1"}}`,
	`tools/call","params":{"name":"search","arguments":{"q":"x"},"requestState":%s,"inputResponses":{%[1]s:{}}`,
	`prompts/get","params":{"name":%s`, `prompts/get","params":{"name":"assistant","arguments":{"version":%s}`,
	`prompts/get","params":{"name":"assistant","arguments":{%s:"1"}`, `resources/read","params":{"uri":%s`,
	`skills/get","params":{"uri":%s`, `resources/list","params":{"cursor":%s`, `tools/list","params":{"cursor":%s`,
	`completion/complete","params":{"ref":{"type":%s,"name":%[1]s},"argument":{"name":%[1]s,"value":%[1]s}`,
	`completion/complete","params":{"ref":{"type":"ref/prompt","name":%s},"argument":{"name":"version","value":""}`,
	`completion/complete","params":{"ref":{"type":"ref/resource","uri":"rulestore://guidelines/{name}/v{version}"},` +
		`"argument":{"name":"version","value":""},"context":{"arguments":{"name":%s}}`,
	`resources/subscribe","params":{"uri":%s`, `logging/setLevel","params":{"level":%s`, `%s","params":{"x":1`,
	`initialize","params":{"protocolVersion":%s,"capabilities":{"experimental":{%[1]s:{}}},` +
		`"clientInfo":{"name":%[1]s,"version":"1"}`,
	`subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[%s]}`,
	`subscriptions/listen","params":{"notifications":%s`,
}

// Whatever comes, in either era and over HTTP or stdio, what is written is well-formed, a
// request gets one answer, and what is asked next is answered.
func FuzzServer(f *testing.F) {
	s := serverOf(f, Kinds())
	for _, seed := range []string{
		opens, `{"jsonrpc":"2.0","id":"\ud800","method":"resources/read",` +
			`"params":{"uri":"\u0001"}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","error":1}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt",` +
			`"name":"x"},"argument":{"name":"a","value":"b"}META}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search",` +
			`"arguments":{"q":"x"},"inputResponses":{"a":{}}META}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
			`"params":{"notifications":{"resourceSubscriptions":["x"]}META}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`{"jsonrpc":"2.0","id":{},"result":{}}`, "\xff", `[[]]`, `{}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat(`{"x":`, 1200) + `1` +
			strings.Repeat(`}`, 1200) + `}`,
	} {
		for _, version := range []string{"2025-03-26", "2025-11-25", "2026-07-28", ""} {
			meta := ""
			if version == "2026-07-28" {
				meta = newMeta
			}
			f.Add(strings.ReplaceAll(seed, "META", meta), version)
		}
	}
	for _, position := range positions {
		for _, value := range hostileStrings {
			if strings.HasPrefix(position, "%s") {
				value = strings.Trim(value, `"`)
			}
			said := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"`+position, value)
			f.Add(said+"}}", "2025-11-25")
			f.Add(said+newMeta+"}}", "2026-07-28")
		}
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		overHTTP(t, s, text, version)
		overStdio(t, s, text)
	})
}

func overHTTP(t *testing.T, s *Server, text, version string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	if strings.Contains(text, "listen") { // it may be answered by a stream that nothing ends
		ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	}
	m, _ := jsonrpc.DecodeMessage([]byte(text)) // of which the answer is expected
	r, ok := m.(*jsonrpc.Request)
	method := ""
	if ok {
		method = r.Method
	}
	w := exchange(ctx, s, text, version, method)
	cancel()
	answers := 0
	for event := range bytes.SplitSeq(w.Body.Bytes(), []byte("\n")) {
		event = bytes.TrimPrefix(event, []byte("data: "))
		if bytes.HasPrefix(event, []byte("{")) || bytes.HasPrefix(event, []byte("[")) {
			answers += wellFormed(t, event)
		}
	}
	if w.Code >= http.StatusInternalServerError || ok && r.IsCall() && method != listenMethod && answers != 1 {
		t.Errorf("%q: %d answers: %d %s", text, answers, w.Code, w.Body)
	}
	if w := exchange(t.Context(), s, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "", ""); !strings.Contains(
		w.Body.String(), `"result":{}`) {
		t.Errorf("after %q a ping gets %d %s", text, w.Code, w.Body)
	}
}

// exchange posts a message.
func exchange(ctx context.Context, h http.Handler, body, version, method string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, api.MCPPath, strings.NewReader(body))
	for name, value := range map[string]string{"Content-Type": api.JSONType, "Accept": "*/*",
		versionHeader: version, methodHeader: method, "Mcp-Name": named(body)} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// named is what a body names, as far as a header can say it.
func named(body string) string {
	var m struct{ Params struct{ Name, URI string } }
	_ = json.Unmarshal([]byte(body), &m)
	name := strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, m.Params.Name+m.Params.URI))
	return name[:min(len(name), 8<<10)]
}

// overStdio sends the text between others: either the conversation ends there, with an error, or what is
// asked next is answered.
func overStdio(t *testing.T, s *Server, text string) {
	var out strings.Builder
	line := strings.ReplaceAll(text, "\n", " ")
	in := strings.NewReader(opens + "\n" + line + "\n" + `{"jsonrpc":"2.0","id":"asked next","method":"ping"}` + "\n")
	err := s.Run(t.Context(), in, &out)
	next := 0
	for written := range strings.Lines(out.String()) {
		wellFormed(t, []byte(written))
		next += strings.Count(written, `"id":"asked next"`)
	}
	if !strings.Contains(text, "asked next") && (next == 1) != (err == nil) {
		t.Errorf("after %q a ping is answered %d times, the end is %v:\n%s", line, next, err, &out)
	}
	if !strings.Contains(out.String(), `"id":"opens"`) {
		t.Errorf("what was asked before %q is not answered:\n%s", line, &out)
	}
}
