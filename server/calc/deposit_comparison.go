package calc

import (
	"fmt"
	"slices"
)

var depositComparison = &Tool{
	ID: "deposit_comparison",
	Inputs: []Field{
		moneyPlus("amount", "Сумма вклада"),
		list("variants", "Варианты вклада", 2, 10,
			ident("id", "Идентификатор варианта"),
			date("start_date", "Дата открытия"),
			integer("term_months", "Срок, месяцев", "months", 1, 120),
			date("end_date", "Дата окончания"),
			pct("annual_rate_pct", "Ставка, процентов годовых"),
			rateStepsField(),
			enum("capitalization", "Капитализация; без неё проценты — в конце срока",
				"none", "monthly", "quarterly", "semiannual", "annual"),
			enum("interest", "Проценты: причисляются к вкладу или выплачиваются", "capitalized", "paid_out"),
			months("posting_months", "Период выплаты процентов, месяцев"),
			movementsField(),
		).Unique("id").Choose(
			Choice{{Needs: names("term_months")}, {Needs: names("end_date")}},
			Choice{{Needs: names("annual_rate_pct")}, {Needs: names("rate_steps")}},
			Choice{{Needs: names("capitalization")}, {Needs: names("interest", "posting_months")}},
		),
		date(
			"horizon_date", "Общая дата сравнения: до неё деньги после окончания вклада лежат без процентов",
		).Optional(),
		ident("baseline_id", "С каким вариантом сравнивать; по умолчанию с первым").Optional(),
		depositDays(),
	},
	Outputs: []Field{
		listOf(object("variants", "Варианты",
			word("id", "Вариант"),
			date("end_date", "Дата окончания вклада"),
			count("days", "Дней от открытия до даты сравнения", "days"),
			money("final_amount", "Итоговая сумма с процентами"),
			money("interest", "Проценты"),
			percent("effective_annual_pct", "Эффективная ставка, процентов годовых", 4).Nullable(),
		), 2, 10),
		listOf(object("differences", "Разница с базовым вариантом",
			word("id", "Вариант"),
			word("baseline_id", "Базовый вариант"),
			smoney("final_amount", "Итоговая сумма").Nullable(),
			smoney("interest", "Проценты").Nullable(),
			percent("effective_annual_pct", "Эффективная ставка, процентных пунктов", 4).Signed().Nullable(),
		), 1, 9),
	},
	Check:   checkDepositComparison,
	Compute: compareDeposits,
}

var capitalizationMonths = map[string]int{"none": 0, "monthly": 1, "quarterly": 3, "semiannual": 6, "annual": 12}

func checkDepositComparison(in In) {
	found := !in.Has("baseline_id")
	for _, v := range in.List("variants") {
		found = found || v.Text("id") == in.Text("baseline_id")
		checkDepositVariant(v)
		if start, end := v.Date("start_date"), variantEnd(v); in.Has("horizon_date") &&
			(in.Date("horizon_date") < end || in.Date("horizon_date") <= start) {
			in.Fail("horizon_date", FaultInconsistent,
				fmt.Sprintf(
					"Дата сравнения %s раньше, чем оканчивается вариант «%s»: %s",
					in.Date("horizon_date"), v.Text("id"), end,
				), "Укажите дату не раньше окончания каждого варианта")
			return
		}
	}
	in.FailIf(!found, "baseline_id", FaultInconsistent,
		"Такого варианта нет в списке", "Укажите id одного из вариантов")
}

func checkDepositVariant(v In) {
	if v.Has("end_date") {
		v.Order("start_date", "end_date")
	}
	if v.Has("rate_steps") {
		checkRateSteps(v)
	}
	checkMovements(v, v.Date("start_date"), variantEnd(v))
}

func variantEnd(v In) Date {
	if v.Has("end_date") {
		return v.Date("end_date")
	}
	return v.Date("start_date").AddMonths(v.Int("term_months"))
}

// A depositVariant is one deposit of a comparison, evaluated at its horizon.
type depositVariant struct {
	id        string
	horizon   Date
	effective *Dec // effective annual rate in percent; nil if it is not defined, see hasEffectiveRate
	*ledger
}

