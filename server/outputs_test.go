package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/site"
)

// outputNames are the output schemas that have a worked example.
var outputNames = []string{
	"fraud-response-output", "product-analysis-output", "credit-history-analysis-output", "math/loan-calculation",
}

// outputSchema compiles a JSON Schema as a caller would, by its $id; formats are
// left unchecked, as validators do unless they are told otherwise.
func outputSchema(t *testing.T, raw []byte) *jsonschema.Schema {
	t.Helper()
	document := must(jsonschema.UnmarshalJSON(bytes.NewReader(raw)))
	id := document.(map[string]any)["$id"].(string)
	c := jsonschema.NewCompiler()
	if err := c.AddResource(id, document); err != nil {
		t.Fatal(err)
	}
	return must(c.Compile(id))
}

// workedExample is the example that a schema shows: what an assistant could have
// written.
func workedExample(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	document := must(jsonschema.UnmarshalJSON(bytes.NewReader(raw))).(map[string]any)
	examples, _ := document["examples"].([]any)
	if len(examples) != 1 {
		t.Fatalf("%v has %d examples", document["$id"], len(examples))
	}
	return examples[0].(map[string]any)
}

// Each output schema has a worked example, complete and cited as it is published.
func TestWorkedExamples(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	for _, item := range s.Snapshot.Items {
		if item.Kind != content.OutputSchemas {
			continue
		}
		r := c.get("/schemas/output/" + item.Name + ".json")
		example := workedExample(t, r.body)
		if err := outputSchema(t, r.body).Validate(example); err != nil {
			t.Errorf("%s: %v", item.Name, err)
		}
		var document struct {
			Schema, Title, Description string
			ID                         string `json:"$id"`
			Dialect                    string `json:"$schema"`
			Properties                 map[string]any
		}
		if err := json.Unmarshal(r.body, &document); err != nil {
			t.Fatal(err)
		}
		for section := range document.Properties {
			if example[section] == nil {
				t.Errorf("%s: the example lacks %s", item.Name, section)
			}
		}
		current := item.Current
		if want := baseURL + "/schemas/output/" + item.Name + "/" + current.Version.String() +
			".json"; document.ID != want {
			t.Errorf("%s: $id is %s", item.Name, document.ID)
		}
		if document.Dialect != "https://json-schema.org/draft/2020-12/schema" ||
			document.Title != current.Body().Text("title") ||
			document.Description != current.Body().Text("description") {
			t.Errorf("%s: %+v", item.Name, document)
		}
		cites(t, s.Snapshot, example)
	}
	for _, name := range outputNames {
		if s.Snapshot.Item(content.OutputSchemas, name) == nil {
			t.Errorf("there is no %s", name)
		}
	}
}

// cites says that what an example names as used is published, with that checksum,
// and that an authority was verified on that day.
func cites(t *testing.T, s *content.Snapshot, example map[string]any) {
	t.Helper()
	provenance := example["provenance"].(map[string]any)
	used := []string{cited(provenance["instruction_used"], "instruction")}
	guidelines, _ := provenance["guidelines_used"].([]any)
	for _, g := range guidelines {
		used = append(used, cited(g, "guideline"))
	}
	resources, _ := provenance["authority_resources_used"].([]any)
	for _, r := range resources {
		used = append(used, fmt.Sprint(at(r, "resource_id"), " ", at(r, "verified_at"), " ", at(r, "status")))
	}
	published := map[string]bool{}
	for _, r := range authorities(t, s) {
		published[r.Text("resource_id")+" "+r.Text("verified_at")+" "+r.Text("status")] = true
	}
	for _, item := range s.Items {
		for _, e := range item.Entries {
			published[e.ID()+" "+e.Version.String()+" "+e.Checksum] = true
		}
	}
	for _, u := range used {
		if !published[u] {
			t.Errorf("%s is not published", u)
		}
	}
}

// authorities are the records of the registry of authorities.
func authorities(t *testing.T, s *content.Snapshot) (records []content.Object) {
	t.Helper()
	current := s.Item(content.Registries, "authority-resources").Current
	if err := json.Unmarshal(current.Body().Get("resources"), &records); err != nil {
		t.Fatal(err)
	}
	return records
}

func cited(v any, kind string) string {
	o := v.(map[string]any)
	return fmt.Sprint(o[kind+"_id"], " ", o[kind+"_version"], " ", o["content_checksum"])
}

// at returns the object at a path of names and indexes, and the last name.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

