package calc

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// Rows whose expected values are shaped otherwise than the outputs.
func init() {
	vectorTests["topups_withdrawals_rate_steps"] = func(t *testing.T, v vector) {
		a := vectorAnswer(t, v)
		for _, name := range []string{"interest_total", "final_balance"} {
			equal(t, name, output(a, name), v.Expected[name], nil)
		}
		want := v.Expected["postings"].([]any)
		got := outputList(a, "postings")
		if len(got) != len(want) {
			t.Fatalf("%d postings, want %d", len(got), len(want))
		}
		for i, w := range want {
			w := w.([]any)
			equal(t, "date", printed(got[i]["date"]), w[0], nil)
			equal(t, "interest", printed(got[i]["interest"]), w[1], nil)
		}
	}
	vectorTests["capitalised_vs_simple"] = func(t *testing.T, v vector) {
		v.Inputs["baseline_id"] = "end"
		a := vectorAnswer(t, v)
		for _, row := range outputList(a, "variants") {
			equal(t, "final_amount", printed(row["final_amount"]),
				v.Expected["final"].(map[string]any)[row["id"].(string)], nil)
		}
		equal(t, "difference", printed(outputList(a, "differences")[0]["final_amount"]), v.Expected["difference"], nil)
	}
}

func vectorAnswer(t *testing.T, v vector) map[string]any {
	t.Helper()
	tool, _ := registry.Tool(v.Tool)
	request, err := json.Marshal(map[string]any{"inputs": v.Inputs})
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, tool, string(request))
}

func outputList(a map[string]any, name string) []map[string]any {
	var out []map[string]any
	for _, item := range a["outputs"].(map[string]any)[name].(map[string]any)["value"].([]any) {
		out = append(out, item.(map[string]any))
	}
	return out
}

func depositCodes(a map[string]any, member string) string {
	var out []string
	for _, w := range a[member].([]any) {
		if m, ok := w.(map[string]any); ok {
			w = m["code"]
		}
		out = append(out, w.(string))
	}
	return strings.Join(out, " ")
}

const (
	cashflowStart = `"opening_balance":"1000","start_date":"2026-01-31","end_date":"2026-03-31",` +
		`"interest":"capitalized","posting_months":1`
	dailyStart = `"opening_balance":"1000","annual_rate_pct":"36.5"`
	pairStart  = `"amount":"100000","variants":[{"id":"a","annual_rate_pct":"10",` +
		`"capitalization":"none","start_date":"2026-01-15","term_months":12},`
)

