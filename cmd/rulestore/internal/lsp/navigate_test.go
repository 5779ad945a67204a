package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// places says where locations are: "registries/taxonomy.yaml: kasko".
func (e *editor) places(found []protocol.Location) (all []string) {
	e.Helper()
	for _, l := range found {
		path, err := filepath.Rel(e.dir, l.URI.FsPath())
		e.must(err)
		text := newText([]byte(e.typed(path)))
		all = append(all, path+": "+text.slice(inUTF16.span(text, l.Range)))
	}
	return all
}

// typed is a file as the editor has it, else as it is saved.
func (e *editor) typed(path string) string {
	e.Helper()
	if text, ok := e.texts[path]; ok {
		return text
	}
	return e.read(path)
}

// definition says where the definition of what is at the cursor is.
func (e *editor) definition(at protocol.TextDocumentPositionParams) []string {
	e.Helper()
	got, err := e.Definition(e.Context(), &protocol.DefinitionParams{TextDocumentPositionParams: at})
	e.must(err)
	found, _ := got.(protocol.LocationSlice)
	return e.places(found)
}

// From a code to its record, from an id to its file; also from a text that names an item,
// and in a file that cannot be read.
func TestDefinition(t *testing.T) {
	inTurn(t)
	e := starterSession(t)
	const file = "guidelines/a.b.001.yaml"
	for _, c := range []struct{ name, path, text, want string }{
		{"a code", file, head + "applicability:\n  product_types:\n    - ka¦sko\n", "registries/taxonomy.yaml: kasko"},
		{"a code in brackets", file, head + "applicability: {product_types: [deposit, kas¦ko]}\n",
			"registries/taxonomy.yaml: kasko"},
		{"in a broken file", file, head + "applicability: {product_types: [deposit, kas¦ko\nrules: [\n",
			"registries/taxonomy.yaml: kasko"},
		{"an item", file, head + "rules:\n  - related_guidelines: [¦product.common.001]\n",
			common + ": product.common.001"},
		{"an item in quotes", file, head + "rules:\n  - related_guidelines: [\"product.common.001¦\"]\n",
			common + ": product.common.001"},
		{"its own id", file, "guideline_id: a.¦b.001\nschema_version: \"1.0\"\n", file + ": a.b.001"},
		{"a mark's item", "lifecycle.yaml",
			"schema_version: \"1.0\"\nmarks: [{item: guidelines/pro¦duct.common.001}]\n",
			common + ": product.common.001"},
		{"a scenario of the settings", "rulestore.yaml", "scenarios: [fraud¦_risk]\n",
			"scenarios/fraud_risk.yaml: fraud_risk"},
		{"an item that a text names", file, head + "summary: >-\n  См. «product.comm¦on.001».\n",
			common + ": product.common.001"},
		{"a word of a text", file, head + "summary: Слов¦о deposit\n", ""},
		{"a code that there is none of", file, head + "applicability:\n  product_types: [kas¦co]\n", ""},
		{"the name of a field", file, head + "applica¦bility: {}\n", ""},
		{"nothing", file, "¦", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			if got := strings.Join(e.definition(e.at(c.path, c.text)), " "); got != c.want {
				t.Errorf("it is at %q, expected %q", got, c.want)
			}
		})
	}
}

