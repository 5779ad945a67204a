package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestScheduleOfEarlierVersion: 1.0.0 still refuses what its payment does not cover, and names the row.
func TestScheduleOfEarlierVersion(t *testing.T) {
	a := answer(t, mortgageSchedule,
		`{"tool_version":"1.0.0","inputs":{"principal":"1000000","annual_rate_pct":"24","term_months":360,`+
			`"start_date":"2025-01-01","first_due_date":"2025-03-01"}}`)
	warning := a["warnings"].([]any)[0].(map[string]any)
	if a["reason"] != string(PaymentDoesNotAmortize) || warning["pointer"] != "/inputs/first_due_date" ||
		!strings.Contains(warning["detail"].(string), "строке 1") {
		t.Errorf("%v, warning %v", a["reason"], warning)
	}
}

// TestScheduleAtMarketRates: a payment that does not cover the interest of 31 days has a schedule, and the
// last payment is explained by what made it. The numbers are those of an independent calculation.
func TestScheduleAtMarketRates(t *testing.T) {
	for _, tt := range []struct {
		loan                     string // principal, rate, months, start, day count
		last, lastDate, interest string
		says                     []string // "" if there is no warning
	}{
		{"5000000 20 360 2026-01-15 act_365", "168148.58", "2056-01-15", "25162932.45", []string{
			"interest_carried_forward", "в строке 1 (2026-02-15): остаток 1380.58 ₽", "остаются такие проценты: 78",
			"last_payment_outlier", "по месячной ставке, 84501.50 ₽; из-за округления платежа до копейки 96.15 ₽"}},
		{"5000000 21.5 360 2026-07-31 act_act", "41554.03", "2056-05-31", "27076409.96",
			[]string{"interest_carried_forward", "term_shortened_by_day_count", "строк в графике 358"}},
		{"5000000 18.5 300 2026-08-31 30e_360", "6291.42", "2051-08-31", "18290680.21",
			[]string{"остаются такие проценты: 19", "-71563.46 ₽; из-за округления платежа до копейки -19.33 ₽"}},
		{"5000000 21.5 360 2026-07-31 act_365", "1703992.86", "2056-07-31", "28918315.77",
			[]string{"interest_carried_forward", "last_payment_outlier"}},
		{"5000000 16 240 2026-01-15 act_act", "31386.38", "2046-01-15", "11656895.58",
			[]string{"last_payment_outlier"}},
		{"5000000 20 360 2026-01-15 monthly_1_12", "83647.08", "2056-01-15", "25078430.95", []string{""}},
	} {
		f := strings.Fields(tt.loan)
		a := answer(t, mortgageSchedule, fmt.Sprintf(`{"inputs":{"principal":"%s","annual_rate_pct":"%s",`+
			`"term_months":%s,"start_date":"%s","day_count":"%s"}}`, f[0], f[1], f[2], f[3], f[4]))
		if a["status"] != StatusComputed || output(a, "last_payment") != tt.last ||
			output(a, "last_date") != tt.lastDate || output(a, "interest_total") != tt.interest {
			t.Errorf("%s: %v %v", tt.loan, a["status"], a["outputs"])
		}
		said := ""
		for _, w := range a["warnings"].([]any) {
			said += fmt.Sprint(w)
		}
		for _, words := range tt.says {
			if !strings.Contains(said, words) || words == "" && said != "" {
				t.Errorf("%s: the warnings %q do not say %q", tt.loan, said, words)
			}
		}
	}
}

// checkRows: rows add up, row by row and in all.
func checkRows(t *testing.T, request string, a map[string]any, principal string) {
	t.Helper()
	balance := rat(t, principal)
	for _, row := range a["schedule"].(map[string]any)["rows"].([]any) {
		row := row.(map[string]any)
		part, left := rat(t, row["principal"]), rat(t, row["balance"])
		payment := new(big.Rat).Add(rat(t, row["interest"]), part)
		balance.Sub(balance, part)
		if payment.Cmp(rat(t, row["payment"])) != 0 || balance.Cmp(left) != 0 {
			t.Fatalf("%s: row %v", request, row)
		}
	}
	if balance.Sign() != 0 {
		t.Errorf("%s: %s remains", request, balance.FloatString(2))
	}
}

