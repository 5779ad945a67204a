package server_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

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
		"taxonomy": "/api/v1/taxonomy", "glossary": "/api/v1/glossary", "authority-resources": "/api/v1/authority-resources",
		"fraud-signals": "/api/v1/fraud/signals", "fraud-states": "/api/v1/fraud/states",
		"fraud-scenarios": "/api/v1/fraud/scenarios", "fraud-routes": "/api/v1/fraud/routes",
	}
	staticPaths = map[*content.Kind][2]string{ // before and after the name
		content.Guidelines: {"/guidelines/", "/current"}, content.Scenarios: {"/scenarios/", "/current"},
		content.Instructions: {"/instructions/", ""}, content.Policies: {"/instructions/", ""}, content.Profiles: {"/instructions/", ""},
	}
	listPaths = map[string]string{ // with what the array is called
		"/api/v1/guidelines": "guidelines", "/api/v1/instructions": "instructions", "/api/v1/schemas": "schemas",
		"/api/v1/registries": "registries", "/api/v1/external-parameters": "parameters", "/api/v1/calendars": "calendars",
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

// places lists the whole surface of a site of which nothing was marked away.
func places(s *site.Site) []place {
	all := []place{
		{"/", jsonType, nil}, {"/llms.txt", textType, nil},
		{"/.well-known/service-for-robots.json", jsonType, nil}, {"/.well-known/api-catalog", linksetType, nil},
		{"/openapi.json", openAPIType + "+json", nil}, {"/openapi.yaml", openAPIType + "+yaml", nil},
		{"/schemas/guidelines/1.0.json", schemaType, nil}, {"/schemas/registries/fraud-signals/1.0.json", schemaType, nil},
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
			all = append(all, place{base + "/versions/" + e.Version.String(), jsonType, e})
		}
		for i, code := range records(item.Current) {
			if i%10 == 0 { // they are many, and alike
				all = append(all, place{base + "/" + code, jsonType, nil})
			}
		}
	}
	return all
}

