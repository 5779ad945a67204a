package calc

import "slices"

const (
	assumeNextDay   = "accrual_excludes_first_day_includes_last"
	assumeMovements = "movement_counts_from_next_day"
	assumeGrowth365 = "effective_rate_on_365_days"
)

// depositInputs are the inputs that most deposit tools share, followed by more.
func depositInputs(more ...Field) []Field {
	return slices.Concat([]Field{
		moneyPlus("principal", "Сумма вклада"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		date("start_date", "Дата открытия"),
	}, more, []Field{depositDays()})
}

func depositDays() Field { return dayCount(ActAct, Thirty360) }

var depositSimpleInterest = &Tool{
	ID:     "deposit_simple_interest",
	Inputs: depositInputs(date("end_date", "Дата окончания")),
	Outputs: []Field{
		count("days", "Дней начисления", "days"),
		money("interest", "Проценты"),
		money("final_amount", "Сумма к выплате в конце срока"),
	},
	Check:   func(in In) { in.Order("start_date", "end_date") },
	Span:    between("start_date", "end_date"),
	Series:  "deposit_cashflow_balance",
	Compute: computeSimpleInterest,
}

func computeSimpleInterest(in In, out *Out) error {
	out.Assume(assumeNextDay)
	p, r, from, to := in.Money("principal"), in.Pct("annual_rate_pct"), in.Date("start_date"), in.Date("end_date")
	yf := yearFraction(from, to, in.DayCount())
	i := interest(p, r, yf)
	out.Derive("days", Count(to-from), "days = d₁ − d₀", "%s − %s", to, from)
	out.Derive("interest", i, "I = round2(P·R/100·YF)", "round2(%s·%s/100·%d/%d)", p, r, yf.Num, yf.Den)
	out.Derive("final_amount", p+i, "S = P + I", "%s + %s", p, i)
	return nil
}

var depositCapitalizedInterest = &Tool{
	ID: "deposit_capitalized_interest",
	Inputs: depositInputs(
		integer("term_months", "Срок, месяцев", "months", 1, 120),
		integer("capitalization_months", "Период капитализации, месяцев: 1, 3, 6 или 12", "months", 1, 12).Default("1"),
	),
	Outputs: []Field{
		money("final_amount", "Сумма в конце срока"),
		money("interest_total", "Проценты за весь срок"),
		date("end_date", "Дата окончания"),
		count("days", "Дней начисления", "days"),
		percent("effective_annual_pct", "Эффективная ставка, процентов годовых", 4),
		count("rows", "Число капитализаций", "postings"),
	},
	Schedule: []Field{
		count("no", "Номер периода", ""),
		date("date", "Дата капитализации"),
		count("days", "Дней в периоде", "days"),
		money("interest", "Проценты"),
		money("balance", "Сумма вклада после капитализации"),
	},
	Check: checkCapitalization,
	Span: func(in In) (Date, Date) {
		start := in.Date("start_date")
		return start, start.AddMonths(in.Int("term_months"))
	},
	Series:  "deposit_cashflow_balance",
	Compute: computeCapitalized,
}

func checkCapitalization(in In) {
	if !slices.Contains([]int{1, 3, 6, 12}, in.Int("capitalization_months")) {
		in.Fail("capitalization_months", FaultEnum,
			"Недопустимый период капитализации", "Допустимые значения: 1, 3, 6, 12")
	}
}

func computeCapitalized(in In, out *Out) error {
	out.Assume(assumeNextDay, assumeGrowth365)
	p, start := in.Money("principal"), in.Date("start_date")
	l := &ledger{
		account:       newAccount(p, start, in.DayCount(), []rateStep{{start, in.Pct("annual_rate_pct")}}, nil),
		opening:       p,
		start:         start,
		end:           start.AddMonths(in.Int("term_months")),
		postingMonths: in.Int("capitalization_months"),
	}
	l.run(out.tracing)
	e := growthPct(p, l.total(), l.days())
	out.Set("interest_total", l.interest)
	out.Set("end_date", l.end)
	out.Set("days", Count(l.days()))
	out.Set("effective_annual_pct", e)
	out.Set("rows", Count(len(l.postings)))
	l.trace(out)
	out.Derive("final_amount", l.total(), "S = P + ΣI", "%s + %s", p, l.interest)
	traceGrowth(out, "effective_annual_pct", p, l.total(), l.days(), e)
	out.WarnIf(l.stub(), "last_period_shorter", "/inputs/term_months")
	if out.Paging() {
		for i, r := range l.postings {
			out.Row(Count(i+1), r.date, Count(r.days), r.interest, r.balance)
		}
	}
	return nil
}

var depositEffectiveRate = &Tool{
	ID: "deposit_effective_rate",
	Inputs: []Field{
		enum("direction", "Направление; если указано, должно соответствовать полю ставки",
			"nominal_to_effective", "effective_to_nominal").Optional(),
		pct("nominal_annual_rate_pct", "Номинальная ставка, процентов годовых").Places(8),
		pct("effective_annual_rate_pct", "Эффективная ставка, процентов годовых").Places(8),
		integer("periods_per_year", "Капитализаций в году: 1, 2, 4, 12 или 365", "periods", 1, 365),
	},
	Choices: []Choice{{{Needs: names("nominal_annual_rate_pct")}, {Needs: names("effective_annual_rate_pct")}}},
	Outputs: []Field{
		percent("effective_annual_pct", "Эффективная ставка, процентов годовых", 4),
		percent("nominal_annual_pct", "Номинальная ставка, процентов годовых", 4),
	},
	Check:   checkEffectiveRate,
	Compute: computeEffectiveRate,
}

func checkEffectiveRate(in In) {
	if !slices.Contains([]int{1, 2, 4, 12, 365}, in.Int("periods_per_year")) {
		in.Fail("periods_per_year", FaultEnum,
			"Недопустимое число капитализаций в году", "Допустимые значения: 1, 2, 4, 12, 365")
	}
	if in.Has("direction") && (in.Text("direction") == "nominal_to_effective") != in.Has("nominal_annual_rate_pct") {
		in.Fail("direction", FaultInconsistent,
			"Направление не соответствует полю ставки", "Уберите direction или передайте исходную ставку в её поле")
	}
}

// computeEffectiveRate sets one of the two rates: the other one is the input.
func computeEffectiveRate(in In, out *Out) error {
	out.Assume("equal_capitalization_periods")
	m := in.Int("periods_per_year")
	if in.Has("nominal_annual_rate_pct") {
		r := in.Pct("nominal_annual_rate_pct")
		e := effectivePct(r, m)
		out.Derive("effective_annual_pct", e, "E = ((1 + R/100/m)^m − 1)·100", "((1 + %s/100/%d)^%d − 1)·100", r, m, m)
		return nil
	}
	e := in.Pct("effective_annual_rate_pct")
	n := nominalPct(e, m)
	out.Derive("nominal_annual_pct", n, "N = ((1 + E/100)^(1/m) − 1)·m·100",
		"((1 + %s/100)^(1/%d) − 1)·%d·100", e, m, m)
	return nil
}

func effectivePct(r Pct, m int) Exact { return compound(r, m, m).Sub(Whole(1)).Mul(Whole(100)) }

func nominalPct(e Pct, m int) *Dec {
	root := power(e.Exact().Quo(Whole(100)).Add(Whole(1)), newExact(1, int64(m)))
	return root.Sub(Whole(1).Dec()).Mul(Whole(100 * m).Dec())
}
