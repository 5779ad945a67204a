package main

import (
	"slices"
	"testing"
	"time"

	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// tried is a small repository with cases: every second one fails.
var tried = map[string][]byte{
	"rulestore.yaml": []byte(`{schema_version: "1.0", service: test, title: Правила, description: Хранилище., audience: ИИ,
  default_language: ru, canonical_base_url: https://rules.example.org, disclaimer: Это проверка., demo: true, scenarios: [cards]}
`),
	"scenarios/cards.yaml": []byte(`{scenario_id: cards, schema_version: "1.0", title: Карты, description: Какой предел суммы.}
`),
	"parameters/test.limit.yaml": []byte(`{parameter_id: test.limit, schema_version: "1.0", title: Предел суммы,
  description: Наибольшая сумма., value_type: money, value: 500000, unit: RUB, verified_at: 2026-03-17, certainty: high,
  sources: [{title: Закон, url: https://base.garant.ru/71958414/, checked_on: 2026-03-17}], valid_from: 2026-01-01}
`),
	"tests/cases.yaml": []byte(`- search: {q: предел суммы, expect: cards, within: 2}
- search: {q: предел суммы, kind: scenario, expect: test.limit}
- search: {q: предел суммы, kind: parameter, expect: test.limit, within: 1}
- search: {q: предел суммы, kind: parameter, expect: cards}
- calc: {tool: loan_payment, inputs: {principal: "900000.00", annual_rate_pct: "5.5", term_months: 12}, outputs: {payment: "77253.11"}}
- calc: {tool: loan_payment, inputs: {principal: "900000.00", annual_rate_pct: "5.5", term_months: -1}}
- read: {item: parameters/test.limit, section: value, is: "500000"}
- read: {item: parameters/test.limit, section: limit, is: "500000"}
- size: {item: scenarios/cards, view: brief, at_most: 1000}
- size: {item: scenarios/cards, view: full, at_most: 10}
`),
}

// Cases are tried on the content of a tree, as the service would answer with it.
func TestCasesOfATree(t *testing.T) {
	source, err := gitrepo.InMemory(gitrepo.Script{{Date: time.Unix(1770000000, 0), Message: "Begin", Files: tried}})
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	head, err := repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := loader.ReadCommit(loader.Config{Schemas: schemas.Embedded()}, repo, head)
	if err != nil || len(tree.Cases) != 10 {
		t.Fatal(tree, err)
	}
	results, err := runCases(tree.Cases, tree)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, f := range failures(results) {
		lines = append(lines, f.Line)
	}
	if !slices.Equal(lines, []int{2, 4, 6, 8, 10}) {
		t.Errorf("cases fail at the lines %v: %v", lines, failures(results))
	}
}
