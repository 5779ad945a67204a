package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func init() {
	for _, kind := range []string{"xirr_deposit_with_topup", "xirr_bond_coupons", "xirr_loss", "xirr_one_year"} {
		vectorTests[kind] = func(t *testing.T, v vector) {
			for _, f := range v.Inputs["cash_flows"].([]any) {
				f.(map[string]any)["guaranteed"] = true
			}
			v.Expected = map[string]any{"nominal_annual_pct": v.Expected["annual_pct"]}
			testVector(t, investReliableReturn, v)
		}
	}
	vectorRequests["hhi"] = func(in map[string]any) map[string]any {
		positions := []any{}
		for i, amount := range in["positions"].([]any) {
			positions = append(positions, map[string]any{"id": strconv.Itoa(i), "amount": amount})
		}
		return map[string]any{"positions": positions}
	}
}

// wants checks outputs and the reason ("" for none).
func wants(t *testing.T, tool *Tool, inputs string, want map[string]string) map[string]any {
	t.Helper()
	before := effort()
	a := answer(t, tool, `{"inputs":{`+inputs+`}}`)
	if took := effort() - before; took > slow {
		t.Errorf("%s: took %v", inputs, took)
	}
	reason, _ := a["reason"].(string)
	if reason != want["reason"] {
		t.Errorf("%s: reason %q, want %q", inputs, reason, want["reason"])
	}
	for name, w := range want {
		if name != "reason" && output(a, name) != w {
			t.Errorf("%s: %s = %s, want %s", inputs, name, output(a, name), w)
		}
	}
	return a
}

// refuses checks that a request gets a fault.
func refuses(t *testing.T, tool *Tool, inputs, want string) {
	t.Helper()
	_, err := tool.Calculate([]byte(`{"inputs":{`+inputs+`}}`), Facts{})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %s", inputs, err, want)
	}
}

// flowsInput writes flows, all guaranteed: date, amount, date, amount …
func flowsInput(pairs ...string) string {
	var items []string
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, fmt.Sprintf(`{"date":"%s","amount":"%s","guaranteed":true}`, pairs[i], pairs[i+1]))
	}
	return `"cash_flows":[` + strings.Join(items, ",") + `]`
}

func TestReliableReturn(t *testing.T) {
	type m = map[string]string
	wants(t, investReliableReturn, `"guaranteed_annual_pct":"0","tax_pct":"13","inflation_scenario_pct":"10"`,
		m{"after_tax_annual_pct": "0.0000", "real_annual_pct": "-9.0909"})
	wants(t, investReliableReturn, `"guaranteed_annual_pct":"16","tax_pct":"100"`,
		m{"after_tax_annual_pct": "0.0000", "real_annual_pct": ""})
	wants(t, investReliableReturn, `"guaranteed_annual_pct":"1000","tax_pct":"0","inflation_scenario_pct":"0"`,
		m{"real_annual_pct": "1000.0000"})
	for name, tt := range map[string]struct {
		flows []string
		want  m
	}{
		"no inflow":  {[]string{"2024-01-01", "-100", "2025-01-01", "-5"}, m{"reason": "no_solution"}},
		"no outflow": {[]string{"2024-01-01", "100", "2025-01-01", "5"}, m{"reason": "no_solution"}},
		"zeros":      {[]string{"2024-01-01", "0", "2025-01-01", "0"}, m{"reason": "no_solution"}},
		"one date": {[]string{"2024-01-01", "-100", "2024-01-01", "110"},
			m{"reason": "no_solution", "principal_returned": "true"}},
		"one date, all nets": {[]string{"2024-01-01", "-100", "2024-01-01", "100"}, m{"reason": "no_solution"}},
		"two changes": {[]string{"2024-01-01", "-100", "2025-01-01", "230", "2026-01-01", "-132"},
			m{"reason": "multiple_solutions_possible"}},
		"starts with an inflow": {[]string{"2024-01-01", "100", "2025-01-01", "-110"}, m{"reason": "no_solution"}},
		"order does not matter": {[]string{"2024-02-29", "1180", "2023-03-01", "-1000"},
			m{"nominal_annual_pct": "18.0000"}},
		"nothing gained": {[]string{"2023-01-01", "-1000", "2024-01-01", "1000"},
			m{"nominal_annual_pct": "0.0000", "principal_returned": "true"}},
		"exactly at the limit": {[]string{"2023-01-01", "-100", "2024-01-01", "1100"},
			m{"nominal_annual_pct": "1000.0000"}},
		"beyond the limit": {[]string{"2023-01-01", "-100", "2024-01-01", "1100.01"},
			m{"reason": "result_out_of_range"}},
		"almost all lost": {[]string{"2023-01-01", "-10000", "2024-01-01", "1.01"},
			m{"nominal_annual_pct": "-99.9899", "principal_returned": "false"}},
		"all but lost": {[]string{"2023-01-01", "-10000", "2024-01-01", "1.00"},
			m{"reason": "result_out_of_range"}},
		"a tie in the rounding": {[]string{"2023-01-01", "-1000000", "2024-01-01", "1123456.50"},
			m{"nominal_annual_pct": "12.3457"}},
		"a tie below zero": {[]string{"2023-01-01", "-1000000", "2024-01-01", "876543.50"},
			m{"nominal_annual_pct": "-12.3457"}},
		"a century": {[]string{"2000-01-01", "-0.01", "2099-12-31", "999999999999.99"},
			m{"nominal_annual_pct": "38.0092"}},
		"one day": {[]string{"2000-01-01", "-1000000", "2000-01-02", "1000100"},
			m{"nominal_annual_pct": "3.7172"}},
	} {
		t.Run(name, func(t *testing.T) { wants(t, investReliableReturn, flowsInput(tt.flows...), tt.want) })
	}
}

