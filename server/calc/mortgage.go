package calc

import (
	"math/big"
	"slices"
)

// mortgageTools are tools 2–10 of the catalogue. Those that follow a debt through
// time are in mortgage_schedule.go.
func mortgageTools() []*Tool {
	return []*Tool{
		mortgageAnnuity, mortgageDifferentiated, mortgageSchedule, mortgageEarlyRepayment, mortgageBalance,
		mortgageMaxPrincipal, mortgageLTV, mortgagePhased, mortgageTotalCost,
	}
}

// loanTerms are the three inputs that all of a loan follows from.
func loanTerms() []Field {
	return []Field{
		money("principal", "Сумма кредита").Min("1.00"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		months("term_months", "Срок, месяцев"),
	}
}

// loanOutputsBut are the outputs of a loan without some.
func loanOutputsBut(without ...string) []Field {
	return slices.DeleteFunc(loanOutputs(), func(f Field) bool { return slices.Contains(without, f.Name) })
}

// annuityLoan is a loan repaid in level monthly payments.
func annuityLoan(p Money, r Pct, n int, balloon Money) (l loan, err error) {
	l = loan{principal: p, balloon: balloon, rate: r, months: n, annuity: true, unrounded: annuity(p, r, n, balloon)}
	l.level = l.unrounded.Round()
	l.plan, err = amortize(p, n, l.level, balloon, monthly(r))
	return l, err
}

// results sets what every loan has.
func (l loan) results(out *Out) {
	out.Set("first_payment", l.rows[0].Payment)
	out.Set("last_payment", l.last().Payment)
	out.Set("interest_total", l.interest)
	out.Set("paid_total", l.paid)
	out.Set("overpayment_pct", l.overpayment())
	out.Set("rows", Count(len(l.rows)))
}

// after is the balance after k payments and the interest paid with them.
func (l loan) after(k int) (balance, interest Money) {
	balance = l.principal
	for _, row := range l.rows[:min(k, len(l.rows))] {
		balance = row.Balance
		interest += row.Interest
	}
	return balance, interest
}

var mortgageAnnuity = &Tool{
	ID:          "mortgage_annuity_payment",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Аннуитетный платёж по ипотеке",
	Description: "Равный ежемесячный платёж, проценты первого месяца и их доля в платеже, проценты за весь срок и график. Возможен остаток, погашаемый последним платежом. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_annuity_payment/1",
	Inputs:      append(loanTerms(), money("balloon_amount", "Остаток, погашаемый последним платежом").Default("0")),
	Outputs: append(loanOutputs(),
		money("first_interest", "Проценты в первом платеже"),
		percent("first_interest_share_pct", "Доля процентов в первом платеже", 2)),
	Schedule: loanSchedule,
	PSK:      true,
	Check:    checkBalloon,
	Compute:  computeMortgageAnnuity,
	Examples: []Example{{
		Title:   "4 500 000 ₽ под 16,4 % на 23 года",
		Request: `{"inputs":{"principal":"4500000","annual_rate_pct":"16.4","term_months":276}}`,
		Want:    map[string]string{"payment": "62986.56", "first_interest": "61500.00", "first_interest_share_pct": "97.64"},
	}},
}

func checkBalloon(in In) {
	if in.Money("balloon_amount") >= in.Money("principal") {
		in.Fail("balloon_amount", FaultInconsistent,
			"Остаток последнего платежа не меньше суммы кредита", "Укажите остаток меньше суммы кредита")
	}
}

func computeMortgageAnnuity(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	l, err := annuityLoan(in.Money("principal"), in.Pct("annual_rate_pct"), in.Int("term_months"), in.Money("balloon_amount"))
	l.traceLevel(out)
	if err != nil {
		return err
	}
	first := l.rows[0]
	part := first.Interest.Exact().Mul(Whole(100)).Quo(first.Payment.Exact())
	out.Set("payment", l.level)
	out.Set("balloon_amount", l.balloon)
	out.Set("first_interest", first.Interest)
	out.Set("first_interest_share_pct", part)
	l.results(out)
	l.traceTotals(out)
	out.Step("first_interest_share_pct", "I₁/A₁·100", part.Fixed(2), "%s/%s·100", first.Interest, first.Payment)
	l.warn(out)
	l.schedule(out)
	return nil
}

var mortgageDifferentiated = &Tool{
	ID:          "mortgage_differentiated_payment",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Дифференцированный платёж по ипотеке",
	Description: "Погашение равными долями с процентами на остаток: первый и последний платежи, проценты за весь срок, график и первый месяц, когда платёж не больше заданного. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_differentiated_payment/1",
	Inputs:      append(loanTerms(), moneyPlus("payment_threshold", "Платёж, которого нужно достичь").Optional()),
	Outputs: append(loanOutputsBut("payment", "balloon_amount"),
		money("principal_part", "Основной долг в платеже"),
		count("first_month_at_or_below", "Первый месяц, когда платёж не больше заданного", "months").Nullable()),
	Schedule: loanSchedule,
	PSK:      true,
	Compute:  computeMortgageDifferentiated,
	Examples: []Example{{
		Title:   "3 000 000 ₽ под 6 % на 20 лет: когда платёж опустится до 20 000 ₽",
		Request: `{"inputs":{"principal":"3000000","annual_rate_pct":"6","term_months":240,"payment_threshold":"20000"}}`,
		Want:    map[string]string{"first_payment": "27500.00", "last_payment": "12562.50", "first_month_at_or_below": "121"},
	}},
}

func computeMortgageDifferentiated(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	l := loan{principal: in.Money("principal"), rate: in.Pct("annual_rate_pct"), months: in.Int("term_months")}
	l.level = share(l.principal, 1, int64(l.months))
	l.traceLevel(out)
	p, err := differentiated(l.principal, l.months, monthly(l.rate))
	if err != nil {
		return err
	}
	l.plan = p
	out.Set("principal_part", l.level)
	l.results(out)
	l.traceTotals(out)
	if in.Has("payment_threshold") {
		l.threshold(in.Money("payment_threshold"), out)
	}
	l.warn(out)
	l.schedule(out)
	return nil
}

// threshold finds the first payment that is at most so much.
func (l loan) threshold(limit Money, out *Out) {
	i := slices.IndexFunc(l.rows, func(r payment) bool { return r.Payment <= limit })
	if i < 0 {
		out.Set("first_month_at_or_below", Null)
		out.Step("first_month_at_or_below", "min k: A_k ≤ T", "null", "min k: A_k ≤ %s; min A = %s", limit, l.last().Payment)
		return
	}
	out.Set("first_month_at_or_below", Count(i+1))
	out.Step("first_month_at_or_below", "min k: A_k ≤ T", i+1, "A_%d = %s ≤ %s", i+1, l.rows[i].Payment, limit)
}

var mortgageMaxPrincipal = &Tool{
	ID:          "mortgage_max_principal",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Максимальная сумма кредита по платежу",
	Description: "Наибольшая сумма, аннуитетный платёж по которой не больше заданного или не больше доли дохода за вычетом других платежей. Решения банка о выдаче инструмент не предсказывает. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_max_principal/1",
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
	Examples: []Example{{
		Title:   "50 000 ₽ в месяц под 18,5 % на 20 лет",
		Request: `{"inputs":{"monthly_payment":"50000","annual_rate_pct":"18.5","term_months":240}}`,
		Want:    map[string]string{"payment": "50000.00", "max_principal": "3160762.88", "payment_for_max_principal": "50000.00"},
	}, {
		Title:   "40 % дохода за вычетом других платежей",
		Request: `{"inputs":{"monthly_income":"150000","max_share_pct":"40","existing_payments":"10000","annual_rate_pct":"18.5","term_months":240}}`,
		Want:    map[string]string{"payment": "50000.00", "max_principal": "3160762.88"},
	}},
}

// annuityValue is what n level payments repay, in roubles, exactly.
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
	// Rounded down, the principal has an annuity of at most the payment, which is
	// whole kopecks: its rounding cannot exceed it either. What remains to be seen
	// is that the schedule ends.
	l, err := annuityLoan(p, r, n, 0)
	if err != nil {
		return err
	}
	out.Step("payment_for_max_principal", "round2(A(P, R, n)) ≤ A", l.level, "round2(%s) ≤ %s", l.unrounded, level)
	out.Step("interest_total", "ΣI = Σpaid − P", l.interest, "%s − %s", l.paid, p)
	out.Set("max_principal", p)
	out.Set("payment_for_max_principal", l.level)
	out.Set("interest_total", l.interest)
	out.Set("paid_total", l.paid)
	l.warn(out)
	return nil
}

