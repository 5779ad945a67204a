package server_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
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
	headerNames = map[*content.Kind]string{
		content.Guidelines: "X-Guideline", content.Instructions: "X-Instruction", content.Policies: "X-Policy",
		content.Profiles: "X-Profile", content.OutputSchemas: "X-Schema", content.Registries: "X-Registry",
		content.Parameters: "X-Parameter", content.Calendars: "X-Calendar", content.Scenarios: "X-Scenario",
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

// Every path of a repository of all kinds, with the headers that the specification
// and the conventions ask for; HEAD says what GET does.
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
		for name, want := range wantHeaders(kindsSite(), p) {
			if got := r.header[name]; !slices.Equal(got, want) {
				t.Errorf("%s: %s is %q, want %q", p.path, name, got, want)
			}
		}
		if start := map[string]string{jsonType: "{", markdownType: "# "}[p.kind]; !strings.HasPrefix(string(r.body),
			start) {
			t.Errorf("%s: this is no %s: %.80s", p.path, p.kind, r.body)
		}
	}
}

func wantHeaders(s *site.Site, p place) map[string][]string {
	want := map[string][]string{
		"Content-Type": {p.kind}, "X-Snapshot": {s.ID}, "Content-Language": {"ru"}, "Vary": {"Accept, Accept-Encoding"},
		"Cache-Control": {"public, max-age=60, stale-while-revalidate=600, stale-if-error=86400"},
	}
	switch p.kind {
	case markdownType, textType:
		want["Content-Type"] = []string{p.kind + "; charset=utf-8"}
	case linksetType:
		want["Content-Type"] = []string{p.kind + `; profile="https://www.rfc-editor.org/info/rfc9727"`}
	}
	if strings.Contains(p.path, "health") {
		want["Cache-Control"] = []string{"no-store"}
		want["Content-Language"], want["Vary"] = nil, nil
	}
	want["Last-Modified"] = nil // but for versions: what leaves a list leaves no date behind
	for _, prefix := range headerNames {
		want[prefix+"-Id"], want[prefix+"-Version"], want[prefix+"-Status"] = nil, nil, nil
	}
	want["X-Content-Checksum"], want["X-Schema-Version"] = nil, nil
	e := p.entry
	if e == nil {
		return want
	}
	// The format of an item; of a schema, the version is meant.
	format := e.Body().Text("schema_version")
	if e.Kind == content.OutputSchemas {
		format = e.Version.String()
	}
	prefix := headerNames[e.Kind]
	want[prefix+"-Version"] = []string{e.Version.String()}
	want[prefix+"-Id"] = []string{e.Body().Text(strings.ToLower(strings.TrimPrefix(prefix, "X-")) + "_id")}
	want[prefix+"-Status"] = []string{string(e.Status)}
	want["X-Schema-Version"] = []string{format}
	want["X-Content-Checksum"] = []string{e.Checksum}
	want["Last-Modified"] = []string{e.ModifiedAt.UTC().Format(http.TimeFormat)}
	want["Link"] = wantLinks(s.Snapshot.Item(e.Kind, e.Name), e, p.kind)
	return want
}

func wantLinks(item *content.Item, e *content.Entry, mediaType string) []string {
	base := baseURL + pathOf(item.Kind, item.Name) + "/versions"
	own := "<" + base + "/" + e.Version.String() + ">"
	links := []string{own + `; rel="canonical"`}
	for _, other := range []string{jsonType, markdownType, htmlType} {
		if other != mediaType {
			links = append(links, own+`; rel="alternate"; type="`+other+`"`)
		}
	}
	if item.Kind == content.OutputSchemas {
		links = append(links, "<"+baseURL+"/schemas/output/"+item.Name+"/"+e.Version.String()+
			`.json>; rel="alternate"; type="application/schema+json"`)
	}
	links = append(links,
		"<"+base+`>; rel="version-history"`,
		"<"+base+"/"+item.Current.Version.String()+`>; rel="latest-version"`,
	)
	i := slices.Index(item.Entries, e)
	if i+1 < len(item.Entries) {
		links = append(links, "<"+base+"/"+item.Entries[i+1].Version.String()+`>; rel="predecessor-version"`)
	}
	if i > 0 {
		links = append(links, "<"+base+"/"+item.Entries[i-1].Version.String()+`>; rel="successor-version"`)
	}
	return append(links, "<"+baseURL+"/schemas/"+formatFolder(item)+"/"+e.Body().Text(item.Kind.Format)+
		`.json>; rel="describedby"`)
}

// formatFolder is where the formats of an item are: some items have their own.
func formatFolder(item *content.Item) string {
	own := []string{
		"instructions/assistant", "instructions/fraud-response", "registries/authority-resources", "registries/fraud-routes",
		"registries/fraud-scenarios", "registries/fraud-signals", "registries/fraud-states", "registries/glossary",
		"registries/taxonomy",
	}
	if slices.Contains(own, item.ID()) {
		return item.ID()
	}
	return item.Kind.Folder
}
