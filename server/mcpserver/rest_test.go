package mcpserver_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
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
type reading struct {
	tool string
	args map[string]any
	path string
}

// readings lists, for each tool that reads, calls and the requests that they must
// agree with: the versions of one item of each kind, and every list.
func readings(s *site.Site) (list []reading) {
	get := map[*content.Kind][2]string{
		content.Guidelines: {"get_guideline", "guideline_id"}, content.Instructions: {"get_instruction", "name"},
		content.Policies: {"get_instruction", "name"}, content.Profiles: {"get_instruction", "name"},
		content.OutputSchemas: {"get_schema", "name"}, content.Registries: {"get_registry", "name"},
		content.Parameters: {"get_parameter", "parameter_id"}, content.Calendars: {"get_calendar", "calendar_id"},
		content.Scenarios: {"get_scenario", "scenario_id"},
	}
	for _, it := range s.Snapshot.Items {
		tool, base := get[it.Kind], it.Kind.ItemPath(it.Name)
		delete(get, it.Kind)
		if tool[0] == "" {
			continue
		}
		list = append(list,
			reading{tool[0], map[string]any{tool[1]: it.Name}, base},
			reading{tool[0], map[string]any{tool[1]: it.Current.Publication.ID()}, base},
			reading{tool[0], map[string]any{tool[1]: it.Name, "as_of": "2026-11-28"}, base + "?as_of=2026-11-28"},
			reading{"list_versions", map[string]any{"folder": it.Kind.Folder, "name": it.Name}, base + "/versions"},
			reading{"read_url", map[string]any{"url": s.URL(base)}, base},
		)
		if api.HasPeriods(it.Kind) {
			list = append(list, reading{tool[0], map[string]any{tool[1]: it.Name, "in_force": "2026-06-01"},
				base + "?in_force=2026-06-01"})
		}
		oldest := it.Entries[len(it.Entries)-1]
		list = append(list, reading{tool[0], map[string]any{tool[1]: it.Name, "version": oldest.Version.String()},
			oldest.Path()})
	}
	for _, k := range content.Kinds {
		if k.List {
			list = append(list, reading{"list_" + k.Folder, map[string]any{"limit": 500}, k.Path})
		}
	}
	late := strconv.Itoa(s.Snapshot.Count() - 50) // a place in the log that leaves less than a page
	list = append(list, reading{"get_changelog", map[string]any{"limit": 500, "since": late},
		"/api/v1/changelog?limit=500&since=" + late})
	return append(list, filtered...)
}