// TestEarlyRepaymentProperties: a shorter term saves at least as much as a lower
// payment, and repaying what the last payment would saves exactly its interest.
func TestEarlyRepaymentProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 50))
	for range 150 {
		l := newRandomLoan(rng)
		l.p, l.b = l.p+10_000_00, 0
		if plan, err := annuityLoan(l.p, l.r, l.n, 0); err != nil || plan.shortened || plan.outlier {
			continue
		}
		k := rng.IntN(l.n)
		base := fmt.Sprintf(`{"inputs":{"principal":"%s","annual_rate_pct":"%s","term_months":%d`, l.p, l.r, l.n)
		loan, _ := annuityLoan(l.p, l.r, l.n, 0)
		balance, _ := loan.balanceAfter(k)
		extra := 1 + Money(rng.Int64N(int64(balance)))
		request := fmt.Sprintf(`%s,"after_payment_no":%d,"extra_amount":"%s"}}`, base, k, extra)
		a := answer(t, mortgageEarlyRepayment, request)
		if a["status"] == StatusComputed {
			if difference := rat(t, output(a, "difference_interest_saved")); difference.Cmp(big.NewRat(-int64(l.n),
				100)) < 0 {
				t.Errorf("%s: the shorter term saves less by %s", request, difference.FloatString(2))
			}
		}
		last, before := loan.last(), Money(0)
		if before, _ = loan.balanceAfter(l.n - 1); before <= 0 {
			continue
		}
		request = fmt.Sprintf(`%s,"after_payment_no":%d,"extra_amount":"%s"}}`, base, l.n-1, before)
		a = answer(t, mortgageEarlyRepayment, request)
		for _, mode := range []string{"reduce_payment", "reduce_term"} {
			saved := a["outputs"].(map[string]any)[mode].(map[string]any)["value"].(map[string]any)["interest_saved"]
			if saved != last.Interest.String() {
				t.Errorf("%s: %s saves %v, want %s", request, mode, saved, last.Interest)
			}
		}
	}
}

// TestMaxPrincipalProperties: the loan fits the payment, a kopeck more does not,
// and the closed form is the sum of the discounted payments.
func TestMaxPrincipalProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for range 200 {
		l := newRandomLoan(rng)
		exact := annuityValue(l.p, l.r, l.n)
		want, v := new(big.Rat), big.NewRat(1, 1)
		base := new(big.Rat).Inv(new(big.Rat).Add(big.NewRat(1, 1), big.NewRat(int64(l.r), 1200*pctUnit)))
		for range min(l.n, 60) {
			v.Mul(v, base)
			want.Add(want, v)
		}
		want.Mul(want, big.NewRat(int64(l.p), 100))
		if l.n <= 60 && new(big.Rat).SetFrac(exact.num, exact.den).Cmp(want) != 0 {
			t.Errorf("%+v: %s, want %s", l, exact, want.FloatString(10))
		}
		p := exact.Down()
		if annuity(p, l.r, l.n, 0).Round() > l.p {
			t.Errorf("%+v: %s costs more", l, p)
		}
		if annuity(p+1, l.r, l.n, 0).Cmp(l.p.Exact()) <= 0 {
			t.Errorf("%+v: %s is not the most", l, p)
		}
	}
}

// TestPhasedProperties: rows add up through every mode; one phase is a loan.
func TestPhasedProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	modes := []string{"amortizing", "interest_only", "deferred_capitalized"}
	for range 100 {
		l := newRandomLoan(rng)
		l.p += 1_000_00
		term := l.n
		var phases strings.Builder
		for range rng.IntN(4) {
			months := 1 + rng.IntN(12)
			term += months
			fmt.Fprintf(&phases, `{"months":%d,"annual_rate_pct":"%d","mode":"%s"},`, months,
				rng.IntN(30), modes[rng.IntN(3)])
		}
		request := fmt.Sprintf(`{"inputs":{"principal":"%s","term_months":%d,"phases":[%s{"months":%d,`+
			`"annual_rate_pct":"%s","mode":"amortizing"}]},"options":{"include_schedule":true,"schedule_limit":1200}}`,
			l.p, term, phases.String(), l.n, l.r)
		a := answer(t, mortgagePhased, request)
		if a["status"] != StatusComputed {
			continue
		}
		checkRows(t, request, a, l.p.String())
		if phases.Len() > 0 {
			continue
		}
		single := answer(t, mortgageAnnuity, l.request("annuity",
			"")[:strings.Index(l.request("annuity", ""), `,"payment_type"`)]+`}}`)
		if output(single, "interest_total") != output(a, "interest_total") {
			t.Errorf("%s: interest %s, of a loan %s", request, output(a, "interest_total"),
				output(single, "interest_total"))
		}
	}
}