// Every path of the starter content, with the headers that the specification
// and the conventions ask for; HEAD says what GET does.
func TestSurface(t *testing.T) {
	c := ask(t, starterSite())
	for _, p := range places(starterSite()) {
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
		for name, want := range wantHeaders(starterSite(), p) {
			if got := r.header[name]; !slices.Equal(got, want) {
				t.Errorf("%s: %s is %q, want %q", p.path, name, got, want)
			}
		}
		if start := map[string]string{jsonType: "{", markdownType: "# "}[p.kind]; !strings.HasPrefix(string(r.body), start) {
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
		links = append(links, "<"+baseURL+"/schemas/output/"+item.Name+"/"+e.Version.String()+`.json>; rel="alternate"; type="application/schema+json"`)
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
	return append(links, "<"+baseURL+"/schemas/"+formatFolder(item)+`/1.0.json>; rel="describedby"`)
}

// formatFolder is where the formats of an item are: some items have their own.
func formatFolder(item *content.Item) string {
	own := []string{
		"instructions/assistant", "instructions/fraud-response", "instructions/consumer-rights-response", "instructions/investment-advice",
		"instructions/math-module", "instructions/personal-finance-manager", "registries/authority-resources", "registries/fraud-routes",
		"registries/fraud-scenarios", "registries/fraud-signals", "registries/fraud-states", "registries/glossary", "registries/taxonomy",
	}
	if slices.Contains(own, item.ID()) {
		return item.ID()
	}
	return item.Kind.Folder
}

// Every ETag belongs to one body alone, and to that body for good.
func TestValidatorsTellBodiesApart(t *testing.T) {
	c := ask(t, starterSite())
	seen := map[string]string{}
	for _, p := range places(starterSite()) {
		for _, accept := range []string{jsonType, markdownType} {
			r := c.get(p.path, "Accept", accept)
			tag := r.header.Get("Etag")
			if r.status != http.StatusOK || tag == "" && strings.Contains(p.path, "health") {
				continue
			}
			if !strings.HasPrefix(tag, `W/"`) {
				t.Errorf("%s: the ETag %s is not weak", p.path, tag)
			}
			body := string(r.blanked())
			if other, ok := seen[tag]; ok && other != body {
				t.Errorf("%s: the ETag %s belongs to two bodies", p.path, tag)
			}
			seen[tag] = body
		}
	}
	if len(seen) < 2*starterSite().Snapshot.Count() {
		t.Errorf("%d ETags for %d versions in two formats", len(seen), starterSite().Snapshot.Count())
	}
}

// Body, header and checksum agree, and the checksum is what anyone computes
// from the body.
func TestChecksums(t *testing.T) {
	c := ask(t, starterSite())
	list := string(c.get("/api/v1/checksums").body)
	count := 0
	for _, p := range places(starterSite()) {
		if p.entry == nil || p.kind != jsonType {
			continue
		}
		r := c.get(p.path)
		item := decode[content.Object](t, r.body)
		sum, err := content.Checksum(item)
		if err != nil {
			t.Fatal(err)
		}
		line := p.entry.Tag() + " " + sum + " " + item.Text("published_at") + "\n"
		if item.Text("content_checksum") != sum || r.header.Get("X-Content-Checksum") != sum || !strings.Contains(list, line) {
			t.Errorf("%s: computed %s, body %s, header %s", p.path, sum, item.Text("content_checksum"), r.header.Get("X-Content-Checksum"))
		}
		if markdown := c.get(p.path, "Accept", markdownType); !strings.HasSuffix(p.path, ".json") && !bytes.Contains(markdown.body, []byte(sum)) {
			t.Errorf("%s: the Markdown does not name the checksum", p.path)
		}
		count++
	}
	if want := starterSite().Snapshot.Count(); strings.Count(list, "\n") != want || count < want {
		t.Errorf("%d versions, %d looked at, and this list:\n%s", want, count, list)
	}
}

// The recipe of the design, section 5, with the tools that it names.
func TestChecksumsWithJQ(t *testing.T) {
	manyValues(t)
	t.Parallel()
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed: the published recipe is not tried here")
	}
	c := ask(t, starterSite())
	for _, p := range places(starterSite()) {
		if p.entry == nil || !strings.Contains(p.path, "/versions/") {
			continue
		}
		r := c.get(p.path)
		cmd := exec.CommandContext(t.Context(), jq, "-jcS", "del(.status,.published_at,.updated_at,.change_note,.canonical_url,.discovery_urls,.output_schema_url,.total,.content_checksum,.fetched_at)")
		cmd.Stdin = bytes.NewReader(r.body)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(out)
		if got, want := "sha256:"+hex.EncodeToString(sum[:]), r.header.Get("X-Content-Checksum"); got != want {
			t.Errorf("%s: jq says %s, the service %s", p.path, got, want)
		}
	}
}

// The order of fields, as the design, section 7, and the tables of the
// specification have it. An item's own are those between its status and its
// dates; what ends in "?" may be missing.
var fields = map[string]string{
	"manifest": "service title description audience service_version schema_version canonical_base_url default_language " +
		"checksum_algorithm mcp_transport disclaimer read_only demo supported_formats scenarios content_updated_at endpoints product_releases",
	"changelog": "total limit offset fetched_at entries",
	"search":    "query total limit offset fetched_at results",

	"guideline":                      "schema_version scenario title summary owner applicability required_inputs rules guardrails sources valid_from recheck_after? search_terms?",
	"scenario":                       "schema_version title description product_types? stop_filters?",
	"policy":                         "schema_version title summary general_rules? cache_limits? situations valid_from recheck_after? search_terms?",
	"profile":                        "schema_version title summary permitted_attribution prohibited_attribution prohibited_wordings? obligations? valid_from recheck_after? search_terms?",
	"schema":                         "format_version title description applicable_instruction_id? output_produced_by output_stored_by resource_receives_output sections",
	"parameter":                      "schema_version title description value_type value unit? inclusive? conditions? start_event? sources verified_at certainty valid_from recheck_after? search_terms?",
	"calendar":                       "schema_version title description? country year approval decree transfers? non_working_weekdays working_weekend_days shortened_days? working_days certainty sources? valid_from recheck_after? search_terms?",
	"registries/taxonomy":            "schema_version title description scenarios product_types signal_categories? stop_codes? compound_results? severities? urgencies? valid_from? recheck_after? search_terms?",
	"registries/glossary":            "schema_version title description total terms valid_from? recheck_after? search_terms?",
	"registries/fraud-signals":       "schema_version title description total signals valid_from? recheck_after? search_terms?",
	"registries/fraud-states":        "schema_version title description total states valid_from? recheck_after? search_terms?",
	"registries/fraud-scenarios":     "schema_version title description total scenarios valid_from? recheck_after? search_terms?",
	"registries/fraud-routes":        "schema_version title description total routes valid_from? recheck_after? search_terms?",
	"registries/authority-resources": "schema_version title description total resources valid_from? recheck_after? search_terms?",
	"registries/currencies":          "schema_version title description total records",
	"instructions/assistant": "schema_version title summary? resource_priority scenarios scenario_instructions? workflow guardrail_priority required_trace_fields " +
		"prohibited_claims integrity_policy dynamic_data_policy global_response_policy? demo_disclosure_required valid_from recheck_after? search_terms?",
	"instructions/fraud-response": "schema_version language title summary applicability step_model steps routing_rules compound_rules prohibited_ai_actions sources valid_from recheck_after search_terms?",

	"guideline summary":   "scenario title summary",
	"instruction summary": "title summary? scenarios?",
	"schema summary":      "title description applicable_instruction_id?",
	"registry summary":    "title description",
	"parameter summary":   "title description value_type value unit? inclusive? conditions? start_event? sources verified_at certainty valid_from recheck_after? search_terms?",
	"calendar summary":    "title country year approval working_days certainty",
	"scenario summary":    "title description product_types?",
}

// derived are the fields at the end of an item.
const derived = "published_at updated_at change_note canonical_url output_schema_url? discovery_urls? checksum_algorithm content_checksum fetched_at"

// inOrder says whether an object has these fields alone, in this order.
func inOrder(o content.Object, want string) bool {
	var names []string
	for name := range strings.FieldsSeq(want) {
		name, optional := strings.CutSuffix(name, "?")
		if !optional || o.Get(name) != nil {
			names = append(names, name)
		}
	}
	return slices.Equal(fieldsOf(o), names)
}

func TestFieldOrder(t *testing.T) {
	for name, s := range map[string]*site.Site{"starter": starterSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) { checkFieldOrder(t, s) })
	}
}

