package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/calc"
)

// html returns the page of a resource.
func html(t *testing.T, s *Site, r *Resource) string {
	t.Helper()
	if r.page == nil {
		t.Fatal("there is no page")
	}
	return string(s.Page(r).Ready().Body.Bytes)
}

// pageAt returns the page at a path.
func pageAt(t *testing.T, s *Site, path string) string {
	t.Helper()
	return html(t, s, s.Lookup(path))
}

// A page shows as much as a phone can lay out, and leads to the rest, forwards and back.
func TestLongLists(t *testing.T) {
	const count = 250
	var all []*content.Publication
	for i := range count {
		all = append(all, madeUp(i, 0))
	}
	s := Build(nil, content.NewSnapshot(input(all...)), config)
	for seen := 0; seen < count; seen += maxEntries {
		body := html(t, s, s.List(content.Guidelines, Filter{Offset: seen}))
		n := strings.Count(body, `<th scope="row"><a href="/api/v1/guidelines/`)
		next := fmt.Sprintf("guidelines?offset=%d", seen+maxEntries)
		if n != min(maxEntries, count-seen) || strings.Contains(body, `rel="prev"`) != (seen > 0) ||
			strings.Contains(body, next) != (seen+maxEntries < count) {
			t.Errorf("from %d on: %d items, %d bytes", seen, n, len(body))
		}
	}
}

func TestLongTables(t *testing.T) {
	s := Build(nil, lastKinds(), config)
	e := s.Snapshot.Item(content.Registries, "fraud-signals").Current
	r := *s.config.recordsOf(s.entries[e.Publication])
	r.all = nil
	for i := range 3_000 {
		code := fmt.Sprintf("CODE_%05d", i)
		r.all = append(r.all, content.Object{{Name: "code", Value: content.String(code)},
			{Name: "title", Value: content.String("Признак " + code)},
			{Name: "severity", Value: json.RawMessage(`"high"`)}})
	}
	for _, v := range []View{{}, {Offset: 1500}, {Offset: 2990}, {Offset: 1 << 30}} {
		table := s.table(e, true, &r, v)
		if len(table.Rows) != max(0, min(maxRows, 3_000-v.Offset)) || table.Total != 3_000 ||
			(table.Pager.Older == "") != (v.Offset+maxRows >= 3_000) {
			t.Errorf("%+v: %d rows, %+v", v, len(table.Rows), table.Pager)
		}
	}
}

// Pages lie below the path of the base URL, and so does everything they lead to.
func TestPagesBelowAPath(t *testing.T) {
	below := config
	below.BaseURL = "https://example.org/rules"
	s := Build(nil, lastKinds(), below)
	for path, r := range s.resources {
		if r.page == nil {
			continue
		}
		body := html(t, s, r)
		for _, attribute := range []string{`href="/`, `src="/`, `action="/`} {
			if n := strings.Count(body, attribute); n != strings.Count(body, attribute+"rules/") {
				t.Errorf("%s: leads out of /rules", path)
			}
		}
	}
}

// No page of a site has the title of a redacted version, be it the highest, one
// between others, or all there is.
func TestRedactedTitles(t *testing.T) {
	var all []*content.Publication
	for n := range 3 {
		for version := range 3 {
			p := madeUp(n, version)
			p.Body()[1].Value = content.String(fmt.Sprintf("Тайна %d версии %d", n, version))
			all = append(all, p)
		}
	}
	in := input(all...)
	mark := func(n int, version string) {
		in.Marks = append(in.Marks, content.Mark{Item: "guidelines/" + madeUp(n, 0).Name, Version: version,
			Status: content.Redacted, Reason: "…", Since: "2026-06-01"})
	}
	mark(0, "1.2.0")
	mark(1, "1.1.0")
	mark(2, "")
	s := Build(nil, content.NewSnapshot(in), config)
	redacted := []string{"Тайна 0 версии 2", "Тайна 1 версии 1", "Тайна 2"}
	for path, r := range s.resources {
		for _, rep := range r.Representations {
			if !ofContent(path) {
				continue
			}
			body := string(rep.Ready().Body.Bytes)
			if rep == forPeople {
				body = html(t, s, r)
			}
			for _, title := range redacted {
				if strings.Contains(body, title) {
					t.Errorf("%s as %s says %q", path, rep.Type, title)
				}
			}
		}
	}
	for n, title := range []string{"Тайна 0 версии 1", "Тайна 1 версии 2", madeUp(2, 0).Name} {
		body := html(t, s, s.Lookup("/api/v1/guidelines/"+madeUp(n, 0).Name+"/versions"))
		if !strings.Contains(body, "<h1>Версии: "+title+"</h1>") {
			t.Errorf("the list of versions is not called %q", title)
		}
	}
}

// A text that calls a part of its own version by its id leads there, where that is.
func TestIdsInProse(t *testing.T) {
	p := madeUp(1, 0)
	p.Text = content.Written{Object: p.Body().With("schema_version", content.String("1.0")).With("rules",
		json.RawMessage(`[{"rule_id":"one_rule","title":"Первое","action":"Смотри two_rule."},`+
			`{"rule_id":"two_rule","title":"Второе","action":"Ждать."}]`))}
	s := Build(nil, content.NewSnapshot(input(p)), config)
	body := html(t, s, s.Lookup(p.Path()))
	if want := `Смотри <a href="#rules/two_rule">«Второе»</a><code class="id"> two_rule</code>.`; !strings.Contains(body, want) {
		t.Errorf("no %s in\n%s", want, body)
	}
}

// codeWord is a word for programs.
var codeWord = regexp.MustCompile(`[a-z]+_[a-z_]+|\b(null|none|fixed|following|amortizing)\b`)

// A choice or a field that nobody has put into words would be an English word on a page.
func TestChoicesInWords(t *testing.T) {
	same := map[string]bool{"30e_360": true} // a name
	for tool := range calc.New().Tools() {
		for _, f := range formFields(tool) {
			for _, c := range formField(f, "").Choices {
				if c.Title == c.Value && !same[c.Value] && f.Name != "tool_version" {
					t.Errorf("%s: %s=%s", tool.ID, f.Name, c.Value)
				}
			}
			if f.Name != "tool_version" && codeWord.MatchString(f.Title) {
				t.Errorf("%s: %s is called %q", tool.ID, f.Name, f.Title)
			}
		}
	}
}

// Whatever is sent as a form becomes JSON that the engine can judge.
func FuzzForm(f *testing.F) {
	f.Add("compare_loan_variants", "variants=[]&contract_values={}&inputs=1")
	f.Add("pfm_horizon_risk_check", "items=[{\"id\":1}&evidence_from={\"a\":[}")
	f.Add("deposit_interest_tax", "brackets=[1]&interest_total=13,5&key_rate={\"parameter_id\":\"a\"}&x=\xff")
	registry := calc.New()
	f.Fuzz(func(t *testing.T, tool, form string) {
		known, ok := registry.Tool(tool)
		if !ok {
			return
		}
		sent, err := url.ParseQuery(form)
		if err != nil {
			return
		}
		body := requestOf(known, sent)
		if !json.Valid(body) {
			t.Errorf("%s: %q makes %s", tool, form, body)
		}
		_, _ = known.Calculate(body, calc.Facts{})
	})
}
