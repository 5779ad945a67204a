package calc

import (
	"math/big"
)

var investReliableReturn = &Tool{
	ID: "invest_reliable_return",
	Inputs: []Field{
		pct("guaranteed_annual_pct", "Гарантированная ставка, процентов годовых"),
		pct100("tax_pct", "Ставка налога на доход"),
		pct("inflation_scenario_pct", "Инфляция в сценарии, процентов в год"),
		list("cash_flows", "Потоки: вложения отрицательные, поступления положительные", 2, 400,
			date("date", "Дата"),
			smoney("amount", "Сумма"),
			boolean("guaranteed", "Поступление гарантировано; для вложений не важно").Default("false")),
		text("source_ref", "Чем подтверждена гарантия", referencePattern).Optional(),
	},
	Choices: []Choice{{
		{Needs: names("guaranteed_annual_pct", "tax_pct"), May: names("inflation_scenario_pct")},
		{Needs: names("cash_flows")},
	}},
	Outputs: []Field{
		percent("nominal_annual_pct", "Номинальная доходность, процентов годовых", 4).Signed(),
		percent("after_tax_annual_pct", "Доходность после налога, процентов годовых", 4).Signed(),
		percent("real_annual_pct", "Доходность после налога и инфляции сценария, процентов годовых", 4).Signed(),
		boolean("principal_returned", "Гарантированные поступления не меньше вложений"),
		list("excluded_not_guaranteed", "Поступления без гарантии, не вошедшие в расчёт", 0, 400,
			date("date", "Дата"), money("amount", "Сумма")),
	},
	Compute: computeReliableReturn,
}

func computeReliableReturn(in In, out *Out) error {
	out.Assume("guarantee_is_input")
	out.WarnIf(!in.Has("source_ref"), "guarantee_source_not_given", "/inputs/source_ref")
	if in.Has("cash_flows") {
		return reliableFlows(in, out)
	}
	reliableRate(in, out)
	return nil
}

func reliableRate(in In, out *Out) {
	g, tax := in.Pct("guaranteed_annual_pct"), in.Pct("tax_pct")
	afterTax := g.Exact().Mul(tax.complement())
	out.Set("nominal_annual_pct", g)
	out.Derive("after_tax_annual_pct", afterTax, "g·(1 − t/100)", "%s·(1 − %s/100)", g, tax)
	if !in.Has("inflation_scenario_pct") {
		return
	}
	out.Assume("inflation_is_scenario")
	inflation := in.Pct("inflation_scenario_pct")
	real := perCent(growthOf(afterTax).Quo(growthOf(inflation.Exact())).Sub(Whole(1)))
	out.Derive("real_annual_pct", real, "((1 + a/100)/(1 + π/100) − 1)·100",
		"((1 + %s/100)/(1 + %s/100) − 1)·100", afterTax.short(), inflation)
}

// growthOf is 1 + p/100, perCent is x·100.
func growthOf(p Exact) Exact { return Whole(1).Add(p.Quo(Whole(100))) }
func perCent(x Exact) Exact  { return x.Mul(Whole(100)) }

func reliableFlows(in In, out *Out) error {
	out.Assume("xirr_act_365")
	var flows []cashFlow
	var paid, returned Money
	excluded := List{}
	for _, f := range in.List("cash_flows") {
		flow := cashFlow{f.Date("date"), f.Money("amount")}
		switch {
		case flow.amount < 0:
			paid -= flow.amount
		case flow.amount > 0 && !f.Bool("guaranteed"):
			excluded = append(excluded, Row{flow.date, flow.amount})
			continue
		default:
			returned += flow.amount
		}
		flows = append(flows, flow)
	}
	out.Set("excluded_not_guaranteed", excluded)
	if returned == 0 || paid == 0 {
		return NoSolution
	}
	out.Derive("principal_returned", Bool(returned >= paid), "Σ поступлений ≥ Σ вложений", "%s ≥ %s", returned, paid)
	flows = netted(flows)
	if len(flows) > 0 && flows[0].amount > 0 {
		out.Warn("flows_start_with_inflow", "/inputs/cash_flows")
		return NoSolution
	}
	r, err := xirr(flows)
	if err != nil {
		return err
	}
	out.Set("nominal_annual_pct", perCent(r))
	if out.tracing {
		out.Step("nominal_annual_pct", "r: Σ CFⱼ·(1 + r)^(−(dⱼ − d₀)/365) = 0", perCent(r).Fixed(4),
			"%s = 0", flowTerms(flows))
	}
	return nil
}

func flowTerms(flows []cashFlow) phrase {
	terms := make([]any, len(flows))
	for i, f := range flows {
		terms[i] = phrase{"(%s)·(1 + r)^(−%d/365)", []any{f.amount, f.date - flows[0].date}}
	}
	return addition(terms)
}

