package server_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/schemas"
	"rulestore/server/site"
)

// partial is what answers with a part of an item have.
type partial struct {
	View     string
	Status   string
	Summary  string
	Sections []section
	Left     int    `json:"sections_left"`
	Checksum string `json:"source_checksum"`
	URL      string `json:"source_url"`
	Own      string `json:"content_checksum"`
}

type section struct {
	Section, Title string
	Size           int
	Parts          map[string]int
	Content        json.RawMessage
}

func (c client) part(path string) (p partial, r response) {
	c.Helper()
	if r = c.get(path); r.status != http.StatusOK {
		c.Fatalf("%s: %d %s", path, r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), &p); err != nil {
		c.Fatal(err)
	}
	return p, r
}

// sections reads each section that a brief names.
func (c client) sections(e *content.Entry, p partial) {
	c.Helper()
	for _, named := range p.Sections {
		got, _ := c.part(e.Path() + "?section=" + url.QueryEscape(named.Section))
		if len(got.Sections) != 1 || got.Sections[0].Section != named.Section || got.Checksum != e.Checksum ||
			string(got.Sections[0].Content) != string(e.Body().Get(named.Section)) ||
			len(got.Sections[0].Content) != named.Size {
			c.Errorf("%s %s is another: %+v", e.Tag(), named.Section, got)
		}
	}
	folder := content.FormatsOf(schemas.Embedded(), e.Kind, e.Name)
	root := document.Read(e.Body(), schemas.Embedded().Schema(folder, e.Body().Text(e.Kind.Format)).Root())
	for s := range root.Sections() {
		i := slices.IndexFunc(p.Sections, func(named section) bool { return named.Section == s.Within })
		if i >= 0 && p.Sections[i].Parts != nil &&
			p.Sections[i].Parts[strings.TrimPrefix(s.Address, s.Within+"/")] != len(s.Raw) {
			c.Errorf("%s %s has another size", e.Tag(), s.Address)
		}
	}
}

// A brief of anything is at most 4 KB, in both forms, and each section that it names can
// be read; together they are all that there is.
func TestBriefs(t *testing.T) {
	for _, s := range []*site.Site{kindsSite(), storeSite(), build(nil, load(readScript("testdata/coming.txtar")).Snapshot)} {
		for _, it := range s.Snapshot.Items {
			for _, e := range it.Entries {
				if e.Status == content.Redacted {
					continue
				}
				c := ask(t, s)
				p, r := c.part(e.Path() + "?view=brief")
				if p.View != "brief" || p.Status != string(e.Status) || p.Checksum != e.Checksum || p.Own != "" ||
					!strings.HasSuffix(p.URL, e.Path()) {
					t.Errorf("it is not said what it is of: %s", r.body)
				}
				text := c.get(e.Path()+"?view=brief", "Accept", markdownType)
				if len(r.body) > 4096 || len(text.body) > 4096 || p.Left > 0 {
					t.Errorf("%d and %d bytes, %d sections left", len(r.body), len(text.body), p.Left)
				}
				c.sections(e, p)
			}
		}
	}
}

func TestSections(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{deposit, deposit + "/versions/2.0.0"} {
		p, r := c.part(path + "?section=rules/fraud&section=applicability/triggers&section=rules/fraud")
		if len(p.Sections) != 2 || p.Sections[0].Section != "rules/fraud" || p.Sections[1].Title != "Признаки ситуации" ||
			r.header.Get("X-Content-Checksum") != "" || r.header.Get("X-Guideline-Version") != "2.0.0" {
			t.Errorf("%s: %v %s", path, r.header, r.body)
		}
	}
	if p, _ := c.part(deposit + "?as_of=2026-03-05&section=rules"); !strings.HasSuffix(p.URL, "/versions/1.1.0") {
		t.Errorf("of a day it is of %s", p.URL)
	}
	text := string(c.get(deposit+"?section=rules/fraud", "Accept", markdownType).body)
	if !strings.Contains(text, "`rules/fraud`") || !strings.Contains(text, "Прекратить разбор.") ||
		strings.Contains(text, "Базовая ставка") {
		t.Errorf("as Markdown it is %s", text)
	}
	c.has(deposit, c.page(deposit+"?section=rules/fraud", http.StatusOK), []string{"rules/fraud"})
}