func TestDepositEdges(t *testing.T) {
	for name, tt := range map[string]struct {
		tool   *Tool
		inputs string
		want   map[string]string
	}{
		"simple: one day": {depositSimpleInterest,
			`"principal":"100","annual_rate_pct":"36.5","start_date":"2026-01-01","end_date":"2026-01-02"`,
			map[string]string{"days": "1", "interest": "0.10"}},
		"simple: no rate": {depositSimpleInterest,
			`"principal":"100","annual_rate_pct":0,"start_date":"2026-01-01","end_date":"2036-01-01"`,
			map[string]string{"interest": "0.00", "final_amount": "100.00"}},
		"simple: across 2024": {depositSimpleInterest,
			`"principal":"1000000","annual_rate_pct":"18","start_date":"2023-11-30",` +
				`"end_date":"2024-05-30","day_count":"act_act"`, map[string]string{"interest": "89549.97"}},
		"simple: 30e": {depositSimpleInterest,
			`"principal":"1000","annual_rate_pct":"36","start_date":"2026-01-30",` +
				`"end_date":"2026-01-31","day_count":"30e_360"`, map[string]string{"days": "1", "interest": "0.00"}},
		"simple: a century": {depositSimpleInterest,
			`"principal":"999999999999.99","annual_rate_pct":"1000","start_date":"2000-01-01","end_date":"2099-12-31"`,
			map[string]string{"reason": "result_out_of_range"}},
		"simple: the limits": {depositSimpleInterest,
			`"principal":"999999999999.99","annual_rate_pct":"1000","start_date":"2026-01-01","end_date":"2027-01-01"`,
			map[string]string{"interest": "9999999999999.90"}},

		"capital: no rate": {depositCapitalizedInterest,
			`"principal":"100","annual_rate_pct":0,"start_date":"2024-02-29","term_months":12`,
			map[string]string{"end_date": "2025-02-28", "effective_annual_pct": "0.0000",
				"final_amount": "100.00", "rows": "12"}},
		"capital: one month": {depositCapitalizedInterest,
			`"principal":"1000","annual_rate_pct":"36.5","start_date":"2026-01-31","term_months":1`,
			map[string]string{"end_date": "2026-02-28", "days": "28", "interest_total": "28.00"}},
		"capital: stub": {depositCapitalizedInterest,
			`"principal":"1000","annual_rate_pct":"36.5","start_date":"2026-01-01",` +
				`"term_months":7,"capitalization_months":6`,
			map[string]string{"rows": "2", "warnings": "last_period_shorter"}},
		"capital: shorter": {depositCapitalizedInterest,
			`"principal":"1000","annual_rate_pct":"36.5","start_date":"2026-01-01",` +
				`"term_months":7,"capitalization_months":12`,
			map[string]string{"rows": "1", "warnings": "last_period_shorter"}},
		"capital: no stub": {depositCapitalizedInterest,
			`"principal":"1000","annual_rate_pct":"36.5","start_date":"2026-01-31",` +
				`"term_months":12,"capitalization_months":3`, map[string]string{"rows": "4", "warnings": ""}},
		"capital: grows too far": {depositCapitalizedInterest,
			`"principal":"999999999999.99","annual_rate_pct":"1000","start_date":"2026-01-01","term_months":120`,
			map[string]string{"reason": "result_out_of_range"}},

		"rate: zero": {depositEffectiveRate, `"nominal_annual_rate_pct":0,"periods_per_year":365`,
			map[string]string{"effective_annual_pct": "0.0000"}},
		"rate: zero too": {depositEffectiveRate, `"effective_annual_rate_pct":0,"periods_per_year":365`,
			map[string]string{"nominal_annual_pct": "0.0000"}},
		"rate: yearly": {depositEffectiveRate, `"effective_annual_rate_pct":"17.25","periods_per_year":1`,
			map[string]string{"nominal_annual_pct": "17.2500", "not_computed": "effective_annual_pct"}},
		"rate: daily": {depositEffectiveRate, `"nominal_annual_rate_pct":"1000","periods_per_year":365`,
			map[string]string{"status": "computed"}},

		"flows: no movements": {depositCashflowBalance,
			cashflowStart + `,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"36.5"}]`,
			map[string]string{"interest_total": "59.87", "movements_total": "0.00", "days": "59"}},
		"flows: on the first day": {depositCashflowBalance,
			cashflowStart + `,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"}],` +
				`"movements":[{"date":"2026-01-31","amount":"-1000"}]`, map[string]string{"final_balance": "0.00"}},
		"flows: all on last day": {depositCashflowBalance,
			cashflowStart + `,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"36.5"}],` +
				`"movements":[{"date":"2026-03-31","amount":"-1059.87"}]`,
			map[string]string{"final_balance": "0.00", "interest_total": "59.87"}},
		"flows: in any order": {depositCashflowBalance,
			cashflowStart + `,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"}],` +
				`"movements":[{"date":"2026-03-01","amount":"-1500"},{"date":"2026-02-01","amount":"500"}]`,
			map[string]string{"final_balance": "0.00"}},
		"flows: rate of last day": {depositCashflowBalance,
			cashflowStart + `,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"},` +
				`{"from_date":"2026-03-31","annual_rate_pct":"36.5"}]`, map[string]string{"interest_total": "1.00"}},
		"flows: rate of first day": {depositCashflowBalance,
			cashflowStart + `,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"},` +
				`{"from_date":"2026-02-01","annual_rate_pct":"36.5"}]`, map[string]string{"interest_total": "59.87"}},
		"flows: nothing": {depositCashflowBalance,
			strings.Replace(cashflowStart, "1000", "0", 1) +
				`,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"10"}]`,
			map[string]string{"final_balance": "0.00"}},

		"daily: one day": {depositDailyBalanceInterest,
			dailyStart + `,"from_date":"2026-02-01","to_date":"2026-02-01","method":"daily"`,
			map[string]string{"days": "1", "interest": "1.00"}},
		"daily: last day": {depositDailyBalanceInterest,
			dailyStart + `,"from_date":"2026-02-01","to_date":"2026-02-02","method":"daily",` +
				`"movements":[{"date":"2026-02-02","amount":"-1000"}]`,
			map[string]string{"interest": "2.00", "minimum_balance": "1000.00", "closing_balance": "0.00"}},
		"daily: next day": {depositDailyBalanceInterest,
			dailyStart + `,"from_date":"2026-02-01","to_date":"2026-02-02","method":"minimum",` +
				`"movements":[{"date":"2026-02-01","amount":"-1000"}]`,
			map[string]string{"interest": "0.00", "minimum_balance": "0.00"}},
		"daily: own year": {depositDailyBalanceInterest,
			dailyStart + `,"from_date":"2024-12-31","to_date":"2025-01-01","method":"daily","day_count":"act_act"`,
			map[string]string{"interest": "2.00"}},
		"withdrawal: demand": {depositEarlyWithdrawal,
			`"principal":"1000","start_date":"2026-01-01","withdrawal_date":"2026-01-11",` +
				`"on_demand_rate_pct":"0","interest_already_paid":"0"`,
			map[string]string{"payout": "1000.00", "clawback": "0.00", "warnings": ""}},
		"withdrawal: exactly": {depositEarlyWithdrawal,
			`"principal":"1000","start_date":"2026-01-01","withdrawal_date":"2026-01-11",` +
				`"on_demand_rate_pct":"0","interest_already_paid":"1","preferential_steps":[{"min_days":11,` +
				`"annual_rate_pct":"73"},{"min_days":10,"annual_rate_pct":"36.5"}]`,
			map[string]string{"interest_at_demand_rate": "10.00", "payout": "1009.00"}},
		"withdrawal: below": {depositEarlyWithdrawal,
			`"principal":"1000","start_date":"2026-01-01","withdrawal_date":"2026-01-11",` +
				`"on_demand_rate_pct":"0","interest_already_paid":"1500"`,
			map[string]string{"clawback": "1500.00", "payout": "-500.00", "warnings": "payout_below_principal"}},
		"tax: nothing": {depositInterestTax,
			`"interest_total":"100","non_taxable_amount":"100.01","brackets":[{"up_to":null,"rate_pct":"13"}]`,
			map[string]string{"tax_base": "0.00", "tax": "0.00", "net_interest": "100.00",
				"warnings": "tax_rules_are_inputs"}},
		"tax: half a rouble": {depositInterestTax,
			`"interest_total":"50","non_taxable_amount":"0","brackets":[{"up_to":null,"rate_pct":"13"}]`,
			map[string]string{"tax": "7.00"}},
		"tax: rounded once": {depositInterestTax,
			`"interest_total":"20","non_taxable_amount":"0","brackets":[{"up_to":"10",` +
				`"rate_pct":"13"},{"up_to":null,"rate_pct":"12"}]`, map[string]string{"tax": "3.00"}},
		"tax: at the border": {depositInterestTax,
			`"interest_total":"2400000","non_taxable_amount":"0","brackets":[{"up_to":"2400000",` +
				`"rate_pct":"13"},{"up_to":null,"rate_pct":"15"}]`, map[string]string{"tax": "312000.00"}},
		"coverage: none above": {depositInsuranceCoverage,
			`"limit_per_bank":"1400000","balances":[{"bank_id":"A","amount":"1400000"},{"bank_id":"B","amount":0}]`,
			map[string]string{"covered_total": "1400000.00", "uncovered_total": "0.00"}},
		"pair: another term": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15","term_months":6}]`,
			map[string]string{"warnings": "different_horizons"}},
		"pair: another start": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-02-15",` +
			`"end_date":"2027-01-15"}]`, map[string]string{"warnings": "different_horizons"}},
		"pair: one horizon": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",` +
			`"term_months":6}],"horizon_date":"2027-01-15"`, map[string]string{"warnings": ""}},
		"pair: paid out": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","interest":"paid_out","posting_months":1,` +
			`"start_date":"2026-01-15","term_months":12}]`, map[string]string{"warnings": "effective_rate_not_defined"}},
		"pair: movements": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",` +
			`"term_months":12,"movements":[{"date":"2026-03-01","amount":"5"}]}]`,
			map[string]string{"warnings": "effective_rate_not_defined different_movements"}},
		"pair: too much": {depositComparison,
			`"amount":"999999999999.99","variants":[{"id":"a","annual_rate_pct":"1000",` +
				`"capitalization":"monthly","start_date":"2026-01-15","term_months":120},` +
				`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15","term_months":12}]`,
			map[string]string{"reason": "result_out_of_range"}},
		"pair: paid at end": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","interest":"paid_out","posting_months":12,` +
			`"start_date":"2026-01-15","term_months":12}]`, map[string]string{"warnings": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer(t, tt.tool, `{"inputs":{`+tt.inputs+`}}`)
			for name, want := range tt.want {
				got := ""
				switch name {
				case "reason", "status":
					got = printed(a[name])
				case "warnings", "not_computed":
					got = depositCodes(a, name)
				default:
					got = output(a, name)
				}
				if got != want {
					t.Errorf("%s = %s, want %s", name, got, want)
				}
			}
		})
	}
}

func TestDepositErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		tool   *Tool
		inputs string
		want   string
	}{
		"simple: same day": {depositSimpleInterest,
			`"principal":"100","annual_rate_pct":"10","start_date":"2026-01-01","end_date":"2026-01-01"`,
			"/inputs/end_date date_order"},
		"simple: no such day": {depositSimpleInterest,
			`"principal":"100","annual_rate_pct":"10","start_date":"2026-02-29","end_date":"2026-03-01"`,
			"/inputs/start_date date_invalid"},
		"simple: nothing": {depositSimpleInterest,
			`"principal":"0","annual_rate_pct":"10","start_date":"2026-01-01","end_date":"2026-03-01"`,
			"/inputs/principal min"},
		"simple: monthly": {depositSimpleInterest,
			`"principal":"1","annual_rate_pct":"10","start_date":"2026-01-01","end_date":"2026-03-01",` +
				`"day_count":"monthly_1_12"`, "/inputs/day_count enum"},
		"capital: period": {depositCapitalizedInterest,
			`"principal":"1","annual_rate_pct":"10","start_date":"2026-01-01","term_months":12,` +
				`"capitalization_months":2`, "/inputs/capitalization_months enum"},
		"capital: term": {depositCapitalizedInterest,
			`"principal":"1","annual_rate_pct":"10","start_date":"2026-01-01","term_months":121`,
			"/inputs/term_months max"},
		"rate: periods": {depositEffectiveRate, `"nominal_annual_rate_pct":"1","periods_per_year":52`,
			"/inputs/periods_per_year enum"},
		"rate: both": {depositEffectiveRate,
			`"nominal_annual_rate_pct":"1","effective_annual_rate_pct":"1","periods_per_year":12`,
			"/inputs/effective_annual_rate_pct inconsistent"},
		"rate: none": {depositEffectiveRate, `"periods_per_year":12`, "/inputs required"},
		"rate: direction": {depositEffectiveRate,
			`"direction":"effective_to_nominal","nominal_annual_rate_pct":"1","periods_per_year":12`,
			"/inputs/direction inconsistent"},
		"rate: loan": {depositEffectiveRate,
			`"loan":true,"nominal_annual_rate_pct":"1","periods_per_year":12`, "/inputs/loan unknown_field"},
		"flows: overdrawn": {depositCashflowBalance, cashflowStart +
			`,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"}],"movements":[{"date":"2026-02-05",` +
			`"amount":"10"},{"date":"2026-02-03","amount":"-1000.01"}]`, "/inputs/movements/1/amount inconsistent"},
		"flows: last day": {depositCashflowBalance, cashflowStart +
			`,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"}],"movements":[{"date":"2026-03-31",` +
			`"amount":"-1000.01"}]`, "/inputs/movements/0/amount inconsistent"},
		"flows: first rate": {depositCashflowBalance, cashflowStart +
			`,"rate_steps":[{"from_date":"2026-02-01","annual_rate_pct":"0"}]`,
			"/inputs/rate_steps/0/from_date inconsistent"},
		"flows: rates twice": {depositCashflowBalance, cashflowStart +
			`,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"},{"from_date":"2026-01-31",` +
			`"annual_rate_pct":"1"}]`, "/inputs/rate_steps/1/from_date date_order"},
		"flows: no rate": {depositCashflowBalance, cashflowStart + `,"rate_steps":[]`, "/inputs/rate_steps min"},
		"flows: outside": {depositCashflowBalance, cashflowStart +
			`,"rate_steps":[{"from_date":"2026-01-31","annual_rate_pct":"0"}],"movements":[{"date":"2026-04-01",` +
			`"amount":"1"}]`, "/inputs/movements/0/date inconsistent"},
		"daily: order": {depositDailyBalanceInterest,
			dailyStart + `,"from_date":"2026-02-02","to_date":"2026-02-01","method":"daily"`,
			"/inputs/to_date date_order"},
		"daily: overdrawn": {depositDailyBalanceInterest,
			dailyStart + `,"from_date":"2026-02-01","to_date":"2026-02-02","method":"minimum",` +
				`"movements":[{"date":"2026-02-02","amount":"-1000.01"}]`, "/inputs/movements/0/amount inconsistent"},
		"withdrawal: order": {depositEarlyWithdrawal,
			`"principal":"1","start_date":"2026-01-01","withdrawal_date":"2026-01-01",` +
				`"on_demand_rate_pct":"0","interest_already_paid":"0"`, "/inputs/withdrawal_date date_order"},
		"withdrawal: two rates": {depositEarlyWithdrawal,
			`"principal":"1","start_date":"2026-01-01","withdrawal_date":"2026-01-02",` +
				`"on_demand_rate_pct":"0","interest_already_paid":"0","preferential_steps":[{"min_days":5,` +
				`"annual_rate_pct":"1"},{"min_days":5,"annual_rate_pct":"2"}]`,
			"/inputs/preferential_steps/1/min_days inconsistent"},
		"tax: bounded": {depositInterestTax,
			`"interest_total":"1","non_taxable_amount":"0","brackets":[{"up_to":"5","rate_pct":"13"}]`,
			"/inputs/brackets/0/up_to inconsistent"},
		"tax: unbounded": {depositInterestTax,
			`"interest_total":"1","non_taxable_amount":"0","brackets":[{"up_to":null,` +
				`"rate_pct":"13"},{"up_to":null,"rate_pct":"13"}]`, "/inputs/brackets/0/up_to inconsistent"},
		"tax: order": {depositInterestTax,
			`"interest_total":"1","non_taxable_amount":"0","brackets":[{"up_to":"5",` +
				`"rate_pct":"13"},{"up_to":"5","rate_pct":"13"},{"up_to":null,"rate_pct":"15"}]`,
			"/inputs/brackets/1/up_to inconsistent"},
		"tax: both": {depositInterestTax,
			`"interest_total":"1","non_taxable_amount":"0","base_amount":"1","brackets":[{"up_to":null,` +
				`"rate_pct":"13"}]`, "/inputs/base_amount inconsistent"},
		"coverage: no limit": {depositInsuranceCoverage,
			`"limit_per_bank":"0","balances":[{"bank_id":"A","amount":"1"}]`, "/inputs/limit_per_bank min"},
		"pair: same id": {depositComparison, pairStart +
			`{"id":"a","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15","term_months":6}]`,
			"/inputs/variants/1/id duplicate_id"},
		"pair: no base": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",` +
			`"term_months":6}],"baseline_id":"c"`, "/inputs/baseline_id inconsistent"},
		"pair: early horizon": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",` +
			`"term_months":6}],"horizon_date":"2027-01-14"`, "/inputs/horizon_date inconsistent"},
		"pair: overdrawn": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",` +
			`"term_months":6,"movements":[{"date":"2026-02-01","amount":"-200000"}]}]`,
			"/inputs/variants/1/movements/0/amount inconsistent"},
		"pair: two terms": {depositComparison, pairStart +
			`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",` +
			`"term_months":6,"end_date":"2026-02-15"}]`, "/inputs/variants/1/end_date inconsistent"},
	} {
		t.Run(name, func(t *testing.T) { checkError(t, tt.tool, `{"inputs":{`+tt.inputs+`}}`, tt.want) })
	}
}

