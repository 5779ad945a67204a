package calc

// kaskoTools are tools 27–33 of the catalogue.
func kaskoTools() []*Tool {
	return []*Tool{
		kaskoPremium, kaskoPremiumInstallments, kaskoDeductiblePayout, kaskoProportionalPayout,
		kaskoTotalLossPayout, kaskoPremiumRefund, kaskoDeductibleBreakEven,
	}
}

const wholePct = 100 * pctUnit // 100 %

// less is the factor 1 − p/100.
func (p Pct) less() Exact { return newExact(int64(wholePct-p), wholePct) }

var kaskoPremium = &Tool{
	ID:          "kasko_premium",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Премия по каско",
	Description: "Страховая премия: страховая сумма на базовый тариф и коэффициенты, за вычетом скидки. Тариф и коэффициенты берутся из запроса; премия округляется один раз.",
	Formula:     "kasko_premium/1",
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
	Examples: []Example{{
		Title:   "2 500 000 ₽, тариф 4,2 %, три коэффициента",
		Request: `{"inputs":{"sum_insured":"2500000","base_tariff_pct":"4.2","coefficients":["0.9","1.15","0.97"],"coefficient_names":["age","territory","deductible"]}}`,
		Want:    map[string]string{"premium": "105414.75", "discount_amount": "0.00", "coefficient_product": "1.003950"},
	}, {
		Title:   "Со скидкой 10 %",
		Request: `{"inputs":{"sum_insured":"2500000","base_tariff_pct":"4.2","discount_pct":"10"}}`,
		Want:    map[string]string{"premium": "94500.00", "premium_before_discount": "105000.00", "discount_amount": "10500.00"},
	}},
}

func checkCoefficientNames(in In) {
	if in.Has("coefficient_names") && len(in.Texts("coefficient_names")) != len(in.Coefs("coefficients")) {
		in.Fail("coefficient_names", FaultInconsistent, "Названий не столько, сколько коэффициентов", "Дайте название каждому коэффициенту или уберите coefficient_names")
	}
}

func computeKaskoPremium(in In, out *Out) error {
	sum, tariff, discount := in.Money("sum_insured"), in.Pct("base_tariff_pct"), in.Pct("discount_pct")
	product := coefficientProduct(in, out)
	exact := sum.Exact().Mul(tariff.Exact()).Mul(product).Quo(Whole(100))
	before, premium := exact.Round(), exact.Mul(discount.less()).Round()
	out.Set("coefficient_product", product)
	out.Set("premium_before_discount", before)
	out.Set("discount_amount", before-premium)
	out.Set("premium", premium)
	if out.tracing {
		k := product.short()
		out.Step("premium_before_discount", "round2(SI·tariff/100·Πk)", before, "round2(%s·%s/100·%s)", sum, tariff, k)
		out.Step("premium", "round2(SI·tariff/100·Πk·(1 − discount/100))", premium, "round2(%s·%s/100·%s·(1 − %s/100))", sum, tariff, k, discount)
		out.Step("discount_amount", "premium_before_discount − premium", before-premium, "%s − %s", before, premium)
	}
	return nil
}

func coefficientProduct(in In, out *Out) Exact {
	product, titles, printed := Whole(1), in.Texts("coefficient_names"), "1"
	for i, k := range in.Coefs("coefficients") {
		product = product.Mul(k)
		if !out.tracing {
			continue
		}
		printed += "·" + k.short()
		if len(titles) > 0 {
			printed += " (" + titles[i] + ")"
		}
	}
	if out.tracing {
		out.Step("coefficient_product", "Πk", product.short(), "%s", printed)
	}
	return product
}

var kaskoPremiumInstallments = &Tool{
	ID:          "kasko_premium_installments",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Рассрочка премии по каско",
	Description: "Премия с надбавкой за рассрочку и её части по долям; последняя часть дополняет сумму до копейки. Даты платежей — через указанное число месяцев от начала.",
	Formula:     "kasko_premium_installments/1",
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
	Examples: []Example{{
		Title:   "Три части: 50, 25 и 25 %",
		Request: `{"inputs":{"premium":"85000.01","surcharge_pct":"3","shares_pct":["50","25","25"]}}`,
		Want:    map[string]string{"total": "87550.01", "parts": `["43775.01","21887.50","21887.50"]`, "overpayment": "2550.00"},
	}, {
		Title:   "С датами платежей",
		Request: `{"inputs":{"premium":"60000","shares_pct":["50","50"],"start_date":"2026-08-31","due_months":[0,6]}}`,
		Want:    map[string]string{"parts": `["30000.00","30000.00"]`, "due_dates": `["2026-08-31","2027-02-28"]`},
	}},
}

