package calc

import (
	"fmt"
	"slices"
)

// evidenceFilters has the filters that each tool of the family evaluates: always, or only
// if the request has the fields that they need.
var evidenceFilters = map[string]struct{ always, given []string }{
	"pfm_cash_flow":         {always: names(stopCashFlow)},
	"pfm_emergency_fund":    {given: names(stopLiquidity)},
	"pfm_net_worth":         {always: names(stopDoubleCounting)},
	"pfm_goal_contribution": {},
	"pfm_goal_projection":   {},
	"pfm_goal_allocation":   {always: names(stopCashFlow), given: names(stopDoubleCounting)},
	"pfm_debt_payoff_plan":  {},
	"pfm_liquidity_ratio":   {given: names(stopLiquidity)},
}

var pfmHorizonRiskCheck = &Tool{
	ID: "pfm_horizon_risk_check",
	Inputs: []Field{
		list("items", "Вложения под цели", 1, MaxItems,
			ident("id", "Идентификатор").Optional(),
			integer("goal_months", "Через сколько месяцев нужны деньги", "months", 1, 600),
			money("amount", "Сумма"),
			object("instrument", "Инструмент",
				integer("lock_up_months", "Сколько месяцев деньги нельзя вернуть без потерь", "months", 0, 600),
				pct100("worst_case_loss_pct", "Возможная потеря, процентов от суммы")),
		).Unique("id"),
		money("loss_capacity_amount", "Допустимая потеря: порог условия остановки").Optional(),
		list("evidence_from", "Итоги остальных расчётов", 0, 50,
			enum("tool_id", "Расчёт", "pfm_cash_flow", "pfm_emergency_fund", "pfm_net_worth", "pfm_goal_contribution",
				"pfm_goal_projection", "pfm_goal_allocation", "pfm_debt_payoff_plan", "pfm_liquidity_ratio"),
			text("inputs_hash", "Отпечаток исходных данных того расчёта", `^sha256:[0-9a-f]{64}$`),
			listOf(enum("stop", "Коды сработавших условий остановки", stopCodes...), 0, len(stopCodes)),
			listOf(enum("filters_not_evaluated", "Непроверенные условия остановки того расчёта", stopCodes...), 0,
				len(stopCodes)).Optional(),
		).Optional(),
	},
	Outputs: []Field{
		money("worst_case_loss", "Возможная потеря всего"),
		list("items", "По вложениям", 1, MaxItems,
			money("worst_case_loss", "Возможная потеря"),
			boolean("horizon_mismatch", "Деньги нужны раньше, чем их можно вернуть")),
	},
	Members: stopMembers(),
	Check:   checkEvidence,
	Compute: filtered(computeHorizonRisk),
}

// checkEvidence reports results that the calculation they name cannot have.
func checkEvidence(in In) {
	for _, e := range in.List("evidence_from") {
		can := evidenceFilters[e.Text("tool_id")]
		for _, code := range e.Texts("stop") {
			if !slices.Contains(can.always, code) && !slices.Contains(can.given, code) {
				e.Fail("stop", FaultInconsistent,
					"Этот расчёт не проверяет условие "+code, "Перенесите коды stop из ответа расчёта без изменений")
			}
			if slices.Contains(e.Texts("filters_not_evaluated"), code) {
				e.Fail("filters_not_evaluated", FaultInconsistent,
					"Условие "+code+" указано и сработавшим, и непроверенным",
					"Перенесите списки из ответа расчёта без изменений")
			}
		}
	}
}

func computeHorizonRisk(in In, out *Out, f *filters) error {
	var total Money
	var rows List
	var losses []any
	for i, item := range in.List("items") {
		loss := checkItem(i, item, out, f)
		total += loss
		losses = append(losses, loss)
		rows = append(rows, Row{loss, Bool(mismatch(item))})
	}
	out.Derive("worst_case_loss", total, "Σloss", "%s", addition(losses))
	out.Set("items", rows)
	if in.Has("loss_capacity_amount") {
		capacity := in.Money("loss_capacity_amount")
		f.evaluate(
			stopRisk, total > capacity, evidence("worst_case_loss", total), evidence("loss_capacity_amount", capacity),
		)
	}
	for _, e := range in.List("evidence_from") {
		takeEvidence(e, out, f)
	}
	f.mayHandOff = true
	return nil
}

func mismatch(item In) bool {
	return item.Object("instrument").Int("lock_up_months") > item.Int("goal_months")
}

// checkItem evaluates the filters for one item and returns its worst loss.
func checkItem(i int, item In, out *Out, f *filters) Money {
	instrument, amount := item.Object("instrument"), item.Money("amount")
	loss := percentOf(amount, instrument.Pct("worst_case_loss_pct"))
	out.Step(fmt.Sprintf("worst_case_loss_%d", i+1), "round2(amount·pct/100)", loss,
		"round2(%s·%s/100)", amount, instrument.Pct("worst_case_loss_pct"))
	f.evaluate(stopHorizon, mismatch(item), Entry{"pointer", Text(item.pointer)},
		evidence("goal_months", Count(item.Int("goal_months"))),
		evidence("lock_up_months", Count(instrument.Int("lock_up_months"))))
	return loss
}

// takeEvidence adopts the filters of another calculation. One that depends on a threshold
// counts as evaluated only if the result lists the filters that were not: without the list
// it is unknown whether there was a threshold.
func takeEvidence(e In, out *Out, f *filters) {
	id := e.Text("tool_id")
	can, missing := evidenceFilters[id], e.Texts("filters_not_evaluated")
	evaluated := can.always
	if e.Has("filters_not_evaluated") {
		evaluated = slices.Concat(can.always, can.given)
	} else if can.given != nil && len(e.Texts("stop")) == 0 {
		out.Warn("evidence_incomplete", e.pointer)
	}
	for _, code := range evaluated {
		if !slices.Contains(missing, code) {
			f.pass(code)
		}
	}
	for _, code := range e.Texts("stop") {
		f.stop(code, Entry{"tool_id", Text(id)}, Entry{"inputs_hash", Text(e.Text("inputs_hash"))})
	}
}