// plainDays is the second implementation of day counts: one day at a time.
func plainDays(from, to Date, basis DayCount) *big.Rat {
	sum := new(big.Rat)
	for d := from + 1; d <= to; d++ {
		part := big.NewRat(1, 365)
		switch y := d.Year(); {
		case basis == Thirty360:
			_, _, today := d.Split()
			_, _, yesterday := (d - 1).Split()
			part = big.NewRat(int64(min(today, 30)-min(yesterday, 30)), 360)
			if today == 1 { // into the next month of 30 days
				part.Add(part, big.NewRat(30, 360))
			}
		case basis == ActAct && (y%4 == 0 && y%100 != 0 || y%400 == 0):
			part = big.NewRat(1, 366)
		}
		sum.Add(sum, part)
	}
	return sum
}

// plainFlows goes day by day through an account in fractions.
func plainFlows(opening *big.Rat, start, end Date, months int, basis DayCount, rate func(Date) *big.Rat,
	moves map[Date]*big.Rat, capitalized bool) (total, balance *big.Rat) {
	balance, total, unposted := new(big.Rat).Set(opening), new(big.Rat), new(big.Rat)
	if m := moves[start]; m != nil {
		balance.Add(balance, m)
	}
	k := 1
	for d := start + 1; d <= end; d++ {
		i := new(big.Rat).Mul(balance, rate(d))
		unposted.Add(unposted, i.Mul(i, plainDays(d-1, d, basis)))
		if m := moves[d]; m != nil {
			balance.Add(balance, m)
		}
		if d == end || d == start.AddMonths(k*months) {
			posted := halfUpRat(unposted.Quo(unposted, big.NewRat(100, 1)), 2)
			total.Add(total, posted)
			if capitalized {
				balance.Add(balance, posted)
			}
			unposted, k = new(big.Rat), k+1
		}
	}
	return total, balance
}