func checkInstallments(in In) {
	shares := in.Pcts("shares_pct")
	var sum Pct
	for _, s := range shares {
		sum += s
	}
	if sum != wholePct {
		in.Fail("shares_pct", FaultInconsistent, "Сумма долей равна "+sum.String()+" %, а должна быть 100 %", "Исправьте доли, чтобы они давали 100")
	}
	due := in.value("due_months", listKind).items
	if len(due) > 0 && len(due) != len(shares) {
		in.Fail("due_months", FaultInconsistent, "Сроков не столько, сколько долей", "Укажите срок каждого платежа")
	}
	for i := 1; i < len(due); i++ {
		if due[i].n < due[i-1].n {
			in.Fail("due_months", FaultInconsistent, "Сроки платежей идут не по порядку", "Расположите сроки по возрастанию")
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
	out.Set("overpayment", total-premium)
	out.Step("overpayment", "total − P", total-premium, "%s − %s", total, premium)
	if in.Has("start_date") {
		var dates List
		for _, m := range in.value("due_months", listKind).items {
			dates = append(dates, in.Date("start_date").AddMonths(int(m.n)))
		}
		out.Set("due_dates", dates)
	}
	return nil
}

// installments splits a total by shares; the last part is what remains. Of a few
// kopecks in many parts the rounding can take more than there is: then it is
// false.
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

// Kinds of deductible.
const (
	unconditional   = "unconditional"
	conditional     = "conditional"
	pctOfSumInsured = "pct_of_sum_insured"
	pctOfLoss       = "pct_of_loss"
)

var kaskoDeductiblePayout = &Tool{
	ID:          "kasko_deductible_payout",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Выплата с франшизой",
	Description: "Выплата по убытку с безусловной, условной или процентной франшизой, не больше страховой суммы; для агрегатной суммы — за вычетом уже выплаченного.",
	Formula:     "kasko_deductible_payout/1",
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
	Examples: []Example{{
		Title:   "Безусловная франшиза 30 000 ₽",
		Request: `{"inputs":{"loss":"120000","deductible_type":"unconditional","deductible":"30000","sum_insured":"2000000"}}`,
		Want:    map[string]string{"payout": "90000.00"},
	}, {
		Title:   "Условная франшиза равна убытку",
		Request: `{"inputs":{"loss":"30000","deductible_type":"conditional","deductible":"30000","sum_insured":"2000000"}}`,
		Want:    map[string]string{"payout": "0.00"},
	}, {
		Title:   "Условная франшиза меньше убытка",
		Request: `{"inputs":{"loss":"30000.01","deductible_type":"conditional","deductible":"30000","sum_insured":"2000000"}}`,
		Want:    map[string]string{"payout": "30000.01"},
	}, {
		Title:   "Франшиза 2 % от страховой суммы",
		Request: `{"inputs":{"loss":"120000","deductible_type":"pct_of_sum_insured","deductible":"2","sum_insured":"2000000"}}`,
		Want:    map[string]string{"payout": "80000.00", "deductible_amount": "40000.00"},
	}},
}

// deductibleField is one field for an amount and for a percentage: which it is
// depends on the kind, which no unit can say.
func deductibleField() Field {
	f := money("deductible", "Франшиза: в рублях, а для pct_of_sum_insured и pct_of_loss — в процентах от 0 до 100")
	f.Unit = "RUB|percent"
	return f
}

// deductiblePct reads the deductible as a percentage: 2.00 is 2 %.
func deductiblePct(in In) Pct { return Pct(in.Money("deductible")) * (pctUnit / 100) }

func isPctDeductible(in In) bool {
	kind := in.Text("deductible_type")
	return kind == pctOfSumInsured || kind == pctOfLoss
}

func checkDeductible(in In) {
	if isPctDeductible(in) && in.Money("deductible") > 100_00 {
		in.Fail("deductible", FaultMax, "Значение больше допустимого: 100 %", "Для этого вида франшизы deductible — процент от 0 до 100")
	}
	if in.Money("paid_earlier") > in.Money("sum_insured") {
		in.Fail("paid_earlier", FaultInconsistent, "Выплачено больше страховой суммы", "Укажите сумму прежних выплат не больше sum_insured")
	}
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
		out.Step("payout_before_cap", "L > d ? L : 0", before, "%s > %s", loss, d)
	} else {
		out.Step("payout_before_cap", "max(0, L − d)", before, "max(0, %s − %s)", loss, d)
	}
	available := sum - paid
	payout := min(before, available)
	out.Step("available_sum", "SI − paid_earlier", available, "%s − %s", sum, paid)
	out.Step("payout", "min(payout_before_cap, available_sum)", payout, "min(%s, %s)", before, available)
	if before > available {
		out.Warn("payout_capped_by_sum_insured", "/inputs/sum_insured", "Выплата ограничена остатком страховой суммы")
	}
	out.Set("deductible_amount", d)
	out.Set("payout_before_cap", before)
	out.Set("available_sum", available)
	out.Set("payout", payout)
	return nil
}

// deductibleAmount is the deductible in roubles; of a percentage it is rounded
// before it is used.
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
	ID:          "kasko_proportional_payout",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Выплата при неполном страховании",
	Description: "Выплата, если страховая сумма меньше действительной стоимости: убыток уменьшается в той же пропорции, затем вычитается безусловная франшиза. По правилу первого риска пропорция не применяется.",
	Formula:     "kasko_proportional_payout/1",
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
		percent("insured_share_pct", "Страховая сумма, процентов от стоимости", 4),
	},
	Compute: computeProportionalPayout,
	Examples: []Example{{
		Title:   "Застраховано 75 % стоимости",
		Request: `{"inputs":{"loss":"640000","sum_insured":"1800000","insured_value":"2400000","deductible":"30000"}}`,
		Want:    map[string]string{"payout": "450000.00", "base": "480000.00", "insured_share_pct": "75.0000"},
	}, {
		Title:   "То же по первому риску",
		Request: `{"inputs":{"loss":"640000","sum_insured":"1800000","insured_value":"2400000","deductible":"30000","first_risk":true}}`,
		Want:    map[string]string{"payout": "610000.00"},
	}},
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
	payout := max(0, base-d)
	out.Step("payout", "max(0, base − d)", payout, "max(0, %s − %s)", base, d)
	if payout > sum {
		out.Warn("payout_above_sum_insured", "/inputs/loss", "Результат больше страховой суммы: этот расчёт ею не ограничивает")
	}
	out.Set("base", base)
	out.Set("insured_share_pct", newExact(int64(sum), 1).Mul(Whole(100)).Quo(newExact(int64(value), 1)))
	out.Set("payout", payout)
	return nil
}

