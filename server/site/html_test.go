package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// html returns the page at a path.
func html(t *testing.T, r *Resource) string {
	t.Helper()
	for _, rep := range r.Representations {
		if rep.Type == api.HTMLType {
			return string(rep.Ready().Body.Bytes)
		}
	}
	t.Fatal("there is no page")
	return ""
}

// However much there is, and however long its names are, a page shows as much as a phone can lay out,
// below 100 KB, and leads to the rest, forwards and back.
func TestLongLists(t *testing.T) {
	for of, count := range map[int]int{1: 250, 200: 150} {
		var all []*content.Publication
		for i := range count {
			p := madeUp(i, 0)
			p.Text = content.Written{Object: content.Object{
				{Name: "guideline_id", Value: content.String(p.Name)},
				{Name: "title", Value: content.String(strings.Repeat("длинное ", of))},
				{Name: "summary", Value: content.String(strings.Repeat("слово ", 10*of))},
			}}
			all = append(all, p)
		}
		s := Build(nil, content.NewSnapshot(input(all...)), config)
		seen := 0
		for seen < count {
			body := html(t, s.List(content.Guidelines, Filter{Offset: seen}))
			n := strings.Count(body, `<th scope="row"><a href="/api/v1/guidelines/`)
			if n == 0 || n > maxEntries || len(body) > 100<<10 || strings.Contains(body, `rel="prev"`) != (seen > 0) {
				t.Fatalf("from %d on: %d items, %d bytes", seen, n, len(body))
			}
			seen += n
			if more := strings.Contains(body, fmt.Sprintf("guidelines?offset=%d", seen)); more != (seen < count) {
				t.Errorf("more leads from %d on: %v", seen, more)
			}
		}
		if seen != count {
			t.Errorf("%d items on all pages", seen)
		}
	}
}

func TestLongTables(t *testing.T) {
	s := Build(nil, lastKinds(), config)
	item := s.Snapshot.Item(content.Registries, "fraud-signals")
	own := s.entries[item.Current.Publication]
	r := *s.config.recordsOf(own)
	r.all = nil
	for i := range 3_000 {
		code := fmt.Sprintf("CODE_%05d", i)
		r.all = append(r.all, content.Object{{Name: "code", Value: content.String(code)},
			{Name: "title", Value: content.String("Признак " + code)},
			{Name: "severity", Value: json.RawMessage(`"high"`)}})
	}
	for _, v := range []View{{}, {Offset: 1500, Sort: "-title"}, {Offset: 2990}, {Offset: 1 << 30}} {
		table := s.config.table(s.frame, own.entry, own.quoted, true, &r, v)
		body := s.frame.Render(page.Item{Records: table})
		if len(table.Rows) > maxRows || len(body) > 100<<10 || table.Total != 3_000 {
			t.Errorf("%+v: %d rows, %d bytes", v, len(table.Rows), len(body))
		}
		if v.Offset < 3_000 && table.Pager.Older == "" && v.Offset+maxRows < 3_000 {
			t.Errorf("%+v: nothing leads on", v)
		}
	}
	sorted := s.config.table(s.frame, own.entry, own.quoted, true, &r, View{Sort: "-title"})
	if sorted.Rows[0].Code != "CODE_02999" || sorted.Columns[0].Sorted != "descending" ||
		!strings.Contains(sorted.Columns[0].Href, "sort=title") {
		t.Errorf("sorted from the end: %+v %+v", sorted.Rows[0], sorted.Columns[0])
	}
}

// Pages lie below the path of the base URL, and so does everything they lead to.
func TestPagesBelowAPath(t *testing.T) {
	below := config
	below.BaseURL = "https://example.org/rules"
	s := Build(nil, lastKinds(), below)
	for path, r := range s.resources {
		for _, rep := range r.Representations {
			if rep.Type != api.HTMLType {
				continue
			}
			body := string(rep.Ready().Body.Bytes)
			for _, attribute := range []string{`href="/`, `src="/`, `action="/`} {
				if n := strings.Count(body, attribute); n != strings.Count(body, attribute+"rules/") {
					t.Errorf("%s: leads out of /rules", path)
				}
			}
		}
	}
}

// A page is made anew when what it says of other items changes, and what programs
// read of the item is not.
func TestNewReferrer(t *testing.T) {
	// its own: what is not made yet is made of the newest titles
	before := Build(nil, kindsHistory()[0], config)
	for n, snapshot := range kindsHistory()[1:] {
		after := Build(before, snapshot, config)
		for path, r := range after.resources {
			old := before.resources[path]
			if old == nil || r.Kind == nil || r.Name == "" || len(r.Representations) < 2 ||
				len(old.Representations) < 2 {
				continue
			}
			people, was := r.Representations[len(r.Representations)-1], old.Representations[len(old.Representations)-1]
			if people != was && string(people.Ready().Body.Bytes) == string(was.Ready().Body.Bytes) &&
				r.Representations[0] == old.Representations[0] {
				t.Errorf("%d: the page of %s is made anew for nothing", n, path)
			}
		}
		before = after
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
			for _, title := range redacted {
				if strings.Contains(body, title) {
					t.Errorf("%s as %s says %q", path, rep.Type, title)
				}
			}
		}
	}
	for n, title := range []string{"Тайна 0 версии 1", "Тайна 1 версии 2", madeUp(2, 0).Name} {
		body := html(t, s.Lookup("/api/v1/guidelines/"+madeUp(n, 0).Name+"/versions"))
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
	body := html(t, Build(nil, content.NewSnapshot(input(p)), config).Lookup(p.Path()))
	if want := `Смотри <a href="#rules/two_rule" title="Второе"><code>two_rule</code></a>.`; !strings.Contains(body, want) {
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
		Config{}.toolPage(&page.Frame{}, known, sent)
		if _, err := known.Calculate(body, calc.Facts{}); err == nil {
			Config{}.programs(known, body)
		}
	})
}
