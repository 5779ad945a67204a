package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func init() {
	vectorRequests["cash_flow"] = func(in map[string]any) map[string]any {
		for name, amounts := range in {
			var items []any
			for i, a := range amounts.([]any) {
				items = append(items, map[string]any{"id": fmt.Sprint(i), "amount": a})
			}
			in[name] = items
		}
		return in
	}
	vectorRequests["horizon"] = func(in map[string]any) map[string]any {
		capacity := in["loss_capacity_amount"]
		delete(in, "loss_capacity_amount")
		return map[string]any{"items": []any{in}, "loss_capacity_amount": capacity}
	}
}

func pfm(t testing.TB, id, inputs string) map[string]any {
	t.Helper()
	tool, ok := registry.Tool("pfm_" + id)
	if !ok {
		t.Fatal(id)
	}
	before := effort()
	a := answer(t, tool, `{"inputs":{`+inputs+`}}`)
	if took := effort() - before; took > slow {
		t.Errorf("took %v", took)
	}
	return a
}

// judged sums up an answer's filters: the stops, whether the hand-off is allowed
// and why not, and what was not evaluated.
func judged(a map[string]any) string {
	handoff := a["handoff"].(map[string]any)
	var stops []string
	for _, s := range a["stop"].([]any) {
		stops = append(stops, s.(map[string]any)["code"].(string))
	}
	return fmt.Sprint(stops, handoff["allowed"], handoff["reasons"], a["filters_not_evaluated"])
}

const debtsAB = `"debts":[{"id":"A","balance":"100000","annual_rate_pct":"30","min_payment":"5000"},` +
	`{"id":"B","balance":"50000","annual_rate_pct":"20","min_payment":"3000"}],"extra_monthly":"5000",`

const hash = `"inputs_hash":"sha256:0000000000000000000000000000000000000000000000000000000000000000"`