// affordable is the payment that was given, or what the income leaves for it.
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
	ID:          "mortgage_loan_to_value",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Первоначальный взнос и доля кредита (LTV)",
	Description: "Сумма кредита, доля кредита в стоимости жилья и первоначальный взнос из собственных средств и субсидий; недостающая сумма, если задан требуемый взнос. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_loan_to_value/1",
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
	Examples: []Example{{
		Title:   "Жильё за 10 000 000 ₽: свои 1 500 000 ₽ и субсидия 800 000 ₽",
		Request: `{"inputs":{"property_price":"10000000","own_funds":"1500000","subsidies":["800000"],"required_down_payment_pct":"30.1"}}`,
		Want:    map[string]string{"loan_amount": "7700000.00", "down_payment": "2300000.00", "down_payment_pct": "23.00", "ltv_pct": "77.00", "required_down_payment": "3010000.00", "shortfall": "710000.00"},
	}},
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
			"Собственные средства и субсидии ("+down.String()+") больше стоимости жилья", "Укажите взнос не больше стоимости")
	}
}

func computeLTV(in In, out *Out) error {
	price, down := in.Money("property_price"), downPayment(in)
	amount := price - down
	// Hundredths of a percent, so that the two shares add up to 100 as printed.
	ltv := mulDiv(int64(amount), 100*100, 1, int64(price))
	out.Set("down_payment", down)
	out.Set("loan_amount", amount)
	out.Set("ltv_pct", newExact(ltv, 100))
	out.Set("down_payment_pct", newExact(100*100-ltv, 100))
	out.Step("down_payment", "down = own_funds + Σsubsidies", down, "%s + %s", in.Money("own_funds"), totalOf(in.Moneys("subsidies")))
	out.Step("loan_amount", "loan = price − down", amount, "%s − %s", price, down)
	out.Step("ltv_pct", "ltv = loan/price·100", newExact(ltv, 100).Fixed(2), "%s/%s·100", amount, price)
	out.Step("down_payment_pct", "100 − ltv", newExact(100*100-ltv, 100).Fixed(2), "100 − %s", newExact(ltv, 100).Fixed(2))
	if in.Has("required_down_payment_pct") {
		required := percentOf(price, in.Pct("required_down_payment_pct"))
		short := max(0, required-down)
		out.Set("required_down_payment", required)
		out.Set("shortfall", short)
		out.Step("required_down_payment", "round2(price·req/100)", required, "round2(%s·%s/100)", price, in.Pct("required_down_payment_pct"))
		out.Step("shortfall", "max(0, required − down)", short, "max(0, %s − %s)", required, down)
	}
	return nil
}

