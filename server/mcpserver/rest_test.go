package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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

// reading is a call that reads and the request that reads the same.
type reading struct{ tool, args, path string }

// readings are the calls of each tool that reads, with each way to choose.
var readings = []reading{
	{"get_guideline", `{"guideline_id":"fraud.code.001"}`, "/api/v1/guidelines/fraud.code.001"},
	{"get_guideline", `{"guideline_id":"fraud.code.001","view":"brief"}`, "/api/v1/guidelines/fraud.code.001?view=brief"},
	{"get_guideline", `{"guideline_id":"fraud.code.001","section":["rules","applicability/triggers"]}`,
		"/api/v1/guidelines/fraud.code.001?section=rules&section=applicability/triggers"},
	{"get_guideline", `{"guideline_id":"fraud.code.001","in_force":"2026-11-01","section":"rules"}`,
		"/api/v1/guidelines/fraud.code.001?in_force=2026-11-01&section=rules"},
	{"get_instruction", `{"name":"assistant"}`, "/api/v1/instructions/assistant"},
	{"get_instruction", `{"name":"service.assistant.001"}`, "/api/v1/instructions/assistant"},
	{"get_instruction", `{"name":"assistant","version":"1.0.0"}`, "/api/v1/instructions/assistant/versions/1.0.0"},
	{"get_instruction", `{"name":"fallback-policy","as_of":"2026-11-01"}`,
		"/api/v1/instructions/fallback-policy?as_of=2026-11-01"},
	{"get_instruction", `{"name":"integration-profile"}`, "/api/v1/instructions/integration-profile"},
	{"get_parameter", `{"parameter_id":"bank.limit","in_force":"2026-03-01"}`,
		"/api/v1/external-parameters/bank.limit?in_force=2026-03-01"},
	{"get_parameter", `{"parameter_id":"bank.limit","view":"referenced_by"}`,
		"/api/v1/external-parameters/bank.limit?view=referenced_by"},
	{"get_schema", `{"name":"math/claim"}`, "/api/v1/schemas/math/claim"},
	{"get_registry", `{"name":"currencies"}`, "/api/v1/registries/currencies"},
	{"get_taxonomy", `{"section":["product_types"],"as_of":"2026-11-01"}`,
		"/api/v1/taxonomy?section=product_types&as_of=2026-11-01"},
	{"get_record", `{"registry":"fraud-signals","code":"CODE_REQUESTED"}`, "/api/v1/fraud/signals/CODE_REQUESTED"},
	{"get_calendar", `{"calendar_id":"ru-2026"}`, "/api/v1/calendars/ru-2026"},
	{"get_scenario", `{"scenario_id":"fraud_risk"}`, "/api/v1/scenarios/fraud_risk"},
	{"get_calculation", `{"tool_id":"loan_payment"}`, "/api/v1/math/tools/loan_payment"},
	{"get_manifest", `{}`, "/"},
	{"get_changelog", `{"limit":500,"since":"2026-04-01"}`, "/api/v1/changelog?limit=500&since=2026-04-01"},
	{"list_versions", `{"folder":"parameters","name":"bank.limit"}`, "/api/v1/external-parameters/bank.limit/versions"},
	{"list_guidelines", `{"scenario":"fraud_risk","status":"current","prefix":"fraud.","as_of":"2026-09-01","limit":500}`,
		"/api/v1/guidelines?scenario=fraud_risk&status=current&prefix=fraud.&as_of=2026-09-01"},
	{"list_guidelines", `{"in_force":"2026-03-01"}`, "/api/v1/guidelines?in_force=2026-03-01"},
	{"list_instructions", `{}`, "/api/v1/instructions"},
	{"list_parameters", `{"prefix":"bank."}`, "/api/v1/external-parameters?prefix=bank."},
	{"list_schemas", `{}`, "/api/v1/schemas"},
	{"list_registries", `{}`, "/api/v1/registries"},
	{"list_calendars", `{}`, "/api/v1/calendars"},
	{"list_scenarios", `{"product_type":"card"}`, "/api/v1/scenarios?product_type=card"},
	{"list_fraud_signals", `{"sufficient_for_stop":true,"severity":"critical","category":"credentials"}`,
		"/api/v1/fraud/signals?sufficient_for_stop=true&severity=critical&category=credentials"},
	{"list_fraud_states", `{"irreversible_harm_possible":true}`, "/api/v1/fraud/states?irreversible_harm_possible=true"},
	{"list_fraud_scenarios", `{"signal":"CODE_REQUESTED"}`, "/api/v1/fraud/scenarios?signal=CODE_REQUESTED"},
	{"list_fraud_routes", `{"urgency":"immediate","as_of":"2026-11-01"}`,
		"/api/v1/fraud/routes?urgency=immediate&as_of=2026-11-01"},
	{"list_authority_resources", `{"status":"verified"}`, "/api/v1/authority-resources?status=verified"},
	{"list_calculations", `{"family":"personal_finance","limit":500}`, "/api/v1/math?family=personal_finance"},
	{"list_calculations", `{"release":"1.3","limit":500}`, "/api/v1/math?release=1.3"},
	{"fraud_brief", `{"signal":["CODE_REQUESTED"],"state":["CONTACT_ACTIVE"]}`,
		"/api/v1/fraud/brief?signal=CODE_REQUESTED&state=CONTACT_ACTIVE"},
	{"search", `{"q":"код","in_force":"2026-03-01","as_of":"2026-04-01","limit":500}`,
		"/api/v1/search?limit=500&in_force=2026-03-01&as_of=2026-04-01&q=" + url.QueryEscape("код")},
	{"search", `{"signal":"CODE_REQUESTED","scenario":"fraud_risk","limit":500}`,
		"/api/v1/search?limit=500&scenario=fraud_risk&signal=CODE_REQUESTED"},
	{"compare_versions", `{"folder":"parameters","name":"bank.limit"}`, "/compare/parameters/bank.limit"},
	{"compare_versions", `{"folder":"parameters","name":"bank.limit","from":"1.0.0","to":"1.1.0","section":"value","offset":1}`,
		"/compare/parameters/bank.limit?from=1.0.0&to=1.1.0&section=value&offset=1"},
	{"read_url", `{"url":"/"}`, "/"},
	{"read_url", `{"url":"GET /api/v1/taxonomy"}`, "/api/v1/taxonomy"},
	{"read_url", `{"url":"` + baseURL + `/.well-known/service-for-robots.json"}`, "/.well-known/service-for-robots.json"},
	asAddress("/api/v1/taxonomy?section=product_types"),
	asAddress("/api/v1/fraud/signals?section=signals/CODE_REQUESTED"),
	asAddress("/api/v1/fraud/signals?in_force=2026-11-01"),
	asAddress("/api/v1/fraud/scenarios?as_of=2026-06-20&signal=NOTHING_NOW"),
	asAddress("/api/v1/fraud/brief?signal=CODE_REQUESTED&signal=CODE_REQUESTED"),
	asAddress("/api/v1/search?limit=500&q=" + url.QueryEscape("код")),
	asAddress("/api/v1/guidelines?scenario=fraud_risk"),
	asAddress("/api/v1/instructions/fallback-policy?view=brief"),
	asAddress("/api/v1/instructions/assistant/versions/1.0.0?section=workflow"),
	asAddress("/api/v1/external-parameters/bank.limit?in_force=2026-06-01"),
	asAddress("/compare/parameters/bank.limit"),
	asAddress("/compare/parameters/bank.limit?from=1.0.0&to=1.1.0"),
}

