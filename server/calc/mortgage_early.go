package calc

var mortgageEarlyRepayment = &Tool{
	ID: "mortgage_early_repayment",
	Inputs: []Field{
		money("principal", "Сумма кредита").Min("1.00"),
		months("term_months", "Срок, месяцев"),
		integer("after_payment_no", "После какого платежа погашается досрочно", "payments", 0, 599),
		moneyPlus("current_balance", "Остаток долга"),
		months("remaining_months", "Осталось месяцев"),
		moneyPlus("current_payment", "Ежемесячный платёж"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		moneyPlus("extra_amount", "Сумма досрочного погашения, не больше остатка долга"),
		enum("mode", "Что уменьшить", "both", "reduce_payment", "reduce_term").Default("both"),
	},
	Choices: []Choice{{
		{Needs: names("principal", "term_months", "after_payment_no")},
		{Needs: names("current_balance", "remaining_months", "current_payment")},
	}},
	Outputs: []Field{
		money("balance_before", "Остаток долга до погашения"),
		money("balance_after", "Остаток долга после погашения"),
		money("base_payment", "Платёж до погашения"),
		money("base_interest_remaining", "Оставшиеся проценты без погашения"),
		object("reduce_payment", "Уменьшить платёж",
			money("new_payment", "Новый платёж"),
			count("remaining_months", "Осталось платежей", "payments"),
			money("last_payment", "Последний платёж"),
			smoney("interest_saved", "Экономия на процентах")),
		object("reduce_term", "Уменьшить срок",
			money("payment", "Платёж"),
			count("remaining_months", "Осталось платежей", "payments"),
			count("months_saved", "На сколько платежей меньше", "payments").Signed(),
			money("last_payment", "Последний платёж"),
			smoney("interest_saved", "Экономия на процентах")),
		smoney("difference_interest_saved", "На сколько больше экономия при уменьшении срока"),
	},
	PSK:     true,
	Check:   checkEarlyRepayment,
	Compute: computeEarlyRepayment,
}

func checkEarlyRepayment(in In) {
	if in.Has("current_balance") {
		checkExtra(in, in.Money("current_balance"))
		return
	}
	in.FailIf(in.Int("after_payment_no") >= in.Int("term_months"), "after_payment_no", FaultInconsistent,
		"После последнего платежа гасить нечего", "Укажите номер меньше срока")
}

// checkExtra reports whether the early repayment is at most the balance.
func checkExtra(in In, balance Money) bool {
	if in.Money("extra_amount") <= balance {
		return true
	}
	in.Fail("extra_amount", FaultInconsistent,
		"Сумма погашения больше остатка долга", "Укажите не больше "+balance.String())
	return false
}

// A mortgageDebt is a loan on the day of an early repayment.
type mortgageDebt struct {
	balance  Money
	rate     Pct
	months   int   // remaining by the contract
	payments int   // remaining in the schedule, which rounding can shorten
	level    Money // the monthly payment
	interest Money // remaining
}

func computeEarlyRepayment(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	d, err := debtNow(in, out)
	if err != nil || !checkExtra(in, d.balance) {
		return err
	}
	out.Warn("assumes_repayment_on_due_date", "")
	rest := d.balance - in.Money("extra_amount")
	out.Set("balance_before", d.balance)
	out.Set("base_payment", d.level)
	out.Set("base_interest_remaining", d.interest)
	out.Derive("balance_after", rest, "S′ = S − E", "%s − %s", d.balance, in.Money("extra_amount"))
	return d.modes(in.Text("mode"), rest, out)
}

// modes computes the requested modes. If one has no result, the other's is still set.
func (d mortgageDebt) modes(mode string, rest Money, out *Out) error {
	var byPayment, byTerm Money
	var errPayment, errTerm error
	if mode != "reduce_term" {
		byPayment, errPayment = d.reducePayment(rest, out)
	}
	if mode != "reduce_payment" {
		byTerm, errTerm = d.reduceTerm(rest, out)
	}
	if errPayment != nil {
		return errPayment
	}
	if errTerm != nil {
		return errTerm
	}
	if mode == "both" {
		out.Derive("difference_interest_saved", byTerm-byPayment, "saved(term) − saved(payment)",
			"%s − %s", byTerm, byPayment)
	}
	return nil
}

// debtNow is the current debt: given in the request, or after some payments of a loan.
func debtNow(in In, out *Out) (mortgageDebt, error) {
	d := mortgageDebt{rate: in.Pct("annual_rate_pct")}
	if in.Has("current_balance") {
		d.balance, d.months, d.level = in.Money("current_balance"), in.Int("remaining_months"),
			in.Money("current_payment")
		p, err := amortize(d.balance, d.months, d.level, 0, monthly(d.rate))
		if err != nil {
			return d, err
		}
		d.payments, d.interest = len(p.rows), p.interest
		p.warnGiven(out, "/inputs/current_payment")
		return d, nil
	}
	n, k := in.Int("term_months"), in.Int("after_payment_no")
	l, err := annuityLoan(in.Money("principal"), d.rate, n, 0)
	l.traceLevel(out)
	if err != nil {
		return d, err
	}
	l.warnRounding(out)
	balance, paid := l.balanceAfter(k)
	out.Step("balance_before", "S_k = P − ΣPr", balance, "%s − %s, k = %d", l.principal, l.principal-balance, k)
	out.Step("base_interest_remaining", "ΣI − Σ_{≤k}I", l.interest-paid, "%s − %s", l.interest, paid)
	d.balance, d.months, d.level = balance, n-k, l.level
	d.payments, d.interest = max(0, len(l.rows)-k), l.interest-paid
	return d, nil
}

// warnGiven is warnRounding for a payment given in the request: it may not fit the term.
func (p *plan) warnGiven(out *Out, pointer string) {
	if p.shortened {
		out.Warn("term_shortened_by_rounding: given payment", pointer, len(p.rows))
	}
	out.WarnIf(p.outlier, "last_payment_outlier: given payment", pointer)
}

// closing is the last payment; zero if there are no rows.
func (p *plan) closing() Money {
	if len(p.rows) == 0 {
		return 0
	}
	return p.last().Payment
}

func (d mortgageDebt) reducePayment(rest Money, out *Out) (saved Money, err error) {
	l := loan{plan: &plan{}}
	if rest > 0 {
		l, err = annuityLoan(rest, d.rate, d.months, 0)
		out.Step("reduce_payment_new_payment", "A′ = round2(A(S′, R, n − k))", l.level,
			"round2(%s), A(%s, %s, %d)", l.unrounded, rest, d.rate, d.months)
		if err != nil {
			return 0, err
		}
		l.warnRounding(out)
	}
	saved = d.interest - l.interest
	out.Set("reduce_payment", Row{l.level, Count(len(l.rows)), l.closing(), saved})
	out.Step("reduce_payment_interest_saved", "ΣI_base − ΣI_new", saved, "%s − %s", d.interest, l.interest)
	return saved, nil
}

func (d mortgageDebt) reduceTerm(rest Money, out *Out) (saved Money, err error) {
	p := &plan{}
	if rest > 0 {
		if p, err = payDown(rest, d.level, monthly(d.rate)); err != nil {
			return 0, err
		}
	}
	saved = d.interest - p.interest
	fewer := d.payments - len(p.rows)
	out.Set("reduce_term", Row{d.level, Count(len(p.rows)), Count(fewer), p.closing(), saved})
	out.Step("reduce_term_months_saved", "rows_base − rows_new", fewer, "%d − %d", d.payments, len(p.rows))
	out.Step("reduce_term_interest_saved", "ΣI_base − ΣI_new", saved, "%s − %s", d.interest, p.interest)
	return saved, nil
}
