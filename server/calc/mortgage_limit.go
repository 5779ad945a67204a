package calc

import "math/big"

var mortgageMaxPrincipal = &Tool{
	ID: "mortgage_max_principal",
	Inputs: []Field{
		moneyPlus("monthly_payment", "Посильный ежемесячный платёж"),
		moneyPlus("monthly_income", "Доход в месяц"),
		pct100("max_share_pct", "Доля дохода на платежи, процентов"),
		money("existing_payments", "Другие платежи по кредитам в месяц").Default("0"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		months("term_months", "Срок, месяцев"),
	},
	Choices: []Choice{{
		{Needs: names("monthly_payment")},
		{Needs: names("monthly_income", "max_share_pct"), May: names("existing_payments")},
	}},
	Outputs: []Field{
		money("payment", "Наибольший платёж"),
		money("max_principal", "Максимальная сумма кредита"),
		money("payment_for_max_principal", "Платёж по максимальной сумме"),
		money("interest_total", "Проценты за весь срок по максимальной сумме"),
		money("paid_total", "Всего выплат по максимальной сумме"),
	},
	PSK:     true,
	Compute: computeMaxPrincipal,
}

// annuityValue is the principal that n level payments repay, in roubles, unrounded.
func annuityValue(level Money, r Pct, n int) Exact {
	if r == 0 {
		return level.Exact().Mul(Whole(n))
	}
	q := compound(r, 12, n)
	repaid := Exact{new(big.Int).Sub(q.num, q.den), q.num} // 1 − v
	return level.Exact().Mul(repaid).Mul(newExact(1200*pctUnit, int64(r)))
}

func computeMaxPrincipal(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	level := affordable(in, out)
	out.Set("payment", level)
	if level == 0 {
		return NoSolution
	}
	r, n := in.Pct("annual_rate_pct"), in.Int("term_months")
	exact := annuityValue(level, r, n)
	p := exact.Down()
	tracePresentValue(out, level, r, n, exact)
	out.Step("max_principal", "P = rounddown2(PV)", p, "rounddown2(%s)", exact)
	if p == 0 {
		return NoSolution
	}
	// The annuity of the principal rounded down is at most the payment, also after
	// rounding, as the payment is whole kopecks. The schedule may still not end.
	l, err := annuityLoan(p, r, n, 0)
	if err != nil {
		return err
	}
	out.Derive("payment_for_max_principal", l.level, "round2(A(P, R, n)) ≤ A", "round2(%s) ≤ %s", l.unrounded, level)
	out.Derive("interest_total", l.interest, "ΣI = Σpaid − P", "%s − %s", l.paid, p)
	out.Set("max_principal", p)
	out.Set("paid_total", l.paid)
	l.warnRounding(out)
	return nil
}

// affordable is the payment given in the request, or the one that the income allows.
func affordable(in In, out *Out) Money {
	if in.Has("monthly_payment") {
		return in.Money("monthly_payment")
	}
	income, part, other := in.Money("monthly_income"), in.Pct("max_share_pct"), in.Money("existing_payments")
	rest := income.Exact().Mul(part.Exact()).Quo(Whole(100)).Sub(other.Exact())
	level := max(0, rest.Down())
	out.Step("payment", "A = max(0, rounddown2(income·share/100 − existing))", level,
		"max(0, rounddown2(%s·%s/100 − %s))", income, part, other)
	return level
}

func tracePresentValue(out *Out, level Money, r Pct, n int, exact Exact) {
	if !out.tracing {
		return
	}
	if r == 0 {
		out.Step("present_value", "PV = A·n", exact, "%s·%d", level, n)
		return
	}
	q := compound(r, 12, n)
	v := Exact{q.den, q.num}.Fixed(34)
	out.Step("discount_factor", "v = (1 + R/1200)^−n", v, "(1 + %s/1200)^−%d", r, n)
	out.Step("present_value", "PV = A·(1 − v)/(R/1200)", exact, "%s·(1 − %s)/(%s/1200)", level, v, r)
}

var mortgageLTV = &Tool{
	ID: "mortgage_loan_to_value",
	Inputs: []Field{
		moneyPlus("property_price", "Стоимость жилья"),
		money("own_funds", "Собственные средства"),
		listOf(money("subsidies", "Субсидии и материнский капитал"), 0, MaxItems).Optional(),
		pct100("required_down_payment_pct", "Требуемый первоначальный взнос, процентов").Optional(),
	},
	Outputs: []Field{
		money("down_payment", "Первоначальный взнос"),
		money("loan_amount", "Сумма кредита"),
		percent("ltv_pct", "Доля кредита в стоимости (LTV)", 2),
		percent("down_payment_pct", "Доля первоначального взноса", 2),
		money("required_down_payment", "Требуемый первоначальный взнос"),
		money("shortfall", "Не хватает до требуемого взноса"),
	},
	PSK:     true,
	Check:   checkLTV,
	Compute: computeLTV,
}

func downPayment(in In) Money { return in.Money("own_funds") + totalOf(in.Moneys("subsidies")) }

func totalOf(ms []Money) (sum Money) {
	for _, m := range ms {
		sum += m
	}
	return sum
}

func checkLTV(in In) {
	if down := downPayment(in); down > in.Money("property_price") {
		in.Fail("own_funds", FaultInconsistent,
			"Собственные средства и субсидии ("+down.String()+") больше стоимости жилья",
			"Укажите взнос не больше стоимости")
	}
}

func computeLTV(in In, out *Out) error {
	price, down := in.Money("property_price"), downPayment(in)
	amount := price - down
	// Hundredths of a percent, so that the two shares add up to 100 as printed.
	ltv := mulDiv(int64(amount), 100*100, 1, int64(price))
	out.Derive("down_payment", down, "down = own_funds + Σsubsidies",
		"%s + %s", in.Money("own_funds"), totalOf(in.Moneys("subsidies")))
	out.Derive("loan_amount", amount, "loan = price − down", "%s − %s", price, down)
	out.Derive("ltv_pct", newExact(ltv, 100), "ltv = loan/price·100", "%s/%s·100", amount, price)
	out.Derive("down_payment_pct", newExact(100*100-ltv, 100), "100 − ltv", "100 − %s", newExact(ltv, 100).Fixed(2))
	if in.Has("required_down_payment_pct") {
		required := percentOf(price, in.Pct("required_down_payment_pct"))
		short := max(0, required-down)
		out.Derive("required_down_payment", required, "round2(price·req/100)",
			"round2(%s·%s/100)", price, in.Pct("required_down_payment_pct"))
		out.Derive("shortfall", short, "max(0, required − down)", "max(0, %s − %s)", required, down)
	}
	return nil
}