// A part has validators of its own, and is made once, whoever asks.
func TestPartsAreConditional(t *testing.T) {
	c := ask(t, storeSite())
	tags := map[string]bool{}
	for _, query := range []string{"", "?view=brief", "?section=rules", "?section=rules/fraud"} {
		r := c.get(deposit + query)
		tag := r.header.Get("Etag")
		if tags[tag] {
			t.Errorf("%s has the tag of another", query)
		}
		tags[tag] = true
		if again := c.get(deposit+query, "If-None-Match", tag); again.status != http.StatusNotModified {
			t.Errorf("%s: %d", query, again.status)
		}
		if again := c.get(deposit+query, "If-Modified-Since",
			r.header.Get("Last-Modified")); again.status != http.StatusNotModified {
			t.Errorf("%s: %d by date", query, again.status)
		}
		if head := c.do(http.MethodHead, deposit+query); head.status != http.StatusOK ||
			head.header.Get("Content-Length") != r.header.Get("Content-Length") {
			t.Errorf("%s: HEAD %d %v", query, head.status, head.header)
		}
	}
	e, wanted := storeSite().Snapshot.Item(content.Guidelines, "product.deposit.001").Current,
		site.Part{Sections: []string{"rules"}}
	once := must(storeSite().Part(e, wanted))
	if again := must(storeSite().Part(e, wanted)); again != once {
		t.Error("it is made again")
	}
}

func TestPartsThatAreNone(t *testing.T) {
	c := ask(t, storeSite())
	for _, test := range []struct{ query, pointer, code, hint string }{
		{"?section=rules/frod", "section", "unknown_section", "rules/fraud"},
		{"?section=fraud", "section", "unknown_section", "rules/fraud"},
		{"?section=rules/x/y", "section", "unknown_section", "rules"},
		{"/versions/1.0.0?section=rules/0", "section", "unknown_section", "view=brief"},
		{"?section=", "section", "empty_value", "значение"},
		{"?section=" + strings.Repeat("x", 301), "section", "too_long", "300"},
		{"?section=rules" + strings.Repeat("&section=rules", 20), "section", "too_many", "20"},
		{"?section=rules&view=brief", "view", "inconsistent", "одно"},
		{"/versions/1.0.0?view=full", "view", "unknown_value", "brief"},
	} {
		r := c.get(deposit + test.query)
		if r.status != http.StatusBadRequest || !strings.Contains(string(r.body), `"`+test.code+`"`) ||
			!strings.Contains(string(r.body), "/query/"+test.pointer) || !strings.Contains(string(r.body), test.hint) {
			t.Errorf("%.90s: %d %s", test.query, r.status, r.body)
		}
	}
	if r := ask(t, kindsSite()).get("/api/v1/fraud/signals?severity=high&view=brief"); r.status != http.StatusBadRequest ||
		!strings.Contains(string(r.body), "отбор") {
		t.Errorf("a part of a part: %d %s", r.status, r.body)
	}
}

// What a search names as a section is one, and a place on the page; the link of the page leads there.
func TestFoundSectionsCanBeRead(t *testing.T) {
	c, seen := ask(t, kindsSite()), 0
	for _, q := range []string{"положить трубку", "код", "полиция", "возврат", "вклад", "каникулы"} {
		for _, hit := range seek(t, c, "q", q).Results {
			if hit.Section == "" {
				continue
			}
			seen++
			path := strings.TrimPrefix(hit.URL, baseURL)
			c.part(path + "?section=" + url.QueryEscape(hit.Section))
			c.has(path, c.page(path, http.StatusOK), []string{hit.Section})
		}
		for _, m := range sectionIn.FindAllStringSubmatch(c.page(searchPath(q), http.StatusOK), -1) {
			path, anchor, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			if body := c.page(path, http.StatusOK); anchor != "" {
				c.has(path, body, []string{must(url.PathUnescape(anchor))})
			} else if !strings.Contains(path, "?section=") {
				t.Errorf("%q leads to no section: %s", q, path)
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d sections were found", seen)
	}
}