var mortgageTotalCost = &Tool{
	ID:          "mortgage_total_cost",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Полная сумма расходов по ипотеке",
	Description: "Проценты, ежегодная страховка, разовые расходы и ежемесячные комиссии за весь срок. Это не полная стоимость кредита (ПСК), она не рассчитывается.",
	Formula:     "mortgage_total_cost/1",
	Inputs: append(loanInputs(),
		listOf(money("one_off_costs", "Разовые расходы"), 0, MaxItems).Optional(),
		object("annual_insurance", "Ежегодная страховка: в начале и каждые 12 месяцев, пока есть долг",
			enum("mode", "fixed: сумма в рублях, pct_of_balance: процент остатка долга", "fixed", "pct_of_balance"),
			insuranceValue()).Optional(),
		money("monthly_fee", "Ежемесячная комиссия").Default("0")),
	Outputs: []Field{
		money("payment", "Ежемесячный платёж; только для аннуитета"),
		money("interest_total", "Проценты за весь срок"),
		money("insurance_total", "Страховка за весь срок"),
		money("one_off_total", "Разовые расходы"),
		money("monthly_fees_total", "Комиссии за весь срок"),
		money("total_cost", "Все расходы без возврата самого кредита"),
		money("total_outflow", "Всего выплат вместе с возвратом кредита"),
	},
	PSK:     true,
	Check:   checkTotalCost,
	Compute: computeTotalCost,
	Examples: []Example{{
		Title:   "Страховка 0,5 % остатка и разовые расходы",
		Request: `{"inputs":{"principal":"3000000","annual_rate_pct":"12","term_months":120,"one_off_costs":["25000","4500"],"annual_insurance":{"mode":"pct_of_balance","value":"0.5"}}}`,
		Want:    map[string]string{"interest_total": "2164954.65", "insurance_total": "96933.25", "one_off_total": "29500.00", "total_cost": "2291387.90", "total_outflow": "5291387.90"},
	}},
}

