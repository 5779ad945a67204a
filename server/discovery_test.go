package server_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// What the specification's endpoint table says of single endpoints.
func TestSpecifiedEndpoints(t *testing.T) {
	c := ask(t, starterSite())
	const common = "Etag X-Content-Checksum "
	instruction := common + "X-Instruction-Id X-Instruction-Version X-Instruction-Status X-Schema-Version Last-Modified"
	for path, headers := range map[string]string{
		"/":                                     "Etag",
		"/.well-known/service-for-robots.json":  "Etag",
		"/api/v1/guidelines":                    "Etag",
		"/api/v1/guidelines/product.common.001": common + "X-Guideline-Id X-Guideline-Version X-Guideline-Status",
		"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4": "Etag",
		"/api/v1/taxonomy":                                                "Etag",
		"/api/v1/external-parameters":                                     "Etag",
		"/api/v1/glossary":                                                "Etag",
		"/api/v1/changelog":                                               "Etag",
		"/api/v1/instructions/assistant":                                  instruction,
		"/api/v1/instructions/assistant/versions":                         "Etag",
		"/api/v1/instructions/assistant/versions/1.4.0":                   instruction,
		"/api/v1/instructions/integration-profile":                        common + "X-Profile-Id X-Profile-Version",
		"/api/v1/instructions/fallback-policy":                            common + "X-Policy-Id X-Policy-Version",
		"/api/v1/instructions/product-document-analysis":                  instruction,
		"/api/v1/instructions/product-document-analysis/versions":         "Etag",
		"/api/v1/schemas/product-analysis-output":                         common + "X-Schema-Id X-Schema-Version",
		"/instructions/assistant.md":                                      "Etag",
		"/instructions/assistant.json":                                    "Etag",
		"/instructions/integration-profile.md":                            "Etag",
		"/instructions/integration-profile.json":                          "Etag",
		"/instructions/fallback-policy.md":                                "Etag",
		"/instructions/fallback-policy.json":                              "Etag",
		"/instructions/product-document-analysis.md":                      "Etag",
		"/instructions/product-document-analysis.json":                    "Etag",
		"/guidelines/product.common.001/current.json":                     "Etag",
		"/guidelines/product.common.001/current.md":                       "Etag",
		"/api/v1/health":                                                  "",
		"/healthz":                                                        "",
		"/llms.txt":                                                       "Etag",
		"/api/v1/fraud/signals":                                           common,
		"/api/v1/fraud/states":                                            common,
		"/api/v1/fraud/scenarios":                                         common,
		"/api/v1/fraud/routes":                                            common,
		"/api/v1/authority-resources":                                     common,
		"/api/v1/schemas/fraud-response-output":                           common + "X-Schema-Id X-Schema-Version",
		"/api/v1/schemas/math/loan-calculation":                           common + "X-Schema-Id X-Schema-Version",
		"/api/v1/schemas/credit-history-analysis-output":                  common + "X-Schema-Id X-Schema-Version",
		"/api/v1/instructions/math-module":                                instruction,
		"/api/v1/instructions/credit-history-analysis":                    instruction,
		"/api/v1/instructions/consumer-rights-response":                   instruction,
		"/api/v1/instructions/product-document-analysis?as_of=2026-02-02": instruction,
	} {
		t.Run(path, func(t *testing.T) {
			r := c.get(path)
			if r.status != http.StatusOK {
				t.Errorf("%s: %d\n%.300s", path, r.status, r.body)
			}
			exposed := strings.Split(r.header.Get("Access-Control-Expose-Headers"), ", ")
			for name := range strings.FieldsSeq(headers) {
				seen := slices.ContainsFunc(exposed, func(e string) bool { return strings.EqualFold(e, name) })
				if r.header.Get(name) == "" || !seen {
					t.Errorf("%s: %s is %q, exposed: %v", path, name, r.header.Get(name), seen)
				}
			}
		})
	}
}