// TestReliableReturnExcludes: what is not guaranteed is listed and left out.
func TestReliableReturnExcludes(t *testing.T) {
	const in = `"cash_flows":[{"date":"2023-01-01","amount":"-1000"},{"date":"2023-06-01",` +
		`"amount":"50"},{"date":"2024-01-01","amount":"1100","guaranteed":true}],"source_ref":"договор"`
	a := wants(t, investReliableReturn, in, map[string]string{"nominal_annual_pct": "10.0000",
		"excluded_not_guaranteed": `[{"amount":"50.00","date":"2023-06-01"}]`})
	if len(a["warnings"].([]any)) > 0 {
		t.Errorf("warnings %v", a["warnings"])
	}
	wants(t, investReliableReturn, strings.ReplaceAll(in, `,"guaranteed":true`, ""), map[string]string{
		"reason": "no_solution", "excluded_not_guaranteed": `[{"amount":"50.00","date":"2023-06-01"},{"amount":"1100.00","date":"2024-01-01"}]`})
	refuses(t, investReliableReturn, in+`,"tax_pct":"13"`, "inconsistent")
	refuses(t, investReliableReturn, `"guaranteed_annual_pct":"16"`, "/inputs/tax_pct: required")
	refuses(t, investReliableReturn, `"source_ref":"x"`, "required")
	refuses(t, investReliableReturn, flowsInput("2023-01-01", "-1"), "/inputs/cash_flows: min")
	refuses(t, investReliableReturn, flowsInput("1999-12-31", "-1", "2000-01-01", "2"),
		"/inputs/cash_flows/0/date: date_invalid")
}

// TestXIRRSecondOpinion: flows that are whole years of 365 days apart have a
// present value that plain fractions can state. Below the rate found it is
// positive, above it negative.
func TestXIRRSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	start := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	computed := 0
	for range 100 {
		years := 1 + rng.IntN(12)
		flows := []cashFlow{{0, -Money(1 + rng.Int64N(1e9))}}
		for k := 1; k <= years; k++ {
			flows = append(flows, cashFlow{Date(k), Money(rng.Int64N(4e8))})
		}
		var pairs []string
		for _, f := range flows {
			pairs = append(pairs, start.AddDate(0, 0, 365*int(f.date)).Format(time.DateOnly), f.amount.String())
		}
		a := answer(t, investReliableReturn, `{"inputs":{`+flowsInput(pairs...)+`}}`)
		if a["status"] != StatusComputed {
			continue
		}
		computed++
		r := rat(t, output(a, "nominal_annual_pct"))
		half := big.NewRat(501, 10_000_000) // a little over half of the last decimal
		if below, above := plainValue(flows, new(big.Rat).Sub(r, half)),
			plainValue(flows, new(big.Rat).Add(r, half)); below.Sign() < 0 || above.Sign() > 0 {
			t.Errorf("%v: %s is not where the value is zero", pairs, r.FloatString(4))
		}
	}
	if computed < 50 {
		t.Errorf("only %d of the flows have a rate", computed)
	}
}

