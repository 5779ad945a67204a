package calc

import (
	"cmp"
	"math/big"
	"slices"
)

// Rules of the grace period.
const (
	graceStatement  = "statement_plus_days"
	graceFixed      = "fixed_days_from_first_debt"
	graceEndOfMonth = "end_of_month_after"
)

var cardGracePeriodEnd = &Tool{
	ID: "card_grace_period_end",
	Inputs: []Field{
		enum("rule", "Правило льготного периода", graceStatement, graceFixed, graceEndOfMonth),
		date("purchase_date", "Дата покупки"),
		integer("statement_day", "День выписки; в коротком месяце — его последний день", "day_of_month", 1, 31),
		integer("payment_days", "Дней на оплату после выписки", "days", 1, 120),
		date("first_debt_date", "Дата первой задолженности"),
		integer("grace_days", "Льготный период, дней", "days", 1, 400),
		integer("months", "Через сколько месяцев после месяца покупки", "months", 1, 12),
		enum("roll", "Перенос с нерабочего дня на следующий рабочий", "none", "following").Default("none"),
	},
	Choices: []Choice{{
		{By: "rule", Is: graceStatement, Needs: names("purchase_date", "statement_day", "payment_days")},
		{By: "rule", Is: graceFixed, Needs: names("first_debt_date", "grace_days")},
		{By: "rule", Is: graceEndOfMonth, Needs: names("purchase_date", "months")},
	}},
	Outputs: []Field{
		date("statement_date", "Дата выписки, в которую попадает покупка"),
		date("nominal_end", "Последний день льготного периода до переноса"),
		date("grace_end", "Последний день льготного периода"),
		count("days_from_purchase", "Дней от покупки до конца льготного периода", "days"),
	},
	Compute: computeGracePeriodEnd,
}

func computeGracePeriodEnd(in In, out *Out) error {
	end := graceEnd(in, out)
	out.Set("nominal_end", end)
	if in.Text("roll") == "following" {
		rolled, err := following(end, out)
		if err != nil {
			return err
		}
		out.Step("roll", "следующий рабочий день", rolled, "%s → %s", end, rolled)
		end = rolled
	}
	out.Set("grace_end", end)
	if in.Has("purchase_date") {
		bought := in.Date("purchase_date")
		days := Count(end - bought)
		out.Derive("days_from_purchase", days, "grace_end − purchase_date", "%s − %s", end, bought)
	}
	return nil
}

// graceEnd is the end of the grace period by the rule, before it moves to a business day.
func graceEnd(in In, out *Out) Date {
	bought := in.Date("purchase_date")
	switch in.Text("rule") {
	case graceFixed:
		first, n := in.Date("first_debt_date"), Date(in.Int("grace_days"))
		out.Step("grace_end", "first_debt_date + grace_days", first+n, "%s + %d", first, n)
		return first + n
	case graceEndOfMonth:
		y, m, _ := bought.Split()
		n := in.Int("months")
		end := clampDay(y, m+n, 31)
		out.Step("grace_end", "последний день месяца m + N", end, "последний день месяца %s + %d", yearMonth(bought), n)
		return end
	}
	statement, n := statementAfter(bought, in.Int("statement_day"), out), Date(in.Int("payment_days"))
	out.Derive("statement_date", statement, "ближайшая дата выписки позже покупки",
		"%d-е число после %s", in.Int("statement_day"), bought)
	out.Step("grace_end", "statement_date + payment_days", statement+n, "%s + %d", statement, n)
	return statement + n
}

// statementAfter is the first statement strictly after the purchase: a purchase on
// the day of a statement is in the next one.
func statementAfter(bought Date, day int, out *Out) Date {
	y, m, _ := bought.Split()
	statement := clampDay(y, m, day)
	out.WarnIf(statement == bought, "purchase_on_statement_day", "/inputs/purchase_date")
	if statement <= bought {
		statement = clampDay(y, m+1, day)
	}
	return statement
}

// following is the date itself or the first business day after it.
func following(d Date, out *Out) (Date, error) {
	for ; ; d++ {
		business, why, err := out.BusinessDay(d)
		if err != nil || business {
			return d, err
		}
		out.Step("skip_"+d.String(), "нерабочий день", why, "%s", d)
	}
}

