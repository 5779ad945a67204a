package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// A toolCase is a request and some of what it gives: outputs by name, reason,
// warning (a code among the warnings).
type toolCase struct {
	tool   *Tool
	inputs string
	want   map[string]string
}

func runToolCases(t *testing.T, cases map[string]toolCase) {
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			before := effort()
			a := answer(t, tt.tool, `{"inputs":{`+tt.inputs+`}}`)
			if took := effort() - before; took > slow {
				t.Errorf("took %v", took)
			}
			if _, impossible := tt.want["reason"]; !impossible && a["status"] != StatusComputed {
				t.Errorf("status %v, reason %v", a["status"], a["reason"])
			}
			for name, want := range tt.want {
				switch got := ""; name {
				case "reason":
					if a["reason"] != want {
						t.Errorf("reason %v, want %s", a["reason"], want)
					}
				case "warning":
					if !strings.Contains(printed(a["warnings"]), `"`+want+`"`) {
						t.Errorf("warnings %v, want %s", a["warnings"], want)
					}
				default:
					if got = output(a, name); got != want {
						t.Errorf("%s = %s, want %s", name, got, want)
					}
				}
			}
			if err := compiled(t, tt.tool.OutputSchema()).Validate(any(a)); err != nil {
				t.Error(err)
			}
		})
	}
}

