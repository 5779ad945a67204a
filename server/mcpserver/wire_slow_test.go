//go:build slow

package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// hostileStrings are strings of JSON, with their quotes, as somebody may write them.
var hostileStrings = func() map[string]string {
	all := map[string]string{
		"empty": `""`, "a quote": `"\""`, "a backslash": `"\\"`, "a verb": `"%s%q%!d(MISSING)"`,
		"HTML": `"<script>&"`, "NUL": `"\u0000"`,
		"U+2028": "\"\u2028\u2029\"", "U+2028, escaped": `"\u2028"`, "U+E0001": "\"\U000e0001\"",
		"U+E0001, escaped": `"\udb40\udc01"`,
		"U+FEFF":           "\"\ufeff\"", "U+202E": "\"\u202e\"", "U+FFFD": "\"\ufffd\"", "U+10FFFF": "\"\U0010ffff\"",
		"a noncharacter":   "\"\uffff\"",
		"a high surrogate": `"\ud800"`, "a low surrogate": `"\udfff"`,
		"surrogates the wrong way round": `"\udc00\ud800"`, "half a pair": `"\ud83d\u0041"`,
		"no UTF-8": "\"\xff\xfe\"", "a surrogate in UTF-8": "\"\xed\xa0\x80\"", "half a character": "\"\xd0\"",
		"overlong": "\"\xc0\xaf\"",
		"long":     `"` + strings.Repeat("x", 3000) + `"`, "very long": `"` + strings.Repeat("x", 200<<10) + `"`,
		"long, escaped":       `"` + strings.Repeat(`\u0001`, 3000) + `"`,
		"long, and not ASCII": `"` + strings.Repeat("ж", 3000) + `"`,
	}
	for c := rune(1); c < 0xa0; c++ {
		switch {
		case c < 0x20:
			all[fmt.Sprintf("U+%04X, escaped", c)] = fmt.Sprintf(`"x\u%04x"`, c)
		case c >= 0x7f:
			all[fmt.Sprintf("U+%04X", c)] = `"x` + string(c) + `"`
		}
	}
	return all
}()

// Whatever a string holds, wherever it stands, each request gets one answer that is
// well-formed, and what is asked next is answered as ever.
func TestEveryStringIsAnswered(t *testing.T) {
	r := start(t, starterSite())
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		ping := request("the id", `"ping"`, version)
		if version >= "2026-07-28" {
			ping = request("a cursor", `""`, version)
		}
		for _, position := range slices.Sorted(maps.Keys(positions)) {
			t.Run(version+"/"+position, func(t *testing.T) {
				for _, value := range slices.Sorted(maps.Keys(hostileStrings)) {
					sent := request(position, hostileStrings[value], version)
					if answer, err := r.one(sent, version); err != nil {
						t.Fatalf("%s: %v", value, err)
					} else if err := answered(sent, answer); err != nil {
						t.Errorf("%s: %v", value, err)
					}
				}
				if answer, err := r.one(ping, version); err != nil || !bytes.Contains(answer, []byte(`"result":`)) {
					t.Errorf("what is asked next gets %s, %v", answer, err)
				}
			})
		}
	}
}

// positions are requests that have a string where %s is. META and INMETA are where a
// client of 2026-07-28 says what it has to.
var positions = map[string]string{
	"the id":                           `{"jsonrpc":"2.0","id":%s,"method":"ping"META}`,
	"the id of what is unknown":        `{"jsonrpc":"2.0","id":%s,"method":"resources/read","params":{"uri":"x:y"META}}`,
	"the method":                       `{"jsonrpc":"2.0","id":7,"method":%s,"params":{META}}`,
	"the name of a member":             `{"jsonrpc":"2.0","id":7,"method":"ping","params":{%s:1META}}`,
	"a tool":                           `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%s,"arguments":{}META}}`,
	"a name of an argument":            `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{%s:1}META}}`,
	"an argument":                      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"q":%s}META}}`,
	"an address":                       `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_url","arguments":{"url":%s}META}}`,
	"a calculation":                    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"calculate","arguments":{"tool_id":%s,"inputs":{}}META}}`,
	"an input":                         `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"calculate_loan","arguments":{"inputs":{"principal":%s}}META}}`,
	"a name of an input":               `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"calculate_loan","arguments":{"inputs":{%s:1}}META}}`,
	"what a calculation is held to":    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"calculate_loan","arguments":{"inputs":{},"contract_values":{%s:"1"}}META}}`,
	"the state of a request":           `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"q":"x"},"requestState":%s,"inputResponses":{%[1]s:{}}META}}`,
	"a progress token":                 `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"progressToken":%sINMETA}}}`,
	"a name in _meta":                  `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{%s:1INMETA}}}`,
	"a prompt":                         `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":%sMETA}}`,
	"a version of a prompt":            `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"assistant","arguments":{"version":%s}META}}`,
	"an argument of a prompt":          `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"assistant","arguments":{%s:"1"}META}}`,
	"a resource":                       `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":%sMETA}}`,
	"what is followed":                 `{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":%sMETA}}`,
	"what is followed no more":         `{"jsonrpc":"2.0","id":7,"method":"resources/unsubscribe","params":{"uri":%sMETA}}`,
	"a skill":                          `{"jsonrpc":"2.0","id":7,"method":"skills/get","params":{"uri":%sMETA}}`,
	"a cursor":                         `{"jsonrpc":"2.0","id":7,"method":"resources/list","params":{"cursor":%sMETA}}`,
	"a cursor of tools":                `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":%sMETA}}`,
	"a cursor of prompts":              `{"jsonrpc":"2.0","id":7,"method":"prompts/list","params":{"cursor":%sMETA}}`,
	"a cursor of templates":            `{"jsonrpc":"2.0","id":7,"method":"resources/templates/list","params":{"cursor":%sMETA}}`,
	"a cursor of skills":               `{"jsonrpc":"2.0","id":7,"method":"skills/list","params":{"cursor":%sMETA}}`,
	"the kind of what is completed":    `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":%s},"argument":{"name":"version","value":""}META}}`,
	"the prompt that is completed":     `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":%s},"argument":{"name":"version","value":""}META}}`,
	"the template that is completed":   `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":%s},"argument":{"name":"name","value":""}META}}`,
	"the argument that is completed":   `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"assistant"},"argument":{"name":%s,"value":""}META}}`,
	"the beginning of what is meant":   `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"assistant"},"argument":{"name":"version","value":%s}META}}`,
	"what was completed before":        `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"rulestore://guidelines/{name}/v{version}"},"argument":{"name":"version","value":""},"context":{"arguments":{"name":%s}}META}}`,
	"the level of a log":               `{"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":%sMETA}}`,
	"a revision":                       `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":%s,"capabilities":{},"clientInfo":{"name":"x","version":"1"}META}}`,
	"a client":                         `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{%s:{}}},"clientInfo":{"name":%[1]s,"version":%[1]s}META}}`,
	"a string where there is none":     `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":%s}`,
	"a string for arguments":           `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":%sMETA}}`,
	"a string for _meta":               `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":%s}}`,
	"a string for what is completed":   `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":%s,"argument":%[1]s,"context":%[1]sMETA}}`,
	"an error beside a method":         `{"jsonrpc":"2.0","id":7,"method":"ping","error":%s,"params":{META}}`,
	"a version of JSON-RPC":            `{"jsonrpc":%s,"id":7,"method":"ping","params":{META}}`,
	"what is listened to":              `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[%s]}META}}`,
	"a string for what is listened to": `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":%sMETA}}`,
}