func checkFieldOrder(t *testing.T, s *site.Site) {
	c := ask(t, s)
	check := func(path string, got content.Object, want string) {
		t.Helper()
		if !inOrder(got, want) {
			t.Errorf("%s: the fields are\n%q, want\n%s", path, fieldsOf(got), want)
		}
	}
	elements := func(path string, list json.RawMessage, want string) {
		t.Helper()
		for _, o := range decode[[]content.Object](t, list) {
			check(path, o, want)
		}
	}
	object := func(path string) content.Object { return decode[content.Object](t, c.get(path).body) }
	for _, name := range []string{"", "changelog", "search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4"} {
		path := "/api/v1/" + name
		if name == "" {
			path, name = "/", "manifest"
		}
		name, _, _ = strings.Cut(name, "?")
		check(path, object(path), fields[name])
	}
	for path, array := range listPaths {
		list := object(path)
		check(path, list, "total fetched_at "+array)
		for _, o := range decode[[]content.Object](t, list.Get(array)) {
			kind, _ := strings.CutSuffix(o[0].Name, "_id")
			check(path, o, kind+"_id "+kind+"_version status "+fields[kind+" summary"]+" canonical_url content_checksum fetched_at")
		}
	}
	for _, item := range s.Snapshot.Items {
		path, kind := pathOf(item.Kind, item.Name), strings.ToLower(strings.TrimPrefix(headerNames[item.Kind], "X-"))
		versions := object(path + "/versions")
		check(path, versions, kind+"_id total fetched_at versions")
		elements(path, versions.Get("versions"), kind+"_version status status_reason? published_at change_note content_checksum canonical_url")
		for _, e := range item.Entries {
			own, ok := fields[item.ID()]
			if !ok {
				own, ok = fields[kind]
			}
			if !ok { // a format that only describes what its schema says: as the author wrote it
				own = strings.Join(fieldsOf(e.Body())[1:], " ")
			}
			if e.Status != content.Redacted {
				check(e.Path(), object(path+"/versions/"+e.Version.String()), kind+"_id "+kind+"_version status "+own+" "+derived)
			}
		}
	}
}