// asAddress reads an address as other answers name it.
func asAddress(path string) reading {
	return reading{"read_url", `{"url":"` + baseURL + path + `"}`, path}
}

// What a tool reads is what HTTP answers, but for the time of the answer: as JSON, and the same as text.
// As Markdown it is what HTTP answers as Markdown; the structured content says which version that is.
func TestSameAsREST(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	for _, one := range readings {
		t.Run(one.tool+" "+one.args, func(t *testing.T) {
			structured, text := call(t, c, one.tool, json.RawMessage(one.args))
			whole := r.get(one.path, "application/json")
			if got, want := undated([]byte(text)), undated(whole); got != want {
				t.Errorf("%.300s\nwant\n%.300s", got, want)
			}
			if !sameJSON(structured, []byte(text)) {
				t.Error("text and structured content differ")
			}
		})
	}
	for _, one := range []reading{
		{"get_guideline", `{"guideline_id":"fraud.code.001","format":"markdown"}`, "/api/v1/guidelines/fraud.code.001"},
		{"get_record", `{"registry":"fraud-signals","code":"CODE_REQUESTED","format":"markdown"}`,
			"/api/v1/fraud/signals/CODE_REQUESTED"},
		{"get_calculation", `{"tool_id":"loan_payment","format":"markdown"}`, "/api/v1/math/tools/loan_payment"},
		{"compare_versions", `{"folder":"parameters","name":"bank.limit","format":"markdown"}`,
			"/compare/parameters/bank.limit"},
	} {
		markdown(t, r, c, one)
	}
}

// markdown holds an answer in Markdown against that of HTTP. What is structured says of which version it is,
// and nothing of what it says.
func markdown(t *testing.T, r *running, c *mcp.ClientSession, one reading) {
	t.Helper()
	structured, text := call(t, c, one.tool, json.RawMessage(one.args))
	if want := string(r.get(one.path, "text/markdown")); text != want {
		t.Errorf("%s:\n%.300s\nwant\n%.300s", one.args, text, want)
	}
	var got, want map[string]json.RawMessage
	if json.Unmarshal(structured, &got) != nil || json.Unmarshal(r.get(one.path, "application/json"), &want) != nil {
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
		want := string(r.post("/api/v1/math/tools/"+id, string(must(json.Marshal(untraced)))))
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
