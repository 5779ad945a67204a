package calc

var mortgageBalance = &Tool{
	ID: "mortgage_outstanding_balance",
	Inputs: append(loanTerms(),
		integer("payments_made", "Внесено платежей", "payments", 0, 600),
		date("as_of_date", "На какую дату начислить проценты"),
		date("last_due_date", "Дата последнего внесённого платежа"),
		dayCount(ActAct, Thirty360)),
	Choices: []Choice{{{}, {Needs: names("as_of_date", "last_due_date"), May: names("day_count")}}},
	Outputs: []Field{
		money("payment", "Ежемесячный платёж"),
		money("balance", "Остаток долга"),
		money("principal_paid", "Погашено долга"),
		money("interest_paid", "Уплачено процентов"),
		money("accrued_interest", "Начислено процентов с последней даты платежа"),
	},
	PSK:     true,
	Check:   checkMortgageBalance,
	Compute: computeMortgageBalance,
}

func checkMortgageBalance(in In) {
	in.FailIf(in.Int("payments_made") > in.Int("term_months"), "payments_made", FaultInconsistent,
		"Платежей больше, чем месяцев в сроке", "Укажите число не больше срока")
	if in.Has("as_of_date") {
		in.Order("last_due_date", "as_of_date")
	}
}

func computeMortgageBalance(in In, out *Out) error {
	out.Assume("interest_monthly_1_12", "payments_made_on_schedule")
	l, err := annuityLoan(in.Money("principal"), in.Pct("annual_rate_pct"), in.Int("term_months"), 0)
	l.traceLevel(out)
	if err != nil {
		return err
	}
	k := in.Int("payments_made")
	balance, paid := l.balanceAfter(k)
	out.Set("payment", l.level)
	out.Set("principal_paid", l.principal-balance)
	out.Derive("interest_paid", paid, "Σ_{≤k}I", "Σ round2(S·%s/1200), k = 1…%d", l.rate, k)
	out.Derive("balance", balance, "S_k = P − ΣPr", "%s − %s", l.principal, l.principal-balance)
	if in.Has("as_of_date") {
		accruedSince(in, out, balance)
	}
	l.warnRounding(out)
	return nil
}

// accruedSince sets the interest accrued since the last due date on the balance after it.
func accruedSince(in In, out *Out, balance Money) {
	out.Assume("accrual_interval_first_day_excluded")
	from, to, r := in.Date("last_due_date"), in.Date("as_of_date"), in.Pct("annual_rate_pct")
	yf := yearFraction(from, to, in.DayCount())
	sum := interest(balance, r, yf)
	out.Derive("accrued_interest", sum, "round2(S_k·R/100·YF)",
		"round2(%s·%s/100·%d/%d), (%s, %s]", balance, r, yf.Num, yf.Den, from, to)
}
