package calc

import (
	"strings"
	"testing"
)

// Codes that name fields, tools and places of the request have words in the answer for people.
func TestLabels(t *testing.T) {
	for id, test := range map[string]struct {
		example int
		has     []string
	}{
		"pfm_net_worth": {1, []string{"Где: «Имущество», строка 2 (", "Повторяет: «Имущество», строка 1 (",
			"Что совпало: Откуда сумма (", "Не учтено: 600000.00"}},
		"pfm_horizon_risk_check": {0, []string{"Где: «Вложения под цели», строка 1 ("}},
		"pfm_cash_flow":          {0, []string{"расходы больше доходов (cash_flow_deficit)", "Остаётся в месяц"}},
		"pfm_liquidity_ratio":    {0, []string{"Доступные деньги: 180000.00"}},
	} {
		i := 0
		for tool := range registry.Tools() {
			if tool.ID != id {
				continue
			}
			a, err := tool.Calculate([]byte(strings.Replace(tool.Examples[test.example].Request, `{"inputs"`,
				`{"options":{"include_trace":true},"inputs"`, 1)), testFacts)
			if err != nil {
				t.Fatal(err)
			}
			text := string(a.Markdown())
			for _, want := range test.has {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q in\n%s", id, want, text)
				}
			}
			i++
		}
		if i != 1 {
			t.Errorf("%d tools %s", i, id)
		}
	}
}