// The specification's required fields of a guideline are there, with values of
// their type.
func TestGuidelineTypes(t *testing.T) {
	c := ask(t, starterSite())
	for _, item := range starterSite().Snapshot.Items {
		if item.Kind != content.Guidelines {
			continue
		}
		var g struct {
			ID        string           `json:"guideline_id"`
			Version   string           `json:"guideline_version"`
			Status    string           `json:"status"`
			Scenario  string           `json:"scenario"`
			Title     string           `json:"title"`
			Summary   string           `json:"summary"`
			Algorithm string           `json:"checksum_algorithm"`
			Checksum  string           `json:"content_checksum"`
			URL       string           `json:"canonical_url"`
			Applies   map[string]any   `json:"applicability"`
			Inputs    []map[string]any `json:"required_inputs"`
			Rules     []map[string]any `json:"rules"`
			Guards    []map[string]any `json:"guardrails"`
			Sources   []map[string]any `json:"sources"`
			Published time.Time        `json:"published_at"`
			Updated   time.Time        `json:"updated_at"`
		}
		body := c.get("/api/v1/guidelines/" + item.Name).body
		if err := json.Unmarshal(body, &g); err != nil {
			t.Errorf("%s: %v", item.Name, err)
		}
		if g.ID != item.Name || g.Version == "" || g.Status != "current" || g.Title == "" || g.Summary == "" || g.Scenario == "" ||
			g.Algorithm != "sha256" || !content.ValidChecksum(g.Checksum) || g.Applies == nil || len(g.Rules) == 0 ||
			g.Published.IsZero() || g.Updated.IsZero() || g.URL != baseURL+item.Current.Path() {
			t.Errorf("%s is incomplete: %+v", item.Name, g)
		}
	}
}

// fetched_at is when the answer was written, wherever the specification has it,
// and the only thing that changes from answer to answer.
func TestFetchedAt(t *testing.T) {
	c := ask(t, starterSite())
	for path, times := range map[string]int{
		"/":         0,
		"/llms.txt": 0, "/api/v1/checksums": 0, "/healthz": 0,
		"/api/v1/guidelines/product.common.001":                1,
		"/api/v1/guidelines/product.common.001/versions":       1,
		"/api/v1/guidelines/product.common.001/versions/1.0.0": 1,
		"/guidelines/product.common.001/current.json":          1,
		"/guidelines/product.common.001/current.md":            0,
		"/api/v1/scenarios/fraud_risk":                         1,
		"/api/v1/changelog":                                    1,
		"/api/v1/changelog?limit=1":                            1,
		"/api/v1/health":                                       1,
		"/api/v1/guidelines":                                   1 + 27, // the list and each of its elements
		"/api/v1/guidelines?scenario=fraud_risk":               1 + 4,
		"/api/v1/guidelines?status=superseded":                 1 + 15,
		"/api/v1/external-parameters":                          1 + 118,
		"/api/v1/instructions/assistant":                       1,
		"/api/v1/instructions/assistant?as_of=2026-03-01":      1,
		"/instructions/assistant.md":                           0,
		"/api/v1/fraud/signals":                                1,
		"/api/v1/fraud/signals?severity=info":                  1,
		"/api/v1/fraud/signals/APK_INSTALLATION_REQUESTED":     1,
		"/api/v1/search?signal=APK_INSTALLATION_REQUESTED":     1,
		"/.well-known/service-for-robots.json":                 1,
		"/.well-known/api-catalog":                             0,
		"/schemas/guidelines/1.0.json":                         0,
	} {
		before := time.Now().Truncate(time.Second)
		r := c.get(path)
		after := time.Now()
		found := fetchedAt.FindAll(r.body, -1)
		if len(found) != times {
			t.Errorf("%s: %d times fetched_at, want %d", path, len(found), times)
		}
		for _, field := range found {
			_, value, _ := strings.Cut(string(field), ":")
			at, err := time.Parse(`"2006-01-02T15:04:05Z"`, strings.TrimSpace(value))
			if err != nil || at.Before(before) || at.After(after) {
				t.Errorf("%s: %s, but the answer came between %v and %v (%v)", path, field, before, after, err)
			}
		}
	}
}