func feeInputs() []Field {
	return []Field{
		pct100("entry_fee_pct", "Комиссия на входе, процентов от вносимой суммы").Default("0"),
		pct100("annual_fee_pct", "Ежегодная комиссия, процентов от стоимости").Default("0"),
		pct100("exit_fee_pct", "Комиссия на выходе, процентов от стоимости").Default("0"),
	}
}

var investFeeImpact = &Tool{
	ID: "invest_fee_impact",
	Inputs: append([]Field{
		moneyPlus("principal", "Начальное вложение"),
		money("monthly_contribution", "Взнос в конце каждого месяца").Default("0"),
		pct("gross_annual_pct", "Доходность до комиссий, процентов годовых"),
		integer("years", "Срок, лет", "years", 1, 50),
	}, feeInputs()...),
	Outputs: []Field{
		money("value_without_fees", "Стоимость без комиссий"),
		money("value_with_fees", "Стоимость с комиссиями"),
		money("fee_drag", "Потеря из-за комиссий"),
		money("contributed", "Внесено всего"),
		percent("annual_reduction_in_yield_pp", "Снижение годовой доходности, процентных пунктов", 4),
	},
	Compute: computeFeeImpact,
}

// A plannedInvestment is a principal, and a contribution at the end of each
// month, for whole years.
type plannedInvestment struct {
	principal, monthly Money
	years              int
}

// valueAt is the final value at an annual growth factor G: P·G^T + c·(G^T − 1)/(q − 1) in
// roubles, with q = G^(1/12).
func (p plannedInvestment) valueAt(growth Exact) Exact {
	years := wholePower(growth, p.years)
	value := p.principal.Exact().Mul(years)
	if p.monthly == 0 {
		return value
	}
	return value.Add(p.monthly.Exact().Mul(p.contributions(growth, years)))
}

// contributions is the final value of one rouble a month; years is growth^p.years.
func (p plannedInvestment) contributions(growth, years Exact) Exact {
	switch {
	case growth.Cmp(Whole(1)) == 0:
		return Whole(12 * p.years)
	case growth.Sign() == 0: // everything but the last contribution is lost
		return Whole(1)
	}
	q := power(growth, newExact(1, 12))
	return years.Sub(Whole(1)).Dec().Quo(q.Sub(Whole(1).Dec())).Exact()
}

// wholePower is x to a whole power.
func wholePower(x Exact, n int) Exact {
	out := Whole(1)
	for range n {
		out = out.Mul(x)
	}
	return out
}

func computeFeeImpact(in In, out *Out) error {
	out.Assume("contributions_at_month_end", "yield_is_input")
	plan := plannedInvestment{in.Money("principal"), in.Money("monthly_contribution"), in.Int("years")}
	y, entry, annual, exit := in.Pct("gross_annual_pct"), in.Pct("entry_fee_pct"),
		in.Pct("annual_fee_pct"), in.Pct("exit_fee_pct")
	gross := growthOf(y.Exact())
	kept := entry.complement().Mul(exit.complement()) // the part of each payment that remains after both fees
	exact := plan.valueAt(gross.Mul(annual.complement())).Mul(kept)
	without, with := plan.valueAt(gross).Round(), exact.Round()
	out.Set("value_without_fees", without)
	out.Set("value_with_fees", with)
	out.Set("contributed", plan.principal+plan.monthly*Money(12*plan.years))
	plan.trace(out, "value_without_fees", without, phrase{"(1 + %s/100)", []any{y}}, phrase{})
	plan.trace(out, "value_with_fees", with, phrase{"((1 + %s/100)·(1 − %s/100))", []any{y, annual}},
		phrase{"·(1 − %s/100)·(1 − %s/100)", []any{entry, exit}})
	out.Derive("fee_drag", without-with, "W₀ − W", "%s − %s", without, with)
	net, err := plan.yield(exact, gross.Mul(annual.complement()), kept)
	if err != nil {
		out.Warn("yield_after_fees_out_of_range", "")
		return nil
	}
	net = perCent(net)
	reduction := y.Exact().Sub(net)
	formula := "y − ((W/P)^(1/T) − 1)·100"
	if plan.monthly > 0 {
		formula = "y − r, r: P·(1 + r)^T + c·((1 + r)^T − 1)/((1 + r)^(1/12) − 1) = W"
	}
	out.Derive("annual_reduction_in_yield_pp", reduction, formula, "%s − %s", y, net)
	return nil
}

