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
	textType     = "text/plain"
)

// places lists the whole surface of a site of which nothing was marked away.
func places(s *site.Site) []place {
	all := []place{
		{"/", jsonType, nil}, {"/llms.txt", textType, nil},
		{"/api/v1/changelog", jsonType, nil}, {"/api/v1/checksums", textType, nil},
		{"/api/v1/health", jsonType, nil}, {"/healthz", jsonType, nil},
	}
	for _, k := range content.Kinds {
		all = append(all, place{"/api/v1/" + k.Folder, jsonType, nil})
	}
	for _, item := range s.Snapshot.Items {
		base := "/api/v1/" + item.ID()
		all = append(all,
			place{base, jsonType, item.Current},
			place{base + "/versions", jsonType, nil},
			place{"/" + item.ID() + "/current.json", jsonType, item.Current},
			place{"/" + item.ID() + "/current.md", markdownType, item.Current},
		)
		for _, e := range item.Entries {
			all = append(all, place{base + "/versions/" + e.Version.String(), jsonType, e})
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
		if markdown := p.kind == markdownType; markdown != bytes.HasPrefix(r.body, []byte("# ")) && p.kind != textType {
			t.Errorf("%s: this is no %s: %.80s", p.path, p.kind, r.body)
		}
	}
}

func wantHeaders(s *site.Site, p place) map[string][]string {
	want := map[string][]string{
		"Content-Type": {p.kind}, "X-Snapshot": {s.ID}, "Content-Language": {"ru"}, "Vary": {"Accept, Accept-Encoding"},
		"Cache-Control": {"public, max-age=60, stale-while-revalidate=600, stale-if-error=86400"},
	}
	if p.kind != jsonType {
		want["Content-Type"] = []string{p.kind + "; charset=utf-8"}
	}
	if strings.Contains(p.path, "health") {
		want["Cache-Control"] = []string{"no-store"}
		want["Content-Language"], want["Vary"] = nil, nil
	}
	want["Last-Modified"] = nil // but for versions: what leaves a list leaves no date behind
	e := p.entry
	if e == nil {
		return want
	}
	prefix := map[*content.Kind]string{content.Guidelines: "X-Guideline", content.Scenarios: "X-Scenario"}[e.Kind]
	want[prefix+"-Id"] = []string{e.Name}
	want[prefix+"-Version"] = []string{e.Version.String()}
	want[prefix+"-Status"] = []string{string(e.Status)}
	want["X-Content-Checksum"] = []string{e.Checksum}
	want["X-Schema-Version"] = []string{"1.0"}
	want["Last-Modified"] = []string{e.ModifiedAt.UTC().Format(http.TimeFormat)}
	want["Link"] = wantLinks(s.Snapshot.Item(e.Kind, e.Name), e)
	return want
}

func wantLinks(item *content.Item, e *content.Entry) []string {
	base := baseURL + "/api/v1/" + item.ID() + "/versions"
	links := []string{
		"<" + base + "/" + e.Version.String() + `>; rel="canonical"`,
		"<" + base + `>; rel="version-history"`,
		"<" + base + "/" + item.Current.Version.String() + `>; rel="latest-version"`,
	}
	i := slices.Index(item.Entries, e)
	if i+1 < len(item.Entries) {
		links = append(links, "<"+base+"/"+item.Entries[i+1].Version.String()+`>; rel="predecessor-version"`)
	}
	if i > 0 {
		links = append(links, "<"+base+"/"+item.Entries[i-1].Version.String()+`>; rel="successor-version"`)
	}
	return links
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
// specification have it.
var fields = map[string][]string{
	"manifest": {
		"service", "title", "description", "audience", "service_version", "schema_version", "canonical_base_url",
		"default_language", "checksum_algorithm", "disclaimer", "read_only", "demo", "supported_formats", "scenarios",
		"content_updated_at", "endpoints", "product_releases",
	},
	"guideline": {
		"guideline_id", "guideline_version", "status", "schema_version", "scenario", "title", "summary", "owner",
		"applicability", "required_inputs", "rules", "guardrails", "sources", "valid_from", "recheck_after",
		"published_at", "updated_at", "change_note", "canonical_url", "checksum_algorithm", "content_checksum", "fetched_at",
	},
	"scenario": {
		"scenario_id", "scenario_version", "status", "schema_version", "title", "description", "product_types", "stop_filters",
		"published_at", "updated_at", "change_note", "canonical_url", "checksum_algorithm", "content_checksum", "fetched_at",
	},
	"guideline list":     {"total", "fetched_at", "guidelines"},
	"scenario list":      {"total", "fetched_at", "scenarios"},
	"guideline summary":  {"guideline_id", "guideline_version", "status", "scenario", "title", "summary", "canonical_url", "content_checksum", "fetched_at"},
	"scenario summary":   {"scenario_id", "scenario_version", "status", "title", "description", "canonical_url", "content_checksum", "fetched_at"},
	"guideline versions": {"guideline_id", "total", "fetched_at", "versions"},
	"scenario versions":  {"scenario_id", "total", "fetched_at", "versions"},
	"guideline version":  {"guideline_version", "status", "published_at", "change_note", "content_checksum", "canonical_url"},
	"scenario version":   {"scenario_version", "status", "published_at", "change_note", "content_checksum", "canonical_url"},
	"changelog":          {"total", "limit", "offset", "fetched_at", "entries"},
}

// optional are the fields that an author may leave out.
var optional = []string{"recheck_after", "product_types", "stop_filters"}

func TestFieldOrder(t *testing.T) {
	c := ask(t, starterSite())
	check := func(path, name string, got content.Object) {
		t.Helper()
		want := slices.DeleteFunc(slices.Clone(fields[name]), func(f string) bool {
			return got.Get(f) == nil && slices.Contains(optional, f)
		})
		if !slices.Equal(fieldsOf(got), want) {
			t.Errorf("%s: the fields of a %s are %q, want %q", path, name, fieldsOf(got), want)
		}
	}
	elements := func(path, name string, list json.RawMessage) {
		t.Helper()
		for _, o := range decode[[]content.Object](t, list) {
			check(path, name, o)
		}
	}
	object := func(path string) content.Object { return decode[content.Object](t, c.get(path).body) }
	check("/", "manifest", object("/"))
	check("/api/v1/changelog", "changelog", object("/api/v1/changelog"))
	for _, k := range content.Kinds {
		list := object(k.Path)
		check(k.Path, k.Name+" list", list)
		elements(k.Path, k.Name+" summary", list.Get(k.Folder))
	}
	for _, item := range starterSite().Snapshot.Items {
		path := "/api/v1/" + item.ID()
		versions := object(path + "/versions")
		check(path, item.Kind.Name+" versions", versions)
		elements(path, item.Kind.Name+" version", versions.Get("versions"))
		for _, e := range item.Entries {
			check(e.Path(), item.Kind.Name, object(path+"/versions/"+e.Version.String()))
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
		body := c.get("/api/v1/" + item.ID()).body
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
		"/api/v1/guidelines":                                   1 + 9, // the list and each of its elements
		"/api/v1/guidelines?scenario=fraud_risk":               1 + 2,
		"/api/v1/guidelines?status=superseded":                 1 + 4,
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
	c := ask(t, storeSite())
	known := map[string]bool{"": true}
	queue := []string{"/", "/llms.txt"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		r := c.get(path)
		if r.status != http.StatusOK && r.status != http.StatusGone {
			t.Errorf("%s: %d", path, r.status)
		}
		text := string(r.body) + headerText(r.header)
		text = strings.NewReplacer("{guideline_id}", "product.deposit.001", "{scenario_id}", "product_analysis", "{version}", "1.0.0").Replace(text)
		for _, found := range address.FindAllString(text, -1) {
			if next := strings.TrimPrefix(found, baseURL); !known[next] {
				known[next] = true
				queue = append(queue, next)
			}
		}
	}
	for _, path := range []string{"/", "/api/v1/health", "/api/v1/guidelines", deposit + "/versions/1.0.0", "/scenarios/fraud_risk/current.md"} {
		if !known[path] {
			t.Errorf("nothing leads to %s", path)
		}
	}
}
