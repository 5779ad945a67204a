package calc

import (
	"slices"
)

var cardCashWithdrawalCost = &Tool{
	ID: "card_cash_withdrawal_cost",
	Inputs: slices.Concat([]Field{
		moneyPlus("amount", "Снятая сумма"),
		pct100("fee_pct", "Комиссия, процентов от суммы").Default("0"),
		money("fee_fixed", "Постоянная часть комиссии").Default("0"),
		money("fee_min", "Наименьшая комиссия").Default("0"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
	}, periodInputs("days", "Дней пользования деньгами"), []Field{
		enum("interest_base", "На что начисляются проценты", "amount", "amount_plus_fee").Default("amount"),
	}),
	Choices: []Choice{{{Needs: names("days")}, {Needs: names("from_date", "to_date")}}},
	Outputs: []Field{
		money("fee", "Комиссия"),
		money("interest", "Проценты"),
		money("total_cost", "Комиссия и проценты"),
		money("total_repayment", "Всего к возврату"),
		count("days", "Дней пользования деньгами", "days"),
	},
	Check:   func(in In) { checkPeriod(in, "days") },
	Span:    between("from_date", "to_date"),
	Series:  moneyUseInterestID,
	Compute: computeCashWithdrawal,
}

// periodInputs are a number of days or two dates; see checkPeriod.
func periodInputs(days, title string) []Field {
	return []Field{
		integer(days, title, "days", 0, 36600),
		date("from_date", "Начало: этот день не входит"),
		date("to_date", "Конец: этот день входит"),
		dayCount(ActAct, Thirty360),
	}
}

// checkPeriod reports dates out of order, and a number of days in place of dates if the
// year fraction depends on the dates (act/act).
func checkPeriod(in In, days string) {
	switch {
	case !in.Has(days):
		in.Order("from_date", "to_date")
	case in.Has("day_count") && in.DayCount() != Act365:
		in.Fail("day_count", FaultInconsistent,
			"Для этого способа подсчёта дней нужны даты: одного числа дней недостаточно",
			"Укажите from_date и to_date вместо "+days+" или выберите act_365")
	}
}

// period is the number of days and, if a day count is given, the year fraction.
func period(in In, days string) (int, Frac) {
	n := in.Int(days)
	if in.Has(days) {
		return n, Frac{int64(n), 365}
	}
	from, to := in.Date("from_date"), in.Date("to_date")
	if !in.Has("day_count") {
		return int(to - from), Frac{}
	}
	return int(to - from), yearFraction(from, to, in.DayCount())
}

func computeCashWithdrawal(in In, out *Out) error {
	out.Assume("accrual_start_excluded_end_included")
	amount, r := in.Money("amount"), in.Pct("annual_rate_pct")
	fee := withdrawalFee(in, out)
	base := amount
	if in.Text("interest_base") == "amount_plus_fee" {
		base += fee
		out.Step("interest_base", "amount + fee", base, "%s + %s", amount, fee)
	}
	days, yf := period(in, "days")
	cost := interest(base, r, yf)
	out.Derive("interest", cost, "round2(base·R/100·YF)", "round2(%s·%s/100·%d/%d)", base, r, yf.Num, yf.Den)
	out.Derive("total_cost", fee+cost, "fee + interest", "%s + %s", fee, cost)
	out.Derive("total_repayment", amount+fee+cost, "amount + total_cost", "%s + %s", amount, fee+cost)
	out.Set("days", Count(days))
	return nil
}

func withdrawalFee(in In, out *Out) Money {
	amount, p, fixed, least := in.Money("amount"), in.Pct("fee_pct"), in.Money("fee_fixed"), in.Money("fee_min")
	fee := max(least, percentOf(amount, p)+fixed)
	out.Derive("fee", fee, "max(fee_min, round2(a·f/100) + fixed)",
		"max(%s, round2(%s·%s/100) + %s)", least, amount, p, fixed)
	return fee
}

var cardOverduePenalty = &Tool{
	ID: "card_overdue_penalty",
	Inputs: slices.Concat([]Field{
		moneyPlus("overdue_amount", "Просроченная сумма"),
		pct("penalty_annual_pct", "Неустойка, процентов годовых"),
		pct100("penalty_daily_pct", "Неустойка, процентов в день"),
	}, periodInputs("overdue_days", "Дней просрочки"), []Field{
		money("cap_amount", "Предел неустойки").Optional(),
	}),
	Choices: []Choice{
		{{Needs: names("penalty_daily_pct")}, {Needs: names("penalty_annual_pct"), May: names("day_count")}},
		{{Needs: names("overdue_days")}, {Needs: names("from_date", "to_date")}},
	},
	Outputs: []Field{
		money("penalty", "Неустойка"),
		money("penalty_before_cap", "Неустойка без предела"),
		count("overdue_days", "Дней просрочки", "days"),
	},
	Check:   func(in In) { checkPeriod(in, "overdue_days") },
	Span:    between("from_date", "to_date"),
	Series:  moneyUseInterestID,
	Compute: computeOverduePenalty,
}

func computeOverduePenalty(in In, out *Out) error {
	out.Assume("penalty_rate_is_input", "accrual_start_excluded_end_included")
	full, days := penaltyBeforeCap(in, out)
	penalty := full
	if in.Has("cap_amount") {
		limit := in.Money("cap_amount")
		penalty = min(full, limit)
		out.Step("penalty", "min(penalty_before_cap, cap_amount)", penalty, "min(%s, %s)", full, limit)
		out.WarnIf(full > limit, "penalty_capped", "/inputs/cap_amount")
	}
	out.Set("penalty", penalty)
	out.Set("overdue_days", Count(days))
	return nil
}

func penaltyBeforeCap(in In, out *Out) (Money, int) {
	amount := in.Money("overdue_amount")
	days, yf := period(in, "overdue_days")
	if in.Has("penalty_daily_pct") {
		p := in.Pct("penalty_daily_pct")
		full := Money(mulDiv(int64(amount), int64(p), int64(days), 100*pctUnit))
		out.Derive("penalty_before_cap", full, "round2(a·p/100·days)", "round2(%s·%s/100·%d)", amount, p, days)
		return full, days
	}
	r := in.Pct("penalty_annual_pct")
	out.warnKeyRate(in)
	full := interest(amount, r, yf)
	out.Derive("penalty_before_cap", full, "round2(a·R/100·YF)", "round2(%s·%s/100·%d/%d)", amount, r, yf.Num, yf.Den)
	return full, days
}

// warnKeyRate warns that the key rate changed within the days of a penalty by one annual rate.
func (o *Out) warnKeyRate(in In) {
	const pointer = "/inputs/penalty_annual_pct"
	from, to := in.Date("from_date"), in.Date("to_date")
	if from == 0 || slices.ContainsFunc(o.external, func(s External) bool { return s.Input == pointer }) {
		return
	}
	if n := o.facts.values(keyRateSeries, from+1, to); n > 1 {
		o.Warn("key_rate_changed", pointer, from+1, to, n, moneyUseInterestID)
	}
}
