package calc

import "slices"

var mortgageAnnuity = &Tool{
	ID:     "mortgage_annuity_payment",
	Inputs: append(loanTerms(), money("balloon_amount", "Остаток, погашаемый последним платежом").Default("0")),
	Outputs: append(loanOutputs(),
		money("first_interest", "Проценты в первом платеже"),
		percent("first_interest_share_pct", "Доля процентов в первом платеже", 2)),
	Schedule: loanSchedule,
	PSK:      true,
	Check:    checkBalloon,
	Compute:  computeMortgageAnnuity,
}

func computeMortgageAnnuity(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	l, err := annuityLoan(
		in.Money("principal"), in.Pct("annual_rate_pct"), in.Int("term_months"), in.Money("balloon_amount"),
	)
	l.traceLevel(out)
	if err != nil {
		return err
	}
	first := l.rows[0]
	part := first.Interest.Exact().Mul(Whole(100)).Quo(first.Payment.Exact())
	out.Set("payment", l.level)
	out.Set("balloon_amount", l.balloon)
	out.Set("first_interest", first.Interest)
	l.results(out)
	out.Derive("first_interest_share_pct", part, "I₁/A₁·100", "%s/%s·100", first.Interest, first.Payment)
	l.warnRounding(out)
	l.schedule(out)
	return nil
}

var mortgageDifferentiated = &Tool{
	ID:     "mortgage_differentiated_payment",
	Inputs: append(loanTerms(), moneyPlus("payment_threshold", "Платёж, которого нужно достичь").Optional()),
	Outputs: append(loanOutputsBut("payment", "balloon_amount"),
		money("principal_part", "Основной долг в платеже"),
		count("first_month_at_or_below", "Первый месяц, когда платёж не больше заданного", "months").Nullable()),
	Schedule: loanSchedule,
	PSK:      true,
	Compute:  computeMortgageDifferentiated,
}

func computeMortgageDifferentiated(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	l, err := differentiatedLoan(in.Money("principal"), in.Pct("annual_rate_pct"), in.Int("term_months"))
	l.traceLevel(out)
	if err != nil {
		return err
	}
	out.Set("principal_part", l.level)
	l.results(out)
	if in.Has("payment_threshold") {
		l.threshold(in.Money("payment_threshold"), out)
	}
	l.warnRounding(out)
	l.schedule(out)
	return nil
}

// threshold finds the first payment of at most limit.
func (l loan) threshold(limit Money, out *Out) {
	i := slices.IndexFunc(l.rows, func(r payment) bool { return r.Payment <= limit })
	if i < 0 {
		out.Set("first_month_at_or_below", Null)
		out.Step("first_month_at_or_below", "min k: A_k ≤ T", "null",
			"min k: A_k ≤ %s; min A = %s", limit, l.last().Payment)
		return
	}
	out.Derive("first_month_at_or_below", Count(i+1), "min k: A_k ≤ T", "A_%d = %s ≤ %s", i+1, l.rows[i].Payment, limit)
}
