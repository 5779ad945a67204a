//go:build slow

package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Every answer of every calculation is in words: no codes outside of what is set as code, no
// days, numbers and signs as programs write them, and no code without its words.
func TestAnswersInWords(t *testing.T) {
	c := ask(t, starterSite())
	read := func(tool, what string, form url.Values) string {
		t.Helper()
		r := c.postForm(toolsPath+tool, form)
		body := string(r.body)
		part := resultPart.FindString(body)
		if r.status != http.StatusOK || part == "" {
			t.Errorf("%s: %s: %d, no result", tool, what, r.status)
		}
		if found := noWords.FindStringIndex(part); found != nil {
			t.Errorf("%s: %s: a code without words: %.120s", tool, what, part[found[0]:])
		}
		text := markup.ReplaceAllString(notRead.ReplaceAllString(part, " "), " ")
		if found := machine.FindString(dayOrNo.ReplaceAllString(text, "")); found != "" {
			t.Errorf("%s: %s: not in words: %s", tool, what, found)
		}
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "\u00A0", " ")), " ")
	}
	for _, tool := range tools() {
		for i, e := range tool.Examples {
			read(tool.ID, e.Title, exampleOf(t, tool.ID, i+1))
		}
	}
	for i, test := range []struct {
		tool    string
		example int
		changed map[string]string
		has     []string
	}{
		{"pfm_cash_flow", 1, nil, []string{"расходы больше доходов", "передача разговора закрыта",
			"Остаётся в месяц: −9000,50 ₽"}},
		{"pfm_net_worth", 2, nil, []string{"Где: «Имущество», строка 2", "Повторяет: «Имущество», строка 1",
			"Что совпало: Откуда сумма; Не учтено", "Не учтено: 600 000,00 ₽"}},
		{"pfm_liquidity_ratio", 1, nil, []string{"Доступные деньги: 180 000,00 ₽",
			"Необходимое покрытие обязательств: 1"}},
		{"pfm_horizon_risk_check", 1, nil, []string{"Где: «Вложения под цели», строка 1",
			"Сколько месяцев деньги нельзя вернуть без потерь: 24"}},
		{"pfm_horizon_risk_check", 2, nil, []string{"Денежный поток"}},
		{"pfm_horizon_risk_check", 2, map[string]string{"inputs.evidence_from.2.tool_id": "pfm_liquidity_ratio"},
			[]string{
				"Не указано, какие условия остановки не проверены",
			}},
		{"loan_refinancing", 1, map[string]string{"inputs.one_off_costs": "9000000"}, []string{"= такого месяца нет"}},
		{"mortgage_differentiated_payment", 1, map[string]string{"inputs.payment_threshold": "1"},
			[]string{"= такого месяца нет"}},
		{"card_grace_period_end", 1, map[string]string{"inputs.roll": "following", "inputs.grace_days": "45"},
			[]string{"Пропуск, "}},
		{"deposit_comparison", 2, map[string]string{"inputs.variants.1.id": "year", "inputs.baseline_id": "year"},
			[]string{
				"Первый день действия ставки: 15 января 2026; Ставка, процентов годовых: 18", "half year",
			}},
		{"kasko_premium_installments", 2, nil, []string{"30 000,00 ₽; 30 000,00 ₽",
			"31 августа 2026; 28 февраля 2027"}},
		{"kasko_deductible_payout", 4, nil, []string{"в процентах от 0 до 100 2,00 %"}},
		{"kasko_deductible_payout", 1, nil, []string{"в процентах от 0 до 100 30 000,00 ₽"}},
		{"portfolio_concentration", 2, map[string]string{"inputs.positions.0.issuer": ""}, []string{
			"не указано", "Порог: Один эмитент", "Крупнейшая позиция 50,00 40",
			"Позиций, у которых не указано «Эмитент»: 1",
		}},
		{"mortgage_phased_payment", 2, nil, []string{"= 2 000 000 − (−186 886,53)", "0,00 ₽; 40 159,62 ₽"}},
		{"deposit_simple_interest", 1, nil, []string{"первый день не считается, последний считается"}},
		{"consumer_rights_deadline_date", 1, map[string]string{
			"inputs.term.value": "1", "inputs.term.unit": "month", "inputs.start_event.date": "01.04.2026",
			"inputs.source.checked_on": "01.04.2026",
		}, []string{"Последний день срока 1 мая 2026 — нерабочий праздничный день",
			"ближайший следующий рабочий день, 4 мая 2026"}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			form := exampleOf(t, test.tool, test.example)
			for name, value := range test.changed {
				form.Set(name, value)
			}
			text := read(test.tool, "changed", form)
			for _, want := range test.has {
				if !strings.Contains(text, want) {
					t.Errorf("%s, example %d: no %q in\n%s", test.tool, test.example, want, text)
				}
			}
		})
	}
}
