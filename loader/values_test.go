package loader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
)

const limit = `parameter_id: test.limit
schema_version: "1.0"
title: Предел суммы
description: Наибольшая сумма требования.
value_type: money
value: 500000
unit: RUB
sources:
  - {title: Закон, url: https://base.garant.ru/71958414/, checked_on: 2026-03-17}
verified_at: 2026-03-17
certainty: high
valid_from: 2026-01-01
`

// What a stricter rule finds in content that was served before takes nothing away: it
// is sealed, and the finding is a warning. What nobody sealed is refused.
func TestStricterRulesOfSealedContent(t *testing.T) {
	for _, test := range []struct{ rule, from, to string }{
		{"value", "value: 500000", "value: -5"},
		{"value", "value: 500000", `value: "500 000"`},
		{"value", "value: 500000", "value: 10,5"},
		{"value", "unit: RUB", "unit: month"},
		{"invisible", "Предел", "Пре\u200bдел"},
		{"direction", "Предел", "Пре\u202eдел"},
		{"indentation", "description: Наибольшая", "description: >-\n  \u00a0Наибольшая"},
		{"letters", "garant.ru", "gаrant.ru"},
	} {
		for _, sealed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s sealed %t %s", test.rule, sealed, test.to), func(t *testing.T) {
				raw := strings.Replace(limit, test.from, test.to, 1)
				text := "-- commit 2026-02-02T10:00:00+03:00 --\nBegin\n-- rulestore.yaml --\n" + settings +
					"-- scenarios/deposits.yaml --\n{scenario_id: deposits, schema_version: \"1.0\", title: Вклады, " +
					"description: Как выбрать вклад.}\n" +
					"-- parameters/test.limit.yaml --\n" + raw
				if sealed {
					text += "-- sealed/parameters/test.limit.sum --\n" + sealOf(t, "parameters/test.limit/v1.0.0", raw)
				}
				r := loaded(t, txtar.Parse([]byte(text+
					"-- tag parameters/test.limit/v1.0.0 --\n-- tag scenarios/deposits/v1.0.0 --\n")))
				f := ruleIn(t, r.Report, test.rule)
				served := r.Snapshot.Item(content.Parameters, "test.limit") != nil
				if served != sealed || (f.Severity == content.Warning) != sealed {
					t.Errorf("served: %t, %s", served, f)
				}
			})
		}
	}
}

// ruleIn returns the only finding about a rule.
func ruleIn(t *testing.T, r content.Report, rule string) (found content.Finding) {
	t.Helper()
	n := 0
	for _, f := range r.Findings {
		if f.Rule == rule {
			n, found = n+1, f
		}
	}
	if n != 1 {
		t.Fatalf("%d findings about %s: %v", n, rule, r.Findings)
	}
	return found
}