// request is the request that has a string in a position. In 2026-07-28 it says of its
// client what it has to.
func request(position, value, version string) string {
	meta, in := "", ""
	if version >= "2026-07-28" {
		in = "," + strings.TrimSuffix(strings.TrimPrefix(newMeta, `"_meta":{`), "}")
		meta = "," + newMeta
	}
	body := fmt.Sprintf(positions[position], value)
	body = strings.ReplaceAll(strings.ReplaceAll(body, "INMETA", in), "META", meta)
	return strings.ReplaceAll(strings.ReplaceAll(body, `{,"_meta"`, `{"_meta"`), `"ping",`+newMeta,
		`"ping","params":{`+newMeta+`}`)
}

// answered checks that something is one answer to a request: it is JSON, has the id of the
// request or none, and a result or an error that is not longer than anybody wants.
func answered(request string, answer []byte) error {
	var a struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage
		Error   *struct {
			Code    int
			Message string
			Data    json.RawMessage
		}
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	if err := d.Decode(&a); err != nil || d.More() || !utf8.Valid(answer) || a.Version != "2.0" {
		return fmt.Errorf("no message of JSON-RPC (%v): %.300q", err, answer)
	}
	var asked struct{ ID any }
	var id any
	_ = json.Unmarshal([]byte(request), &asked)
	_ = json.Unmarshal(a.ID, &id)
	switch {
	case (a.Result == nil) == (a.Error == nil):
		return fmt.Errorf("neither a result nor an error: %.300s", answer)
	case a.Error != nil && (a.Error.Code == 0 || a.Error.Message == ""):
		return fmt.Errorf("an error of %d bytes: %.300s", len(answer), answer)
	case id != asked.ID && (id != nil || a.Error == nil):
		return fmt.Errorf("it is for another id: %.300s", answer)
	}
	return nil
}

// one sends a request, and returns the one answer to it. What an acknowledgement comes before is the
// answer to who listens.
func (r *running) one(request, version string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	req := must(http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/mcp", strings.NewReader(request)))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", version)
	if version >= "2026-07-28" {
		mirrored(req.Header, request)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return body, err
	}
	var data [][]byte
	for line := range bytes.Lines(body) {
		if text, ok := bytes.CutPrefix(line, []byte("data: ")); ok &&
			!bytes.Contains(text, []byte("notifications/subscriptions/acknowledged")) {
			data = append(data, bytes.TrimSpace(text))
		}
	}
	if len(data) != 1 {
		return nil, fmt.Errorf("%d answers: %.300q", len(data), data)
	}
	return data[0], nil
}

// mirrored adds the headers that repeat what a body says, as far as a header can.
func mirrored(headers http.Header, body string) {
	var m struct {
		Method string
		Params struct{ Name, URI string }
	}
	_ = json.Unmarshal([]byte(body), &m)
	for name, value := range map[string]string{"Mcp-Method": m.Method, "Mcp-Name": m.Params.Name + m.Params.URI} {
		value = strings.Map(func(c rune) rune {
			if c < ' ' || c == 0x7f {
				return -1
			}
			return c
		}, value)
		headers.Set(name, value[:min(len(value), 8<<10)])
	}
}
