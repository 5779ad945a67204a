package calc

import "slices"

var pfmGoalContribution = &Tool{
	ID: "pfm_goal_contribution",
	Inputs: []Field{
		money("target_amount", "Нужная сумма"),
		money("current_savings", "Уже накоплено"),
		pct("annual_return_pct", "Предполагаемая доходность, процентов годовых"),
		months("months", "Срок, месяцев"),
		pct("inflation_scenario_pct", "Предполагаемый рост цен, процентов в год: на столько дорожает цель").Optional(),
	},
	Outputs: []Field{
		money("monthly_contribution", "Взнос в месяц"),
		money("target_at_end", "Нужная сумма к концу срока, с ростом цен"),
		money("projected_value", "Сколько накопится с таким взносом"),
		money("contributed", "Накопленное и взносы"),
		money("growth", "Доход"),
	},
	Members: stopMembers(),
	Compute: filtered(computeGoalContribution),
}

func computeGoalContribution(in In, out *Out, _ *filters) error {
	assumeReturn(out)
	g := newGoal(in)
	target := inflated(in, out)
	c := g.contribution(target)
	g.traceContribution(out, target, c)
	if c.Sign() <= 0 {
		out.Warn("goal_already_funded", "/inputs/current_savings")
		c = Whole(0)
	}
	g.monthly = c.Up()
	out.Derive("monthly_contribution", g.monthly, "roundup2(max(0, c))", "roundup2(%s)", c)
	return g.project(out)
}

func assumeReturn(out *Out) {
	out.Assume("contributions_at_month_end")
	out.Warn("return_is_assumption", "/inputs/annual_return_pct")
}

// inflated is the target in the prices at the end of the term, unrounded. Over whole years
// it is exact.
func inflated(in In, out *Out) Exact {
	t, n := in.Money("target_amount").Exact(), in.Int("months")
	if !in.Has("inflation_scenario_pct") {
		out.Set("target_at_end", in.Money("target_amount"))
		return t
	}
	p := in.Pct("inflation_scenario_pct")
	if n%12 == 0 {
		t = t.Mul(compound(p, 1, n/12))
	} else {
		t = t.Mul(compound(p, 1, 1).Dec().Pow(newExact(int64(n), 12)).Exact())
	}
	out.Derive("target_at_end", t.Round(), "T·(1 + π/100)^(n/12)",
		"%s·(1 + %s/100)^(%d/12)", in.Money("target_amount"), p, n)
	return t
}

// A goal is savings that earn interest: a starting amount and monthly contributions.
type goal struct {
	saved, monthly Money
	rate           Pct
	months         int
	factor         Exact // (1 + R/1200)^n
}

func newGoal(in In) *goal {
	g := &goal{saved: in.Money("current_savings"), rate: in.Pct("annual_return_pct"), months: in.Int("months")}
	g.factor = compound(g.rate, 12, g.months)
	return g
}

// annuityFactor is the final value of one rouble a month: ((1+i)^n − 1)/i.
func (g *goal) annuityFactor() Exact {
	if g.rate == 0 {
		return Whole(g.months)
	}
	return g.factor.Sub(Whole(1)).Mul(newExact(1200*pctUnit, int64(g.rate)))
}

// contribution is (T − S0·(1+i)^n)·i/((1+i)^n − 1), unrounded; negative if no
// contributions are needed.
func (g *goal) contribution(target Exact) Exact {
	return target.Sub(g.saved.Exact().Mul(g.factor)).Quo(g.annuityFactor())
}

func (g *goal) traceContribution(out *Out, target, c Exact) {
	switch {
	case !out.tracing:
	case g.rate == 0:
		out.Step("contribution_unrounded", "c = (T − S₀)/n", c, "(%s − %s)/%d", target, g.saved, g.months)
	default:
		g.traceFactor(out)
		q := g.factor.Fixed(34)
		out.Step("contribution_unrounded", "c = (T − S₀·q)·(R/1200)/(q − 1)", c,
			"(%s − %s·%s)·(%s/1200)/(%s − 1)", target, g.saved, q, g.rate, q)
	}
}

func (g *goal) traceFactor(out *Out) {
	if out.tracing {
		out.Step("growth_factor", "q = (1 + R/1200)^n", g.factor.Fixed(34), "(1 + %s/1200)^%d", g.rate, g.months)
	}
}

