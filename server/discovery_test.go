package server_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// The plain files of what lives among the instructions, whatever its kind.
func TestStaticAliases(t *testing.T) {
	c := ask(t, kindsSite())
	for static, path := range map[string]string{
		"/instructions/fallback-policy":      "/api/v1/instructions/fallback-policy",
		"/guidelines/fraud.code.001/current": "/api/v1/guidelines/fraud.code.001",
	} {
		for ext, accept := range map[string]string{".json": jsonType, ".md": markdownType} {
			a, b := c.get(static+ext, "Accept", "text/html"), c.get(path, "Accept", accept)
			if a.status != http.StatusOK || string(a.blanked()) != string(b.blanked()) ||
				a.header.Get("Etag") != b.header.Get("Etag") || !slices.Equal(a.header["Link"], b.header["Link"]) {
				t.Errorf("%s%s is not %s as %s: %d", static, ext, path, accept, a.status)
			}
		}
	}
	for _, path := range []string{"/registries/glossary.json", "/schemas/fraud-response-output.json",
		"/parameters/bank.limit.json", "/calendars/ru-2026.json", "/policies/fallback-policy.json"} {
		c.get(path).want(t, http.StatusNotFound, "path_not_found")
	}
}

// RFC 9727: a link set that names the interface and what describes it, all of which is there.
func TestAPICatalog(t *testing.T) {
	c := ask(t, kindsSite())
	const path = "/.well-known/api-catalog"
	doc := decode[struct {
		Linkset []map[string]json.RawMessage
	}](t, c.get(path).body)
	targets := 0
	for _, set := range doc.Linkset {
		for rel, raw := range set {
			if rel == "anchor" {
				checkTarget(t, c, decode[string](t, raw), jsonType)
				continue
			}
			for _, to := range decode[[]struct{ Href, Type string }](t, raw) {
				checkTarget(t, c, to.Href, to.Type)
				targets++
			}
		}
	}
	if len(doc.Linkset) != 2 || targets != 9 {
		t.Errorf("%d targets of %d", targets, len(doc.Linkset))
	}
	for _, at := range []string{path, "/"} {
		if !slices.Contains(c.get(at).header["Link"], "<"+baseURL+path+`>; rel="api-catalog"`) {
			t.Errorf("%s does not link to the catalogue", at)
		}
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

// The well-known document has the endpoints of the manifest and everything that is current.
func TestWellKnown(t *testing.T) {
	c := ask(t, kindsSite())
	r := c.get("/.well-known/service-for-robots.json")
	doc := decode[map[string]json.RawMessage](t, r.body)
	manifest := decode[map[string]json.RawMessage](t, c.get("/").body)
	if string(manifest["endpoints"]) != string(doc["endpoints"]) {
		t.Error("the manifest has other endpoints")
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
	if want := currentItems(kindsSite()); count != want {
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

// llmstxt.org: a title, a summary, text without headings, then sections of links; what may be skipped is
// in the last. The first ten lines say how to find, read and calculate; the first link is the instruction
// for assistants.
func TestLLMs(t *testing.T) {
	c := ask(t, kindsSite())
	r := c.get("/llms.txt")
	if r.header.Get("Content-Type") != "text/plain; charset=utf-8" || len(r.body) > 6<<10 {
		t.Errorf("%d bytes, %v", len(r.body), r.header)
	}
	lines := strings.Split(string(r.body), "\n")
	first := strings.Join(lines[:10], "\n")
	for _, want := range []string{"- Найти: ", "- Прочитать: ", "- Посчитать: "} {
		if !strings.Contains(first, "\n"+want+baseURL) && !strings.Contains(first, "\n"+want+"POST "+baseURL) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
	intro, sections, _ := strings.Cut(string(r.body), "\n## ")
	title, intro, _ := strings.Cut(intro, "\n\n> ")
	if !strings.HasPrefix(title, "# ") || strings.Contains(title, "\n") || strings.Contains(intro, "\n#") {
		t.Errorf("the beginning is\n%s\n%s", title, intro)
	}
	entry := regexp.MustCompile(`^- \[[^\]]+\]\(` + regexp.QuoteMeta(baseURL) + `([^)]+)\)(: \S|$)`)
	var names, paths []string
	for section := range strings.SplitSeq(sections, "\n## ") {
		name, lines, _ := strings.Cut(section, "\n\n")
		names = append(names, name)
		for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
			m := entry.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("%s: this is no link: %q", name, line)
				continue
			}
			paths = append(paths, m[1])
		}
	}
	if want := []string{"С чего начать", "Списки", "Optional"}; !slices.Equal(names, want) {
		t.Errorf("the sections are %q", names)
	}
	if paths[0] != "/instructions/assistant.md" || len(paths) < 12 {
		t.Errorf("the links are %q", paths)
	}
	for _, path := range paths {
		if got := c.get(path); got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// What programs look for before they know the service.
func TestFrontDoor(t *testing.T) {
	c := ask(t, kindsSite())
	robots := c.get("/robots.txt")
	want := "User-agent: *\nContent-Signal: search=yes, ai-input=yes\nAllow: /\n\nSitemap: " + baseURL +
		"/sitemap.xml\n"
	if string(robots.body) != want {
		t.Errorf("robots.txt is\n%s", robots.body)
	}
	var catalog struct {
		SpecVersion string
		Host        struct{ DisplayName string }
		Entries     []struct{ Identifier, DisplayName, Type, URL string }
	}
	r := c.get("/.well-known/ai-catalog.json")
	if err := json.Unmarshal(r.body, &catalog); err != nil ||
		r.header.Get("Content-Type") != "application/ai-catalog+json" {
		t.Fatalf("%v: %v", err, r.header)
	}
	identifier := regexp.MustCompile(`^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$`)
	if catalog.SpecVersion != "1.0" || catalog.Host.DisplayName == "" || len(catalog.Entries) < 2 {
		t.Errorf("%s", r.body)
	}
	for _, e := range catalog.Entries {
		path, ours := strings.CutPrefix(e.URL, baseURL)
		if !identifier.MatchString(e.Identifier) || e.DisplayName == "" || e.Type == "" || !ours {
			t.Errorf("%+v", e)
		}
		if strings.HasPrefix(path, "/mcp/") || strings.HasPrefix(path, "/.well-known/agent-skills/") {
			continue // answered by package mcpserver
		}
		if got := c.get(path); got.status != http.StatusOK {
			t.Errorf("%s: %d", e.URL, got.status)
		}
	}
	var sitemap struct {
		URLs []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	}
	r = c.get("/sitemap.xml")
	if err := xml.Unmarshal(r.body, &sitemap); err != nil || r.header.Get("Content-Type") != "application/xml" {
		t.Fatalf("%v: %v", err, r.header)
	}
	pages := 0
	for _, u := range sitemap.URLs {
		r := c.get(strings.TrimPrefix(u.Loc, baseURL), "Accept", browser)
		if !r.isPage() || r.status != http.StatusOK {
			t.Errorf("%s is no page: %d", u.Loc, r.status)
		}
		if u.LastMod != "" {
			pages++
		}
	}
	if pages != currentItems(kindsSite()) {
		t.Errorf("%d items in the sitemap, %d are current", pages, currentItems(kindsSite()))
	}
}