var cardMinimumPayment = &Tool{
	ID: "card_minimum_payment",
	Inputs: []Field{
		money("balance", "Основной долг"),
		pct100("min_pct", "Минимальный платёж, процентов от основного долга"),
		money("min_floor", "Наименьшая часть основного долга в платеже").Default("0"),
		money("interest_due", "Проценты к оплате").Default("0"),
		money("fees_due", "Комиссии к оплате").Default("0"),
		money("overdue", "Просроченная задолженность").Default("0"),
	},
	Outputs: []Field{
		money("principal_part", "Часть основного долга"),
		money("minimum_payment", "Минимальный платёж"),
	},
	Compute: computeMinimumPayment,
}

// minimumPart is the principal of a minimum payment: min(max(round2(S·pct/100), floor), S).
func minimumPart(s Money, p Pct, floor Money) Money { return min(max(percentOf(s, p), floor), s) }

func computeMinimumPayment(in In, out *Out) error {
	balance, p, floor := in.Money("balance"), in.Pct("min_pct"), in.Money("min_floor")
	interest, fees, overdue := in.Money("interest_due"), in.Money("fees_due"), in.Money("overdue")
	part := minimumPart(balance, p, floor)
	total := part + interest + fees + overdue
	out.Derive("principal_part", part, "min(max(round2(B·pct/100), floor), B)",
		"min(max(round2(%s·%s/100), %s), %s)", balance, p, floor, balance)
	out.Derive("minimum_payment", total, "main + interest + fees + overdue",
		"%s + %s + %s + %s", part, interest, fees, overdue)
	return nil
}

var cardInterestAccrued = &Tool{
	ID: "card_interest_accrued",
	Inputs: []Field{
		list("segments", "Отрезки с постоянным долгом; не пересекаются", 1, MaxItems,
			money("balance", "Долг"),
			date("from_date", "Начало: этот день не входит"),
			date("to_date", "Конец: этот день входит"),
		),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		dayCount(ActAct, Thirty360),
	},
	Outputs: []Field{
		money("interest", "Начисленные проценты"),
		count("days_total", "Календарных дней на всех отрезках", "days"),
	},
	Check:   checkSegments,
	Span:    segmentsSpan,
	Series:  moneyUseInterestID,
	Compute: computeInterestAccrued,
}

// checkSegments reports segments without days and segments that overlap.
func checkSegments(in In) {
	segments := in.List("segments")
	for _, s := range segments {
		s.Order("from_date", "to_date")
	}
	slices.SortStableFunc(segments, func(a, b In) int { return cmp.Compare(a.Date("from_date"), b.Date("from_date")) })
	for i, s := range segments[1:] {
		if before := segments[i]; s.Date("from_date") < before.Date("to_date") {
			s.Fail("from_date", FaultInconsistent,
				"Отрезок с "+s.Date("from_date").String()+" пересекается с отрезком, который кончается "+
					before.Date("to_date").String(),
				"Начните отрезок не раньше конца предыдущего")
		}
	}
}

// segmentsSpan is the span of all segments.
func segmentsSpan(in In) (from, to Date) {
	for i, s := range in.List("segments") {
		if i == 0 || s.Date("from_date") < from {
			from = s.Date("from_date")
		}
		to = max(to, s.Date("to_date"))
	}
	return from, to
}

func computeInterestAccrued(in In, out *Out) error {
	out.Assume("accrual_start_excluded_end_included")
	r, basis := in.Pct("annual_rate_pct"), in.DayCount()
	// Year fractions of one day count share a denominator, so Σ S·numerator is a sum
	// of whole numbers. It can exceed 64 bits.
	sum, days, den := new(big.Int), Count(0), int64(1)
	for i, s := range in.List("segments") {
		balance, from, to := s.Money("balance"), s.Date("from_date"), s.Date("to_date")
		yf := yearFraction(from, to, basis)
		product := new(big.Int).Mul(big.NewInt(int64(balance)), big.NewInt(yf.Num))
		sum.Add(sum, product)
		days += Count(to - from)
		den = yf.Den
		if out.tracing {
			out.Step("segment_"+Count(i+1).String(), "S·R/100·YF", accrued(product, r, den),
				"%s·%s/100·%d/%d, дней: %d", balance, r, yf.Num, yf.Den, to-from)
		}
	}
	exact := accrued(sum, r, den)
	interest := exact.Round()
	out.Set("days_total", days)
	out.Derive("interest", interest, "round2(Σ S·R/100·YF)", "round2(%s)", exact)
	return nil
}

// accrued is the interest in roubles, unrounded, on Σ S·numerator in kopecks.
func accrued(product *big.Int, r Pct, den int64) Exact {
	scale := new(big.Int).Mul(big.NewInt(den), big.NewInt(100*100*pctUnit))
	return Exact{new(big.Int).Mul(product, big.NewInt(int64(r))), scale}
}