func newDepositVariant(v In, amount Money, basis DayCount, tracing bool) depositVariant {
	start := v.Date("start_date")
	steps := []rateStep{{start, v.Pct("annual_rate_pct")}}
	if v.Has("rate_steps") {
		steps = readRateSteps(v)
	}
	l := &ledger{
		account:       newAccount(amount, start, basis, steps, readMovements(v)),
		opening:       amount,
		start:         start,
		end:           variantEnd(v),
		postingMonths: v.Int("posting_months"),
		paidOut:       v.Text("interest") == "paid_out",
	}
	if v.Has("capitalization") {
		l.postingMonths = capitalizationMonths[v.Text("capitalization")]
	}
	l.run(tracing)
	return depositVariant{id: v.Text("id"), horizon: l.end, ledger: l}
}

// hasEffectiveRate reports whether the effective rate is defined: there are no movements
// and no interest is paid out before the end.
func (v depositVariant) hasEffectiveRate(in In) bool {
	return len(in.List("movements")) == 0 && (!v.paidOut || len(v.postings) == 1)
}

func (v depositVariant) span() int { return int(v.horizon - v.start) }

func compareDeposits(in In, out *Out) error {
	out.Assume(assumeNextDay, assumeGrowth365)
	amount := in.Money("amount")
	var variants []depositVariant
	base := 0
	for i, item := range in.List("variants") {
		v := newDepositVariant(item, amount, in.DayCount(), out.tracing)
		if in.Has("horizon_date") {
			v.horizon = in.Date("horizon_date")
			out.Assume("no_interest_after_end_until_horizon")
		}
		if len(item.List("movements")) > 0 {
			out.Assume(assumeMovements)
		}
		if v.hasEffectiveRate(item) {
			v.effective = growthPct(amount, v.total(), v.span())
		} else {
			out.Warn("effective_rate_not_defined", item.pointer, v.id)
		}
		v.traceVariant(out)
		if v.id == in.Text("baseline_id") {
			base = i
		}
		variants = append(variants, v)
	}
	comparable := sameHorizon(variants, out)
	warnMovements(variants, out)
	var rows, differences List
	for i, v := range variants {
		rows = append(rows, v.row())
		if i != base {
			differences = append(differences, v.difference(variants[base], comparable, out))
		}
	}
	out.Set("variants", rows)
	out.Set("differences", differences)
	return nil
}

// sameHorizon reports whether all variants have the same dates, so that their amounts
// can be compared.
func sameHorizon(variants []depositVariant, out *Out) bool {
	first := variants[0]
	same := !slices.ContainsFunc(
		variants, func(v depositVariant) bool { return v.start != first.start || v.horizon != first.horizon },
	)
	out.WarnIf(!same, "different_horizons", "/inputs/variants")
	return same
}

// warnMovements warns if the movements differ, as they are part of the final amounts.
func warnMovements(variants []depositVariant, out *Out) {
	if slices.ContainsFunc(variants, func(v depositVariant) bool { return v.moved != variants[0].moved }) {
		out.Warn("different_movements", "/inputs/variants")
	}
}

func (v depositVariant) traceVariant(out *Out) {
	out.Step("final_amount_"+v.id, "S = P + Σmovements + ΣI", v.total(), "%s + %s + %s", v.opening, v.moved, v.interest)
	if v.effective != nil {
		traceGrowth(out, "effective_annual_pct_"+v.id, v.opening, v.total(), v.span(), v.effective)
	}
}

func (v depositVariant) row() Row {
	row := Row{Text(v.id), v.end, Count(v.span()), v.total(), v.interest, Null}
	if v.effective != nil {
		row[5] = v.effective
	}
	return row
}

func (v depositVariant) difference(base depositVariant, comparable bool, out *Out) Row {
	row := Row{Text(v.id), Text(base.id), Null, Null, Null}
	if comparable {
		row[2], row[3] = v.total()-base.total(), v.interest-base.interest
		out.Step("difference_"+v.id, "S − S_base", v.total()-base.total(), "%s − %s", v.total(), base.total())
	}
	if v.effective != nil && base.effective != nil {
		row[4] = v.effective.Sub(base.effective)
	}
	return row
}
