//go:build slow

package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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
	e := starterSession(t)
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
		{"optional fields last", file, head + "¦", []string{"scenario"}, "", "recheck_after", "recheck_after: "},
		{"an enumeration", file, head + "scenario: ¦\ntitle: x\n",
			[]string{"product_analysis", "consumer_rights", "fraud_risk", "investment_advice"}, "", "fraud_risk",
			"scenario: fraud_risk"},
		{"in the middle of a word", file, head + "scenario: fra¦ud\n", []string{"product_analysis"}, "", "fraud_risk",
			"scenario: fraud_risk"},
		{"right behind the colon", file, head + "scenario:¦\n", []string{"product_analysis"}, "", "fraud_risk",
			"scenario: fraud_risk"},
		{"in quotes", file, head + "scenario: \"¦\"\n", []string{"product_analysis"}, "", "fraud_risk",
			"scenario: \"fraud_risk\""},
		{"in a quote that is open", file, head + "scenario: \"fr¦\ntitle: x\n", []string{"product_analysis"}, "",
			"fraud_risk", "scenario: \"fraud_risk"},
		{"below its name", file, head + "scenario:\n  ¦\n", []string{"product_analysis"}, "",
			"fraud_risk", "  fraud_risk"},
		{"before a comment", file, head + "scenario: fr¦ # which?\n", []string{"product_analysis"}, "", "fraud_risk",
			"scenario: fraud_risk # which?"},
		{"the format", file, "guideline_id: a.b.001\nschema_version: ¦\n", []string{"1.2"}, "", "1.2",
			"schema_version: \"1.2\""},
		{"the format in quotes", file, "guideline_id: a.b.001\nschema_version: \"¦\"\n", []string{"1.2"}, "", "1.2",
			"schema_version: \"1.2\""},
		{"the fields of a field", file, head + "applicability:\n  ¦\n",
			[]string{"triggers", "exclusions", "product_types"}, "", "triggers", "  triggers:"},
		{"more fields of a field", file, head + "applicability:\n  triggers: [x]\n  p¦\n",
			[]string{"exclusions", "product_types"}, "triggers", "product_types", "  product_types:"},
		{"an element", file, head + "rules:\n  - ¦\n", []string{"rule_id", "title", "condition", "action",
			"explanation", "severity", "stop_code"}, "", "rule_id", "  - rule_id: "},
		{"an element behind its dash", file, head + "rules:\n  -¦\n", []string{"rule_id"}, "",
			"rule_id", "  - rule_id: "},
		{"an element without a dash", file, head + "rules:\n  ¦\n", []string{"rule_id"}, "",
			"rule_id", "  - rule_id: "},
		{"one more element", file, head + "rules:\n  - rule_id: x\n  ¦\n", []string{"rule_id"}, "",
			"rule_id", "  - rule_id: "},
		{"fields of an element", file, head + "rules:\n  - rule_id: x\n    title: y\n    ¦\n",
			[]string{"condition", "action", "explanation", "severity", "stop_code"}, "rule_id",
			"severity", "    severity: "},
		{"fields between others", file, head + "rules:\n  - rule_id: x\n    se¦\n    title: y\n  - rule_id: z\n",
			[]string{"condition"}, "title", "severity", "    severity: "},
		{"may be asked", file, head + "required_inputs:\n  - may_ask: ¦\n", []string{"true", "false"}, "",
			"true", "  - may_ask: true"},
		{"a code", file, head + "rules:\n  - stop_code: ¦\n", nil, "", "STOP_PUNITIVE_ROUTE",
			"  - stop_code: STOP_PUNITIVE_ROUTE"},
		{"a code in a list", file, head + "applicability:\n  product_types:\n    - ¦\n", []string{"deposit"}, "",
			"mortgage", "    - mortgage"},
		{"codes that are there", file, head + "applicability:\n  product_types:\n    - deposit\n    - ¦\n", nil,
			"deposit", "mortgage", "    - mortgage"},
		{"codes in brackets", file, head + "applicability: {product_types: [deposit, m¦]}\n", nil, "deposit",
			"mortgage", "applicability: {product_types: [deposit, mortgage]}"},
		{"brackets that are open", file, head + "applicability:\n  product_types: [deposit, ¦\nrules:\n", nil,
			"deposit", "mortgage", "  product_types: [deposit, mortgage"},
		{"fields in brackets", file, head + "sources:\n  - {title: x, ¦}\n", []string{"url", "checked_on", "article"},
			"title", "url", "  - {title: x, url: }"},
		{"an item", file, head + "rules:\n  - related_guidelines: [¦]\n", nil, "", "product.common.001",
			"  - related_guidelines: [product.common.001]"},
		{"the item that is typed", file, head + "rules:\n  - related_guidelines:\n      - ¦\n", []string{"a.b.001"}, "",
			"a.b.001", "      - a.b.001"},
		{"a parameter", "instructions/consumer-rights-response.yaml", "", nil, "",
			"consumer-rights.ombudsman-amount-limit", ""},
		{"a mark's item", "lifecycle.yaml", "schema_version: \"1.0\"\nmarks:\n  - item: ¦\n", nil, "",
			"guidelines/product.common.001", "  - item: guidelines/product.common.001"},
		{"a mark's version", "lifecycle.yaml",
			"schema_version: \"1.0\"\nmarks:\n  - item: guidelines/product.common.001\n    version: ¦\n", nil, "",
			"1.0.0", "    version: 1.0.0"},
		{"a mark's status", "lifecycle.yaml", "schema_version: \"1.0\"\nmarks:\n  - {item: x, status: ¦}\n",
			[]string{"archived", "review_required", "redacted"}, "", "archived", "  - {item: x, status: archived}"},
		{"a scenario of the settings", "rulestore.yaml", "scenarios:\n  - ¦\n", nil, "",
			"fraud_risk", "  - fraud_risk"},
		{"a field of the settings", "rulestore.yaml", "schema_version: \"1.0\"\n¦", []string{"service", "title"},
			"schema_version", "demo", "demo: "},
		{"Russian and astral letters before it", file, head + "title: «Ёж» 𝔸\nscenario: fr¦\n",
			[]string{"product_analysis"}, "", "fraud_risk", "scenario: fraud_risk"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.in(t)
			if c.text == "" {
				c.text, c.want = parameterCase(e, c.path)
			}
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

// parameterCase is a real file in which a parameter is to be named.
func parameterCase(e *editor, path string) (text, want string) {
	e.Helper()
	text = e.with(path, "\nexternal_parameters:\n  - consumer-rights.ombudsman-amount-limit\n",
		"\nexternal_parameters:\n  - ombuds¦man\n")
	return text, "  - consumer-rights.ombudsman-amount-limit"
}

// Where nothing of what is known may stand, nothing is offered.
func TestNoCompletion(t *testing.T) {
	e := starterSession(t)
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
	e := starterSession(t, func(p *initializeParams) { p.Locale = "ru" })
	for _, c := range []struct{ text, label, detail, about string }{
		{head + "own¦", "owner", "Ответственный (обязательно)", "Кто отвечает за содержание"},
		{head + "scenario: ¦", "fraud_risk", "риск мошенничества", ""},
		{head + "rules:\n  - stop_code: ¦", "STOP_PUNITIVE_ROUTE", "", ""},
		{head + "rules:\n  - related_guidelines: [¦]", "product.common.001",
			"Общие правила анализа финансового продукта", "С чего начинать"},
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
