package html

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

const baseURL = "https://rules.example.org"

var config = site.Config{BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded()}

// input is a small snapshot to change.
func input(p ...*content.Publication) content.Input {
	return content.Input{Source: content.Source{Date: "2026-11-20"}, Publications: p}
}

// madeUp is a version of a guideline.
func madeUp(item, version int) *content.Publication {
	name := fmt.Sprintf("product.number-%d.001", item)
	return &content.Publication{
		Kind: content.Guidelines, Name: name, Version: semver.New(1, uint64(version), 0, "", ""),
		Text: content.Written{Object: content.Object{
			{Name: "guideline_id", Value: content.String(name)}, {Name: "title", Value: content.String("Правило")},
			{Name: "summary", Value: content.String("Правило для измерений.")},
		}},
		Checksum:    "sha256:" + fmt.Sprintf("%064x", item*100+version),
		PublishedAt: time.Date(2026, 1, 1+version, 10, 0, 0, 0, time.UTC),
	}
}

// allKinds is a repository with every kind of item.
var allKinds = sync.OnceValue(func() *content.Snapshot {
	archive, err := txtar.ParseFile("../testdata/kinds.txtar")
	given(err)
	script, err := gittest.ParseTxtar(archive)
	given(err)
	source, err := git.InMemory(script)
	given(err)
	l := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: func() time.Time {
		return time.Date(2026, 11, 28, 16, 0, 0, 0, time.UTC)
	}})
	loaded, err := l.Load(context.Background())
	given(err)
	return loaded.Snapshot
})

func given(err error) {
	if err != nil {
		panic(err)
	}
}

// pageOf returns the page of a resource.
func pageOf(t *testing.T, s *site.Site, r *site.Resource) string {
	t.Helper()
	if r == nil || r.Shows == nil {
		t.Fatal("there is no page")
	}
	return string(Page(s, r).Ready().Body.Bytes)
}

// pageAt returns the page at a path.
func pageAt(t *testing.T, s *site.Site, path string) string {
	t.Helper()
	return pageOf(t, s, s.Lookup(path))
}

// A page shows as much as a phone can lay out, and leads to the rest, forwards and back.
func TestLongLists(t *testing.T) {
	const count = 250
	var all []*content.Publication
	for i := range count {
		all = append(all, madeUp(i, 0))
	}
	s := site.Build(nil, content.NewSnapshot(input(all...)), config)
	for seen := 0; seen < count; seen += maxEntries {
		body := pageOf(t, s, s.List(content.Guidelines, site.Filter{Offset: seen}))
		n := strings.Count(body, `<th scope="row"><a href="/api/v1/guidelines/`)
		next := fmt.Sprintf("guidelines?offset=%d", seen+maxEntries)
		if n != min(maxEntries, count-seen) || strings.Contains(body, `rel="prev"`) != (seen > 0) ||
			strings.Contains(body, next) != (seen+maxEntries < count) {
			t.Errorf("from %d on: %d items, %d bytes", seen, n, len(body))
		}
	}
}

func TestLongTables(t *testing.T) {
	s := site.Build(nil, allKinds(), config)
	e := s.Snapshot.Item(content.Registries, "fraud-signals").Current
	r := *s.RecordsOf(e)
	r.All = nil
	for i := range 3_000 {
		code := fmt.Sprintf("CODE_%05d", i)
		r.All = append(r.All, content.Object{{Name: "code", Value: content.String(code)},
			{Name: "title", Value: content.String("Признак " + code)},
			{Name: "severity", Value: json.RawMessage(`"high"`)}})
	}
	for _, v := range []site.View{{}, {Offset: 1500}, {Offset: 2990}, {Offset: 1 << 30}} {
		table := makerOf(s, nil).table(e, true, &r, v)
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
	s := site.Build(nil, allKinds(), below)
	for _, path := range s.Paths() {
		r := s.Lookup(path)
		if r.Shows == nil {
			continue
		}
		body := pageOf(t, s, r)
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
	s := site.Build(nil, content.NewSnapshot(in), config)
	redacted := []string{"Тайна 0 версии 2", "Тайна 1 версии 1", "Тайна 2"}
	for _, path := range s.Paths() {
		r := s.Lookup(path)
		for _, rep := range r.Representations {
			body := string(rep.Ready().Body.Bytes)
			if rep.Type == api.HTMLType {
				body = pageOf(t, s, r)
			}
			for _, title := range redacted {
				if strings.Contains(body, title) {
					t.Errorf("%s as %s says %q", path, rep.Type, title)
				}
			}
		}
	}
	for n, title := range []string{"Тайна 0 версии 1", "Тайна 1 версии 2", madeUp(2, 0).Name} {
		body := pageOf(t, s, s.Lookup("/api/v1/guidelines/"+madeUp(n, 0).Name+"/versions"))
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
	s := site.Build(nil, content.NewSnapshot(input(p)), config)
	body := pageOf(t, s, s.Lookup(p.Path()))
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
