package server_test

import (
	"encoding/json"
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

const deepfake = "/api/v1/guidelines/fraud.ai-deepfake-impersonation.001"

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

func TestSections(t *testing.T) {
	c := ask(t, starterSite())
	for _, path := range []string{deepfake, deepfake + "/versions/1.4.0", deepfake} {
		p, r := c.part(path + "?section=rules/money_sent&section=applicability/triggers&section=rules/money_sent")
		if len(p.Sections) != 2 || p.Sections[0].Section != "rules/money_sent" ||
			p.Sections[1].Title != "Признаки ситуации" {
			t.Errorf("%s: %s", path, r.body)
		}
		if r.header.Get("X-Content-Checksum") != "" || r.header.Get("X-Guideline-Version") != "1.4.0" {
			t.Errorf("%s: %v", path, r.header)
		}
	}
	text := string(c.get(deepfake+"?section=rules/money_sent", "Accept", markdownType).body)
	if !strings.Contains(text, "`rules/money_sent`") || !strings.Contains(text, "подать заявление в полицию") ||
		strings.Contains(text, "Голос, видео") {
		t.Errorf("as Markdown it is %s", text)
	}
	page := string(c.get(deepfake+"?section=rules/money_sent", "Accept", browser).body)
	if !strings.Contains(page, `id="rules/money_sent"`) {
		t.Error("the page has no such place")
	}
}

func TestSectionsOfADay(t *testing.T) {
	c := ask(t, starterSite())
	p, _ := c.part("/api/v1/instructions/fraud-response?as_of=2026-03-01&section=steps/STOP_ON_CRITICAL")
	if !strings.HasSuffix(p.URL, "/versions/1.0.0") {
		t.Errorf("it is of %s", p.URL)
	}
}

func TestPartsAreConditional(t *testing.T) {
	c := ask(t, starterSite())
	tags := map[string]bool{}
	for _, query := range []string{"", "?view=brief", "?section=rules", "?section=rules/money_sent"} {
		r := c.get(deepfake + query)
		tag := r.header.Get("Etag")
		if tags[tag] {
			t.Errorf("%s has the tag of another", query)
		}
		tags[tag] = true
		if again := c.get(deepfake+query, "If-None-Match", tag); again.status != http.StatusNotModified {
			t.Errorf("%s: %d", query, again.status)
		}
		if again := c.get(
			deepfake+query, "If-Modified-Since", r.header.Get("Last-Modified"),
		); again.status != http.StatusNotModified {
			t.Errorf("%s: %d by date", query, again.status)
		}
		if head := c.do(http.MethodHead, deepfake+query); head.status != http.StatusOK ||
			head.header.Get("Content-Length") != r.header.Get("Content-Length") {
			t.Errorf("%s: HEAD %d %v", query, head.status, head.header)
		}
	}
}

func TestPartsThatAreNone(t *testing.T) {
	c := ask(t, starterSite())
	for _, test := range []struct{ path, pointer, code, hint string }{
		{deepfake + "?section=rules/money_send", "/query/section", "unknown_section", "rules/money_sent"},
		{deepfake + "?section=money_sent", "/query/section", "unknown_section", "rules/money_sent"},
		{deepfake + "?section=rules/x/y", "/query/section", "unknown_section", "rules"},
		{deepfake + "/versions/1.0.0?section=rules/0", "/query/section", "unknown_section", "view=brief"},
		{deepfake + "?section=", "/query/section", "empty_value", "значение"},
		{deepfake + "?section=" + strings.Repeat("x", 301), "/query/section", "too_long", "300"},
		{deepfake + "?section=rules" + strings.Repeat("&section=rules", 20), "/query/section", "too_many", "20"},
		{deepfake + "?section=rules&view=brief", "/query/view", "inconsistent", "одно"},
		{deepfake + "?view=full", "/query/view", "unknown_value", "brief"},
		{deepfake + "/versions/1.0.0?view=full", "/query/view", "unknown_value", "brief"},
		{"/api/v1/fraud/signals?severity=high&view=brief", "/query/view", "inconsistent", "отбор"},
	} {
		t.Run(test.path[:min(90, len(test.path))], func(t *testing.T) {
			r := client{TB: t, url: c.url}.get(test.path)
			if r.status != http.StatusBadRequest || !strings.Contains(string(r.body), `"`+test.code+`"`) ||
				!strings.Contains(string(r.body), test.pointer) || !strings.Contains(string(r.body), test.hint) {
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
}

// What a search names as a section is one, and a place on the page.
func TestFoundSectionsCanBeRead(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	seen := 0
	for _, q := range []string{
		"перевод денег полиция", "безопасный счёт", "срок ответа", "money_theft", "стадия дела", "доказательства",
	} {
		var found struct {
			Results []struct{ Section, URL string }
		}
		if err := json.Unmarshal(
			[]byte(c.get("/api/v1/search?fields=full&limit=30&q="+url.QueryEscape(q)).body), &found,
		); err != nil {
			t.Fatal(err)
		}
		for _, hit := range found.Results {
			if hit.Section == "" {
				continue
			}
			seen++
			path := strings.TrimPrefix(hit.URL, s.URL(""))
			c.part(path + "?section=" + url.QueryEscape(hit.Section))
			if !strings.Contains(string(c.get(path, "Accept", browser).body), `id="`+hit.Section+`"`) {
				t.Errorf("%s has no place %s", path, hit.Section)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d sections were found", seen)
	}
}

// A part is made once, whoever asks; when the item changes, it is another.
func TestPartsAreKept(t *testing.T) {
	s := starterSite()
	e := s.Snapshot.Item(content.Guidelines, "fraud.ai-deepfake-impersonation.001").Current
	wanted := site.Part{Sections: []string{"rules"}}
	first, err := s.Part(e, wanted)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.Part(e, wanted); again != first {
		t.Error("it is made again")
	}
}
