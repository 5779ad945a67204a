package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// offered asks what may stand at the cursor: "label → text that replaces a range".
func (e *editor) offered(path, text string) []completionItem {
	e.Helper()
	var list completionList
	e.ask("textDocument/completion", e.at(path, text), &list)
	return list.Items
}

func labels(items []completionItem) (all []string) {
	for _, i := range items {
		all = append(all, i.Label)
	}
	return all
}

const head = "guideline_id: a.b.001\nschema_version: \"1.0\"\n"

// A code that is typed in another file, and not saved, is offered; while that file
// cannot be read, what it had is.
func TestCompletionAcrossBuffers(t *testing.T) {
	e := six(t)
	const taxonomy, file, text = "registries/taxonomy.yaml", "guidelines/a.b.001.yaml",
		head + "applicability: {product_types: [¦]}\n"
	more := e.with(taxonomy, "product_types:\n", "product_types:\n  - {code: pawn_ticket, title: Залоговый билет}\n")
	e.open(taxonomy, more)
	if got := labels(e.offered(file, text)); len(got) == 0 || got[0] != "pawn_ticket" {
		t.Errorf("it offers %q", got)
	}
	e.change(taxonomy, more+"a: [\n")
	if got := labels(e.offered(file, text)); len(got) == 0 || got[0] != "pawn_ticket" {
		t.Errorf("while the registry is broken it offers %q", got)
	}
}

// Of more offers than anybody reads those are made that fit what is typed, and the
// client is told to ask again.
func TestManyOffers(t *testing.T) {
	e := small(t)
	for i := range 300 {
		e.write(fmt.Sprintf("scenarios/s%03d.yaml", i), strings.ReplaceAll(scenarioFile, "NAME",
			fmt.Sprintf("s%03d", i)))
	}
	for _, c := range []struct {
		typed    string
		want     int
		complete bool
	}{{"", maxOffers, false}, {"s29", 10, false}, {"s299", 1, false}, {"nothing", 0, false}} {
		t.Run(c.typed, func(t *testing.T) {
			e := e.in(t)
			e.tell("workspace/didChangeWatchedFiles", struct{}{})
			at := e.at("rulestore.yaml", "scenarios: ["+c.typed+"¦]\n")
			var list completionList
			// until the new files are read
			for list.Items == nil || list.IsIncomplete == c.complete || len(list.Items) != c.want {
				e.ask("textDocument/completion", at, &list)
			}
		})
	}
}

// inserted is what the file becomes if an offer is taken.
func inserted(t testing.TB, textWithCursor string, i completionItem) string {
	t.Helper()
	text, _ := marked(t, textWithCursor)
	edit := i.TextEdit
	changed := inUTF16.edited(text, []contentChange{
		{&edit.Range, edit.NewText}})
	return string(changed.raw)
}

