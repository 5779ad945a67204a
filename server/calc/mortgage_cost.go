package calc

var mortgageTotalCost = &Tool{
	ID: "mortgage_total_cost",
	Inputs: append(loanInputs(),
		listOf(money("one_off_costs", "Разовые расходы"), 0, MaxItems).Optional(),
		object("annual_insurance", "Ежегодная страховка: в начале и каждые 12 месяцев, пока есть долг",
			enum(
				"mode", "Как задана стоимость: суммой в рублях или процентом остатка долга", "fixed", "pct_of_balance",
			),
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
}

// insuranceValue is roubles or a percentage, depending on the mode, with the range of the
// former and the decimals of the latter.
func insuranceValue() Field {
	f := coef("value", "Рублей в год или процентов остатка в год").Min("0").Max("9999999999")
	f.Unit = ""
	return f
}

const kopeckUnit = pctUnit / 100 // one kopeck in the units of an insuranceValue

func checkTotalCost(in In) {
	checkLoan(in)
	if !in.Has("annual_insurance") {
		return
	}
	insurance := in.Object("annual_insurance")
	value := read[decimal](insurance, "value")
	switch fixed := insurance.Text("mode") == "fixed"; {
	case fixed && value%kopeckUnit != 0:
		insurance.Fail("value", FaultPattern,
			"Сумма страховки указана точнее копейки",
			`Передайте сумму с двумя знаками после точки, например "12000.00"`)
	case !fixed && value > 100*pctUnit:
		insurance.Fail("value", FaultMax, "Процент страховки больше 100", "Допустимо от 0 до 100 или выберите fixed")
	}
}

func computeTotalCost(in In, out *Out) error {
	l, err := levelLoan(in, out)
	if err != nil {
		return err
	}
	out.Derive("interest_total", l.interest, "ΣI = Σpaid − P", "%s − %s", l.paid, l.principal)
	insurance := Money(0)
	if in.Has("annual_insurance") {
		out.Assume("insurance_at_months_0_12_24")
		insurance = l.insurance(in.Object("annual_insurance"), out)
	}
	oneOff, fee := totalOf(in.Moneys("one_off_costs")), in.Money("monthly_fee")
	fees := fee * Money(len(l.rows))
	cost := l.interest + insurance + oneOff + fees
	out.Set("insurance_total", insurance)
	out.Set("one_off_total", oneOff)
	out.Derive("monthly_fees_total", fees, "fee·rows", "%s·%d", fee, len(l.rows))
	out.Derive("total_cost", cost, "ΣI + insurance + one_off + fees",
		"%s + %s + %s + %s", l.interest, insurance, oneOff, fees)
	out.Derive("total_outflow", l.principal+cost, "P + total_cost", "%s + %s", l.principal, cost)
	l.warnRounding(out)
	return nil
}

// insurance adds up the premiums at months 0, 12, 24 … until the debt is repaid.
func (l loan) insurance(in In, out *Out) (sum Money) {
	value, fixed := read[decimal](in, "value"), in.Text("mode") == "fixed"
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
		out.Step("insurance_total", "Σ round2(S₁₂ⱼ·p/100), 12j < n", sum,
			"Σ round2(S₁₂ⱼ·%s/100), j = 0…%d", Pct(value), charges-1)
	}
	return sum
}