// The ETag is the same in every second, on every replica and after every
// restart: it is a function of the body without fetched_at.
func TestValidatorsLast(t *testing.T) {
	manyValues(t)
	t.Parallel()
	again := build(nil, load(starterScript()).Snapshot)
	if again.ID != starterSite().ID {
		t.Errorf("the same content is snapshot %s and %s", starterSite().ID, again.ID)
	}
	one, two := ask(t, starterSite()), ask(t, again)
	for _, p := range places(again) {
		a, b := one.get(p.path), two.get(p.path)
		if a.header.Get("Etag") != b.header.Get("Etag") || !bytes.Equal(a.blanked(), b.blanked()) && !strings.Contains(p.path, "health") {
			t.Errorf("%s differs from replica to replica", p.path)
		}
	}
}

// address is one of ours, as it stands in a body or a header.
var address = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `[^\s"<>)]*`)

// Every address that an answer names leads somewhere; what is redacted says so.
func TestNoDeadLinks(t *testing.T) {
	for name, s := range map[string]*site.Site{"store": storeSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) {
			known := walk(ask(t, s), s)
			for _, path := range append([]string{"/", "/api/v1/health", "/api/v1/guidelines", "/scenarios/fraud_risk/current.md"}, leads[name]...) {
				if !known[path] {
					t.Errorf("nothing leads to %s", path)
				}
			}
		})
	}
}

// leads are places of a store that must be found from its entrances.
var leads = map[string][]string{
	"store": {deposit + "/versions/1.0.0"},
	"kinds": {
		"/instructions/assistant.md", "/instructions/fallback-policy.md", "/instructions/integration-profile.md", "/api/v1/schemas/math/claim",
		"/api/v1/fraud/signals/versions/1.2.0", "/api/v1/registries/currencies", "/api/v1/external-parameters/bank.days", "/api/v1/calendars/ru-2026",
		"/.well-known/api-catalog", "/openapi.yaml", "/schemas/registries/fraud-signals/1.0.json", "/schemas/schemas/1.0.json",
	},
}

// walk follows every address from the entrances on and returns the paths.
func walk(c client, s *site.Site) map[string]bool {
	known := map[string]bool{"": true}
	queue := []string{"/", "/llms.txt"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		r := c.get(path)
		if r.status != http.StatusOK && r.status != http.StatusGone {
			c.Errorf("%s: %d", path, r.status)
		}
		text := string(r.body) + headerText(r.header)
		if strings.HasPrefix(path, "/openapi.") { // its examples are examples
			continue
		}
		for _, found := range address.FindAllString(text, -1) {
			if next := filled(s, strings.TrimPrefix(found, baseURL)); !known[next] {
				known[next] = true
				queue = append(queue, next)
			}
		}
	}
	return known
}

// filled puts a name and a version into a path that leaves them open, and a
// question where one is needed. It returns "" if there is nothing to fill in.
func filled(s *site.Site, path string) string {
	if path == "/api/v1/search" {
		return path + "?q=%D0%BA%D0%BE%D0%B4"
	}
	if path == site.FraudBriefPath {
		return path + "?signal=" + aSignal(s)
	}
	before, after, open := strings.Cut(path, "{")
	if !open {
		return path
	}
	_, after, _ = strings.Cut(after, "}")
	for _, item := range s.Snapshot.Items {
		if base := pathOf(item.Kind, item.Name); item.Current != nil && strings.HasPrefix(base, before) {
			return base + strings.ReplaceAll(after, "{version}", item.Current.Version.String())
		}
	}
	return ""
}

// aSignal is the code of the first signal of a site.
func aSignal(s *site.Site) string {
	var signals []struct{ Code string }
	raw := s.Snapshot.Item(content.Registries, "fraud-signals").Current.Body().Get("signals")
	if err := json.Unmarshal(raw, &signals); err != nil {
		panic(err)
	}
	return signals[0].Code
}