// The two meanings of X-Schema-Version: the format of an item, and the version
// of a schema.
func TestSchemaVersion(t *testing.T) {
	c := ask(t, kindsSite())
	for path, want := range map[string]string{
		"/api/v1/instructions/assistant":                       "1.0",
		"/api/v1/instructions/fallback-policy":                 "1.0",
		"/api/v1/fraud/signals":                                "1.0",
		"/api/v1/external-parameters/bank.limit":               "1.0",
		"/api/v1/schemas/fraud-response-output":                "1.0.0",
		"/api/v1/schemas/fraud-response-output/versions/1.0.0": "1.0.0",
	} {
		t.Run(path, func(t *testing.T) {
			for _, accept := range []string{jsonType, markdownType} {
				if got := c.get(path, "Accept", accept).header["X-Schema-Version"]; !slices.Equal(got, []string{want}) {
					t.Errorf("%s: %q, want %s", path, got, want)
				}
			}
		})
	}
	body := decode[content.Object](t, c.get("/api/v1/schemas/fraud-response-output").body)
	if body.Text("schema_version") != "1.0.0" || body.Text("format_version") != "1.0" ||
		string(body.Get("resource_receives_output")) != "false" {
		t.Errorf("%v", body)
	}
}

// The plain files of what lives among the instructions, whatever its kind.
func TestStaticAliases(t *testing.T) {
	c := ask(t, kindsSite())
	for static, path := range map[string]string{
		"/instructions/assistant":            "/api/v1/instructions/assistant",
		"/instructions/claims":               "/api/v1/instructions/claims",
		"/instructions/fallback-policy":      "/api/v1/instructions/fallback-policy",
		"/instructions/integration-profile":  "/api/v1/instructions/integration-profile",
		"/guidelines/fraud.code.001/current": "/api/v1/guidelines/fraud.code.001",
		"/scenarios/fraud_risk/current":      "/api/v1/scenarios/fraud_risk",
	} {
		t.Run(static, func(t *testing.T) {
			for ext, accept := range map[string]string{".json": jsonType, ".md": markdownType} {
				a, b := c.get(static+ext, "Accept", "text/html"), c.get(path, "Accept", accept)
				if a.status != http.StatusOK || string(a.blanked()) != string(b.blanked()) ||
					a.header.Get("Etag") != b.header.Get("Etag") || !slices.Equal(a.header["Link"], b.header["Link"]) {
					t.Errorf("%s%s is not %s as %s: %d", static, ext, path, accept, a.status)
				}
			}
		})
	}
	for _, path := range []string{"/registries/glossary.json", "/schemas/fraud-response-output.json",
		"/parameters/bank.limit.json", "/calendars/ru-2026.json", "/policies/fallback-policy.json"} {
		c.get(path).want(t, http.StatusNotFound, "path_not_found")
	}
}

func TestAddedAddresses(t *testing.T) {
	c := ask(t, starterSite())
	item := func(path string) content.Object { return decode[content.Object](t, c.get(path).body) }
	fraud := item("/api/v1/instructions/fraud-response")
	urls := decode[map[string]string](t, fraud.Get("discovery_urls"))
	want := map[string]string{
		"fraud_signals_url": "/api/v1/fraud/signals", "fraud_states_url": "/api/v1/fraud/states",
		"fraud_scenarios_url": "/api/v1/fraud/scenarios",
		"fraud_routes_url":    "/api/v1/fraud/routes", "authority_resources_url": "/api/v1/authority-resources",
		"fraud_response_output_schema_url": "/api/v1/schemas/fraud-response-output",
	}
	for name, path := range want {
		t.Run(name, func(t *testing.T) {
			if urls[name] != baseURL+path || c.get(path).status != http.StatusOK {
				t.Errorf("%s: %s", name, urls[name])
			}
		})
	}
	if len(urls) != len(want) {
		t.Errorf("%v", urls)
	}
	for path, schema := range map[string]string{
		"/api/v1/instructions/fraud-response":                  "fraud-response-output",
		"/api/v1/instructions/fraud-response/versions/1.0.0":   "fraud-response-output",
		"/api/v1/instructions/credit-history-analysis":         "credit-history-analysis-output", // output_schema
		"/api/v1/instructions/product-document-analysis":       "product-analysis-output",
		"/api/v1/instructions/assistant":                       "",
		"/api/v1/guidelines/product.common.001":                "",
		"/api/v1/instructions/fallback-policy":                 "",
		"/instructions/fraud-response.json":                    "fraud-response-output",
		"/api/v1/instructions/fraud-response?as_of=2026-02-03": "fraud-response-output",
	} {
		t.Run(path, func(t *testing.T) {
			want := ""
			if schema != "" {
				want = baseURL + "/api/v1/schemas/" + schema
				if c.get("/api/v1/schemas/"+schema).status != http.StatusOK {
					t.Errorf("%s is not served", schema)
				}
			}
			if got := item(path).Text("output_schema_url"); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		})
	}
}