// insuranceValue is roubles or a percentage, as the mode says: long enough for
// the one and fine enough for the other.
func insuranceValue() Field {
	f := coef("value", "Рублей в год (fixed) или процентов остатка в год (pct_of_balance)").Min("0").Max("9999999999")
	f.Unit = ""
	return f
}

const kopeckUnit = pctUnit / 100 // of an insuranceValue

func checkTotalCost(in In) {
	checkLoan(in)
	if !in.Has("annual_insurance") {
		return
	}
	insurance := in.Object("annual_insurance")
	value := insurance.value("value", coefKind).n
	switch fixed := insurance.Text("mode") == "fixed"; {
	case fixed && value%kopeckUnit != 0:
		insurance.Fail("value", FaultPattern, "Сумма страховки указана точнее копейки", `Передайте сумму с двумя знаками после точки, например "12000.00"`)
	case !fixed && value > 100*pctUnit:
		insurance.Fail("value", FaultMax, "Процент страховки больше 100", "Допустимо от 0 до 100 или выберите fixed")
	}
}

func computeTotalCost(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	l, err := computeLoan(in)
	l.traceLevel(out)
	if err != nil {
		return err
	}
	if l.annuity {
		out.Set("payment", l.level)
	}
	out.Step("interest_total", "ΣI = Σpaid − P", l.interest, "%s − %s", l.paid, l.principal)
	insurance := Money(0)
	if in.Has("annual_insurance") {
		out.Assume("insurance_at_months_0_12_24")
		insurance = l.insurance(in.Object("annual_insurance"), out)
	}
	oneOff, fee := totalOf(in.Moneys("one_off_costs")), in.Money("monthly_fee")
	fees := fee * Money(len(l.rows))
	cost := l.interest + insurance + oneOff + fees
	out.Set("interest_total", l.interest)
	out.Set("insurance_total", insurance)
	out.Set("one_off_total", oneOff)
	out.Set("monthly_fees_total", fees)
	out.Set("total_cost", cost)
	out.Set("total_outflow", l.principal+cost)
	out.Step("monthly_fees_total", "fee·rows", fees, "%s·%d", fee, len(l.rows))
	out.Step("total_cost", "ΣI + insurance + one_off + fees", cost, "%s + %s + %s + %s", l.interest, insurance, oneOff, fees)
	out.Step("total_outflow", "P + total_cost", l.principal+cost, "%s + %s", l.principal, cost)
	l.warn(out)
	return nil
}

// insurance adds up a premium at month 0, 12, 24 … as long as there is a debt.
func (l loan) insurance(in In, out *Out) (sum Money) {
	value, fixed := in.value("value", coefKind).n, in.Text("mode") == "fixed"
	charges, first := 0, Money(0)
	for k := 0; k < len(l.rows); k += 12 {
		balance := l.principal
		if k > 0 {
			balance = l.rows[k-1].Balance
		}
		premium := Money(value / kopeckUnit)
		if !fixed {
			premium = percentOf(balance, Pct(value))
		}
		if k == 0 {
			first = premium
		}
		sum += premium
		charges++
	}
	if fixed {
		out.Step("insurance_total", "premium·charges", sum, "%s·%d", first, charges)
	} else {
		out.Step("insurance_first", "round2(P·p/100)", first, "round2(%s·%s/100)", l.principal, Pct(value))
		out.Step("insurance_total", "Σ round2(S₁₂ⱼ·p/100), 12j < n", sum, "Σ round2(S₁₂ⱼ·%s/100), j = 0…%d", Pct(value), charges-1)
	}
	return sum
}