var kaskoTotalLossPayout = &Tool{
	ID:          "kasko_total_loss_payout",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Выплата при полной гибели",
	Description: "Выплата при полной гибели или угоне: страховая сумма за вычетом износа, франшизы и, если остатки остаются у владельца, их стоимости.",
	Formula:     "kasko_total_loss_payout/1",
	Inputs: []Field{
		moneyPlus("sum_insured", "Страховая сумма"),
		pct100("depreciation_pct", "Износ, процентов").Default("0"),
		money("deductible", "Безусловная франшиза").Default("0"),
		money("salvage_retained_value", "Стоимость годных остатков").Default("0"),
		boolean("owner_keeps_salvage", "Остатки остаются у владельца").Default("false"),
	},
	Outputs: []Field{
		money("depreciated_sum", "Страховая сумма за вычетом износа"),
		money("payout", "Выплата"),
	},
	Compute: computeTotalLoss,
	Examples: []Example{{
		Title:   "Износ 12 %, остатки у владельца",
		Request: `{"inputs":{"sum_insured":"2000000","depreciation_pct":"12","deductible":"30000","salvage_retained_value":"400000","owner_keeps_salvage":true}}`,
		Want:    map[string]string{"depreciated_sum": "1760000.00", "payout": "1330000.00"},
	}},
}

func computeTotalLoss(in In, out *Out) error {
	sum, p, d, salvage := in.Money("sum_insured"), in.Pct("depreciation_pct"), in.Money("deductible"), in.Money("salvage_retained_value")
	if !in.Bool("owner_keeps_salvage") {
		if salvage > 0 {
			out.Warn("salvage_not_deducted", "/inputs/salvage_retained_value", "Стоимость остатков не вычтена: они не остаются у владельца")
		}
		salvage = 0
	}
	depreciated := percentOf(sum, wholePct-p)
	payout := max(0, depreciated-d-salvage)
	out.Step("depreciated_sum", "round2(SI·(1 − depreciation/100))", depreciated, "round2(%s·(1 − %s/100))", sum, p)
	out.Step("payout", "max(0, dep − d − salvage)", payout, "max(0, %s − %s − %s)", depreciated, d, salvage)
	out.Set("depreciated_sum", depreciated)
	out.Set("payout", payout)
	return nil
}

