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