func TestPFMFilters(t *testing.T) {
	const (
		flows = `"income":[{"id":"a","amount":"1"}],"discretionary":[],"debt_payments":[],"essential":`
		fund  = `"essential_monthly":"100","target_months":6,"monthly_saving":"1","liquid_savings":`
		ratio = `"essential_monthly":"100","obligations_due_12m":"400","liquid_assets":"300"`
		item  = `"items":[{"goal_months":12,"amount":"100","instrument":{"lock_up_months":12,` +
			`"worst_case_loss_pct":"20"}}]`
		late = `"items":[{"goal_months":11,"amount":"100","instrument":{"lock_up_months":12,` +
			`"worst_case_loss_pct":"20"}},{"goal_months":10,"amount":"100","instrument":{"lock_up_months":12,` +
			`"worst_case_loss_pct":"20"}}]`
		goals = `"goals":[{"id":"a","priority":1,"required_monthly":"1"%s},{"id":"b",` +
			`"priority":1,"required_monthly":"1"%s}],"monthly_budget":`

		flow   = `{"tool_id":"pfm_cash_flow",` + hash + `,"stop":[]}`
		liquid = `{"tool_id":"pfm_liquidity_ratio",` + hash +
			`,"stop":[],"filters_not_evaluated":["cash_flow_deficit","horizon_mismatch",` +
			`"risk_exceeds_capacity","double_counting"]}`
		worth = `{"tool_id":"pfm_net_worth",` + hash + `,"stop":[]}`
	)
	const butFlow = "[horizon_mismatch liquidity_shortfall risk_exceeds_capacity double_counting]"
	const butLiquid = "[cash_flow_deficit horizon_mismatch risk_exceeds_capacity double_counting]"
	const all = "[cash_flow_deficit horizon_mismatch liquidity_shortfall risk_exceeds_capacity double_counting]"
	from := func(results ...string) string { return `,"evidence_from":[` + strings.Join(results, ",") + `]` }
	for name, tt := range map[string]struct{ tool, inputs, want string }{
		"deficit": {"cash_flow", flows + `[{"id":"a","amount":"1.01"}]`,
			"[cash_flow_deficit] false [cash_flow_deficit filter_not_evaluated] " + butFlow},
		"no deficit": {"cash_flow", flows + `[{"id":"a","amount":"1.00"}]`,
			"[] false [filter_not_evaluated] " + butFlow},
		"no threshold": {"emergency_fund", fund + `"0"`, "[] false [filter_not_evaluated] " + all},
		"short": {"emergency_fund", fund + `"299.99","required_months":3`,
			"[liquidity_shortfall] false [liquidity_shortfall filter_not_evaluated] " + butLiquid},
		"just enough": {"emergency_fund", fund + `"300","required_months":3`,
			"[] false [filter_not_evaluated] " + butLiquid},
		"zero base": {"emergency_fund",
			`"essential_monthly":"0","target_months":6,"monthly_saving":"1","liquid_savings":"1","required_months":3`,
			"[] false [filter_not_evaluated] " + all},
		"ratio, no threshold": {"liquidity_ratio", ratio, "[] false [filter_not_evaluated] " + all},
		"ratio, months": {"liquidity_ratio", ratio + `,"required_months":3`,
			"[] false [filter_not_evaluated] " + butLiquid},
		"ratio, coverage": {"liquidity_ratio", ratio + `,"required_coverage_ratio":"0.750001"`,
			"[liquidity_shortfall] false [liquidity_shortfall filter_not_evaluated] " + butLiquid},
		"ratio, exactly": {"liquidity_ratio", ratio + `,"required_coverage_ratio":"0.75"`,
			"[] false [filter_not_evaluated] " + butLiquid},
		"ratio, both": {"liquidity_ratio", ratio + `,"required_coverage_ratio":"1","required_months":4`,
			"[liquidity_shortfall] false [liquidity_shortfall filter_not_evaluated] " + butLiquid},
		"one source": {"net_worth",
			`"liabilities":[],"assets":[{"id":"a","amount":"1","source_ref":"x"},` +
				`{"id":"b","amount":"1","source_ref":"x"}]`,
			"[double_counting] false [double_counting filter_not_evaluated] [cash_flow_deficit horizon_mismatch " +
				"liquidity_shortfall risk_exceeds_capacity]"},
		"no asset reserved": {"goal_allocation", fmt.Sprintf(goals, "", "") + `"1"`,
			"[] false [filter_not_evaluated] " + butFlow},
		"asset reserved once": {"goal_allocation", fmt.Sprintf(goals, `,"asset_id":"x"`, `,"asset_id":"y"`) + `"1"`,
			"[] false [filter_not_evaluated] [horizon_mismatch liquidity_shortfall risk_exceeds_capacity]"},
		"asset reserved twice": {"goal_allocation", fmt.Sprintf(goals, `,"asset_id":"x"`, `,"asset_id":"x"`) + `"-1"`,
			"[cash_flow_deficit double_counting] false [cash_flow_deficit double_counting filter_not_evaluated] " +
				"[horizon_mismatch liquidity_shortfall risk_exceeds_capacity]"},
		"debts": {"debt_payoff_plan", debtsAB + `"strategy":"both"`,
			"[] false [filter_not_evaluated] " + all},
		"out of range": {"goal_projection",
			`"current_savings":"999999999999.99","monthly_contribution":"1","annual_return_pct":"999","months":600`,
			"[] false [filter_not_evaluated] " + all},
		"no evidence": {"horizon_risk_check", item + `,"loss_capacity_amount":"20"`,
			"[] false [filter_not_evaluated] [cash_flow_deficit liquidity_shortfall double_counting]"},
		"no capacity": {"horizon_risk_check", item + from(flow, liquid, worth),
			"[] false [filter_not_evaluated] [risk_exceeds_capacity]"},
		"allowed": {"horizon_risk_check", item + `,"loss_capacity_amount":"20"` +
			from(flow, liquid, worth), "[] true [] []"},
		"too much risk": {"horizon_risk_check", item + `,"loss_capacity_amount":"19.99"` +
			from(flow, liquid, worth), "[risk_exceeds_capacity] false [risk_exceeds_capacity] []"},
		"too late": {"horizon_risk_check", late + `,"loss_capacity_amount":"39.99"` +
			from(flow, liquid, worth), "[horizon_mismatch horizon_mismatch risk_exceeds_capacity] false " +
			"[horizon_mismatch risk_exceeds_capacity] []"},
		"a stop elsewhere": {"horizon_risk_check", item + `,"loss_capacity_amount":"20"` +
			from(strings.Replace(flow, `[]`, `["cash_flow_deficit"]`, 1), liquid, worth),
			"[cash_flow_deficit] false [cash_flow_deficit] []"},
		"threshold unknown": {"horizon_risk_check", item + `,"loss_capacity_amount":"20"` +
			from(flow, `{"tool_id":"pfm_emergency_fund",`+hash+`,"stop":[]}`, worth),
			"[] false [filter_not_evaluated] [liquidity_shortfall]"},
		"threshold absent": {"horizon_risk_check", item + `,"loss_capacity_amount":"20"` +
			from(flow, strings.Replace(liquid, `["cash`, `["liquidity_shortfall","cash`, 1), worth),
			"[] false [filter_not_evaluated] [liquidity_shortfall]"},
		"evidence of no filter": {"horizon_risk_check", item + `,"loss_capacity_amount":"20"` +
			from(`{"tool_id":"pfm_debt_payoff_plan",`+hash+`,"stop":[]}`),
			"[] false [filter_not_evaluated] [cash_flow_deficit liquidity_shortfall double_counting]"},
	} {
		t.Run(name, func(t *testing.T) {
			a := pfm(t, tt.tool, tt.inputs)
			if got := judged(a); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			tool, _ := registry.Tool("pfm_" + tt.tool)
			if err := compiled(t, tool.OutputSchema()).Validate(any(a)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPFMGoalSecondOpinion: the contribution brings the target together in a
// month by month simulation, and a kopeck less does not.
func TestPFMGoalSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 42))
	for range 200 {
		target, saved := Money(rng.Int64N(1e9)+1), Money(rng.Int64N(1e8))
		rate, n := Pct(rng.Int64N(4000))*pctUnit/100, 1+rng.IntN(120)
		a := pfm(t, "goal_contribution",
			fmt.Sprintf(`"target_amount":"%s","current_savings":"%s","annual_return_pct":"%s","months":%d`,
				target, saved, rate, n))
		c, want := rat(t, output(a, "monthly_contribution")), rat(t, target.String())
		value := grownRat(saved, c, rate, n)
		if value.Cmp(want) < 0 {
			t.Errorf("%s %s %s %d: %s is too little", target, saved, rate, n, c.FloatString(2))
		}
		if got := rat(t, output(a, "projected_value")); got.Cmp(halfUpRat(value, 2)) != 0 {
			t.Errorf("projected %s, want %s", got.FloatString(2), value.FloatString(4))
		}
		less := new(big.Rat).Sub(c, big.NewRat(1, 100))
		if c.Sign() > 0 && grownRat(saved, less, rate, n).Cmp(want) >= 0 {
			t.Errorf("%s %s %s %d: a kopeck less than %s does too", target, saved, rate, n, c.FloatString(2))
		}
	}
}

func grownRat(saved Money, c *big.Rat, rate Pct, n int) *big.Rat {
	q := new(big.Rat).Add(big.NewRat(1, 1), big.NewRat(int64(rate), 1200*pctUnit))
	s := big.NewRat(int64(saved), 100)
	for range n {
		s.Mul(s, q)
		s.Add(s, c)
	}
	return s
}

// plainDebts is the plan of repayment again, with fractions and a search for the
// next debt instead of a sort.
func plainDebts(balances, rates, mins []*big.Rat, budget *big.Rat, snow bool) (months int, interest *big.Rat) {
	interest = new(big.Rat)
	open := func(s *big.Rat) bool { return s.Sign() > 0 }
	for slices.ContainsFunc(balances, open) {
		rest := new(big.Rat).Set(budget)
		for i, s := range balances {
			accrued := new(big.Rat).Mul(s, rates[i])
			accrued = halfUpRat(accrued.Quo(accrued, big.NewRat(1200, 1)), 2)
			interest.Add(interest, accrued)
			s.Add(s, accrued)
			payRat(s, rest, mins[i])
		}
		for slices.ContainsFunc(balances, open) && rest.Sign() > 0 {
			best := -1
			for i, s := range balances {
				if s.Sign() > 0 && (best < 0 || soonerRat(s, rates[i], balances[best], rates[best], snow)) {
					best = i
				}
			}
			payRat(balances[best], rest, rest)
		}
		months++
	}
	return months, interest
}

func payRat(s, rest, amount *big.Rat) {
	paid := new(big.Rat).Set(amount)
	if paid.Cmp(s) > 0 {
		paid.Set(s)
	}
	s.Sub(s, paid)
	rest.Sub(rest, paid)
}

func soonerRat(s, r, bestS, bestR *big.Rat, snow bool) bool {
	byRate, byBalance := r.Cmp(bestR) > 0, s.Cmp(bestS) < 0
	if snow {
		return byBalance || s.Cmp(bestS) == 0 && byRate
	}
	return byRate || r.Cmp(bestR) == 0 && byBalance
}

func TestPFMDebtSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 40))
	for range 100 {
		var items []string
		var balances, rates, mins []*big.Rat
		extra := Money(rng.Int64N(1e6))
		budget := big.NewRat(int64(extra), 100)
		for i := range 1 + rng.IntN(6) {
			s, r := Money(1+rng.Int64N(1e7)), Pct(rng.IntN(5))*10*pctUnit
			m := s/20 + 1
			items = append(items, fmt.Sprintf(`{"id":"%d","balance":"%s","annual_rate_pct":"%s","min_payment":"%s"}`, i,
				s, r, m))
			balances, rates, mins = append(balances, big.NewRat(int64(s), 100)),
				append(rates, big.NewRat(int64(r), pctUnit)), append(mins, big.NewRat(int64(m), 100))
			budget.Add(budget, big.NewRat(int64(m), 100))
		}
		strategy := []string{"avalanche", "snowball"}[rng.IntN(2)]
		inputs := `"debts":[` + strings.Join(items, ",") + `],"extra_monthly":"` + extra.String() +
			`","strategy":"` + strategy + `"`
		a := pfm(t, "debt_payoff_plan", inputs)
		months, interest := plainDebts(balances, rates, mins, budget, strategy == "snowball")
		if output(a, "months") != fmt.Sprint(months) || output(a, "interest_total") != interest.FloatString(2) {
			t.Errorf("%s: %s months and %s, want %d and %s", inputs, output(a, "months"), output(a, "interest_total"),
				months, interest.FloatString(2))
		}
	}
}

