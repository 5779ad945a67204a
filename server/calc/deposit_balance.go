package calc

import "fmt"

var depositCashflowBalance = &Tool{
	ID: "deposit_cashflow_balance",
	Inputs: []Field{
		money("opening_balance", "Начальный остаток"),
		date("start_date", "Дата открытия"),
		date("end_date", "Дата окончания"),
		rateStepsField(),
		movementsField(),
		enum("interest", "Проценты: причисляются к вкладу или выплачиваются", "capitalized", "paid_out"),
		months("posting_months", "Период выплаты процентов, месяцев"),
		depositDays(),
	},
	Outputs: []Field{
		listOf(object("postings", "Начисления процентов",
			date("date", "Дата"),
			money("interest", "Проценты"),
			money("balance", "Остаток после начисления"),
		), 0, MaxRows),
		money("interest_total", "Проценты за весь срок"),
		money("final_balance", "Остаток в конце срока"),
		smoney("movements_total", "Пополнения за вычетом снятий"),
		count("days", "Дней начисления", "days"),
	},
	Check:   checkCashflow,
	Compute: computeCashflow,
}

func checkCashflow(in In) {
	in.Order("start_date", "end_date")
	checkRateSteps(in)
	checkMovements(in, in.Date("start_date"), in.Date("end_date"))
}

func computeCashflow(in In, out *Out) error {
	out.Assume(assumeNextDay, assumeMovements)
	start, opening := in.Date("start_date"), in.Money("opening_balance")
	l := &ledger{
		account:       newAccount(opening, start, in.DayCount(), readRateSteps(in), readMovements(in)),
		opening:       opening,
		start:         start,
		end:           in.Date("end_date"),
		postingMonths: in.Int("posting_months"),
		paidOut:       in.Text("interest") == "paid_out",
	}
	l.run(out.tracing)
	var postings List
	for _, p := range l.postings {
		postings = append(postings, Row{p.date, p.interest, p.balance})
	}
	out.Set("postings", postings)
	out.Set("interest_total", l.interest)
	out.Set("final_balance", l.balance)
	out.Set("movements_total", l.moved)
	out.Set("days", Count(l.days()))
	l.trace(out)
	if l.paidOut {
		out.Step("final_balance", "S = S₀ + Σmovements", l.balance, "%s + %s", opening, l.moved)
	} else {
		out.Step("final_balance", "S = S₀ + Σmovements + ΣI", l.balance, "%s + %s + %s", opening, l.moved, l.interest)
	}
	out.WarnIf(l.stub(), "last_period_shorter: payments", "/inputs/posting_months")
	return nil
}

var depositDailyBalanceInterest = &Tool{
	ID: "deposit_daily_balance_interest",
	Inputs: []Field{
		money("opening_balance", "Остаток на начало первого дня"),
		date("from_date", "Первый день периода, входит"),
		date("to_date", "Последний день периода, входит"),
		movementsField(),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		enum("method", "На какой остаток: ежедневный или минимальный за период", "daily", "minimum"),
		depositDays(),
	},
	Outputs: []Field{
		money("interest", "Проценты"),
		count("days", "Дней в периоде", "days"),
		money("minimum_balance", "Минимальный остаток на начало дня"),
		money("closing_balance", "Остаток на конец последнего дня без процентов"),
	},
	Check:   checkDailyBalance,
	Span:    between("from_date", "to_date"),
	Series:  "deposit_cashflow_balance",
	Compute: computeDailyBalance,
}

// checkDailyBalance accepts a period of one day, as both of its dates are included.
func checkDailyBalance(in In) {
	from, to := in.Date("from_date"), in.Date("to_date")
	if from > to {
		in.Fail("to_date", FaultDateOrder,
			fmt.Sprintf("Дата %s раньше, чем from_date (%s)", to, from), "Проверьте порядок дат")
	}
	checkMovements(in, from, to)
}

func computeDailyBalance(in In, out *Out) error {
	out.Assume("both_dates_included", assumeMovements)
	from, to, r := in.Date("from_date"), in.Date("to_date"), in.Pct("annual_rate_pct")
	a := newAccount(in.Money("opening_balance"), from-1, in.DayCount(), []rateStep{{from, r}}, readMovements(in))
	a.tracing = out.tracing
	a.settle()
	a.accrue(to)
	a.check()
	i := a.post()
	out.Derive("days", Count(to-from+1), "days = to − from + 1", "%s − %s + 1", to, from)
	if in.Text("method") == "minimum" {
		yf := yearFraction(from-1, to, in.DayCount())
		i = interest(a.lowest, r, yf)
		out.Step("interest", "I = round2(min S·R/100·YF)", i, "round2(%s·%s/100·%d/%d)", a.lowest, r, yf.Num, yf.Den)
	} else if out.tracing {
		out.Step("interest", "I = round2(Σ S·R/100·YF)", i, "round2(%s)", sumOf(a.terms))
	}
	out.Set("interest", i)
	out.Set("minimum_balance", a.lowest)
	out.Set("closing_balance", a.balance)
	return nil
}