// RFC 9727: a link set with the profile of the RFC, also found by HEAD, that
// names the interface and what describes it; RFC 9264: its shape.
func TestAPICatalog(t *testing.T) {
	c := ask(t, starterSite())
	const path = "/.well-known/api-catalog"
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := c.do(method, path, "Accept", "text/html")
		if r.header.Get("Content-Type") != `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"` || !slices.Contains(r.header["Link"], "<"+baseURL+path+`>; rel="api-catalog"`) {
			t.Errorf("%s: %d %v", method, r.status, r.header)
		}
	}
	type target struct{ Href, Type string }
	doc := decode[struct {
		Linkset []map[string]json.RawMessage
	}](t, c.get(path).body)
	if len(doc.Linkset) != 2 {
		t.Fatalf("%v", doc)
	}
	for i, want := range []map[string][]string{{
		"anchor": {"/"}, "service-desc": {"/openapi.json", "/openapi.yaml"}, "service-doc": {"/llms.txt"},
		"service-meta": {"/.well-known/service-for-robots.json"}, "status": {"/api/v1/health"},
	}, {
		"anchor": {"/api/v1/math"}, "service-desc": {"/openapi.json"}, "service-doc": {"/api/v1/math"},
		"service-meta": {"/api/v1/math"}, "status": {"/api/v1/health"},
	}} {
		seen := map[string][]string{}
		for rel, raw := range doc.Linkset[i] {
			targets := []target{{Type: jsonType}}
			if rel == "anchor" {
				targets[0].Href = decode[string](t, raw)
			} else {
				targets = decode[[]target](t, raw)
			}
			for _, to := range targets {
				seen[rel] = append(seen[rel], strings.TrimPrefix(to.Href, baseURL))
				checkTarget(t, c, to.Href, to.Type)
			}
		}
		if !reflect.DeepEqual(seen, want) {
			t.Errorf("%q, want %q", seen, want)
		}
	}
	if links := c.get("/").header["Link"]; !slices.Contains(links, "<"+baseURL+path+`>; rel="api-catalog"`) ||
		!slices.Contains(links, "<"+baseURL+`/openapi.json>; rel="service-desc"`) {
		t.Errorf("the manifest links to %q", links)
	}
}

func checkTarget(t *testing.T, c client, url, mediaType string) {
	t.Helper()
	r := c.get(strings.TrimPrefix(url, baseURL), "Accept", mediaType)
	got, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	if !strings.HasPrefix(url, baseURL) || r.status != http.StatusOK || got != mediaType {
		t.Errorf("%s: %d %s, want %s", url, r.status, got, mediaType)
	}
}

