package calc

import (
	"slices"
)

// coveredOutput is the number of months whose expenses the money covers.
func coveredOutput() Field {
	f := ratio("months_covered", "На сколько месяцев хватает доступных денег", 2)
	f.Unit = "months"
	return f
}

var pfmCashFlow = &Tool{
	ID: "pfm_cash_flow",
	Inputs: []Field{
		flowList("income", "Доходы"),
		flowList("essential", "Обязательные расходы"),
		flowList("discretionary", "Необязательные расходы"),
		flowList("debt_payments", "Платежи по долгам"),
	},
	Outputs: []Field{
		money("income_total", "Доходы в месяц"),
		money("essential_total", "Обязательные расходы в месяц"),
		money("discretionary_total", "Необязательные расходы в месяц"),
		money("debt_payments_total", "Платежи по долгам в месяц"),
		smoney("net_cash_flow", "Остаётся в месяц"),
		percent("saving_rate", "Остаётся, процентов от доходов; нет значения, если доходов нет", 2).Signed().Nullable(),
	},
	Members: stopMembers(),
	Compute: filtered(computeCashFlow),
}

func flowList(name, title string) Field {
	return list(name, title, 0, MaxItems,
		ident("id", "Идентификатор статьи"),
		money("amount", "Сумма за период"),
		enum("period", "Период", "month", "quarter", "year").Default("month"),
	).Unique("id")
}

func computeCashFlow(in In, out *Out, f *filters) error {
	income, essential := monthlyTotal(in, out, "income"), monthlyTotal(in, out, "essential")
	discretionary, debts := monthlyTotal(in, out, "discretionary"), monthlyTotal(in, out, "debt_payments")
	net := income - essential - discretionary - debts
	out.Derive("net_cash_flow", net, "net = income − essential − discretionary − debt_payments",
		"%s − %s − %s − %s", income, essential, discretionary, debts)
	f.evaluate(stopCashFlow, net < 0, evidence("net_cash_flow", net))
	if income == 0 {
		out.Set("saving_rate", Null)
		return nil
	}
	rate := pctOf(net, income)
	out.Derive("saving_rate", rate, "net/income·100", "%s/%s·100", net, income)
	return nil
}

// monthlyTotal adds up a list in twelfths of a kopeck, which are integers for every
// period, and rounds the sum once.
func monthlyTotal(in In, out *Out, name string) Money {
	var month, quarter, year Money
	for _, item := range in.List(name) {
		switch item.Text("period") {
		case "quarter":
			quarter += item.Money("amount")
		case "year":
			year += item.Money("amount")
		default:
			month += item.Money("amount")
		}
	}
	if quarter+year > 0 {
		out.Assume("periods_averaged_to_months")
	}
	total := newExact(int64(month), 100).Add(newExact(int64(quarter), 300)).Add(newExact(int64(year), 1200)).Round()
	out.Derive(name+"_total", total, "round2(Σmonth + Σquarter/3 + Σyear/12)",
		"round2(%s + %s/3 + %s/12)", month, quarter, year)
	return total
}

// pctOf is part/whole·100.
func pctOf(part, whole Money) Exact { return newExact(int64(part), int64(whole)).Mul(Whole(100)) }

var pfmEmergencyFund = &Tool{
	ID: "pfm_emergency_fund",
	Inputs: []Field{
		money("essential_monthly", "Обязательные расходы в месяц"),
		months("target_months", "Желаемый запас, месяцев расходов"),
		money("liquid_savings", "Доступные деньги"),
		money("monthly_saving", "Сколько откладывается в месяц"),
		months("required_months", "Необходимый запас, месяцев: порог условия остановки").Exactly().Optional(),
	},
	Outputs: []Field{
		money("target", "Размер запаса"),
		money("gap", "Не хватает"),
		count(
			"months_to_target", "За сколько месяцев накопить; нет значения, если ничего не откладывается", "months",
		).Nullable(),
		coveredOutput(),
	},
	Members: stopMembers(),
	Compute: filtered(computeEmergencyFund),
}

func computeEmergencyFund(in In, out *Out, f *filters) error {
	essential, liquid, saving := in.Money("essential_monthly"), in.Money("liquid_savings"), in.Money("monthly_saving")
	target := share(essential, int64(in.Int("target_months")), 1)
	gap := max(0, target-liquid)
	out.Derive("target", target, "essential·target_months", "%s·%d", essential, in.Int("target_months"))
	out.Derive("gap", gap, "max(0, target − liquid)", "max(0, %s − %s)", target, liquid)
	switch {
	case gap == 0:
		out.Set("months_to_target", Count(0))
	case saving == 0:
		out.Set("months_to_target", Null)
	default:
		n := Count((gap + saving - 1) / saving)
		out.Set("months_to_target", n)
		out.Step("months_to_target", "ceil(gap/monthly_saving)", n, "ceil(%s/%s)", gap, saving)
	}
	covered(liquid, essential, out)
	if required := in.Int("required_months"); in.Has("required_months") {
		f.evaluate(stopLiquidity, liquid < essential*Money(required), evidence("liquid_savings", liquid),
			evidence("essential_monthly", essential), evidence("required_months", Count(required)))
	}
	return nil
}

