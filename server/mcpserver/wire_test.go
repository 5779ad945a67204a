package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostileStrings are strings of JSON, with their quotes, as somebody may write them.
var hostileStrings = []string{
	`""`, `"\""`, `"\\"`, `"%s%q%!d(MISSING)"`, `"<script>&"`, `"\u0000"`, `"x\u0001"`, "\"x\u007f\u0085\"", "\"\u2028\"",
	`"\udb40\udc01"`, "\"\ufeff\u202e\uffff\"", `"\ud800"`, `"\udc00\ud800"`, "\"\xff\xfe\"", "\"\xed\xa0\x80\"",
	"\"\xd0\"", "\"\xc0\xaf\"", `"` + strings.Repeat("ж", 3000) + `"`, `"` + strings.Repeat(`\u0001`, 30_000) + `"`,
}

// positions are the methods and parameters that have a string where %s is.
var positions = []string{
	`tools/call","params":{"name":%s,"arguments":{}`, `tools/call","params":{"name":"search","arguments":{%s:1}`,
	`tools/call","params":{"name":"search","arguments":{"q":%s}`, `tools/call","params":{"name":"search","arguments":%s`,
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
	`initialize","params":{"protocolVersion":%s,"capabilities":{"experimental":{%[1]s:{}}},"clientInfo":{"name":%[1]s,"version":"1"}`,
	`subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[%s]}`,
	`subscriptions/listen","params":{"notifications":%s`,
}

// Whatever a string holds, wherever it stands, each request gets one answer that is well-formed.
func TestEveryStringIsAnswered(t *testing.T) {
	r := start(t)
	for _, position := range positions {
		method, _, _ := strings.Cut(position, `"`)
		t.Run(position, func(t *testing.T) {
			for _, value := range hostileStrings {
				if method == "%s" {
					value = strings.Trim(value, `"`)
				}
				said := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"`+position, value)
				for version, meta := range map[string]string{"2025-11-25": "", "2026-07-28": "," + newMeta} {
					status, body := r.message(said+meta+"}}", map[string]string{"Mcp-Protocol-Version": version,
						"Mcp-Method": method, "Mcp-Name": named(said)})
					var answer struct {
						Version       string `json:"jsonrpc"`
						ID            int
						Result, Error json.RawMessage
					}
					if err := json.Unmarshal([]byte(body), &answer); err != nil || !utf8.ValidString(body) ||
						answer.Version != "2.0" || (answer.Result == nil) == (answer.Error == nil) || status >= 500 ||
						answer.Result != nil && answer.ID != 7 {
						t.Errorf("%s, %.100s: %d %v %.300s", version, value, status, err, body)
					}
				}
			}
		})
	}
}

// named is what a body names, as far as a header can say it.
func named(body string) string {
	var m struct{ Params struct{ Name, URI string } }
	_ = json.Unmarshal([]byte(body+"}}"), &m)
	name := strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, m.Params.Name+m.Params.URI))
	return name[:min(len(name), 8<<10)]
}