func TestBrokenOutputs(t *testing.T) {
	type object = map[string]any
	put := func(name string, value any, path ...any) func(object) {
		return func(o object) { at(o, path...).(object)[name] = value }
	}
	drop := func(name string, path ...any) func(object) {
		return func(o object) { delete(at(o, path...).(object), name) }
	}
	tests := map[string]map[string]func(object){
		"fraud-response-output": {
			"no section":             drop("limitations"),
			"no field":               drop("active_threat", "risk_assessment"),
			"no nested field":        drop("fetched_at", "provenance", "guidelines_used", 0),
			"no field of a repeated": drop("required", "parallel_routes", 0),
			"unknown section":        put("comment", "текст"),
			"unknown field":          put("user_name", "Иван", "risk_assessment"),
			"unknown nested field":   put("url", "https://example.org", "provenance", "instruction_used"),
			"wrong value":            put("level", "medium", "risk_assessment"),
			"wrong urgency":          put("urgency", "later", "primary_route"),
			"wrong status":           put("status", "redacted", "provenance", "guidelines_used", 0),
			"unknown signal":         put("matched_signals", []any{"BAD_FEELING"}, "risk_assessment"),
			"signal twice": put("matched_signals",
				[]any{"URGENCY_PRESSURE", "URGENCY_PRESSURE"}, "risk_assessment"),
			"unknown state":          put("incident_states", []any{"SAD"}, "risk_assessment"),
			"unknown route":          put("route_id", "bank.001", "primary_route"),
			"unknown resource":       put("resource_ids", []any{"google"}, "primary_route"),
			"text for a boolean":     put("active_threat", "true", "risk_assessment"),
			"text for a list":        put("actions", "Положите трубку", "immediate_stop_actions"),
			"number in a list":       put("actions", []any{1}, "immediate_stop_actions"),
			"object for a list":      put("parallel_routes", object{}),
			"list for an object":     put("primary_route", []any{}),
			"null where none may be": put("target_type", nil, "primary_route"),
			"empty text":             put("text", "", "user_explanation"),
			"date in words":          put("verified_at", "вчера", "provenance", "authority_resources_used", 0),
			"date for an instant":    put("fetched_at", "2026-11-20", "provenance", "guidelines_used", 0),
			"one limitation":         put("limitations", []any{"NO_GUARANTEE_OF_RECOVERY"}),
			"one limitation twice": put("limitations", []any{"NO_GUARANTEE_OF_RECOVERY",
				"NO_GUARANTEE_OF_RECOVERY"}),
			"a limitation of its own": put("limitations", []any{"NO_GUARANTEE_OF_RECOVERY", "NO_LEGAL_CONCLUSION"}),
			"a limitation too many": put("limitations", []any{"NO_GUARANTEE_OF_RECOVERY",
				"NO_FINAL_CRIMINAL_QUALIFICATION", "OTHER"}),
			"limitations as an object":  put("limitations", object{"items": []any{}}),
			"guarantee for a limit":     put("limitations", "NO_GUARANTEE_OF_RECOVERY"),
			"no provenance of resource": drop("authority_resources_used", "provenance"),
		},
		"product-analysis-output": {
			"no section":         drop("exit_terms"),
			"no field":           drop("registry_check", "provider"),
			"null is not absent": drop("legal_name", "provider"),
			"unknown field":      put("passport", "1234 567890", "provider"),
			"wrong product":      put("product_type", "crypto", "product"),
			"wrong answer":       put("allowed", true, "exit_terms"),
			"wrong severity":     put("severity", "low", "findings", "items", 0),
			"number for a sum":   put("amount", json.Number("99"), "costs", "items", 0),
			"fixed value":        put("limitations", []any{"NO_LEGAL_CONCLUSION"}),
			"date in words":      put("analysis_date", "20 ноября", "product"),
			"wrong comparison":   put("comparison_status", "equal", "calculations", "items", 0),
			"no list":            put("questions", nil, "questions_to_provider"),
		},
		"credit-history-analysis-output": {
			"no section":       drop("correction_route"),
			"no field":         drop("known_to_user", "records", "items", 0),
			"unknown section":  put("score", json.Number("700")),
			"boolean answer":   put("unknown_obligations", false, "safety"),
			"wrong kind":       put("kind", "mortgage", "records", "items", 0),
			"fraction":         put("record_no", json.Number("1.5"), "records", "items", 0),
			"text for a count": put("record_no", "1", "records", "items", 0),
			"wrong target":     put("target", "central_bank", "correction_route"),
			"fixed value": put("limitations", []any{"NO_APPROVAL_GUARANTEE", "NO_SCORE_PREDICTION",
				"NO_LEGAL_CONCLUSION", "SCORE"}),
		},
		"math/loan-calculation": {
			"no section":         drop("psk"),
			"no field":           drop("inputs_hash", "calculation"),
			"unknown field":      put("psk", "19.5", "outputs"),
			"psk was calculated": put("status", "computed", "psk"),
			"another tool":       put("tool_id", "mortgage_annuity_payment", "calculation"),
			"reason in words":    put("reason", "нет данных", "calculation"),
			"number for money":   put("principal", json.Number("1000000"), "inputs"),
			"text for a count":   put("term_months", "60", "inputs"),
			"wrong source":       put("source", "internet", "inputs", "origin", 0),
			"wrong outcome":      put("status", "equal", "comparison", "items", 0),
			"instant in words":   put("calculated_at", "сегодня", "provenance"),
			"fixed value":        put("limitations", []any{}),
		},
	}
	c := ask(t, starterSite())
	for name, broken := range tests {
		t.Run(name, func(t *testing.T) {
			raw := c.get("/schemas/output/" + name + ".json").body
			schema := outputSchema(t, raw)
			for what, breakIt := range broken {
				example := workedExample(t, raw)
				breakIt(example)
				if schema.Validate(example) == nil {
					t.Errorf("%s: accepts what is broken: %s", name, what)
				}
			}
		})
	}
}