// Each case is a file as it is being typed: what is offered first, and what the file is
// once one of the offers is taken.
func TestCompletion(t *testing.T) {
	e := six(t)
	const file = "guidelines/a.b.001.yaml"
	for _, c := range []struct {
		name, path, text string
		first            []string // the first labels
		without          string   // a label that is not offered
		take             string   // the label that is taken
		want             string   // the line that it makes
	}{
		{"an empty file", file, "¦", []string{"guideline_id", "schema_version", "scenario"}, "status",
			"guideline_id", "guideline_id: "},
		{"fields that are there", file, head + "sc¦\ntitle: x\n", []string{"scenario", "summary", "owner"}, "title",
			"scenario", "scenario: "},
		{"a list", file, head + "ru¦", []string{"scenario"}, "schema_version", "rules", "rules:"},
		{"a name with its colon", file, head + "sc¦cn: x\n", []string{"scenario"}, "", "scenario", "scenario: x"},
		{"an enumeration", file, head + "scenario: ¦\ntitle: x\n",
			[]string{"product_analysis", "consumer_rights", "fraud_risk", "investment_advice"}, "", "fraud_risk",
			"scenario: fraud_risk"},
		{"right behind the colon", file, head + "scenario:¦\n", []string{"product_analysis"}, "", "fraud_risk",
			"scenario: fraud_risk"},
		{"in quotes", file, head + "scenario: \"¦\"\n", []string{"product_analysis"}, "", "fraud_risk",
			"scenario: \"fraud_risk\""},
		{"below its name", file, head + "scenario:\n  ¦\n", []string{"product_analysis"}, "",
			"fraud_risk", "  fraud_risk"},
		{"the format", file, "guideline_id: a.b.001\nschema_version: ¦\n", []string{"1.2"}, "", "1.2",
			"schema_version: \"1.2\""},
		{"the fields of a field", file, head + "applicability:\n  ¦\n",
			[]string{"triggers", "exclusions", "product_types"}, "", "triggers", "  triggers:"},
		{"an element", file, head + "rules:\n  - ¦\n", []string{"rule_id", "title", "condition", "action",
			"explanation", "severity", "stop_code"}, "", "rule_id", "  - rule_id: "},
		{"an element behind its dash", file, head + "rules:\n  -¦\n", []string{"rule_id"}, "",
			"rule_id", "  - rule_id: "},
		{"an element without a dash", file, head + "rules:\n  ¦\n", []string{"rule_id"}, "",
			"rule_id", "  - rule_id: "},
		{"fields of an element", file, head + "rules:\n  - rule_id: x\n    title: y\n    ¦\n",
			[]string{"condition", "action", "explanation", "severity", "stop_code"}, "rule_id",
			"severity", "    severity: "},
		{"a code in a list", file, head + "applicability:\n  product_types:\n    - ¦\n", []string{"deposit"}, "",
			"account", "    - account"},
		{"codes that are there", file, head + "applicability:\n  product_types:\n    - deposit\n    - ¦\n", nil,
			"deposit", "account", "    - account"},
		{"codes in brackets", file, head + "applicability: {product_types: [deposit, a¦]}\n", nil, "deposit",
			"account", "applicability: {product_types: [deposit, account]}"},
		{"brackets that are open", file, head + "applicability:\n  product_types: [deposit, ¦\nrules:\n", nil,
			"deposit", "account", "  product_types: [deposit, account"},
		{"fields in brackets", file, head + "sources:\n  - {title: x, ¦}\n", []string{"url", "checked_on", "article"},
			"title", "url", "  - {title: x, url: }"},
		{"an item", file, head + "rules:\n  - related_guidelines: [¦]\n", nil, "", "product.common.001",
			"  - related_guidelines: [product.common.001]"},
		{"the item that is typed", file, head + "rules:\n  - related_guidelines:\n      - ¦\n", []string{"a.b.001"}, "",
			"a.b.001", "      - a.b.001"},
		{"a mark's item", "lifecycle.yaml", "schema_version: \"1.0\"\nmarks:\n  - item: ¦\n", nil, "",
			"guidelines/product.common.001", "  - item: guidelines/product.common.001"},
		{"a mark's version", "lifecycle.yaml",
			"schema_version: \"1.0\"\nmarks:\n  - item: guidelines/product.common.001\n    version: ¦\n", nil, "",
			"1.0.0", "    version: 1.0.0"},
		{"a mark's status", "lifecycle.yaml", "schema_version: \"1.0\"\nmarks:\n  - {item: x, status: ¦}\n",
			[]string{"archived", "review_required", "redacted"}, "", "archived", "  - {item: x, status: archived}"},
		{"a scenario of the settings", "rulestore.yaml", "scenarios:\n  - ¦\n", nil, "",
			"two", "  - two"},
		{"Russian and astral letters before it", file, head + "title: «Ёж» 𝔸\nscenario: fr¦\n",
			[]string{"product_analysis"}, "", "fraud_risk", "scenario: fraud_risk"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			items := e.offered(c.path, c.text)
			got := labels(items)
			if len(got) < len(c.first) || !slices.Equal(got[:len(c.first)], c.first) {
				t.Errorf("it offers %q, expected first %q", got, c.first)
			}
			if c.without != "" && slices.Contains(got, c.without) {
				t.Errorf("it offers %q", c.without)
			}
			i := slices.Index(got, c.take)
			if i < 0 {
				t.Fatalf("it offers %q, not %q", got, c.take)
			}
			_, at := marked(t, c.text)
			if line := strings.Split(inserted(t, c.text, items[i]), "\n")[at.line]; line != c.want {
				t.Errorf("it becomes %q, expected %q", line, c.want)
			}
		})
	}
}

// Where nothing of what is known may stand, nothing is offered.
func TestNoCompletion(t *testing.T) {
	e := six(t)
	for _, text := range []string{
		head + "title: ¦\n", head + "title: Слово ¦\n", head + "# sc¦\n", head + "summary: >-\n  sc¦\n",
		head + "nothing: ¦\n", head + "nothing:\n  ¦\n",
		head + "scenario: x # ¦\n", head + "sources:\n  - url: ¦\n",
	} {
		t.Run(text, func(t *testing.T) {
			if got := labels(e.in(t).offered("guidelines/a.b.001.yaml", text)); len(got) > 0 {
				t.Errorf("it offers %q", got)
			}
		})
	}
	for _, path := range []string{"README.md", "guidelines/Wrong Name.yaml", "other/a.yaml",
		"sealed/guidelines/a.b.001.sum", "../outside.yaml"} {
		t.Run(path, func(t *testing.T) {
			if got := labels(e.in(t).offered(path, "¦")); len(got) > 0 {
				t.Errorf("it offers %q", got)
			}
		})
	}
}

// What is offered says in Russian what it is, and can be found by that.
func TestCompletionTitles(t *testing.T) {
	e := six(t, func(p *initializeParams) { p.Locale = "ru" })
	for _, c := range []struct{ text, label, detail, about string }{
		{head + "own¦", "owner", "Ответственный (обязательно)", "Кто отвечает за содержание"},
		{head + "scenario: ¦", "fraud_risk", "риск мошенничества", ""},
		{head + "rules:\n  - related_guidelines: [¦]", "product.common.001",
			"Любой финансовый продукт", "Что сказать пользователю"},
	} {
		t.Run(c.label, func(t *testing.T) {
			items := e.in(t).offered("guidelines/a.b.001.yaml", c.text)
			i := slices.Index(labels(items), c.label)
			if i < 0 {
				t.Fatal(labels(items))
			}
			detail, filter := items[i].Detail, items[i].FilterText
			if c.detail != "" && detail != c.detail || detail == "" || !strings.Contains(filter, detail) ||
				!strings.HasPrefix(filter, c.label) {
				t.Errorf("%q, found by %q", detail, filter)
			}
			if about := fmt.Sprint(items[i].Documentation); c.about != "" && !strings.Contains(about, c.about) {
				t.Errorf("it says %s", about)
			}
		})
	}
}
