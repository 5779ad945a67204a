package calc

var loanRefinancing = &Tool{
	ID: "loan_refinancing",
	Inputs: []Field{
		money("remaining_principal", "Остаток долга").Min("1.00"),
		pct("current_rate_pct", "Нынешняя ставка, процентов годовых"),
		months("current_remaining_months", "Осталось месяцев"),
		moneyPlus("current_payment", "Нынешний платёж; по умолчанию аннуитет на оставшийся срок").Optional(),
		pct("new_rate_pct", "Новая ставка, процентов годовых"),
		months("new_term_months", "Новый срок, месяцев"),
		money("one_off_costs", "Расходы на рефинансирование").Default("0"),
		boolean("costs_financed", "Расходы входят в сумму нового кредита").Default("false"),
	},
	Outputs: []Field{
		money("current_payment", "Нынешний платёж"),
		money("new_payment", "Новый платёж"),
		smoney("payment_difference", "Новый платёж минус нынешний"),
		money("new_principal", "Сумма нового кредита"),
		money("current_total", "Осталось выплатить по нынешнему кредиту"),
		money("new_total", "Выплаты по новому кредиту"),
		smoney("saving_total", "Экономия за всё время с учётом расходов"),
		count("break_even_month", "Первый месяц, когда расходы окупаются", "months").Nullable(),
	},
	Schedule: []Field{
		count("no", "Номер месяца", ""),
		money("current_payment", "Платёж по нынешнему кредиту"),
		money("new_payment", "Платёж по новому кредиту"),
		smoney("cumulative", "Экономия нарастающим итогом с учётом расходов"),
	},
	PSK:     true,
	Compute: computeRefinancing,
}

// A refinancing is a current loan, the one that replaces it, and the costs of the change.
type refinancing struct {
	current, next loan
	costs         Money // paid at once; zero if the new loan includes them
}

func computeRefinancing(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	current, err := currentLoan(in, out)
	if err != nil {
		return err
	}
	s := refinancing{current: current, costs: in.Money("one_off_costs")}
	p := in.Money("remaining_principal")
	if in.Bool("costs_financed") {
		p, s.costs = p+s.costs, 0
		out.Assume("costs_paid_by_new_loan")
	} else {
		out.Assume("costs_paid_at_once")
	}
	s.next, err = annuityLoan(p, in.Pct("new_rate_pct"), in.Int("new_term_months"), 0)
	out.Derive("new_payment", s.next.level, "round2(A(P, R_new, n_new))",
		"round2(%s), A(%s, %s, %d)", s.next.unrounded, p, s.next.rate, s.next.months)
	out.Set("current_payment", s.current.level)
	out.Set("payment_difference", s.next.level-s.current.level)
	out.Set("new_principal", p)
	if err != nil {
		out.Warn("payment_does_not_amortize: new loan", "/inputs/new_rate_pct")
		return err
	}
	s.next.warnGiven(out, "/inputs/new_term_months")
	s.results(out)
	return nil
}

// currentLoan is the current loan without refinancing.
func currentLoan(in In, out *Out) (l loan, err error) {
	s, r, n := in.Money("remaining_principal"), in.Pct("current_rate_pct"), in.Int("current_remaining_months")
	if in.Has("current_payment") {
		l = loan{principal: s, rate: r, months: n, annuity: true, level: in.Money("current_payment")}
		l.plan, err = amortize(s, n, l.level, 0, monthly(r))
	} else {
		l, err = annuityLoan(s, r, n, 0)
		out.Step("current_payment", "round2(A(S, R, n))", l.level, "round2(%s), A(%s, %s, %d)", l.unrounded, s, r, n)
	}
	if err != nil {
		out.Warn("payment_does_not_amortize: current loan", "/inputs/current_rate_pct")
		return l, err
	}
	l.warnGiven(out, "/inputs/current_remaining_months")
	return l, nil
}

func (s refinancing) results(out *Out) {
	saving := s.current.paid - s.next.paid - s.costs
	out.Set("current_total", s.current.paid)
	out.Set("new_total", s.next.paid)
	out.Derive("saving_total", saving, "Σold − Σnew − C", "%s − %s − %s", s.current.paid, s.next.paid, s.costs)
	s.breakEven(out)
	if s.next.level < s.current.level && saving < 0 {
		out.Warn("longer_term_lower_payment_higher_total", "/inputs/new_term_months", -saving)
	}
}

// breakEven finds the first month in which the savings cover the costs. A longer term can
// lose the saving again after it, which saving_total shows.
func (s refinancing) breakEven(out *Out) {
	sum, found := -s.costs, 0
	for k := range max(len(s.current.rows), len(s.next.rows)) {
		before, after := s.current.paymentAt(k), s.next.paymentAt(k)
		sum += before - after
		if found == 0 && sum >= 0 {
			found = k + 1
			out.Step("break_even_month", "min k: Σ_{≤k}(old − new) − C ≥ 0", found, "k = %d: %s ≥ 0", found, sum)
		}
		if out.Paging() {
			out.Row(Count(k+1), before, after, sum)
		}
	}
	if found == 0 {
		out.Set("break_even_month", Null)
		out.Step("break_even_month", "min k: Σ_{≤k}(old − new) − C ≥ 0", "null", "Σ(old − new) − C = %s", sum)
		return
	}
	out.Set("break_even_month", Count(found))
}

// paymentAt is the payment of row k, counted from 0; zero after the last row.
func (p *plan) paymentAt(k int) Money {
	if k >= len(p.rows) {
		return 0
	}
	return p.rows[k].Payment
}

var loanPaymentToIncome = &Tool{
	ID: "loan_payment_to_income",
	Inputs: []Field{
		listOf(money("monthly_payments", "Платежи по кредитам в месяц"), 1, MaxItems),
		money("monthly_income", "Доход в месяц"),
		pct("threshold_pct", "Порог, процентов").Exactly().Optional(),
	},
	Outputs: []Field{
		money("payments_total", "Сумма платежей"),
		percent("ratio_pct", "Доля платежей в доходе", 2),
		enum("relation", "Доля по сравнению с порогом", "above", "at_or_below"),
	},
	PSK:     true,
	Compute: computePaymentToIncome,
}

func computePaymentToIncome(in In, out *Out) error {
	out.Assume("not_regulatory_debt_burden_indicator")
	sum, income := totalOf(in.Moneys("monthly_payments")), in.Money("monthly_income")
	out.Set("payments_total", sum)
	ratio := sum.Exact().Mul(Whole(100)).Quo(income.Exact())
	out.Derive("ratio_pct", ratio, "Σpayments/income·100", "%s/%s·100", sum, income)
	if !in.Has("threshold_pct") {
		return nil
	}
	// The unrounded share is compared: it can exceed the threshold and print the same.
	relation, sign := "at_or_below", "≤"
	if ratio.Cmp(in.Pct("threshold_pct").Exact()) > 0 {
		relation, sign = "above", ">"
	}
	out.Derive("relation", Text(relation), "ratio : threshold", "%s %s %s", ratio, sign, in.Pct("threshold_pct"))
	return nil
}
