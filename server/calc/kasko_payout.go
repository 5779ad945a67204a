package calc

// Kinds of deductible.
const (
	unconditional   = "unconditional"
	conditional     = "conditional"
	pctOfSumInsured = "pct_of_sum_insured"
	pctOfLoss       = "pct_of_loss"
)

var kaskoDeductiblePayout = &Tool{
	ID: "kasko_deductible_payout",
	Inputs: []Field{
		money("loss", "Убыток"),
		enum("deductible_type", "Вид франшизы", unconditional, conditional, pctOfSumInsured, pctOfLoss),
		deductibleField(),
		moneyPlus("sum_insured", "Страховая сумма"),
		money("paid_earlier", "Выплачено раньше, если страховая сумма агрегатная").Default("0"),
	},
	Outputs: []Field{
		money("payout", "Выплата"),
		money("deductible_amount", "Франшиза в рублях"),
		money("payout_before_cap", "Выплата без ограничения страховой суммой"),
		money("available_sum", "Остаток страховой суммы"),
	},
	Check:   checkDeductible,
	Compute: computeDeductiblePayout,
}

// deductibleField is an amount or a percentage, depending on the kind of deductible.
func deductibleField() Field {
	f := money("deductible",
		"Франшиза: в рублях, а если это процент от страховой суммы или ущерба — в процентах от 0 до 100")
	f.Unit = "RUB|percent"
	f.unitOf = func(in In) string {
		if kind := in.Text("deductible_type"); kind == pctOfSumInsured || kind == pctOfLoss {
			return "percent"
		}
		return "RUB"
	}
	return f
}

// deductiblePct reads the deductible as a percentage: 2.00 is 2 %.
func deductiblePct(in In) Pct { return Pct(in.Money("deductible")) * (pctUnit / 100) }

func isPctDeductible(in In) bool {
	kind := in.Text("deductible_type")
	return kind == pctOfSumInsured || kind == pctOfLoss
}

func checkDeductible(in In) {
	in.FailIf(isPctDeductible(in) && in.Money("deductible") > 100_00, "deductible", FaultMax,
		"Значение больше допустимого: 100 %", "Для этого вида франшизы deductible — процент от 0 до 100")
	in.FailIf(in.Money("paid_earlier") > in.Money("sum_insured"), "paid_earlier", FaultInconsistent,
		"Выплачено больше страховой суммы", "Укажите сумму прежних выплат не больше sum_insured")
}

func computeDeductiblePayout(in In, out *Out) error {
	loss, sum, paid := in.Money("loss"), in.Money("sum_insured"), in.Money("paid_earlier")
	d := deductibleAmount(in, out)
	before := max(0, loss-d)
	if in.Text("deductible_type") == conditional {
		before = 0
		if loss > d {
			before = loss
		}
		out.Step("payout_before_cap", "L > d: L; L ≤ d: 0", before, "%s > %s", loss, d)
	} else {
		out.Step("payout_before_cap", "max(0, L − d)", before, "max(0, %s − %s)", loss, d)
	}
	available := sum - paid
	out.Derive("available_sum", available, "SI − paid_earlier", "%s − %s", sum, paid)
	out.Set("deductible_amount", d)
	payCapped(before, available, "available_sum", out)
	return nil
}

// payCapped sets the payout, at most what is left of the sum insured.
func payCapped(before, most Money, symbol string, out *Out) {
	payout := min(before, most)
	out.Derive("payout", payout, "min(payout_before_cap, "+symbol+")", "min(%s, %s)", before, most)
	out.WarnIf(before > most, "payout_capped_by_sum_insured", "/inputs/sum_insured")
	out.Set("payout_before_cap", before)
}

// deductibleAmount is the deductible in roubles; that of a percentage is rounded.
func deductibleAmount(in In, out *Out) Money {
	if !isPctDeductible(in) {
		return in.Money("deductible")
	}
	base, symbol := in.Money("sum_insured"), "SI"
	if in.Text("deductible_type") == pctOfLoss {
		base, symbol = in.Money("loss"), "L"
	}
	p := deductiblePct(in)
	d := percentOf(base, p)
	out.Step("deductible_amount", "d = round2("+symbol+"·p/100)", d, "round2(%s·%s/100)", base, p)
	return d
}