// TestDepositSecondOpinion checks deposits with movements and steps against an
// implementation that goes one day at a time.
func TestDepositSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		basis := []DayCount{Act365, ActAct, Thirty360}[rng.IntN(3)]
		start := NewDate(2023, 1, 1) + Date(rng.IntN(800))
		end := start + 1 + Date(rng.IntN(700))
		months, opening := 1+rng.IntN(6), Money(10_000_000+rng.Int64N(1e10))
		first, second := Pct(rng.Int64N(4000))*pctUnit/100, Pct(rng.Int64N(4000))*pctUnit/100
		change := start + 1 + Date(rng.IntN(600))
		moves, list := map[Date]*big.Rat{}, []string{}
		for range rng.IntN(6) {
			d, m := start+Date(rng.IntN(int(end-start)+1)), Money(rng.Int64N(2_000_000)-1_000_000)
			if moves[d] == nil {
				moves[d] = new(big.Rat)
			}
			moves[d].Add(moves[d], big.NewRat(int64(m), 100))
			list = append(list, fmt.Sprintf(`{"date":"%s","amount":"%s"}`, d, m))
		}
		kind := []string{"capitalized", "paid_out"}[rng.IntN(2)]
		request := fmt.Sprintf(`{"inputs":{"opening_balance":"%s","start_date":"%s","end_date":"%s","interest":"%s","posting_months":%d,"day_count":"%s",
			"rate_steps":[{"from_date":"%s","annual_rate_pct":"%s"},{"from_date":"%s","annual_rate_pct":"%s"}],"movements":[%s]}}`,
			opening, start, end, kind, months, basis, start, first, change, second, strings.Join(list, ","))
		rate := func(d Date) *big.Rat {
			if d >= change {
				return big.NewRat(int64(second), pctUnit)
			}
			return big.NewRat(int64(first), pctUnit)
		}
		total, balance := plainFlows(big.NewRat(int64(opening), 100), start, end, months, basis, rate,
			moves, kind == "capitalized")
		a := answer(t, depositCashflowBalance, request)
		if rat(t, output(a, "interest_total")).Cmp(total) != 0 || rat(t, output(a, "final_balance")).Cmp(balance) != 0 {
			t.Errorf("%s: interest %s, balance %s, want %s and %s", request, output(a, "interest_total"),
				output(a, "final_balance"), total.FloatString(2), balance.FloatString(2))
		}
	}
}

