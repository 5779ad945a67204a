package calc

var cardPayoffFixedPayment = &Tool{
	ID: "card_payoff_fixed_payment",
	Inputs: []Field{
		moneyPlus("balance", "Долг"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		moneyPlus("monthly_payment", "Ежемесячный платёж"),
		date("start_date", "Дата, от которой считаются месяцы; первый платёж через месяц").Optional(),
	},
	Outputs: append(payoffOutputs(),
		money("minimum_amortizing_payment", "Наименьший платёж, при котором долг уменьшается"),
	),
	Schedule: loanSchedule,
	PSK:      true,
	Compute:  computePayoffFixed,
}

func payoffOutputs() []Field {
	return []Field{
		count("months", "Число платежей", "months"),
		money("last_payment", "Последний платёж"),
		money("interest_total", "Проценты за весь срок"),
		money("paid_total", "Всего выплат"),
		date("payoff_date", "Дата последнего платежа"),
	}
}

func computePayoffFixed(in In, out *Out) error {
	assumePayoff(out)
	balance, r, level := in.Money("balance"), in.Pct("annual_rate_pct"), in.Money("monthly_payment")
	first := monthInterest(balance, r)
	out.Step("first_interest", "I₁ = round2(B·R/1200)", first, "round2(%s·%s/1200)", balance, r)
	out.Derive("minimum_amortizing_payment", first+1, "I₁ + 0.01", "%s + %s", first, Money(1))
	p, err := payDown(balance, level, monthly(r))
	if err != nil {
		return err
	}
	p.payoff(in, out)
	return nil
}

func assumePayoff(out *Out) {
	out.Assume("interest_monthly_1_12", "no_new_purchases")
}

// payoff sets the outputs that all payoff tools have.
func (p *plan) payoff(in In, out *Out) {
	n, balance := len(p.rows), in.Money("balance")
	last := p.last()
	out.Set("paid_total", p.paid)
	out.Derive("months", Count(n), "число строк до нулевого остатка", "%s → %s", balance, Money(0))
	out.Derive("last_payment", last.Payment, "Aₙ = Sₙ₋₁ + round2(Sₙ₋₁·R/1200)",
		"%s + %s", last.Principal, last.Interest)
	out.Derive("interest_total", p.interest, "ΣI = Σpaid − B", "%s − %s", p.paid, balance)
	if in.Has("start_date") {
		start := in.Date("start_date")
		end := start.AddMonths(n)
		out.Derive("payoff_date", end, "start_date + n месяцев", "%s + %d", start, n)
	}
	p.schedule(out)
}

var cardPayoffMinimumPayment = &Tool{
	ID: "card_payoff_minimum_payment",
	Inputs: []Field{
		moneyPlus("balance", "Долг"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		pct100("min_principal_pct", "Часть основного долга в платеже, процентов от остатка"),
		money("min_principal_floor", "Наименьшая часть основного долга в платеже").Default("0"),
		date("start_date", "Дата, от которой считаются месяцы; первый платёж через месяц").Optional(),
	},
	Outputs:  append(payoffOutputs(), money("first_payment", "Первый платёж")),
	Schedule: loanSchedule,
	PSK:      true,
	Compute:  computePayoffMinimum,
}

func computePayoffMinimum(in In, out *Out) error {
	assumePayoff(out)
	balance, r := in.Money("balance"), in.Pct("annual_rate_pct")
	share, floor := in.Pct("min_principal_pct"), in.Money("min_principal_floor")
	part, interest := minimumPart(balance, share, floor), monthInterest(balance, r)
	out.Step("first_principal", "Pr₁ = min(max(round2(B·pct/100), floor), B)", part,
		"min(max(round2(%s·%s/100), %s), %s)", balance, share, floor, balance)
	out.Step("first_interest", "I₁ = round2(B·R/1200)", interest, "round2(%s·%s/1200)", balance, r)
	out.Derive("first_payment", part+interest, "A₁ = Pr₁ + I₁", "%s + %s", part, interest)
	p, err := payMinimum(balance, monthly(r), func(s Money) Money { return minimumPart(s, share, floor) })
	if err != nil {
		return err
	}
	p.payoff(in, out)
	return nil
}

// payMinimum repays a part of the balance each month. A part that rounds to zero is
// ScheduleTooLong: the balance would never decrease.
func payMinimum(s Money, accrue accrual, part func(Money) Money) (*plan, error) {
	p := &plan{}
	for k := 1; s > 0; k++ {
		principal := part(s)
		if k > MaxRows || principal == 0 {
			return nil, ScheduleTooLong
		}
		s = p.post(s, accrue(k, s), principal)
	}
	return p, nil
}

var cardRequiredPayment = &Tool{
	ID: "card_required_payment",
	Inputs: []Field{
		moneyPlus("balance", "Долг"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		months("months", "За сколько месяцев погасить"),
		date("start_date", "Дата, от которой считаются месяцы; первый платёж через месяц").Optional(),
	},
	Outputs: append([]Field{
		money("required_payment", "Ежемесячный платёж"),
	}, payoffOutputs()...),
	Schedule: loanSchedule,
	PSK:      true,
	Compute:  computeRequiredPayment,
}

func computeRequiredPayment(in In, out *Out) error {
	assumePayoff(out)
	balance, r, n := in.Money("balance"), in.Pct("annual_rate_pct"), in.Int("months")
	exact := annuity(balance, r, n, 0)
	up := exact.Up()
	formula, numbers := "A = B·(R/1200)/(1 − (1 + R/1200)^−N)", "%[1]s·(%[2]s/1200)/(1 − (1 + %[2]s/1200)^−%[3]d)"
	if r == 0 {
		formula, numbers = "A = B/N", "%[1]s/%[3]d"
	}
	out.Step("payment_unrounded", formula, exact, numbers, balance, r, n)
	out.Step("payment_rounded_up", "roundup2(A)", up, "roundup2(%s)", exact)
	level, p := requiredPayment(balance, n, up, monthly(r))
	out.Derive("required_payment", level, "A + 0.01, пока строк графика больше N",
		"%s + %s; строк %d ≤ %d", up, level-up, len(p.rows), n)
	if len(p.rows) < n {
		out.Warn("term_shortened_by_rounding: upwards", "/inputs/months", len(p.rows))
	}
	p.payoff(in, out)
	return nil
}

// requiredPayment raises a payment by kopecks until it repays the debt in n months.
// From the annuity rounded up one raise is enough: rounding the interest costs at most
// half a kopeck a month, a raise adds a whole one, and both accrue the same interest.
func requiredPayment(balance Money, n int, level Money, accrue accrual) (Money, *plan) {
	for ; ; level++ {
		p, err := payDown(balance, level, accrue)
		if err == nil && len(p.rows) <= n {
			return level, p
		}
	}
}