// The same schema is at the item's own paths by Accept, at an address that names
// it, and linked from the item.
func TestJSONSchemaRepresentations(t *testing.T) {
	c := ask(t, starterSite())
	item := "/api/v1/schemas/math/loan-calculation"
	version := starterSite().Snapshot.Item(content.OutputSchemas, "math/loan-calculation").Current.Version.String()
	current := c.get("/schemas/output/math/loan-calculation.json")
	for _, path := range []string{item, item + "/versions/" + version} {
		r := c.get(path, "Accept", "application/schema+json")
		if r.status != 200 || !bytes.Equal(r.body, current.body) ||
			r.header.Get("Content-Type") != "application/schema+json" {
			t.Errorf("%s: %d %s", path, r.status, r.header.Get("Content-Type"))
		}
	}
	older := c.get("/schemas/output/math/loan-calculation/1.0.0.json")
	if older.status != 200 || bytes.Equal(older.body, current.body) ||
		bytes.Contains(older.body, []byte("called_through")) {
		t.Errorf("1.0.0: %d %.300s", older.status, older.body)
	}
	url := baseURL + "/schemas/output/math/loan-calculation/" + version + ".json"
	asJSON := c.get(item)
	if links := strings.Join(asJSON.header["Link"], "\n"); !strings.Contains(links,
		"<"+url+`>; rel="alternate"; type="application/schema+json"`) {
		t.Errorf("links: %s", links)
	}
	for _, path := range []string{item, item + "/versions/" + version, "/.well-known/service-for-robots.json"} {
		want := url
		if strings.HasPrefix(path, "/.well") {
			want = baseURL + "/schemas/output/math/loan-calculation.json"
		}
		if r := c.get(path); !bytes.Contains(r.body, []byte(want)) {
			t.Errorf("%s does not name %s", path, want)
		}
	}
	if r := c.get("/schemas/output/none.json"); r.status != 404 {
		t.Errorf("none: %d", r.status)
	}
	if r := c.get("/api/v1/glossary", "Accept", "application/schema+json"); r.status != 406 {
		t.Errorf("glossary: %d", r.status)
	}
}

// The codes that a schema allows follow the registry: a swap that brings a new
// version of it brings a new schema, and only then.
func TestJSONSchemaFollowsRegistries(t *testing.T) {
	script := readScript("testdata/outputs.txtar")
	l := loader.New(loader.Config{Schemas: schemas.Embedded(), Now: func() time.Time { return today }})
	after := func(prev *site.Site, commits int) *site.Site {
		l.Source = must(gitrepo.InMemory(script[:commits]))
		return build(prev, must(l.Load(t.Context())).Snapshot)
	}
	first := after(nil, 1)
	again := after(first, 1)
	second := after(again, 2)
	redacted := after(second, 3)

	const path, version, item = "/schemas/output/notes.json",
		"/schemas/output/notes/1.0.0.json", "/api/v1/schemas/notes"
	if first.Lookup(version) != again.Lookup(version) {
		t.Error("nothing changed, and the schema was made again")
	}
	old, now := ask(t, again).get(path), ask(t, second).get(path)
	note := map[string]any{"topic": map[string]any{"code": "NEW_CODE"}}
	if outputSchema(t, old.body).Validate(note) == nil {
		t.Error("accepts a code that the registry does not have yet")
	}
	if err := outputSchema(t, now.body).Validate(note); err != nil {
		t.Error(err)
	}
	modified := must(http.ParseTime(now.header.Get("Last-Modified")))
	if old.header.Get("Etag") == now.header.Get("Etag") || !modified.Equal(time.Date(2026, 6, 1,
		6, 0, 0, 0, time.UTC)) {
		t.Errorf("validators: %v, then %v", old.header, now.header)
	}
	if a, b := ask(t, again).get(item), ask(t, second).get(item); a.header.Get("Etag") != b.header.Get("Etag") {
		t.Error("the item itself did not change")
	}
	for _, path := range []string{path, version} {
		if r := ask(t, redacted).get(path); r.status != http.StatusGone {
			t.Errorf("%s: redacted, and %d", path, r.status)
		}
	}
}
