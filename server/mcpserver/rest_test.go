package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"

	"rulestore/loader/git"
	"rulestore/server/calc"
	"rulestore/server/mcpserver"
)

// call calls a tool and returns what it answered as JSON and as text.
func call(t *testing.T, c *mcp.ClientSession, name string, args any) (structured json.RawMessage, text string) {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	text = res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		t.Fatalf("%s %v: %s", name, args, text)
	}
	return must(json.Marshal(res.StructuredContent)), text
}

// all is what a client gets that wants every toolset.
const all = "?toolsets=all"

// message is one that is refused.
type message struct {
	Name, Body   string
	Headers      map[string]string
	Status, Code int
}

// calls are testdata/calls.yaml.
var calls = sync.OnceValue(func() (all struct {
	Same     [][3]string // tool, arguments, path
	Refused  [][4]string // tool, arguments, place, code
	Bad      []message
	Spelled  [][3]string // tool, arguments, the same arguments
	Redacted [][2]string // tool, arguments
}) {
	text := strings.ReplaceAll(string(must(os.ReadFile("testdata/calls.yaml"))), "BASE", baseURL)
	if err := yaml.Unmarshal([]byte(text), &all); err != nil {
		panic(err)
	}
	return all
})

// What a tool reads is what HTTP answers, but for the time of the answer: as JSON, and the same as text.
// As Markdown it is what HTTP answers as Markdown; the structured content says which version that is.
func TestSameAsREST(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	for _, one := range calls().Same {
		tool, args, path := one[0], one[1], one[2]
		t.Run(tool+" "+args, func(t *testing.T) {
			structured, text := call(t, c, tool, json.RawMessage(args))
			whole := r.get(path, "application/json")
			if got, want := undated([]byte(text)), undated(whole); got != want {
				t.Errorf("%.300s\nwant\n%.300s", got, want)
			}
			if !sameJSON(structured, []byte(text)) {
				t.Error("text and structured content differ")
			}
		})
	}
	for _, one := range [][3]string{
		{"get_guideline", `{"guideline_id":"fraud.code.001","format":"markdown"}`, "/api/v1/guidelines/fraud.code.001"},
		{"get_record", `{"registry":"fraud-signals","code":"CODE_REQUESTED","format":"markdown"}`,
			"/api/v1/fraud/signals/CODE_REQUESTED"},
		{"get_calculation", `{"tool_id":"loan_payment","format":"markdown"}`, "/api/v1/math/tools/loan_payment"},
		{"compare_versions", `{"folder":"parameters","name":"bank.limit","format":"markdown"}`,
			"/compare/parameters/bank.limit"},
	} {
		markdown(t, r, c, one[0], one[1], one[2])
	}
}