// covered sets months_covered. If there are no expenses, it stops the calculation with
// zero_base before any threshold is compared.
func covered(liquid, essential Money, out *Out) {
	n := liquid.Exact().Quo(essential.Exact())
	out.Derive("months_covered", n, "liquid/essential", "%s/%s", liquid, essential)
}

var pfmLiquidityRatio = &Tool{
	ID: "pfm_liquidity_ratio",
	Inputs: []Field{
		money("liquid_assets", "Доступные деньги"),
		money("essential_monthly", "Обязательные расходы в месяц"),
		money("obligations_due_12m", "Обязательства со сроком в ближайшие 12 месяцев"),
		months("required_months", "Необходимый запас, месяцев: порог условия остановки").Exactly().Optional(),
		coef(
			"required_coverage_ratio", "Необходимое покрытие обязательств: порог условия остановки",
		).Exactly().Optional(),
	},
	Outputs: []Field{
		coveredOutput(),
		ratio("coverage_ratio", "Покрытие обязательств; нет значения, если обязательств нет", 4).Nullable(),
	},
	Members: stopMembers(),
	Compute: filtered(computeLiquidityRatio),
}

func computeLiquidityRatio(in In, out *Out, f *filters) error {
	liquid, essential, due := in.Money("liquid_assets"), in.Money("essential_monthly"), in.Money("obligations_due_12m")
	if due == 0 {
		out.Set("coverage_ratio", Null)
	} else {
		r := liquid.Exact().Quo(due.Exact())
		out.Set("coverage_ratio", r)
		out.Step("coverage_ratio", "liquid/obligations_12m", r.Fixed(4), "%s/%s", liquid, due)
	}
	covered(liquid, essential, out)
	short := []Entry{evidence("liquid_assets", liquid)}
	if in.Has("required_months") {
		f.pass(stopLiquidity)
		if required := in.Int("required_months"); liquid < essential*Money(required) {
			short = append(short, evidence("essential_monthly", essential),
				evidence("required_months", Count(required)))
		}
	}
	if in.Has("required_coverage_ratio") {
		f.pass(stopLiquidity)
		if required := in.Coef("required_coverage_ratio"); liquid.Exact().Cmp(required.Mul(due.Exact())) < 0 {
			short = append(short, evidence("obligations_due_12m", due),
				Entry{"required_coverage_ratio", Text(required.short())})
		}
	}
	if len(short) > 1 {
		f.stop(stopLiquidity, short...)
	}
	return nil
}

var pfmNetWorth = &Tool{
	ID:     "pfm_net_worth",
	Inputs: []Field{worthList("assets", "Имущество"), worthList("liabilities", "Долги")},
	Outputs: []Field{
		money("assets_total", "Имущество"),
		money("liabilities_total", "Долги"),
		smoney("net_worth", "Чистые активы"),
		percent("debt_to_assets_pct", "Долги, процентов от имущества; нет значения, если имущества нет", 2).Nullable(),
	},
	Members: stopMembers(),
	Compute: filtered(computeNetWorth),
}

func worthList(name, title string) Field {
	return list(name, title, 0, MaxItems,
		ident("id", "Идентификатор"),
		money("amount", "Сумма"),
		text("source_ref", "Откуда сумма: обозначение счёта или документа", `^[A-Za-z0-9_.:/#-]{1,128}$`).Optional(),
	)
}

func computeNetWorth(in In, out *Out, f *filters) error {
	f.pass(stopDoubleCounting) // can always be evaluated, as ids are required
	assets, liabilities := worthTotal(in, out, f, "assets"), worthTotal(in, out, f, "liabilities")
	out.Derive("net_worth", assets-liabilities, "Σassets − Σliabilities", "%s − %s", assets, liabilities)
	if assets == 0 {
		out.Set("debt_to_assets_pct", Null)
		return nil
	}
	debt := pctOf(liabilities, assets)
	out.Derive("debt_to_assets_pct", debt, "Σliabilities/Σassets·100", "%s/%s·100", liabilities, assets)
	return nil
}

// worthTotal adds up a list without the items that are part of others.
func worthTotal(in In, out *Out, f *filters, name string) Money {
	var total Money
	var ids, sources []string
	var counted []any
	items := in.List(name)
	for _, item := range items {
		id, source := item.Text("id"), item.Text("source_ref")
		same := slices.Index(ids, id)
		by := "id"
		if same < 0 && source != "" {
			same, by = slices.Index(sources, source), "source_ref"
		}
		ids, sources = append(ids, id), append(sources, source)
		if same < 0 {
			total += item.Money("amount")
			counted = append(counted, item.Money("amount"))
			continue
		}
		f.stop(stopDoubleCounting, Entry{"pointer", Text(item.pointer)}, Entry{"repeats", Text(items[same].pointer)},
			Entry{"by", Text(by)}, evidence("amount_not_counted", item.Money("amount")))
		out.Warn("counted_once", item.pointer)
	}
	if counted == nil {
		counted = []any{Count(0)}
	}
	out.Derive(name+"_total", total, "Σamount", "%s", addition(counted))
	return total
}
