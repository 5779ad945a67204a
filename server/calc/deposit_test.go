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

const pairStart = `"amount":"100000","variants":[{"id":"a","annual_rate_pct":"10",` +
	`"capitalization":"none","start_date":"2026-01-15","term_months":12},`

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