// markdown holds an answer in Markdown against that of HTTP. What is structured says of which version it is,
// and nothing of what it says.
func markdown(t *testing.T, r *running, c *mcp.ClientSession, tool, args, path string) {
	t.Helper()
	structured, text := call(t, c, tool, json.RawMessage(args))
	if want := string(r.get(path, "text/markdown")); text != want {
		t.Errorf("%s:\n%.300s\nwant\n%.300s", args, text, want)
	}
	var got, want map[string]json.RawMessage
	if json.Unmarshal(structured, &got) != nil || json.Unmarshal(r.get(path, "application/json"), &want) != nil {
		t.Fatalf("%s", structured)
	}
	for name, value := range got {
		if name != "fetched_at" && string(value) != string(want[name]) || len(value) > 200 {
			t.Errorf("%s is %s, not %s", name, value, want[name])
		}
	}
	if want["content_checksum"] != nil && got["content_checksum"] == nil || got["title"] != nil || got["rules"] != nil {
		t.Errorf("the structured content is %s", structured)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// Documents that are text are given as text.
func TestTextDocuments(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	for path, kind := range map[string]string{"/llms.txt": "text/plain",
		"/guidelines/fraud.code.001/current.md": "text/markdown", "/schemas/guidelines/1.0.json": "application/schema+json"} {
		structured, text := call(t, c, "read_url", map[string]any{"url": path})
		var doc struct {
			MediaType string `json:"media_type"`
			Text      string
		}
		if err := json.Unmarshal(structured, &doc); err != nil {
			t.Fatal(err)
		}
		if want := string(r.get(path, "*/*")); text != want || doc.Text != want || doc.MediaType != kind {
			t.Errorf("%s: %s %.200s", path, doc.MediaType, text)
		}
	}
	if _, text := call(t, c, "list_checksums", map[string]any{"limit": 500}); text != string(r.get("/api/v1/checksums", "*/*")) {
		t.Errorf("the checksums are\n%.300s", text)
	}
	if _, text := call(t, c, "get_health", nil); !strings.Contains(text, `"snapshot": "`+kinds().ID) {
		t.Errorf("the health is %s", text)
	}
}

// A list that is read by its address is a page of its tool: no answer is longer than a list may be.
func TestListsByAddress(t *testing.T) {
	c, _ := start(t).client("2026-07-28", all)
	for path, tool := range map[string]string{
		"/api/v1/guidelines": "list_guidelines", "/api/v1/fraud/signals": "list_fraud_signals",
		"/api/v1/checksums": "list_checksums", "/api/v1/upcoming": "list_upcoming",
	} {
		_, page := call(t, c, tool, nil)
		_, read := call(t, c, "read_url", map[string]any{"url": path})
		if undated([]byte(read)) != undated([]byte(page)) {
			t.Errorf("%s is\n%.300s\nand %s is\n%.300s", path, read, tool, page)
		}
	}
}

// Page after page, a model that follows next_offset reads the whole list.
func TestPages(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	for tool, array := range map[string]string{
		"list_parameters": "parameters", "list_fraud_routes": "routes", "get_changelog": "entries",
		"list_calculations": "tools", "list_checksums": "checksums", "find_calculation": "calculations",
	} {
		t.Run(tool, func(t *testing.T) {
			elements := func(args map[string]any) (page []json.RawMessage, total, next int) {
				structured, _ := call(t, c, tool, args)
				var whole map[string]json.RawMessage
				if err := json.Unmarshal(structured, &whole); err != nil {
					t.Fatal(err)
				}
				_ = json.Unmarshal(whole[array], &page)
				_ = json.Unmarshal(whole["total"], &total)
				_ = json.Unmarshal(whole["next_offset"], &next) // absent on the last page
				return page, total, next
			}
			want, total, next := elements(map[string]any{"limit": 50})
			for len(want) < total {
				more, _, _ := elements(map[string]any{"limit": 50, "offset": next})
				want, next = append(want, more...), next+len(more)
			}
			var got []json.RawMessage
			for offset := 0; ; {
				page, n, next := elements(map[string]any{"limit": 2, "offset": offset})
				got = append(got, page...)
				if offset = next; n != total || len(page) > 2 {
					t.Errorf("%d of %d, the total was %d", len(page), n, total)
				}
				if next == 0 {
					break
				}
			}
			if len(got) != total || len(want) != total || tool != "find_calculation" && // which describes the first
				!sameJSON([]byte(undated(must(json.Marshal(got)))), []byte(undated(must(json.Marshal(want))))) {
				t.Errorf("%d of %d elements", len(got), total)
			}
		})
	}
}

// A calculation answers as HTTP does, under each name that it has, but for the trace.
func TestCalculationsSameAsREST(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	for name, id := range map[string]string{"calculate_loan": "loan_payment", "kasko_total_loss_payout": "kasko_total_loss_payout",
		"compare_loan_variants": calc.CompareLoansID} {
		tool, _ := kinds().Math.Tool(id)
		var args, untraced map[string]any
		if err := json.Unmarshal([]byte(tool.Examples[0].Request), &args); err != nil {
			t.Fatal(err)
		}
		untraced = maps.Clone(args)
		options, _ := args["options"].(map[string]any)
		options = maps.Clone(options)
		if options == nil {
			options = map[string]any{}
		}
		options["include_trace"] = false
		untraced["options"] = options
		_, want := r.ask("POST", "/api/v1/math/tools/"+id, string(must(json.Marshal(untraced))), nil)
		if structured, text := call(t, c, name, args); text != want || !sameJSON(structured, []byte(want)) {
			t.Errorf("%s: %.300s\nwant\n%.300s", name, text, want)
		}
		args["tool_id"] = id
		if _, text := call(t, c, "calculate", args); text != want {
			t.Errorf("calculate %s: %.300s\nwant\n%.300s", id, text, want)
		}
	}
}

// Resources are listed page by page, each once.
func TestPagesOfResources(t *testing.T) {
	script := mcpserver.Script()
	for i := range 60 {
		id := fmt.Sprintf("bank.limit-%d", i)
		script[0].Files["parameters/"+id+".yaml"] = bytes.ReplaceAll(
			script[0].Files["parameters/bank.limit.yaml"], []byte("bank.limit"), []byte(id))
		script[0].Tags = append(script[0].Tags, git.NewTag{Name: "parameters/" + id + "/v1.0.0", Message: "Ещё"})
	}
	c, _ := startWith(t, mcpserver.Build(nil, mcpserver.Load(script)), mcpserver.Config{}).client("2026-07-28", "")
	seen, pages, cursor := map[string]bool{}, 0, ""
	for ; pages == 0 || cursor != ""; pages++ {
		page := must(c.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor}))
		for _, one := range page.Resources {
			if seen[one.URI] {
				t.Errorf("%s is listed twice", one.URI)
			}
			seen[one.URI] = true
		}
		cursor = page.NextCursor
	}
	if pages != 2 || len(seen) < 160 || !seen["rulestore://parameters/bank.limit-59.md"] {
		t.Errorf("%d resources on %d pages", len(seen), pages)
	}
}