// References are found in all files, saved or not, from where the record is and from
// where it is named.
func TestReferences(t *testing.T) {
	e := small(t)
	ask := func(t *testing.T, at protocol.TextDocumentPositionParams, own bool) []string {
		e := e.in(t)
		found, err := e.References(t.Context(), &protocol.ReferenceParams{TextDocumentPositionParams: at,
			Context: protocol.ReferenceContext{IncludeDeclaration: own}})
		e.must(err)
		return e.places(found)
	}
	e.open("scenarios/three.yaml", strings.ReplaceAll(scenarioFile, "NAME", "three")+"product_types: [loan]\n")
	for _, c := range []struct {
		name, path, text string
		own              bool
		want             []string
	}{
		{"of a code", "scenarios/one.yaml", strings.ReplaceAll(scenarioFile, "NAME", "one") +
			"product_types: [deposit, ¦loan]\n", false,
			[]string{"scenarios/one.yaml: loan", "scenarios/three.yaml: loan", "scenarios/two.yaml: loan"}},
		{"of a code, with its record", "scenarios/one.yaml",
			strings.ReplaceAll(scenarioFile, "NAME", "one") + "product_types: [deposit, ¦loan]\n", true,
			[]string{"registries/taxonomy.yaml: loan", "scenarios/one.yaml: loan", "scenarios/three.yaml: loan",
				"scenarios/two.yaml: loan"}},
		{"of a record", "registries/taxonomy.yaml", strings.Replace(taxonomyFile, "code: loan", "code: lo¦an", 1),
			false,
			[]string{"scenarios/one.yaml: loan", "scenarios/three.yaml: loan", "scenarios/two.yaml: loan"}},
		{"of an item", "scenarios/one.yaml", strings.ReplaceAll(scenarioFile, "scenario_id: NAME",
			"scenario_id: o¦ne") + "product_types: [deposit, loan]\n", false,
			[]string{"instructions/work.yaml: one", "lifecycle.yaml: scenarios/one", "rulestore.yaml: one"}},
		{"in a file that cannot be read", "scenarios/one.yaml",
			strings.ReplaceAll(scenarioFile, "NAME", "one") + "product_types: [deposit, loan¦\n", false,
			[]string{"scenarios/one.yaml: loan", "scenarios/three.yaml: loan", "scenarios/two.yaml: loan"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ask(t, e.in(t).at(c.path, c.text), c.own); !slices.Equal(got, c.want) {
				t.Errorf("%q\nexpected %q", got, c.want)
			}
		})
	}
}

// A click on the lens of an item asks which of its referrers to show, and shows it.
func TestShowReferences(t *testing.T) {
	e := small(t)
	var offered []string
	e.answer = func(p protocol.ShowMessageRequestParams) string {
		for _, a := range p.Actions {
			offered = append(offered, a.Title)
		}
		return p.Actions[1].Title
	}
	e.open("scenarios/one.yaml", e.read("scenarios/one.yaml"))
	lenses := e.lenses("scenarios/one.yaml")
	command := lenses[len(lenses)-1].Command
	if command.Title != "3 references" {
		t.Fatalf("it says %q", command.Title)
	}
	_, err := e.ExecuteCommand(t.Context(), &protocol.ExecuteCommandParams{Command: command.Command,
		Arguments: command.Arguments})
	e.must(err)
	e.await("a place is shown", func() bool { return len(e.shown) == 1 })
	if want := []string{"instructions/work.yaml:5", "lifecycle.yaml:3",
		"rulestore.yaml:9"}; !slices.Equal(offered, want) {
		t.Errorf("it offers %q, expected %q", offered, want)
	}
	if s := e.shown[0]; s.URI != e.uri("lifecycle.yaml") || describeRange(*s.Selection) != "3:12-3:25" {
		t.Errorf("it shows %s %s", s.URI, describeRange(*s.Selection))
	}
	for _, wrong := range []protocol.ExecuteCommandParams{{Command: "nonsense"}, {Command: showReferences},
		{Command: showReferences, Arguments: []protocol.LSPAny{protocol.LSPAny("1"), protocol.LSPAny("{}")}}} {
		if _, err := e.ExecuteCommand(t.Context(), &wrong); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

func (e *editor) lenses(path string) []protocol.CodeLens {
	e.Helper()
	lenses, err := e.CodeLens(e.Context(),
		&protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(path)}})
	e.must(err)
	return lenses
}

// hovered is what is said of what is at the cursor, and of which text.
func (e *editor) hovered(path, text string) (said, of string) {
	e.Helper()
	h, err := e.Hover(e.Context(), &protocol.HoverParams{TextDocumentPositionParams: e.at(path, text)})
	e.must(err)
	if h == nil {
		return "", ""
	}
	plain, _ := marked(e, text)
	if h.Range != nil {
		of = plain.slice(inUTF16.span(plain, *h.Range))
	}
	return h.Contents.(*protocol.MarkupContent).Value, of
}

