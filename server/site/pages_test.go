package site

import (
	"encoding/json"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/search"
)

// input is a small snapshot to change.
func input(p ...*content.Publication) content.Input {
	return content.Input{Source: content.Source{Date: "2026-11-20"}, Publications: p}
}

// text returns what is at a path.
func text(t *testing.T, s *Site, path string) string {
	t.Helper()
	r := s.Lookup(path)
	if r == nil || r.Gone != nil {
		t.Fatalf("%s is not served", path)
	}
	return string(r.Representations[0].Ready().Body.Bytes)
}

func scenario(name string) *content.Publication {
	p := madeUp(1, 0)
	p.Kind, p.Name = content.Scenarios, name
	p.Text = content.Written{Object: content.Object{{Name: "scenario_id", Value: content.String(name)},
		{Name: "title", Value: content.String(name)}}}
	return p
}

// The manifest lists the scenarios of rulestore.yaml, then those published that
// nobody archived.
func TestManifestScenarios(t *testing.T) {
	in := input(scenario("math"), scenario("credit"), scenario("old"))
	in.Marks = []content.Mark{{Item: "scenarios/old", Status: content.Archived, Reason: "…", Since: "2026-06-01"}}
	scenarios := func() string {
		var manifest struct{ Scenarios []string }
		if err := json.Unmarshal([]byte(text(t, Build(nil, content.NewSnapshot(in), config), "/")),
			&manifest); err != nil {
			t.Fatal(err)
		}
		return strings.Join(manifest.Scenarios, " ")
	}
	if got := scenarios(); got != "credit math" {
		t.Errorf("published: %q", got)
	}
	in.Settings.Scenarios = []string{"math", "later"}
	if got := scenarios(); got != "math later credit" {
		t.Errorf("listed: %q", got)
	}
}

// Content sealed in a format that this build does not know is served with the
// headings of the newest one that it does.
func TestUnknownFormat(t *testing.T) {
	p := madeUp(1, 0)
	p.Text = content.Written{Object: p.Body().With("schema_version", content.String("99.0")).With("owner",
		content.String("Редакция")).With("novelty", content.String("новое поле"))}
	s := Build(nil, content.NewSnapshot(input(p)), config)
	if got := text(t, s, "/guidelines/"+p.Name+"/current.md"); !strings.Contains(got, "Ответственный: Редакция") ||
		!strings.Contains(got, "новое поле") {
		t.Errorf("%s", got)
	}
	if got := text(t, s, p.Path()); !strings.Contains(got, `"novelty":"новое поле"`) {
		t.Errorf("%s", got)
	}
	for _, h := range s.Lookup(p.Path()).Representations[0].Ready().Headers {
		if h.Name == "Link" && strings.Contains(strings.Join(h.Values, " "), "describedby") {
			t.Errorf("nothing here describes it, but it links to %q", h.Values)
		}
	}
}

// Nobody is sent to an instruction that is not there, archived or redacted.
func TestLLMsWithoutAssistant(t *testing.T) {
	p := madeUp(1, 0)
	p.Kind, p.Name = content.Instructions, "assistant"
	in := input(p)
	start := baseURL + "/instructions/assistant.md"
	if got := text(t, Build(nil, content.NewSnapshot(in), config), "/llms.txt"); !strings.Contains(got, start) {
		t.Errorf("%s", got)
	}
	for _, mark := range []content.Mark{
		{Item: "instructions/assistant", Status: content.Archived, Reason: "…", Since: "2026-06-01"},
		{Item: "instructions/assistant", Version: "1.0.0", Status: content.Archived, Reason: "…", Since: "2026-06-01"},
		{Item: "instructions/assistant", Status: content.Redacted, Reason: "…", Since: "2026-06-01"},
	} {
		in.Marks = []content.Mark{mark}
		s := Build(nil, content.NewSnapshot(in), config)
		for _, path := range []string{"/llms.txt", "/", "/.well-known/service-for-robots.json"} {
			if got := text(t, s, path); strings.Contains(got, "instructions/assistant") {
				t.Errorf("%v: %s leads there:\n%s", mark, path, got)
			}
		}
	}
}

// What a search finds of a version is made once, however many sites serve it.
func TestFoundOnce(t *testing.T) {
	before := Build(nil, lastKinds(), config)
	before.Warm()
	after := Build(before, lastKinds(), config)
	old, again := before.index().found, after.index().found
	if len(old) < 20 || len(again) != len(old) {
		t.Errorf("%d and %d can be found", len(old), len(again))
	}
	read := map[*search.AnalysedDocument]bool{}
	for _, f := range old {
		read[f.entry] = true
	}
	for entry, f := range again {
		if !read[f.entry] {
			t.Fatalf("%s was read again", entry.Document().ID)
		}
	}
}

// Nobody's title or description breaks the lines of llms.txt.
func TestLLMsOnOneLine(t *testing.T) {
	in := input(madeUp(1, 0))
	in.Settings = content.Settings{Title: "Хранилище\nправил",
		Description: "Описание\r\nв две строки", Disclaimer: "Оговорка\n## и заголовок"}
	got := text(t, Build(nil, content.NewSnapshot(in), config), "/llms.txt")
	for _, line := range []string{
		"# Хранилище правил", "> Описание в две строки", "Оговорка ## и заголовок", "## Списки", "## Optional",
	} {
		if !strings.Contains(got, "\n"+line+"\n") && !strings.HasPrefix(got, line+"\n") {
			t.Errorf("no line %q in:\n%s", line, got)
		}
	}
	if strings.Contains(got, "Сценарии") {
		t.Errorf("a list with nothing in it:\n%s", got)
	}
}

// What the tests of authors ask of a site: what is found, sections, and sizes.
func TestForCases(t *testing.T) {
	s := Build(nil, lastStore(), config)
	item := s.Snapshot.Item(content.Guidelines, "product.deposit.001")
	if found := s.FindAll(search.Query{Text: "Разбор вклада и счёта"}); len(found) == 0 || found[0].ID != item.Name {
		t.Errorf("found %.300v", found)
	}
	title, ok := s.Section(item.Current, "title")
	if _, other := s.Section(item.Current, "nothing"); !ok || other || string(title) != `"Разбор вклада и счёта"` {
		t.Errorf("the title is %s", title)
	}
	secret := s.Snapshot.Item(content.Guidelines, "investment.secret.001").Entries[0]
	whole, brief := s.Size(item.Current, false), s.Size(item.Current, true)
	if whole == 0 || brief == 0 || whole == brief || s.Size(secret, false) != 0 {
		t.Errorf("%d bytes, %d of the brief", whole, brief)
	}
}
