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
	e := starterSession(t, func(p *initializeParams) { p.Capabilities.TextDocument.Hover.ContentFormat = nil })
	if said, _ := e.hovered("guidelines/a.b.001.yaml", head+
		"scenario: fraud_¦risk\n"); strings.ContainsAny(said, `*\`) || !strings.Contains(said, "fraud_risk — ") {
		t.Errorf("it says %s", said)
	}
}