// The well-known document has the address of every endpoint of the specification
// and of everything that is current.
func TestWellKnown(t *testing.T) {
	c := ask(t, starterSite())
	r := c.get("/.well-known/service-for-robots.json")
	doc := decode[map[string]json.RawMessage](t, r.body)
	endpoints := decode[map[string]string](t, doc["endpoints"])
	manifest := decode[map[string]json.RawMessage](t, c.get("/").body)
	if string(manifest["endpoints"]) != string(doc["endpoints"]) {
		t.Error("the manifest has other endpoints")
	}
	var all []string
	for _, url := range endpoints {
		all = append(all, strings.TrimPrefix(url, baseURL))
	}
	for _, path := range []string{
		"/", "/.well-known/service-for-robots.json", "/api/v1/guidelines", "/api/v1/guidelines/{guideline_id}",
		"/api/v1/guidelines/{guideline_id}/versions",
		"/api/v1/guidelines/{guideline_id}/versions/{version}", "/api/v1/search", "/api/v1/taxonomy",
		"/api/v1/external-parameters", "/api/v1/glossary",
		"/api/v1/changelog", "/api/v1/instructions/assistant", "/api/v1/instructions/integration-profile",
		"/api/v1/instructions/fallback-policy",
		"/api/v1/instructions/product-document-analysis", "/api/v1/schemas/product-analysis-output", "/api/v1/health",
		"/healthz", "/llms.txt",
		"/api/v1/fraud/signals", "/api/v1/fraud/states", "/api/v1/fraud/scenarios", "/api/v1/fraud/routes",
		"/api/v1/authority-resources",
		"/api/v1/instructions/{name}", "/api/v1/instructions/{name}/versions/{version}", "/api/v1/schemas/{name}",
		"/openapi.json", "/.well-known/api-catalog",
		"/api/v1/math", "/api/v1/math/tools/{tool_id}",
	} {
		if !slices.Contains(all, path) {
			t.Errorf("no endpoint is %s", path)
		}
	}
	type named struct {
		URL      string
		Checksum string `json:"content_checksum"`
	}
	count := 0
	for _, k := range content.Kinds {
		for _, n := range decode[[]named](t, doc[k.Folder]) {
			count++
			if got := c.get(strings.TrimPrefix(n.URL, baseURL)); got.status != http.StatusOK ||
				got.header.Get("X-Content-Checksum") != n.Checksum {
				t.Errorf("%s: %d, and not the checksum %s", n.URL, got.status, n.Checksum)
			}
		}
	}
	if want := currentItems(starterSite()); count != want {
		t.Errorf("%d items, want %d", count, want)
	}
}

// currentItems counts the items that are not archived, of some kinds or of all.
func currentItems(s *site.Site, kinds ...*content.Kind) (n int) {
	for _, item := range s.Snapshot.Items {
		if item.Current != nil && item.Current.Status != content.Archived &&
			(len(kinds) == 0 || slices.Contains(kinds, item.Kind)) {
			n++
		}
	}
	return n
}

// llmstxt.org: a title, a summary, text without headings, then sections of
// links; what may be skipped is in the last. The first link of all is the
// instruction for assistants. The short one has the items of the kinds for which there is
// room, and the others' lists; the full one has every item with its summary.
func TestLLMs(t *testing.T) {
	c := ask(t, starterSite())
	if n := len(c.get("/llms.txt").body); n > 12<<10 {
		t.Errorf("the short text has %d bytes", n)
	}
	for path, least := range map[string]int{"/llms.txt": 40, "/llms-full.txt": 1 + currentItems(starterSite()) + 8} {
		t.Run(path, func(t *testing.T) { llms(t, c, path, least) })
	}
}

func llms(t *testing.T, c client, path string, least int) {
	r := c.get(path)
	if r.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%v", r.header)
	}
	intro, sections, _ := strings.Cut(string(r.body), "\n## ")
	title, intro, _ := strings.Cut(intro, "\n\n> ")
	if !strings.HasPrefix(title, "# ") || strings.Contains(title, "\n") || intro == "" ||
		strings.Contains(intro, "\n#") {
		t.Errorf("the beginning is\n%s\n%s", title, intro)
	}
	entry := regexp.MustCompile(`^- \[[^\]]+\]\((https://[^)]+)\)(: \S|$)`)
	var names, urls []string
	for section := range strings.SplitSeq(sections, "\n## ") {
		name, lines, _ := strings.Cut(section, "\n\n")
		names = append(names, name)
		for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
			m := entry.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("%s: this is no link: %q", name, line)
				continue
			}
			urls = append(urls, m[1])
		}
	}
	want := []string{"С чего начать", "Правила", "Инструкции", "Политики", "Профили интеграции", "Схемы результатов",
		"Справочники", "Внешние параметры", "Производственные календари", "Сценарии", "Optional"}
	if !slices.Equal(names, want) {
		t.Errorf("the sections are %q", names)
	}
	if first := regexp.MustCompile(`\]\(([^)]+)\)`).FindStringSubmatch(string(r.body))[1]; first != baseURL+
		"/instructions/assistant.md" {
		t.Errorf("the first link is %s", first)
	}
	if c.get("/instructions/assistant.md").status != http.StatusOK || len(urls) < least {
		t.Errorf("%d links for %d items", len(urls), currentItems(starterSite()))
	}
}