// TestDepositProperties: capitalised is no less than simple but for rounding, and
// no rate bears no interest.
func TestDepositProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		p, r := Money(1+rng.Int64N(1e10)), Pct(rng.Int64N(4000))*pctUnit/100
		start, n := NewDate(2020, 1, 1)+Date(rng.IntN(3000)), 1+rng.IntN(36)
		every := []int{1, 3, 6, 12}[rng.IntN(4)]
		common := fmt.Sprintf(`"principal":"%s","annual_rate_pct":"%s","start_date":"%s"`, p, r, start)
		c := answer(t, depositCapitalizedInterest,
			fmt.Sprintf(`{"inputs":{%s,"term_months":%d,"capitalization_months":%d},`+
				`"options":{"include_schedule":true}}`, common, n, every))
		s := answer(t, depositSimpleInterest, fmt.Sprintf(`{"inputs":{%s,"end_date":"%s"}}`,
			common, start.AddMonths(n)))
		rows := rat(t, output(c, "rows"))
		least := new(big.Rat).Sub(rat(t, output(s, "interest")), rows.Mul(rows, big.NewRat(1, 100)))
		if rat(t, output(c, "interest_total")).Cmp(least) < 0 {
			t.Errorf("%s, %d months: capitalised %s, simple %s", common, n,
				output(c, "interest_total"), output(s, "interest"))
		}
		sum := new(big.Rat)
		for _, row := range c["schedule"].(map[string]any)["rows"].([]any) {
			sum.Add(sum, rat(t, row.(map[string]any)["interest"]))
		}
		if sum.Cmp(rat(t, output(c, "interest_total"))) != 0 {
			t.Errorf("%s: the rows add up to %s", common, sum.FloatString(2))
		}
	}
}

