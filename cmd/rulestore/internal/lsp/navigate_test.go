package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// places says where locations are: "registries/taxonomy.yaml: kasko".
func (e *editor) places(found []location) (all []string) {
	e.Helper()
	for _, l := range found {
		file, _ := l.URI.path()
		path, err := filepath.Rel(e.dir, file)
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
func (e *editor) definition(at documentParams) []string {
	e.Helper()
	var found []location
	e.ask("textDocument/definition", at, &found)
	return e.places(found)
}

// From a code to its record, from an id to its file; also from a text that names an item,
// and in a file that cannot be read.
func TestDefinition(t *testing.T) {
	e := six(t)
	const file = "guidelines/a.b.001.yaml"
	for _, c := range []struct{ name, path, text, want string }{
		{"a code", file, head + "applicability:\n  product_types:\n    - acc¦ount\n", "registries/taxonomy.yaml: account"},
		{"a code in brackets", file, head + "applicability: {product_types: [deposit, acc¦ount]}\n",
			"registries/taxonomy.yaml: account"},
		{"in a broken file", file, head + "applicability: {product_types: [deposit, acc¦ount\nrules: [\n",
			"registries/taxonomy.yaml: account"},
		{"an item", file, head + "rules:\n  - related_guidelines: [¦product.common.001]\n",
			common + ": product.common.001"},
		{"an item in quotes", file, head + "rules:\n  - related_guidelines: [\"product.common.001¦\"]\n",
			common + ": product.common.001"},
		{"its own id", file, "guideline_id: a.¦b.001\nschema_version: \"1.0\"\n", file + ": a.b.001"},
		{"a mark's item", "lifecycle.yaml",
			"schema_version: \"1.0\"\nmarks: [{item: guidelines/pro¦duct.common.001}]\n",
			common + ": product.common.001"},
		{"a scenario of the settings", "rulestore.yaml", "scenarios: [t¦wo]\n", "scenarios/two.yaml: two"},
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
	ask := func(t *testing.T, at documentParams, own bool) []string {
		e := e.in(t)
		var found []location
		at.Context.IncludeDeclaration = own
		e.ask("textDocument/references", at, &found)
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

func (e *editor) lenses(path string) (lenses []codeLens) {
	e.Helper()
	e.ask("textDocument/codeLens", e.document(path), &lenses)
	return lenses
}

// hovered is what is said of what is at the cursor, and of which text.
func (e *editor) hovered(path, text string) (said, of string) {
	e.Helper()
	var h *hover
	e.ask("textDocument/hover", e.at(path, text), &h)
	if h == nil {
		return "", ""
	}
	plain, _ := marked(e, text)
	if h.Range != nil {
		of = plain.slice(inUTF16.span(plain, *h.Range))
	}
	return h.Contents.Value, of
}

// A client that shows no Markdown is sent none.
func TestPlainHover(t *testing.T) {
	e := six(t, func(p *initializeParams) { p.Capabilities.TextDocument.Hover.ContentFormat = nil })
	if said, _ := e.hovered("guidelines/a.b.001.yaml", head+
		"scenario: fraud_¦risk\n"); strings.ContainsAny(said, `*\`) || !strings.Contains(said, "fraud_risk — ") {
		t.Errorf("it says %s", said)
	}
}

func TestHover(t *testing.T) {
	e := six(t, func(p *initializeParams) { p.Locale = "ru-RU" })
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
		{"a code", file, head + "applicability: {product_types: [acc¦ount]}\n", "account", []string{"**account** — Счёт"}},
		{"an item", file, head + "rules:\n  - related_guidelines: [product.¦common.001]\n", "product.common.001",
			[]string{"**Любой финансовый продукт** (guidelines/product.common.001)",
				"опубликовано: v", "действует"}},
		{"a draft", file, "title: Черновик\nguideline_id: a.¦b.001\nschema_version: \"1.0\"\n", "a.b.001",
			[]string{"**Черновик**", "ещё не опубликовано"}},
		{"an item that there is none of", file, head + "rules:\n  - related_guidelines: [no.su¦ch.001]\n",
			"no.such.001", []string{"нет ни в папке, ни среди опубликованного"}},
		{"an item that a text names", file, head + "summary: >-\n  См. product.comm¦on.001.\n", "product.common.001",
			[]string{"Любой финансовый"}},
		{"a parameter", "instructions/new.yaml",
			"instruction_id: service.new.001\nschema_version: \"1.0\"\n" +
				"external_parameters: [test.¦limit]\n",
			"test.limit", []string{"(parameters/test.limit)", "опубликовано: v"}},
		{"an element of which nothing is said", "instructions/assistant.yaml",
			"schema_version: \"1.0\"\nrequired_trace_fields: [a¦b]\n", "ab",
			[]string{"** (required\\_trace\\_fields)", "Тип: список"}},
		{"a finding", common, "exclusions: [] → exclusions: []\n  product_types: [depoz¦it]",
			"depozit", []string{"Кода «depozit» нет в справочнике",
				"Возможно, «deposit»", "**unknown-code**"}},
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

// The locations of files whose names are Russian or hold spaces can be opened.
func TestLocations(t *testing.T) {
	e := six(t)
	var found []location
	e.ask("textDocument/definition",
		e.at("guidelines/a.b.001.yaml", head+"rules: [{related_guidelines: [product.¦common.001]}]\n"), &found)
	if len(found) != 1 || found[0].URI != fileURI(filepath.Join(e.dir, common)) ||
		strings.ContainsAny(string(found[0].URI), " я") {
		t.Errorf("%v", found)
	}
}