// TestPFMEvidence: the answers of the other tools, passed on as they are, open
// the hand-off.
func TestPFMEvidence(t *testing.T) {
	var results []string
	for _, a := range []map[string]any{
		pfm(t, "cash_flow", `"income":[{"id":"a","amount":"2"}],"essential":[],"discretionary":[],"debt_payments":[]`),
		pfm(t, "liquidity_ratio", `"liquid_assets":"100","essential_monthly":"1",`+
			`"obligations_due_12m":"5","required_months":6`),
		pfm(t, "net_worth", `"assets":[{"id":"a","amount":"2"}],"liabilities":[]`),
	} {
		results = append(results, fmt.Sprintf(`{"tool_id":%q,"inputs_hash":%q,"stop":[],"filters_not_evaluated":%s}`,
			a["tool_id"], a["inputs_hash"], printed(a["filters_not_evaluated"])))
	}
	a := pfm(t, "horizon_risk_check",
		`"items":[{"goal_months":12,"amount":"100","instrument":{"lock_up_months":0,`+
			`"worst_case_loss_pct":"0"}}],"loss_capacity_amount":"0","evidence_from":[`+strings.Join(results, ",")+`]`)
	if got := judged(a); got != "[] true [] []" {
		t.Error(got)
	}
}

// The schedule of debts has what is owed after each month, in each order that was asked for;
// one that repays everything earlier than the other owes nothing in the months after.
func TestDebtBalances(t *testing.T) {
	const unequal = `"debts":[{"id":"A","balance":"100000","annual_rate_pct":"90",` +
		`"min_payment":"7600"},{"id":"B","balance":"60000","annual_rate_pct":"0",` +
		`"min_payment":"0"}],"extra_monthly":"1000",`
	for name, tt := range map[string]struct {
		debts, strategy string
		from            int
		want            string
	}{
		"highest rate first": {debtsAB, "avalanche", 7,
			`[{"avalanche":"77447.85","no":7,"snowball":null},{"avalanche":"66100.27","no":8,"snowball":null}]`},
		"smallest first": {debtsAB, "snowball", 7,
			`[{"avalanche":null,"no":7,"snowball":"78385.57"},{"avalanche":null,"no":8,"snowball":"67345.21"}]`},
		"both": {debtsAB, "both", 13,
			`[{"avalanche":"5312.73","no":13,"snowball":"7862.66"},{"avalanche":"0.00","no":14,"snowball":"0.00"}]`},
		"one later than another": {unequal, "both", 36,
			`[{"avalanche":"0.00","no":36,"snowball":"107318.03"},{"avalanche":"0.00","no":37,"snowball":"104966.88"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer(t, pfmDebtPayoffPlan,
				fmt.Sprintf(`{"inputs":{%s"strategy":%q},"options":{"include_schedule":true,`+
					`"schedule_from":%d,"schedule_limit":2}}`, tt.debts, tt.strategy, tt.from))
			if got := printed(a["schedule"].(map[string]any)["rows"]); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