func TestHover(t *testing.T) {
	inTurn(t)
	e := starterSession(t, func(p *protocol.InitializeParams) { p.Locale = new("ru-RU") })
	const file = "guidelines/a.b.001.yaml"
	for _, c := range []struct {
		name, path, text, of string
		says                 []string
	}{
		{"the name of a field", file, head + "sce¦nario: x\n", "scenario",
			[]string{"**Сценарий** (scenario), обязательно", "К какому сценарию", "Тип: текст",
				"- fraud\\_risk — риск мошенничества"}},
		{"a field with an example", file, "guideline_id: a.b.001\nschema¦_version: x\n", "schema_version",
			[]string{"Версия формата", `Пример: "1.2"`}},
		{"a field of an element", file, head + "rules:\n  - sever¦ity: high\n", "severity", []string{"Важность"}},
		{"a value of an enumeration", file, head + "scenario: fraud_¦risk\n", "fraud_risk",
			[]string{"**fraud\\_risk** — риск мошенничества", "Сценарий"}},
		{"a code", file, head + "applicability: {product_types: [kas¦ko]}\n", "kasko", []string{"**kasko** — "}},
		{"an item", file, head + "rules:\n  - related_guidelines: [product.¦common.001]\n", "product.common.001",
			[]string{"**Общие правила анализа финансового продукта** (guidelines/product.common.001)",
				"опубликовано: v", "действует"}},
		{"a draft", file, "title: Черновик\nguideline_id: a.¦b.001\nschema_version: \"1.0\"\n", "a.b.001",
			[]string{"**Черновик**", "ещё не опубликовано"}},
		{"an item that there is none of", file, head + "rules:\n  - related_guidelines: [no.su¦ch.001]\n",
			"no.such.001", []string{"нет ни в папке, ни среди опубликованного"}},
		{"an item that a text names", file, head + "summary: >-\n  См. product.comm¦on.001.\n", "product.common.001",
			[]string{"Общие правила"}},
		{"a parameter", "instructions/new.yaml",
			"instruction_id: service.new.001\nschema_version: \"1.0\"\n" +
				"external_parameters: [consumer-rights.ombudsman-amount-¦limit]\n",
			"consumer-rights.ombudsman-amount-limit", []string{"(parameters/consumer-rights.ombudsman-amount-limit)",
				"опубликовано: v"}},
		{"an element of which nothing is said", "instructions/assistant.yaml",
			"schema_version: \"1.0\"\nrequired_trace_fields: [a¦b]\n", "ab",
			[]string{"** (required\\_trace\\_fields)", "Тип: список"}},
		{"a finding", common, "kasko → kas¦co", "kasco", []string{"Кода «kasco» нет в справочнике",
			"Возможно, «kasko»", "**unknown-code**"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			if was, is, ok := strings.Cut(c.text, " → "); ok {
				c.text = e.with(c.path, was, is)
				e.open(c.path, strings.Replace(c.text, cursor, "", 1))
				e.await("something is found", func() bool { return len(e.told[e.uri(c.path)].Diagnostics) > 0 })
			}
			said, of := e.hovered(c.path, c.text)
			for _, want := range c.says {
				if !strings.Contains(said, want) {
					t.Errorf("it says\n%s\nand not %q", said, want)
				}
			}
			if of != c.of {
				t.Errorf("it is about %q, expected %q", of, c.of)
			}
		})
	}
	for _, text := range []string{"¦", head + "title: Слов¦о\n", head + "# sce¦nario\n", head + "unknown¦: 1\n"} {
		t.Run(text, func(t *testing.T) {
			if said, _ := e.in(t).hovered("scenarios/none.yaml", text); strings.Contains(said, "Сценарий") {
				t.Errorf("it says %s", said)
			}
		})
	}
}

// A client that shows no Markdown is sent none.
func TestPlainHover(t *testing.T) {
	inTurn(t)
	e := starterSession(t, func(p *protocol.InitializeParams) { p.Capabilities.TextDocument.Hover.ContentFormat = nil })
	if said, _ := e.hovered("guidelines/a.b.001.yaml", head+
		"scenario: fraud_¦risk\n"); strings.ContainsAny(said, `*\`) || !strings.Contains(said, "fraud_risk — ") {
		t.Errorf("it says %s", said)
	}
}

// The locations of files whose names are Russian or hold spaces can be opened.
func TestLocations(t *testing.T) {
	inTurn(t)
	e := starterSession(t)
	got, err := e.Definition(t.Context(),
		&protocol.DefinitionParams{TextDocumentPositionParams: e.at("guidelines/a.b.001.yaml",
			head+"rules: [{related_guidelines: [product.¦common.001]}]\n")})
	e.must(err)
	if found := got.(protocol.LocationSlice); len(found) != 1 ||
		found[0].URI != uri.File(filepath.Join(e.dir, common)) || strings.ContainsAny(string(found[0].URI), " я") {
		t.Errorf("%v", fmt.Sprint(got))
	}
}
