package calc

var kaskoPremium = &Tool{
	ID: "kasko_premium",
	Inputs: []Field{
		moneyPlus("sum_insured", "Страховая сумма"),
		pct100("base_tariff_pct", "Базовый тариф, процентов от страховой суммы"),
		listOf(coef("coefficients", "Коэффициенты"), 0, 20).Optional(),
		listOf(ident("coefficient_names", "Названия коэффициентов, в том же порядке"), 0, 20).Optional(),
		pct100("discount_pct", "Скидка, процентов").Default("0"),
	},
	Outputs: []Field{
		money("premium", "Премия"),
		money("premium_before_discount", "Премия до скидки"),
		money("discount_amount", "Скидка"),
		ratio("coefficient_product", "Произведение коэффициентов", 6),
	},
	Check:   checkCoefficientNames,
	Compute: computeKaskoPremium,
}

func checkCoefficientNames(in In) {
	if in.Has("coefficient_names") && len(in.Texts("coefficient_names")) != len(in.Coefs("coefficients")) {
		in.Fail("coefficient_names", FaultInconsistent,
			"Названий не столько, сколько коэффициентов",
			"Дайте название каждому коэффициенту или уберите coefficient_names")
	}
}

func computeKaskoPremium(in In, out *Out) error {
	sum, tariff, discount := in.Money("sum_insured"), in.Pct("base_tariff_pct"), in.Pct("discount_pct")
	product := coefficientProduct(in, out)
	exact := sum.Exact().Mul(tariff.Exact()).Mul(product).Quo(Whole(100))
	before, premium := exact.Round(), exact.Mul(discount.complement()).Round()
	out.Set("coefficient_product", product)
	k := product.short()
	out.Derive("premium_before_discount", before, "round2(SI·tariff/100·Πk)", "round2(%s·%s/100·%s)", sum, tariff, k)
	out.Derive("premium", premium, "round2(SI·tariff/100·Πk·(1 − discount/100))",
		"round2(%s·%s/100·%s·(1 − %s/100))", sum, tariff, k, discount)
	out.Derive("discount_amount", before-premium, "premium_before_discount − premium", "%s − %s", before, premium)
	return nil
}

func coefficientProduct(in In, out *Out) Exact {
	product, names := Whole(1), in.Texts("coefficient_names")
	format, args := "1", []any(nil)
	for i, k := range in.Coefs("coefficients") {
		product = product.Mul(k)
		if !out.tracing {
			continue
		}
		format, args = format+"·%s", append(args, k.short())
		if len(names) > 0 {
			format, args = format+" (%s)", append(args, givenName(names[i]))
		}
	}
	if out.tracing {
		out.Step("coefficient_product", "Πk", product.short(), format, args...)
	}
	return product
}

var kaskoPremiumInstallments = &Tool{
	ID: "kasko_premium_installments",
	Inputs: []Field{
		moneyPlus("premium", "Премия при единовременной оплате"),
		pct100("surcharge_pct", "Надбавка за рассрочку, процентов").Default("0"),
		listOf(pct100("shares_pct", "Доли платежей, процентов; в сумме 100").Min("0.000001"), 1, 24),
		date("start_date", "Дата, от которой считаются месяцы"),
		listOf(integer("due_months", "Через сколько месяцев каждый платёж", "months", 0, 120), 1, 24),
	},
	Choices: []Choice{{{}, {Needs: names("start_date", "due_months")}}},
	Outputs: []Field{
		money("total", "Премия с надбавкой"),
		listOf(money("parts", "Части премии"), 1, 24),
		money("overpayment", "Переплата за рассрочку"),
		listOf(date("due_dates", "Даты платежей"), 1, 24),
	},
	Check:   checkInstallments,
	Compute: computeInstallments,
}

func checkInstallments(in In) {
	shares := in.Pcts("shares_pct")
	var sum Pct
	for _, s := range shares {
		sum += s
	}
	if sum != wholePct {
		in.Fail("shares_pct", FaultInconsistent,
			"Сумма долей равна "+sum.String()+" %, а должна быть 100 %", "Исправьте доли, чтобы они давали 100")
	}
	due := in.Ints("due_months")
	in.FailIf(len(due) > 0 && len(due) != len(shares), "due_months", FaultInconsistent,
		"Сроков не столько, сколько долей", "Укажите срок каждого платежа")
	for i := 1; i < len(due); i++ {
		if due[i] < due[i-1] {
			in.Fail("due_months", FaultInconsistent,
				"Сроки платежей идут не по порядку", "Расположите сроки по возрастанию")
			return
		}
	}
}

func computeInstallments(in In, out *Out) error {
	premium, surcharge := in.Money("premium"), in.Pct("surcharge_pct")
	total := share(premium, int64(wholePct+surcharge), wholePct)
	out.Step("total", "round2(P·(1 + s/100))", total, "round2(%s·(1 + %s/100))", premium, surcharge)
	parts, ok := installments(total, in.Pcts("shares_pct"), out)
	if !ok {
		return AmountTooSmallForTerm
	}
	out.Set("total", total)
	out.Set("parts", parts)
	out.Derive("overpayment", total-premium, "total − P", "%s − %s", total, premium)
	if in.Has("start_date") {
		var dates List
		for _, m := range in.Ints("due_months") {
			dates = append(dates, in.Date("start_date").AddMonths(int(m)))
		}
		out.Set("due_dates", dates)
	}
	return nil
}

// installments splits a total by shares; the last part is the remainder. It is false if
// rounding makes the other parts exceed the total: a few kopecks in many parts.
func installments(total Money, shares []Pct, out *Out) (parts List, ok bool) {
	rest := total
	for i, s := range shares {
		name, part := "part_"+Count(i+1).String(), percentOf(total, s)
		if i < len(shares)-1 {
			out.Step(name, "round2(total·share/100)", part, "round2(%s·%s/100)", total, s)
		} else {
			part = rest
			out.Step(name, "total − Σ", part, "%s − %s", total, total-rest)
		}
		rest -= part
		parts = append(parts, part)
		if part < 0 {
			return nil, false
		}
	}
	return parts, true
}