// project sets the outputs at the end of the term.
func (g *goal) project(out *Out) error {
	value := g.saved.Exact().Mul(g.factor).Add(g.monthly.Exact().Mul(g.annuityFactor())).Round()
	contributed := g.saved + share(g.monthly, int64(g.months), 1)
	out.Set("projected_value", value)
	if g.rate == 0 {
		out.Step("projected_value", "S₀ + c·n", value, "%s + %s·%d", g.saved, g.monthly, g.months)
	} else if out.tracing {
		q := g.factor.Fixed(34)
		out.Step("projected_value", "round2(S₀·q + c·(q − 1)/(R/1200))", value,
			"round2(%s·%s + %s·(%s − 1)/(%s/1200))", g.saved, q, g.monthly, q, g.rate)
	}
	out.Derive("contributed", contributed, "S₀ + c·n", "%s + %s·%d", g.saved, g.monthly, g.months)
	out.Derive("growth", value-contributed, "projected_value − contributed", "%s − %s", value, contributed)
	return nil
}

var pfmGoalProjection = &Tool{
	ID: "pfm_goal_projection",
	Inputs: []Field{
		money("current_savings", "Уже накоплено"),
		money("monthly_contribution", "Взнос в месяц"),
		pct("annual_return_pct", "Предполагаемая доходность, процентов годовых"),
		months("months", "Срок, месяцев"),
	},
	Outputs: []Field{
		money("projected_value", "Сколько накопится"),
		money("contributed", "Накопленное и взносы"),
		money("growth", "Доход"),
	},
	Members: stopMembers(),
	Compute: filtered(func(in In, out *Out, _ *filters) error {
		assumeReturn(out)
		g := newGoal(in)
		g.monthly = in.Money("monthly_contribution")
		g.traceFactor(out)
		return g.project(out)
	}),
}

var pfmGoalAllocation = &Tool{
	ID: "pfm_goal_allocation",
	Inputs: []Field{
		smoney("monthly_budget", "Бюджет на цели в месяц; отрицательный означает дефицит"),
		list("goals", "Цели", 1, 50,
			ident("id", "Идентификатор цели"),
			integer("priority", "Очередь: 1 — первая", "", 1, 1000),
			money("required_monthly", "Нужный взнос в месяц"),
			ident("asset_id", "Имущество, отложенное под эту цель").Optional(),
		).Unique("id"),
	},
	Outputs: []Field{
		mapOf(money("allocations", "Взносы по целям")),
		mapOf(money("shortfalls", "Не хватает по целям")),
		money("required_total", "Нужно на все цели"),
		money("allocated_total", "Распределено"),
		money("shortfall_total", "Не хватает всего"),
		money("unallocated", "Осталось нераспределённым"),
	},
	Members: stopMembers(),
	Compute: filtered(computeGoalAllocation),
}

func computeGoalAllocation(in In, out *Out, f *filters) error {
	budget, goals := in.Money("monthly_budget"), in.List("goals")
	f.evaluate(stopCashFlow, budget < 0, evidence("monthly_budget", budget))
	reservations(goals, f)
	order := make([]int, len(goals))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return goals[i].Int("priority") - goals[j].Int("priority") })
	given, rest := make([]Money, len(goals)), max(0, budget)
	for _, i := range order {
		need := goals[i].Money("required_monthly")
		given[i] = min(need, rest)
		out.Step("allocation_"+goals[i].Text("id"), "min(required, rest)", given[i], "min(%s, %s)", need, rest)
		rest -= given[i]
	}
	setAllocations(goals, given, budget, rest, out)
	return nil
}

// setAllocations sets the allocations in the order of the request.
func setAllocations(goals []In, given []Money, budget, rest Money, out *Out) {
	var required, allocated Money
	allocations, shortfalls := Entries{}, Entries{}
	for i, g := range goals {
		need := g.Money("required_monthly")
		allocations = append(allocations, Entry{g.Text("id"), given[i]})
		if need > given[i] {
			shortfalls = append(shortfalls, Entry{g.Text("id"), need - given[i]})
		}
		required, allocated = required+need, allocated+given[i]
	}
	out.Set("allocations", allocations)
	out.Set("shortfalls", shortfalls)
	out.Set("required_total", required)
	out.Set("allocated_total", allocated)
	out.Set("unallocated", rest)
	out.Derive("shortfall_total", required-allocated, "Σrequired − Σallocated", "%s − %s", required, allocated)
	out.WarnIf(required > budget, "required_exceeds_budget", "/inputs/monthly_budget")
}

// reservations stops on an asset that two goals reserve. If no goal names an asset, the
// filter is not evaluated.
func reservations(goals []In, f *filters) {
	first := map[string]int{}
	for i, g := range goals {
		if !g.Has("asset_id") {
			continue
		}
		f.pass(stopDoubleCounting)
		id := g.Text("asset_id")
		if j, ok := first[id]; ok {
			f.stop(stopDoubleCounting, Entry{"pointer", Text(Join(g.pointer, "asset_id"))},
				Entry{"repeats", Text(Join(goals[j].pointer, "asset_id"))}, Entry{"asset_id", Text(id)})
			continue
		}
		first[id] = i
	}
}