func w(pairs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

const (
	noAmortization = `"principal":"1000000","annual_rate_pct":"100","term_months":360`
	largest        = `"principal":"999999999999.99","annual_rate_pct":"999.999999","term_months":600`
)

func TestMortgageEdges(t *testing.T) {
	runToolCases(t, map[string]toolCase{
		"annuity, no rate": {mortgageAnnuity, `"principal":"1000000","annual_rate_pct":0,"term_months":7`,
			w("payment", "142857.14", "last_payment", "142857.16", "first_interest_share_pct", "0.00")},
		"annuity, one month": {mortgageAnnuity, `"principal":"196509.60","annual_rate_pct":"17.5","term_months":1`,
			w("payment", "199375.37", "first_interest", "2865.77")},
		"annuity, balloon": {mortgageAnnuity,
			`"principal":"2000000","annual_rate_pct":"14","term_months":60,"balloon_amount":"800000"`,
			w("payment", "37255.23", "balloon_amount", "800000.00")},
		"annuity, nothing":    {mortgageAnnuity, noAmortization, w("reason", "payment_does_not_amortize")},
		"annuity, the limits": {mortgageAnnuity, largest, w("reason", "payment_does_not_amortize")},
		"parts, too small": {mortgageDifferentiated,
			`"principal":"1.00","annual_rate_pct":"10","term_months":600`, w("reason", "amount_too_small_for_term")},
		"parts, never": {mortgageDifferentiated,
			`"principal":"3000000","annual_rate_pct":"6","term_months":240,"payment_threshold":"12000"`,
			w("first_month_at_or_below", "null")},
		"parts, at once": {mortgageDifferentiated,
			`"principal":"3000000","annual_rate_pct":"6","term_months":240,"payment_threshold":"27500"`,
			w("first_month_at_or_below", "1")},
		"parts, the limits": {mortgageDifferentiated, largest, w("rows", "600")},
		"parts, no threshold": {mortgageDifferentiated,
			`"principal":"1200000","annual_rate_pct":"15","term_months":12`,
			w("first_payment", "115000.00", "last_payment", "101250.00", "first_month_at_or_below", "")},
		"most, no rate": {mortgageMaxPrincipal,
			`"monthly_payment":"1000.01","annual_rate_pct":"0","term_months":600`,
			w("max_principal", "600006.00", "interest_total", "0.00")},
		"most, one month": {mortgageMaxPrincipal,
			`"monthly_payment":"1010","annual_rate_pct":"12","term_months":1`,
			w("max_principal", "1000.00", "paid_total", "1010.00")},
		"most, nothing left": {mortgageMaxPrincipal,
			`"monthly_income":"100000","max_share_pct":"40","existing_payments":"40000",` +
				`"annual_rate_pct":"12","term_months":12`, w("payment", "0.00", "reason", "no_solution")},
		"most, less than nothing": {mortgageMaxPrincipal,
			`"monthly_income":"100000","max_share_pct":"0","existing_payments":"1",` +
				`"annual_rate_pct":"12","term_months":12`, w("payment", "0.00", "reason", "no_solution")},
		"most, share down": {mortgageMaxPrincipal,
			`"monthly_income":"100.05","max_share_pct":"33.333333","annual_rate_pct":"0","term_months":1`,
			w("payment", "33.34", "max_principal", "33.34")},
		"most, a kopeck": {mortgageMaxPrincipal,
			`"monthly_payment":"0.01","annual_rate_pct":"1000","term_months":600`,
			w("reason", "payment_does_not_amortize")},
		"most, less than one": {mortgageMaxPrincipal,
			`"monthly_payment":"0.01","annual_rate_pct":"1000","term_months":1`, w("reason", "no_solution")},
		"most, out of range": {mortgageMaxPrincipal,
			`"monthly_payment":"999999999999.99","annual_rate_pct":"0","term_months":600`,
			w("reason", "result_out_of_range")},
		"share, all own": {mortgageLTV, `"property_price":"5000000","own_funds":"5000000"`,
			w("loan_amount", "0.00", "ltv_pct", "0.00", "down_payment_pct", "100.00", "shortfall", "")},
		"share, nothing own": {mortgageLTV,
			`"property_price":"0.01","own_funds":"0","subsidies":[],"required_down_payment_pct":"100"`,
			w("ltv_pct", "100.00", "shortfall", "0.01")},
		"share, a third": {mortgageLTV,
			`"property_price":"3000000","own_funds":"1000000","required_down_payment_pct":"20"`,
			w("ltv_pct", "66.67", "down_payment_pct", "33.33", "shortfall", "0.00")},
		"share, adds up": {mortgageLTV, `"property_price":"20000","own_funds":"1"`,
			w("ltv_pct", "100.00", "down_payment_pct", "0.00")},
		"cost, nothing more": {mortgageTotalCost, `"principal":"1000000","annual_rate_pct":"0","term_months":10`,
			w("total_cost", "0.00", "total_outflow", "1000000.00")},
		"cost, fixed": {mortgageTotalCost,
			`"principal":"1200000","annual_rate_pct":"0","term_months":24,"annual_insurance":{"mode":"fixed",` +
				`"value":"12000.50"},"monthly_fee":"99.99"`,
			w("insurance_total", "24001.00", "monthly_fees_total", "2399.76", "total_cost", "26400.76")},
		"cost, a month more": {mortgageTotalCost,
			`"principal":"1200000","annual_rate_pct":"0","term_months":25,"annual_insurance":{"mode":"fixed",` +
				`"value":"100"}`, w("insurance_total", "300.00")},
		"cost, of the balance": {mortgageTotalCost,
			`"principal":"1200000","annual_rate_pct":"12","term_months":24,"payment_type":"differentiated",` +
				`"annual_insurance":{"mode":"pct_of_balance","value":"1"}`,
			w("insurance_total", "18000.00", "payment", "")},
		"cost, nothing": {mortgageTotalCost, noAmortization, w("reason", "payment_does_not_amortize")},
	})
}

func TestMortgageTimeEdges(t *testing.T) {
	const act = `"principal":"1000000","annual_rate_pct":"18","term_months":24,"start_date":"2023-10-31"`
	const month = `"current_balance":"1000","remaining_months":1,"current_payment":"1010","annual_rate_pct":"12"`
	runToolCases(t, map[string]toolCase{
		"dates, act_365": {mortgageSchedule, act, w("payment", "49924.10", "interest_total", "198338.93",
			"last_date", "2025-10-31")},
		"dates, by months": {mortgageSchedule, act + `,"day_count":"monthly_1_12"`,
			w("first_interest", "15000.00", "interest_total", "198178.46")},
		"dates, stub": {mortgageSchedule, act + `,"first_due_date":"2023-11-15"`,
			w("first_interest", "7397.26", "last_date", "2025-10-15")},
		"dates, two months": {mortgageSchedule, act + `,"first_due_date":"2023-12-31","day_count":"monthly_1_12"`,
			w("first_interest", "30000.00", "last_date", "2025-11-30")},
		"dates, parts": {mortgageSchedule, act + `,"payment_type":"differentiated","day_count":"30e_360"`,
			w("first_interest", "15000.00", "first_payment", "56666.67", "payment", "")},
		"dates, one payment": {mortgageSchedule,
			`"principal":"36500","annual_rate_pct":"10","term_months":1,"start_date":"2024-01-31"`,
			w("last_date", "2024-02-29", "interest_total", "290.00", "paid_total", "36790.00")},
		"dates, long first": {mortgageSchedule,
			`"principal":"1000000","annual_rate_pct":"24","term_months":360,"start_date":"2025-01-01",` +
				`"first_due_date":"2025-03-01"`, w("first_payment", "38794.52", "warning", "first_payment_is_interest",
				"interest_total", "7013124.16")},
		"dates, no rate": {mortgageSchedule,
			`"principal":"1000000","annual_rate_pct":"0","term_months":7,"start_date":"2099-12-31"`,
			w("interest_total", "0.00", "last_payment", "142857.16", "last_date", "2100-07-31")},
		"dates, the limits": {mortgageSchedule,
			`"principal":"999999999999.99","annual_rate_pct":"1000","term_months":600,` +
				`"start_date":"2000-01-31","payment_type":"differentiated","day_count":"act_act"`,
			w("rows", "600", "last_date", "2050-01-31")},
		"early, everything": {mortgageEarlyRepayment,
			`"principal":"3000000","annual_rate_pct":"12","term_months":120,"after_payment_no":24,` +
				`"extra_amount":"2648231.47"`, w("balance_after", "0.00", "difference_interest_saved", "0.00",
				"base_interest_remaining", "1483732.46", "reduce_payment",
				`{"interest_saved":"1483732.46","last_payment":"0.00","new_payment":"0.00","remaining_months":0}`)},
		"early, before all": {mortgageEarlyRepayment,
			`"principal":"3000000","annual_rate_pct":"0","term_months":3,"after_payment_no":0,` +
				`"extra_amount":"1000000","mode":"reduce_term"`,
			w("reduce_term", `{"interest_saved":"0.00","last_payment":"1000000.00",`+
				`"months_saved":1,"payment":"1000000.00","remaining_months":2}`, "reduce_payment", "",
				"difference_interest_saved", "")},
		"early, only payment": {mortgageEarlyRepayment, month + `,"extra_amount":"500","mode":"reduce_payment"`,
			w("reduce_payment", `{"interest_saved":"5.00","last_payment":"505.00",`+
				`"new_payment":"505.00","remaining_months":1}`, "reduce_term", "")},
		"early, warning": {mortgageEarlyRepayment, month + `,"extra_amount":"500"`,
			w("warning", "assumes_repayment_on_due_date", "difference_interest_saved", "0.00")},
		"early, given payment": {mortgageEarlyRepayment,
			`"current_balance":"1000","remaining_months":12,"current_payment":"500",` +
				`"annual_rate_pct":"12","extra_amount":"1"`, w("warning", "term_shortened_by_rounding")},
		"early, never": {mortgageEarlyRepayment,
			`"current_balance":"1000","remaining_months":12,"current_payment":"10",` +
				`"annual_rate_pct":"12","extra_amount":"1"`, w("reason", "payment_does_not_amortize")},
		"early, one mode": {mortgageEarlyRepayment,
			`"current_balance":"1000000","remaining_months":360,"current_payment":"90000",` +
				`"annual_rate_pct":"100","extra_amount":"1"`,
			w("reason", "payment_does_not_amortize", "balance_after", "999999.00")},
		"balance, none paid": {mortgageBalance,
			`"principal":"5000000","annual_rate_pct":"18.5","term_months":360,"payments_made":0`,
			w("balance", "5000000.00", "interest_paid", "0.00", "accrued_interest", "")},
		"balance, all paid": {mortgageBalance,
			`"principal":"5000000","annual_rate_pct":"18.5","term_months":360,"payments_made":360`,
			w("balance", "0.00", "principal_paid", "5000000.00", "interest_paid", "22862947.66")},
		"balance, leap year": {mortgageBalance,
			`"principal":"366000","annual_rate_pct":"10","term_months":12,"payments_made":0,` +
				`"last_due_date":"2024-02-28","as_of_date":"2024-03-01","day_count":"act_act"`,
			w("accrued_interest", "200.00")},
		"phases, one": {mortgagePhased,
			`"principal":"4500000","term_months":276,"phases":[{"months":276,"annual_rate_pct":"16.4",` +
				`"mode":"amortizing"}]`, w("phase_payments", `["62986.56"]`, "balance_after_phase", `["0.00"]`)},
		"phases, interest": {mortgagePhased,
			`"principal":"1200000","term_months":24,"phases":[{"months":12,"annual_rate_pct":"12",` +
				`"mode":"interest_only"},{"months":12,"annual_rate_pct":"0","mode":"amortizing"}]`,
			w("phase_payments", `["12000.00","100000.00"]`, "balance_after_phase", `["1200000.00","0.00"]`,
				"interest_total", "144000.00", "paid_total", "1344000.00", "capitalized_total", "0.00")},
		"phases, repaid early": {mortgagePhased,
			`"principal":"1.00","term_months":61,"phases":[{"months":60,"annual_rate_pct":"0",` +
				`"mode":"amortizing"},{"months":1,"annual_rate_pct":"9","mode":"amortizing"}]`,
			w("phase_payments", `["0.02","0.00"]`, "rows", "50", "warning", "term_shortened_by_rounding")},
		"phases, never": {mortgagePhased,
			`"principal":"1000000","term_months":361,"phases":[{"months":1,"annual_rate_pct":"0",` +
				`"mode":"interest_only"},{"months":360,"annual_rate_pct":"100","mode":"amortizing"}]`,
			w("reason", "payment_does_not_amortize", "warning", "payment_does_not_amortize")},
		"phases, beyond numbers": {mortgagePhased,
			`"principal":"1000000","term_months":600,"phases":[{"months":599,"annual_rate_pct":"1000",` +
				`"mode":"deferred_capitalized"},{"months":1,"annual_rate_pct":"1","mode":"amortizing"}]`,
			w("reason", "result_out_of_range")},
	})
}

func TestMortgageErrors(t *testing.T) {
	const terms = `"principal":"1000","annual_rate_pct":"12","term_months":12`
	const dated = terms + `,"start_date":"2025-01-31"`
	for name, tt := range map[string]struct {
		tool         *Tool
		inputs, want string
	}{
		"balloon": {mortgageAnnuity, terms + `,"balloon_amount":"1000"`,
			"/inputs/balloon_amount inconsistent"},
		"no type here": {mortgageAnnuity, terms + `,"payment_type":"annuity"`,
			"/inputs/payment_type unknown_field"},
		"threshold": {mortgageDifferentiated, terms + `,"payment_threshold":"0"`,
			"/inputs/payment_threshold min"},
		"first date late": {mortgageSchedule, dated + `,"first_due_date":"2025-04-01"`,
			"/inputs/first_due_date inconsistent"},
		"first date at once": {mortgageSchedule, dated + `,"first_due_date":"2025-01-31"`,
			"/inputs/first_due_date date_order"},
		"first date before": {mortgageSchedule, dated + `,"first_due_date":"2024-12-31"`,
			"/inputs/first_due_date date_order"},
		"half a month": {mortgageSchedule, dated +
			`,"first_due_date":"2025-02-15","day_count":"monthly_1_12"`, "/inputs/first_due_date inconsistent"},
		"no such day": {mortgageSchedule, terms + `,"start_date":"2025-02-29"`,
			"/inputs/start_date date_invalid"},
		"more than the debt": {mortgageEarlyRepayment, terms + `,"after_payment_no":1,"extra_amount":"999"`,
			"/inputs/extra_amount inconsistent"},
		"more than the balance": {mortgageEarlyRepayment,
			`"current_balance":"10","remaining_months":2,"current_payment":"6","annual_rate_pct":"1",` +
				`"extra_amount":"10.01"`, "/inputs/extra_amount inconsistent"},
		"after the last": {mortgageEarlyRepayment, terms + `,"after_payment_no":12,"extra_amount":"1"`,
			"/inputs/after_payment_no inconsistent"},
		"both forms": {mortgageEarlyRepayment,
			terms + `,"after_payment_no":1,"extra_amount":"1","current_balance":"10"`,
			"/inputs/current_balance inconsistent"},
		"too many paid": {mortgageBalance, terms + `,"payments_made":13`,
			"/inputs/payments_made inconsistent"},
		"one date": {mortgageBalance, terms + `,"payments_made":1,"as_of_date":"2025-01-01"`,
			"/inputs/last_due_date required"},
		"same dates": {mortgageBalance, terms +
			`,"payments_made":1,"as_of_date":"2025-01-01","last_due_date":"2025-01-01"`,
			"/inputs/as_of_date date_order"},
		"payment and income": {mortgageMaxPrincipal,
			`"monthly_payment":"1","existing_payments":"1","annual_rate_pct":"1","term_months":1`,
			"/inputs/existing_payments inconsistent"},
		"more than the price": {mortgageLTV, `"property_price":"10","own_funds":"5","subsidies":["5.01"]`,
			"/inputs/own_funds inconsistent"},
		"phases do not add up": {mortgagePhased,
			`"principal":"10","term_months":3,"phases":[{"months":2,"annual_rate_pct":"1","mode":"amortizing"}]`,
			"/inputs/phases inconsistent"},
		"nothing repaid": {mortgagePhased,
			`"principal":"10","term_months":2,"phases":[{"months":2,"annual_rate_pct":"1","mode":"interest_only"}]`,
			"/inputs/phases/0/mode inconsistent"},
		"no phases": {mortgagePhased, `"principal":"10","term_months":2,"phases":[]`,
			"/inputs/phases min"},
		"insurance of half kopeck": {mortgageTotalCost, terms + `,"annual_insurance":{"mode":"fixed","value":"1.005"}`,
			"/inputs/annual_insurance/value pattern"},
		"insurance over all": {mortgageTotalCost, terms +
			`,"annual_insurance":{"mode":"pct_of_balance","value":"100.1"}`, "/inputs/annual_insurance/value max"},
		"half an insurance": {mortgageTotalCost, terms + `,"annual_insurance":{"mode":"fixed"}`,
			"/inputs/annual_insurance/value required"},
	} {
		t.Run(name, func(t *testing.T) { checkError(t, tt.tool, `{"inputs":{`+tt.inputs+`}}`, tt.want) })
	}
}

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

// FuzzMortgage: any body gets an answer that fits, or an error, and soon.
func FuzzMortgage(f *testing.F) { fuzzFamily(f, toolsOf("mortgage")) }
