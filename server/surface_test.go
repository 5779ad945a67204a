package server_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// place is a path of a site and what is there.
type place struct {
	path  string
	kind  string         // media type without parameters
	entry *content.Entry // the version there, nil for what is no version
}

const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
	htmlType     = "text/html"
	textType     = "text/plain"
	linksetType  = "application/linkset+json"
	schemaType   = "application/schema+json"
	openAPIType  = "application/vnd.oai.openapi"
)

// address of items and lists, written down once more: what the specification,
// the design and its reference say, not what the code has.
var (
	itemPaths = map[*content.Kind]string{
		content.Guidelines: "/api/v1/guidelines/", content.Instructions: "/api/v1/instructions/",
		content.Policies: "/api/v1/instructions/", content.Profiles: "/api/v1/instructions/",
		content.OutputSchemas: "/api/v1/schemas/", content.Registries: "/api/v1/registries/",
		content.Parameters: "/api/v1/external-parameters/", content.Calendars: "/api/v1/calendars/",
		content.Scenarios: "/api/v1/scenarios/",
	}
	registryPaths = map[string]string{
		"taxonomy": "/api/v1/taxonomy", "glossary": "/api/v1/glossary",
		"authority-resources": "/api/v1/authority-resources",
		"fraud-signals":       "/api/v1/fraud/signals", "fraud-states": "/api/v1/fraud/states",
		"fraud-scenarios": "/api/v1/fraud/scenarios", "fraud-routes": "/api/v1/fraud/routes",
	}
	staticPaths = map[*content.Kind][2]string{ // before and after the name
		content.Guidelines: {"/guidelines/", "/current"}, content.Scenarios: {"/scenarios/", "/current"},
		content.Instructions: {"/instructions/", ""}, content.Policies: {"/instructions/", ""},
		content.Profiles: {"/instructions/", ""},
	}
	listPaths = map[string]string{ // with what the array is called
		"/api/v1/guidelines": "guidelines", "/api/v1/instructions": "instructions", "/api/v1/schemas": "schemas",
		"/api/v1/registries": "registries", "/api/v1/external-parameters": "parameters",
		"/api/v1/calendars": "calendars",
		"/api/v1/scenarios": "scenarios",
	}
)

func pathOf(k *content.Kind, name string) string {
	if path, ok := registryPaths[name]; ok && k == content.Registries {
		return path
	}
	return itemPaths[k] + name
}

// records lists the codes of the records of a registry.
func records(e *content.Entry) (codes []string) {
	if e == nil {
		return nil
	}
	for _, m := range e.Body() {
		var list []content.Object
		if e.Kind != content.Registries || e.Name == "taxonomy" || json.Unmarshal(m.Value, &list) != nil {
			continue
		}
		for _, record := range list { // the code comes first
			codes = append(codes, record.Text(record[0].Name))
		}
	}
	return codes
}

// places lists the whole surface of a site of which each item has a version.
func places(s *site.Site) []place {
	all := []place{
		{"/", jsonType, nil}, {"/llms.txt", textType, nil},
		{"/.well-known/service-for-robots.json", jsonType, nil}, {"/.well-known/api-catalog", linksetType, nil},
		{"/openapi.json", openAPIType + "+json", nil}, {"/openapi.yaml", openAPIType + "+yaml", nil},
		{"/schemas/guidelines/1.0.json", schemaType, nil}, {"/schemas/registries/fraud-signals/1.0.json", schemaType,
			nil},
		{"/api/v1/changelog", jsonType, nil}, {"/api/v1/checksums", textType, nil},
		{"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4", jsonType, nil},
		{"/api/v1/math", jsonType, nil}, {"/api/v1/math/tools/loan_payment", jsonType, nil},
		{"/api/v1/math/tools/loan_payment/input-schema", schemaType, nil},
		{"/api/v1/health", jsonType, nil}, {"/healthz", jsonType, nil},
	}
	for path := range listPaths {
		all = append(all, place{path, jsonType, nil})
	}
	for _, item := range s.Snapshot.Items {
		base := pathOf(item.Kind, item.Name)
		all = append(all, place{base, jsonType, item.Current}, place{base + "/versions", jsonType, nil})
		if static, ok := staticPaths[item.Kind]; ok {
			all = append(all,
				place{static[0] + item.Name + static[1] + ".json", jsonType, item.Current},
				place{static[0] + item.Name + static[1] + ".md", markdownType, item.Current},
			)
		}
		for _, e := range item.Entries {
			if e.Status != content.Redacted {
				all = append(all, place{base + "/versions/" + e.Version.String(), jsonType, e})
			}
		}
		for _, code := range records(item.Current) {
			if code != "versions" {
				all = append(all, place{base + "/" + code, jsonType, nil})
			}
		}
	}
	return all
}

// Every path of a repository of all kinds is there, and HEAD says what GET does; the headers are in
// testdata/scripts/headers.txt.
func TestSurface(t *testing.T) {
	c := ask(t, kindsSite())
	for _, p := range places(kindsSite()) {
		r := c.get(p.path)
		if r.status != http.StatusOK {
			t.Errorf("%s: %d\n%s", p.path, r.status, r.body)
		}
		head := c.do(http.MethodHead, p.path)
		r.header.Del("Date")
		head.header.Del("Date")
		if head.status != r.status || !reflect.DeepEqual(head.header, r.header) {
			t.Errorf("HEAD %s: got %d %v, GET has %v", p.path, head.status, head.header, r.header)
		}
		if start := map[string]string{jsonType: "{", markdownType: "# "}[p.kind]; !strings.HasPrefix(string(r.body),
			start) {
			t.Errorf("%s: this is no %s: %.80s", p.path, p.kind, r.body)
		}
	}
}

// The stores of the tests are what they say: nothing of them is refused or held.
func TestStoresAreSound(t *testing.T) {
	for _, file := range []string{"testdata/store.txtar", "testdata/kinds.txtar"} {
		report := load(readScript(file)).Report
		if len(report.Refused)+len(report.Held)+report.Count(content.Error) > 0 {
			t.Errorf("%s: refused %q, held %q, findings %v", file, report.Refused, report.Held, report.Findings)
		}
	}
}