func (p plannedInvestment) trace(out *Out, name string, value Money, growth, kept phrase) {
	if p.monthly == 0 {
		out.Step(name, "P·G^T·(1 − e)·(1 − x), G = (1 + y)·(1 − m)", value,
			"%s·%s^%d%s", p.principal, growth, p.years, kept)
		return
	}
	out.Step(name, "(P·G^T + c·(G^T − 1)/(G^(1/12) − 1))·(1 − e)·(1 − x), G = (1 + y)·(1 − m)", value,
		"(%[1]s·%[2]s^%[3]d + %[4]s·(%[2]s^%[3]d − 1)/(%[2]s^(1/12) − 1))%[5]s", p.principal, growth, p.years,
		p.monthly, kept)
}

// yield is the annual rate at which the final value is worth. For a principal alone it is
// growth·kept^(1/T) − 1.
func (p plannedInvestment) yield(worth, growth, kept Exact) (Exact, error) {
	if p.monthly == 0 {
		return growth.Mul(root(kept, p.years)).Sub(Whole(1)), nil
	}
	target := new(big.Int).Mul(worth.num, big.NewInt(100)) // in kopecks
	quoFixed(target, target, worth.den)
	return solveRate(12, func(month *big.Int) int { return target.Cmp(p.valueFixed(month)) })
}

// valueFixed is the final value at a monthly growth factor, in fixed-point kopecks.
func (p plannedInvestment) valueFixed(month *big.Int) *big.Int {
	all := powFixed(month, 12*p.years)
	contributions := new(big.Int).Mul(one(), big.NewInt(int64(12*p.years)))
	if rate := new(big.Int).Sub(month, one()); rate.Sign() != 0 {
		quoFixed(contributions, new(big.Int).Sub(all, one()), rate)
	}
	all.Mul(all, big.NewInt(int64(p.principal)))
	return all.Add(all, contributions.Mul(contributions, big.NewInt(int64(p.monthly))))
}

// root is the n-th root of x ≥ 0, rounded to 40 of its 50 digits, so that roots that are
// short decimals are exact.
func root(x Exact, n int) Exact {
	if n == 1 || x.Sign() == 0 {
		return x
	}
	return *decimalExact(power(x, newExact(1, int64(n))).Fixed(40))
}

var investBreakEvenYield = &Tool{
	ID: "invest_break_even_yield",
	Inputs: append(append([]Field{
		moneyPlus("principal", "Начальное вложение"),
		integer("years", "Срок, лет", "years", 1, 50),
		pct("alternative_net_annual_pct", "Чистая доходность альтернативы, процентов годовых"),
	}, feeInputs()...),
		pct100("tax_pct", "Ставка налога на прибыль от вложения").Default("0")),
	Outputs: []Field{
		percent("break_even_gross_annual_pct", "Доходность безубыточности до комиссий и налога, процентов годовых", 4),
		money("alternative_terminal_value", "Сумма альтернативы в конце срока"),
		money("required_value_before_tax", "Нужная стоимость вложения до налога"),
	},
	Compute: computeBreakEven,
}

func computeBreakEven(in In, out *Out) error {
	out.Assume("tax_on_gain_at_exit")
	p, years, g, tax := in.Money("principal"), in.Int("years"), in.Pct("alternative_net_annual_pct"), in.Pct("tax_pct")
	entry, annual, exit := in.Pct("entry_fee_pct"), in.Pct("annual_fee_pct"), in.Pct("exit_fee_pct")
	if kept := entry.complement().Mul(annual.complement()).Mul(exit.complement()); kept.Sign() == 0 ||
		tax.complement().Sign() == 0 {
		return NoSolution // fees or the tax take everything at any yield
	}
	principal := p.Exact()
	worth := principal.Mul(compound(g, 1, years))
	before := worth
	if worth.Cmp(principal) > 0 {
		before = worth.Sub(principal.Mul(tax.Exact()).Quo(Whole(100))).Quo(tax.complement())
	}
	invested := principal.Mul(entry.complement()).Mul(exit.complement())
	y := perCent(root(before.Quo(invested), years).Quo(annual.complement()).Sub(Whole(1)))
	n, w := worth.Round(), before.Round()
	out.Derive("alternative_terminal_value", n, "N = P·(1 + g)^T", "%s·(1 + %s/100)^%d", p, g, years)
	out.Derive("required_value_before_tax", w, "N > P: W = (N − t·P)/(1 − t); N ≤ P: W = N",
		"(%[1]s − %[2]s/100·%[3]s)/(1 − %[2]s/100)", n, tax, p)
	out.Derive("break_even_gross_annual_pct", y, "((W/(P·(1 − e)·(1 − x)))^(1/T)/(1 − m) − 1)·100",
		"((%s/(%s·(1 − %s/100)·(1 − %s/100)))^(1/%d)/(1 − %s/100) − 1)·100", before, p, entry, exit, years, annual)
	return nil
}