var filtered = []reading{
	{"list_guidelines", map[string]any{"scenario": "fraud_risk", "limit": 500},
		"/api/v1/guidelines?scenario=fraud_risk"},
	{"list_guidelines", map[string]any{"status": "superseded", "product_type": "deposit", "limit": 500},
		"/api/v1/guidelines?status=superseded&product_type=deposit"},
	{"list_guidelines", map[string]any{"prefix": "consumer-rights.", "as_of": "2026-09-01", "limit": 500},
		"/api/v1/guidelines?prefix=consumer-rights.&as_of=2026-09-01"},
	{"list_guidelines", map[string]any{"in_force": "2026-03-01", "as_of": "2026-06-01", "limit": 500},
		"/api/v1/guidelines?in_force=2026-03-01&as_of=2026-06-01"},
	{"list_parameters", map[string]any{"in_force": "2020-01-01", "limit": 500},
		"/api/v1/external-parameters?in_force=2020-01-01"},
	{"search", map[string]any{"q": "срок ответа", "in_force": "2020-01-01", "limit": 500},
		"/api/v1/search?limit=500&in_force=2020-01-01&q=" + url.QueryEscape("срок ответа")},
	{"search", map[string]any{"q": "срок ответа", "in_force": "2025-01-01", "as_of": "2026-04-01", "limit": 500},
		"/api/v1/search?limit=500&in_force=2025-01-01&as_of=2026-04-01&q=" + url.QueryEscape("срок ответа")},
	{"get_guideline", map[string]any{"guideline_id": "product.common.001", "in_force": "2026-11-01",
		"section": []string{"rules"}}, "/api/v1/guidelines/product.common.001?in_force=2026-11-01&section=rules"},
	{"get_taxonomy", map[string]any{"in_force": "2026-11-01", "as_of": "2026-11-01"},
		"/api/v1/taxonomy?in_force=2026-11-01&as_of=2026-11-01"},
	{"list_fraud_signals", map[string]any{"category": "certificate", "limit": 500},
		"/api/v1/fraud/signals?category=certificate"},
	{"list_fraud_signals", map[string]any{"sufficient_for_stop": true, "severity": "critical", "limit": 500},
		"/api/v1/fraud/signals?sufficient_for_stop=true&severity=critical"},
	{"list_fraud_states", map[string]any{"irreversible_harm_possible": true, "limit": 500},
		"/api/v1/fraud/states?irreversible_harm_possible=true"},
	{"list_fraud_scenarios", map[string]any{"signal": "APK_INSTALLATION_REQUESTED", "limit": 500},
		"/api/v1/fraud/scenarios?signal=APK_INSTALLATION_REQUESTED"},
	{"list_fraud_routes", map[string]any{"urgency": "immediate", "limit": 500},
		"/api/v1/fraud/routes?urgency=immediate"},
	{"list_authority_resources", map[string]any{"status": "verified", "limit": 500},
		"/api/v1/authority-resources?status=verified"},
	{"get_taxonomy", nil, "/api/v1/taxonomy"},
	{"get_record", map[string]any{"registry": "fraud-signals", "code": "APK_INSTALLATION_REQUESTED"},
		"/api/v1/fraud/signals/APK_INSTALLATION_REQUESTED"},
	{"search", map[string]any{"q": "вклад", "limit": 500}, "/api/v1/search?limit=500&q=" + url.QueryEscape("вклад")},
	{"search", map[string]any{"scenario": "consumer_rights", "limit": 500},
		"/api/v1/search?limit=500&scenario=consumer_rights"},
	{"search", map[string]any{"signal": "APK_INSTALLATION_REQUESTED", "limit": 500},
		"/api/v1/search?limit=500&signal=APK_INSTALLATION_REQUESTED"},
	{"fraud_brief", map[string]any{"signal": []string{"SMS_CODE_REQUESTED", "PRETEXT_INTERCOM_KEY"}},
		"/api/v1/fraud/brief?signal=SMS_CODE_REQUESTED&signal=PRETEXT_INTERCOM_KEY"},
	{"get_guideline", map[string]any{"guideline_id": "product.common.001", "view": "brief"},
		"/api/v1/guidelines/product.common.001?view=brief"},
	{"get_guideline", map[string]any{"guideline_id": "product.common.001",
		"section": []string{"rules", "applicability/triggers"}},
		"/api/v1/guidelines/product.common.001?section=rules&section=applicability/triggers"},
	{"get_taxonomy", map[string]any{"section": "stop_codes", "as_of": "2026-11-01"},
		"/api/v1/taxonomy?section=stop_codes&as_of=2026-11-01"},
	{"get_changelog", map[string]any{"limit": 500}, "/api/v1/changelog?limit=500"},
	{"get_changelog", map[string]any{"limit": 500, "since": "2026-09-01"},
		"/api/v1/changelog?limit=500&since=2026-09-01"},
	{"get_manifest", nil, "/"},
	{"read_url", map[string]any{"url": "/"}, "/"},
	{"read_url", map[string]any{"url": "GET /api/v1/taxonomy"}, "/api/v1/taxonomy"},
	asAddress("/api/v1/taxonomy?section=stop_codes"),
	asAddress("/api/v1/fraud/signals?section=signals/APK_INSTALLATION_REQUESTED"),
	asAddress("/api/v1/fraud/signals?sufficient_for_stop=true"),
	asAddress("/api/v1/fraud/signals?as_of=2026-06-07"),
	asAddress("/api/v1/fraud/signals?in_force=2026-11-01"),
	asAddress("/api/v1/authority-resources?as_of=2026-11-20"),
	asAddress("/api/v1/fraud/signals?as_of=2026-06-07&sufficient_for_stop=true"),
	asAddress("/api/v1/fraud/scenarios?as_of=2026-06-20&signal=NOTHING_NOW"),
	asAddress("/api/v1/fraud/brief?signal=SMS_CODE_REQUESTED"),
	asAddress("/api/v1/fraud/brief?signal=SMS_CODE_REQUESTED&signal=PRETEXT_INTERCOM_KEY"),
	asAddress("/api/v1/search?limit=500&q=" + url.QueryEscape("вклад")),
	asAddress("/api/v1/guidelines?scenario=fraud_risk"),
	asAddress("/api/v1/instructions/fraud-response?section=steps/ASSESS_SIGNALS&section=compound_rules"),
	asAddress("/api/v1/instructions/fallback-policy?view=brief"),
	asAddress("/api/v1/guidelines/product.common.001?view=referenced_by"),
	asAddress("/api/v1/guidelines/product.common.001/versions/1.0.0?section=rules"),
	asAddress("/api/v1/external-parameters/consumer-rights.ombudsman-amount-limit?in_force=2026-06-01"),
	{"read_url", map[string]any{"url": baseURL + "/.well-known/service-for-robots.json"},
		"/.well-known/service-for-robots.json"},
	{"list_calculations", map[string]any{"limit": 500}, "/api/v1/math"},
	{"list_calculations", map[string]any{"family": "personal_finance", "limit": 500},
		"/api/v1/math?family=personal_finance"},
	{"compare_versions", map[string]any{"folder": "guidelines", "name": "product.common.001"},
		"/compare/guidelines/product.common.001"},
	{"compare_versions", map[string]any{"folder": "guidelines", "name": "product.common.001", "from": "1.0.0",
		"to": "1.1.0", "class": "wording", "section": "rules", "offset": 1},
		"/compare/guidelines/product.common.001?from=1.0.0&to=1.1.0&class=wording&section=rules&offset=1"},
	{"compare_versions", map[string]any{"folder": "parameters", "name": "insurance.cooling-off-days",
		"in_force": "2017-06-01"}, "/compare/parameters/insurance.cooling-off-days?in_force=2017-06-01"},
	asAddress("/compare/guidelines/product.common.001"),
	asAddress("/compare/guidelines/product.common.001?from=1.0.0&to=1.1.0"),
	{"get_calculation", map[string]any{"tool_id": "loan_payment"}, "/api/v1/math/tools/loan_payment"},
}