func plainValue(flows []cashFlow, pct *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(pct, big.NewRat(100, 1))
	q.Inv(q.Add(q, big.NewRat(1, 1)))
	sum, v := new(big.Rat), big.NewRat(1, 1)
	for _, f := range flows {
		sum.Add(sum, new(big.Rat).Mul(v, big.NewRat(int64(f.amount), 100)))
		v.Mul(v, q)
	}
	return sum
}

func TestFeeImpact(t *testing.T) {
	type m = map[string]string
	const lump = `"principal":"1000000","years":7,"gross_annual_pct":"14"`
	wants(t, investFeeImpact, lump, m{"fee_drag": "0.00", "annual_reduction_in_yield_pp": "0.0000"})
	wants(t, investFeeImpact, lump+`,"annual_fee_pct":"1.2"`, m{"annual_reduction_in_yield_pp": "1.3680"})
	wants(t, investFeeImpact, lump+`,"exit_fee_pct":"100"`, m{"value_with_fees": "0.00",
		"annual_reduction_in_yield_pp": "114.0000"})
	wants(t, investFeeImpact, lump+`,"annual_fee_pct":"100"`,
		m{"value_with_fees": "0.00", "annual_reduction_in_yield_pp": "114.0000"})
	wants(t, investFeeImpact, `"principal":"1000","years":1,"gross_annual_pct":"0","entry_fee_pct":"1"`,
		m{"value_with_fees": "990.00", "annual_reduction_in_yield_pp": "1.0000"})
	wants(t, investFeeImpact, `"principal":"999999999999.99","years":50,"gross_annual_pct":"1000"`,
		m{"reason": "result_out_of_range"})
	// with contributions
	wants(t, investFeeImpact, `"principal":"1000","monthly_contribution":"100","years":1,"gross_annual_pct":"0"`,
		m{"value_without_fees": "2200.00", "value_with_fees": "2200.00", "contributed": "2200.00",
			"annual_reduction_in_yield_pp": "0.0000"})
	wants(t, investFeeImpact, `"principal":"1000","monthly_contribution":"100","years":2,`+
		`"gross_annual_pct":"25","annual_fee_pct":"20"`, m{"value_with_fees": "3400.00",
		"annual_reduction_in_yield_pp": "25.0000"})
	wants(t, investFeeImpact, `"principal":"1000","monthly_contribution":"100","years":2,`+
		`"gross_annual_pct":"12","annual_fee_pct":"1"`, m{"annual_reduction_in_yield_pp": "1.1200"})
	wants(t, investFeeImpact, `"principal":"1000","monthly_contribution":"100","years":2,"gross_annual_pct":"12"`,
		m{"annual_reduction_in_yield_pp": "0.0000"})
	wants(t, investFeeImpact, `"principal":"1000","monthly_contribution":"100","years":2,`+
		`"gross_annual_pct":"12","annual_fee_pct":"100"`, m{"value_with_fees": "100.00"})
	wants(t, investFeeImpact, `"principal":"1000","monthly_contribution":"100","years":50,`+
		`"gross_annual_pct":"0.000001","annual_fee_pct":"0.000001"`, m{"value_with_fees": "61000.00"})
	a := wants(t, investFeeImpact,
		`"principal":"1000","monthly_contribution":"100","years":2,"gross_annual_pct":"12","exit_fee_pct":"100"`,
		m{"value_with_fees": "0.00", "annual_reduction_in_yield_pp": ""})
	if warned(a, "yield_after_fees_out_of_range") == nil {
		t.Errorf("warnings %v", a["warnings"])
	}
	refuses(t, investFeeImpact, `"principal":"0","years":1,"gross_annual_pct":"0"`, "/inputs/principal: min")
	refuses(t, investFeeImpact, `"principal":"1","years":51,"gross_annual_pct":"0"`, "/inputs/years: max")
	refuses(t, investFeeImpact, `"principal":"1","years":1,"gross_annual_pct":"0","entry_fee_pct":"100.000001"`,
		"/inputs/entry_fee_pct: max")
}