var kaskoProportionalPayout = &Tool{
	ID: "kasko_proportional_payout",
	Inputs: []Field{
		money("loss", "Убыток"),
		moneyPlus("sum_insured", "Страховая сумма"),
		moneyPlus("insured_value", "Действительная (страховая) стоимость"),
		money("deductible", "Безусловная франшиза").Default("0"),
		enum("deductible_type", "Вид франшизы", unconditional).Default(unconditional),
		boolean("first_risk", "Страхование по первому риску: без пропорции").Default("false"),
	},
	Outputs: []Field{
		money("payout", "Выплата"),
		money("base", "Убыток с учётом пропорции"),
		money("payout_before_cap", "Выплата без ограничения страховой суммой"),
		percent("insured_share_pct", "Страховая сумма, процентов от стоимости", 4),
	},
	Compute: computeProportionalPayout,
}

func computeProportionalPayout(in In, out *Out) error {
	loss, sum, value, d := in.Money("loss"), in.Money("sum_insured"), in.Money("insured_value"), in.Money("deductible")
	base := loss
	if sum < value && !in.Bool("first_risk") {
		base = share(loss, int64(sum), int64(value))
		out.Step("base", "round2(L·SI/V)", base, "round2(%s·%s/%s)", loss, sum, value)
	} else {
		out.Step("base", "L", base, "%s", loss)
	}
	before := max(0, base-d)
	out.Step("payout_before_cap", "max(0, base − d)", before, "max(0, %s − %s)", base, d)
	out.Set("base", base)
	payCapped(before, sum, "SI", out)
	out.Set("insured_share_pct", newExact(int64(sum), 1).Mul(Whole(100)).Quo(newExact(int64(value), 1)))
	return nil
}

var kaskoTotalLossPayout = &Tool{
	ID:      "kasko_total_loss_payout",
	Version: "1.1.0",
	Formula: "kasko_total_loss_payout/2",
	Inputs: []Field{
		moneyPlus("sum_insured", "Страховая сумма"),
		pct100("depreciation_pct", "Износ, процентов").Default("0"),
		money("deductible", "Безусловная франшиза").Default("0"),
		money("salvage_retained_value", "Стоимость годных остатков").Default("0"),
		boolean("owner_keeps_salvage", "Остатки остаются у владельца").Default("false"),
		boolean("rights_abandoned", "Владелец отказался от прав на имущество в пользу страховщика").Default("false"),
	},
	Check: checkTotalLoss,
	Outputs: []Field{
		money("depreciated_sum", "Страховая сумма за вычетом износа"),
		money("payout", "Выплата"),
	},
	Compute: computeTotalLoss,
}

func checkTotalLoss(in In) {
	in.FailIf(in.Bool("rights_abandoned") && in.Bool("owner_keeps_salvage"), "owner_keeps_salvage", FaultInconsistent,
		"Остатки не могут остаться у владельца, который отказался от прав на имущество",
		"Оставьте true только у одного из двух полей: rights_abandoned или owner_keeps_salvage")
}

// wearOfTotalLoss is the percentage deducted for wear: none if the property is abandoned
// to the insurer, who then pays the full sum insured (Law 4015-1, article 10, item 5).
func wearOfTotalLoss(in In, out *Out) Pct {
	p := in.Pct("depreciation_pct")
	if !in.Bool("rights_abandoned") {
		return p
	}
	out.WarnIf(p > 0, "wear_not_deducted", "/inputs/depreciation_pct")
	return 0
}

func computeTotalLoss(in In, out *Out) error {
	sum, p := in.Money("sum_insured"), wearOfTotalLoss(in, out)
	d, salvage := in.Money("deductible"), in.Money("salvage_retained_value")
	if !in.Bool("owner_keeps_salvage") {
		out.WarnIf(salvage > 0, "salvage_not_deducted", "/inputs/salvage_retained_value")
		salvage = 0
	}
	depreciated := percentOf(sum, wholePct-p)
	payout := max(0, depreciated-d-salvage)
	out.Derive("depreciated_sum", depreciated, "round2(SI·(1 − depreciation/100))", "round2(%s·(1 − %s/100))", sum, p)
	out.Derive("payout", payout, "max(0, dep − d − salvage)", "max(0, %s − %s − %s)", depreciated, d, salvage)
	return nil
}