// TestEffectiveNominal: one is the inverse of the other.
func TestEffectiveNominal(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 100 {
		r, m := Pct(rng.Int64N(100_000))*pctUnit/1000, []int{1, 2, 4, 12, 365}[rng.IntN(5)]
		e := effectivePct(r, m).Quo(Whole(100)).Add(Whole(1))
		back := power(e, newExact(1, int64(m))).Sub(Whole(1).Dec()).Mul(Whole(100 * m).Dec())
		if got := back.Fixed(30); got != r.Exact().Fixed(30) {
			t.Errorf("%s %% %d times a year comes back as %s", r, m, got)
		}
		n := nominalPct(r, m).Quo(Whole(100 * m).Dec()).Add(Whole(1).Dec())
		product := Whole(1).Dec()
		for range m {
			product = product.Mul(n)
		}
		if got := product.Sub(Whole(1).Dec()).Mul(Whole(100).Dec()).Fixed(30); got != r.Exact().Fixed(30) {
			t.Errorf("effective %s %% comes back as %s", r, got)
		}
	}
}

func TestDepositComparison(t *testing.T) {
	a := answer(t, depositComparison, `{"inputs":{`+pairStart+
		`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15","term_months":6}]}}`)
	difference := outputList(a, "differences")[0]
	if difference["final_amount"] != nil || difference["interest"] != nil || difference["effective_annual_pct"] == nil {
		t.Errorf("amounts of different terms are compared: %v", difference)
	}
	a = answer(t, depositComparison, `{"inputs":{`+pairStart+
		`{"id":"b","annual_rate_pct":"10","capitalization":"none","start_date":"2026-01-15",`+
		`"term_months":6}],"horizon_date":"2027-01-15"}}`)
	if got := printed(outputList(a, "differences")[0]["final_amount"]); got != "-5041.10" {
		t.Errorf("difference at the common horizon %s", got)
	}
	if got := printed(outputList(a, "variants")[1]["effective_annual_pct"]); got != "4.9589" {
		t.Errorf("effective rate to the horizon %s", got)
	}
}

func TestInsuranceByBank(t *testing.T) {
	a := answer(t, depositInsuranceCoverage, depositInsuranceCoverage.Examples[0].Request)
	if got := fmt.Sprint(outputList(a,
		"by_bank")); got != "[map[bank_id:A covered:1400000.00 total:1500000.00 uncovered:100000.00] map[bank_id:B "+
		"covered:900000.00 total:900000.00 uncovered:0.00]]" {
		t.Error(got)
	}
}

// FuzzDeposit: any body gets an answer that fits, or an error, and soon.
func FuzzDeposit(f *testing.F) {
	tools := toolsOf("deposit")
	for _, tool := range tools {
		for _, e := range tool.Examples {
			f.Add([]byte(e.Request))
		}
	}
	f.Add([]byte(`{"inputs":{"opening_balance":"999999999999.99","start_date":"2000-01-01",` +
		`"end_date":"2099-12-31","rate_steps":[{"from_date":"2000-01-01","annual_rate_pct":"1000"}],` +
		`"interest":"paid_out","posting_months":1,"day_count":"act_act"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, tool := range tools {
			fuzzTool(t, registry.byID[tool.ID], body)
		}
	})
}