var kaskoPremiumRefund = &Tool{
	ID:          "kasko_premium_refund",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Возврат части премии",
	Description: "Часть премии за неистёкший срок за вычетом удержания и, если указано, выплаченных убытков. Положен ли возврат, инструмент не оценивает.",
	Formula:     "kasko_premium_refund/1",
	Inputs: []Field{
		money("premium", "Уплаченная премия"),
		integer("term_days", "Срок договора, дней", "days", 1, 36600),
		days("elapsed_days", "Прошло дней, включая день прекращения"),
		pct100("retention_pct", "Удержание (расходы на ведение дела), процентов").Default("0"),
		money("paid_losses", "Выплаченные убытки").Default("0"),
		boolean("deduct_losses", "Вычесть выплаченные убытки").Default("false"),
	},
	Outputs: []Field{
		money("refund", "Возврат"),
		count("remaining_days", "Осталось дней", "days"),
	},
	Check:   checkRefund,
	Compute: computeRefund,
	Examples: []Example{{
		Title:   "120 дней из 365, удержание 15 %",
		Request: `{"inputs":{"premium":"85000","term_days":365,"elapsed_days":120,"retention_pct":"15","paid_losses":"0"}}`,
		Want:    map[string]string{"refund": "48496.58", "remaining_days": "245"},
	}},
}

func checkRefund(in In) {
	if in.Int("elapsed_days") > in.Int("term_days") {
		in.Fail("elapsed_days", FaultInconsistent, "Прошло больше дней, чем в сроке договора", "Укажите elapsed_days не больше term_days")
	}
}

func computeRefund(in In, out *Out) error {
	out.Assume("elapsed_days_include_termination_day")
	out.Assume("refund_entitlement_not_assessed")
	premium, term, elapsed := in.Money("premium"), in.Int("term_days"), in.Int("elapsed_days")
	retention, losses := in.Pct("retention_pct"), in.Money("paid_losses")
	if !in.Bool("deduct_losses") {
		if losses > 0 {
			out.Warn("paid_losses_not_deducted", "/inputs/paid_losses", "Выплаченные убытки не вычтены: deduct_losses не указано")
		}
		losses = 0
	}
	exact := premium.Exact().Mul(newExact(int64(term-elapsed), int64(term))).Mul(retention.less()).Sub(losses.Exact())
	refund := max(0, exact.Round())
	out.Step("refund", "round2(max(0, P·(T − t)/T·(1 − retention/100) − losses))", refund,
		"round2(max(0, %s·(%d − %d)/%d·(1 − %s/100) − %s))", premium, term, elapsed, term, retention, losses)
	out.Set("refund", refund)
	out.Set("remaining_days", Count(term-elapsed))
	return nil
}

var kaskoDeductibleBreakEven = &Tool{
	ID:          "kasko_deductible_break_even",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "kasko",
	Title:       "Безубыточность франшизы",
	Description: "Сколько страховых случаев с полной франшизой покрывает экономия на премии. Вывода о том, нужна ли франшиза, инструмент не делает.",
	Formula:     "kasko_deductible_break_even/1",
	Inputs: []Field{
		money("premium_without", "Премия без франшизы"),
		money("premium_with", "Премия с франшизой"),
		moneyPlus("deductible", "Франшиза"),
	},
	Outputs: []Field{
		smoney("premium_saved", "Экономия на премии"),
		ratio("break_even_claims", "Страховых случаев до равенства", 4),
	},
	Compute: computeDeductibleBreakEven,
	Examples: []Example{{
		Title:   "Премия 110 000 ₽ или 82 000 ₽ с франшизой 30 000 ₽",
		Request: `{"inputs":{"premium_without":"110000","premium_with":"82000","deductible":"30000"}}`,
		Want:    map[string]string{"premium_saved": "28000.00", "break_even_claims": "0.9333"},
	}},
}

func computeDeductibleBreakEven(in In, out *Out) error {
	without, with, d := in.Money("premium_without"), in.Money("premium_with"), in.Money("deductible")
	saved := without - with
	out.Set("premium_saved", saved)
	out.Step("premium_saved", "premium_without − premium_with", saved, "%s − %s", without, with)
	if saved <= 0 {
		out.Warn("deductible_saves_nothing", "/inputs/premium_with", "Премия с франшизой не меньше премии без неё: числа случаев, при котором они равны, нет")
		return NoSolution
	}
	claims := saved.Exact().Quo(d.Exact())
	out.Set("break_even_claims", claims)
	out.Step("break_even_claims", "saved/deductible", claims.Fixed(4), "%s/%s", saved, d)
	return nil
}