func TestBreakEven(t *testing.T) {
	type m = map[string]string
	const in = `"principal":"1000000","years":3,"alternative_net_annual_pct":"15"`
	wants(t, investBreakEvenYield, in, m{"break_even_gross_annual_pct": "15.0000"})
	wants(t, investBreakEvenYield, in+`,"tax_pct":"100"`, m{"reason": "no_solution"})
	wants(t, investBreakEvenYield, in+`,"entry_fee_pct":"100"`, m{"reason": "no_solution"})
	wants(t, investBreakEvenYield, in+`,"annual_fee_pct":"100"`, m{"reason": "no_solution"})
	wants(t, investBreakEvenYield, in+`,"exit_fee_pct":"100"`, m{"reason": "no_solution"})
	wants(t, investBreakEvenYield, `"principal":"100","years":1,"alternative_net_annual_pct":"0","tax_pct":"13"`,
		m{"break_even_gross_annual_pct": "0.0000", "required_value_before_tax": "100.00"})
	wants(t, investBreakEvenYield, `"principal":"100","years":1,"alternative_net_annual_pct":"8.7","tax_pct":"13"`,
		m{"break_even_gross_annual_pct": "10.0000", "required_value_before_tax": "110.00"})
	wants(t, investBreakEvenYield, `"principal":"100","years":2,"alternative_net_annual_pct":"12.34565"`,
		m{"break_even_gross_annual_pct": "12.3457"})
	wants(t, investBreakEvenYield, `"principal":"999999999999.99","years":50,"alternative_net_annual_pct":"1000"`,
		m{"reason": "result_out_of_range"})
}

// TestBreakEvenInverse: the yield found, put through the fees and the tax by plain
// fractions, gives what the alternative gives, to what four decimals allow.
func TestBreakEvenInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 1))
	hundred := big.NewRat(100, 1)
	less := func(p *big.Rat) *big.Rat { return new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Quo(p, hundred)) }
	for range 200 {
		years, g := 1+rng.IntN(20), big.NewRat(rng.Int64N(3000), 100)
		e, m, x, tax := big.NewRat(rng.Int64N(500), 100), big.NewRat(rng.Int64N(500), 100),
			big.NewRat(rng.Int64N(500), 100), big.NewRat(rng.Int64N(35), 1)
		a := answer(t, investBreakEvenYield,
			fmt.Sprintf(`{"inputs":{"principal":"1000","years":%d,"alternative_net_annual_pct":"%s",`+
				`"entry_fee_pct":"%s","annual_fee_pct":"%s","exit_fee_pct":"%s","tax_pct":"%s"}}`,
				years, g.FloatString(2), e.FloatString(2), m.FloatString(2), x.FloatString(2), tax.FloatString(0)))
		y := rat(t, output(a, "break_even_gross_annual_pct"))
		net := func(y *big.Rat) *big.Rat {
			growth := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(y, hundred))
			growth.Mul(growth, less(m))
			w := new(big.Rat).Mul(big.NewRat(1000, 1), new(big.Rat).Mul(less(e), less(x)))
			for range years {
				w.Mul(w, growth)
			}
			if gain := new(big.Rat).Sub(w, big.NewRat(1000, 1)); gain.Sign() > 0 {
				w.Sub(w, gain.Mul(gain, new(big.Rat).Quo(tax, hundred)))
			}
			return w
		}
		want := big.NewRat(1000, 1)
		for range years {
			want.Mul(want, new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(g, hundred)))
		}
		half := big.NewRat(1, 20000)
		if net(new(big.Rat).Sub(y, half)).Cmp(want) > 0 || net(new(big.Rat).Add(y, half)).Cmp(want) < 0 {
			t.Errorf("%v: %s does not give %s", a["inputs_echo"], y.FloatString(4), want.FloatString(2))
		}
	}
}

func FuzzInvest(f *testing.F) {
	tools := toolsOf("investment")
	for _, tool := range tools {
		for _, e := range tool.Examples {
			f.Add([]byte(e.Request))
		}
	}
	f.Add([]byte(`{"inputs":{` + flowsInput("2000-01-01", "-0.01", "2099-12-31", "999999999999.99") + `}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, tool := range tools {
			tool, _ := registry.Tool(tool.ID)
			fuzzTool(t, tool, body)
		}
	})
}