// asAddress reads an address as other answers name it.
func asAddress(path string) reading {
	return reading{"read_url", map[string]any{"url": baseURL + path}, path}
}

// What a tool reads is what HTTP answers, but for the time of the answer: as JSON, and the same as text.
// As Markdown it is what HTTP answers as Markdown; the structured content says which version that is.
func TestSameAsREST(t *testing.T) {
	r := start(t, starterSite())
	c, _ := r.client("2026-07-28", all)
	rendered := map[string]bool{} // the tools that were asked for Markdown
	for _, one := range readings(starterSite()) {
		structured, text := call(t, c, one.tool, one.args)
		whole := r.get(one.path, "application/json")
		if got, want := undated([]byte(text)), undated(whole); got != want {
			t.Errorf("%s %v:\n%.300s\nwant\n%.300s", one.tool, one.args, got, want)
		}
		if !sameJSON(structured, []byte(text)) {
			t.Errorf("%s %v: text and structured content differ", one.tool, one.args)
		}
		if rendered[one.tool] || !strings.HasPrefix(one.tool, "get_") || slices.Contains(
			[]string{"get_record", "get_manifest", "get_changelog"}, one.tool) {
			continue
		}
		rendered[one.tool] = true
		args := map[string]any{"format": "markdown"}
		maps.Copy(args, one.args)
		structured, text = call(t, c, one.tool, args)
		if want := string(r.get(one.path, "text/markdown")); text != want {
			t.Errorf("%s %v:\n%.300s\nwant\n%.300s", one.tool, args, text, want)
		}
		identity(t, structured, whole)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// identity looks whether structured content says what HTTP answers of which version it is,
// and nothing of what it says.
func identity(t *testing.T, structured, whole []byte) {
	t.Helper()
	var got, want map[string]json.RawMessage
	if err := json.Unmarshal(structured, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(whole, &want); err != nil {
		t.Fatal(err)
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

// untraced is a request for no trace: a tool gives one only if it is asked to.
func untraced(request string) string {
	if strings.Contains(request, `"options":{`) {
		return strings.Replace(request, `"options":{`, `"options":{"include_trace":false,`, 1)
	}
	return strings.TrimSuffix(strings.TrimSpace(request), "}") + `,"options":{"include_trace":false}}`
}

// Documents that are text are given as text.
func TestTextDocuments(t *testing.T) {
	r := start(t, starterSite())
	c, _ := r.client("2026-07-28", all)
	for path, kind := range map[string]string{"/llms.txt": "text/plain",
		"/guidelines/product.common.001/current.md": "text/markdown",
		"/schemas/guidelines/1.0.json":              "application/schema+json"} {
		t.Run(path, func(t *testing.T) {
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
		})
	}
	var sums strings.Builder
	for offset := 0; offset < starterSite().Snapshot.Count(); offset += 500 {
		_, text := call(t, c, "list_checksums", map[string]any{"limit": 500, "offset": offset})
		sums.WriteString(text)
	}
	if sums.String() != string(r.get("/api/v1/checksums", "*/*")) {
		t.Errorf("the checksums are\n%.300s", sums.String())
	}
	health, _ := call(t, c, "get_health", nil)
	var doc struct{ Status, Snapshot string }
	if err := json.Unmarshal(health, &doc); err != nil || doc.Status != "ok" || doc.Snapshot != starterSite().ID {
		t.Errorf("the health is %s", health)
	}
}

// Page after page, a model that follows next_offset reads the whole list.
func TestPages(t *testing.T) {
	r := start(t, starterSite())
	c, _ := r.client("2026-07-28", all)
	for tool, in := range map[string]struct{ path, array string }{
		"list_guidelines":          {"/api/v1/guidelines", "guidelines"},
		"list_fraud_signals":       {"/api/v1/fraud/signals", "signals"},
		"list_fraud_states":        {"/api/v1/fraud/states", "states"},
		"list_fraud_scenarios":     {"/api/v1/fraud/scenarios", "scenarios"},
		"list_fraud_routes":        {"/api/v1/fraud/routes", "routes"},
		"list_authority_resources": {"/api/v1/authority-resources", "resources"},
		"list_glossary_terms":      {"/api/v1/glossary", "terms"},
		"get_changelog":            {"/api/v1/changelog?limit=500", "entries"},
		"list_calculations":        {"/api/v1/math", "tools"},
	} {
		t.Run(tool, func(t *testing.T) {
			var whole map[string]json.RawMessage
			var want, got []json.RawMessage
			if err := json.Unmarshal(r.get(in.path, "application/json"), &whole); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(whole[in.array], &want); err != nil {
				t.Fatal(tool, err)
			}
			pages := 0
			for offset := 0; ; pages++ {
				var page map[string]json.RawMessage
				var part []json.RawMessage
				structured, _ := call(t, c, tool, map[string]any{"limit": 7, "offset": offset})
				if err := json.Unmarshal(structured, &page); err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(page[in.array], &part); err != nil {
					t.Fatal(tool, err)
				}
				got = append(got, part...)
				if string(page["total"]) != fmt.Sprint(len(want)) {
					t.Errorf("%s: the total is %s of %d", tool, page["total"], len(want))
				}
				if page["next_offset"] == nil {
					break
				}
				if err := json.Unmarshal(page["next_offset"], &offset); err != nil {
					t.Fatal(err)
				}
			}
			a, b := undated(must(json.Marshal(got))), undated(must(json.Marshal(want)))
			if !sameJSON([]byte(a), []byte(b)) {
				t.Errorf("%s: %d pages hold %d of %d elements", tool, pages+1, len(got), len(want))
			}
		})
	}
}

// A calculation answers as HTTP does, under each name that it has.
func TestCalculationsSameAsREST(t *testing.T) {
	r := start(t, starterSite())
	c, _ := r.client("2026-07-28", all)
	for id, name := range map[string]string{"loan_payment": "calculate_loan", "kasko_total_loss_payout": "",
		calc.CompareLoansID: "compare_loan_variants"} {
		tool, _ := starterSite().Math().Tool(id)
		request := tool.Examples[0].Request
		want := string(r.post("/api/v1/math/tools/"+id, untraced(request)))
		args := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(request), &args); err != nil {
			t.Fatal(err)
		}
		for _, asked := range []string{id, cmp.Or(name, id)} {
			if structured, text := call(t, c, asked, args); text != want || !sameJSON(structured, []byte(want)) {
				t.Errorf("%s: %.300s\nwant\n%.300s", asked, text, want)
			}
		}
		args["tool_id"] = must(json.Marshal(id))
		if _, text := call(t, c, "calculate", args); text != want {
			t.Errorf("calculate %s: %.300s\nwant\n%.300s", id, text, want)
		}
	}
}
