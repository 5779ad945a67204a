package calc

import (
	"math/big"
	"testing"
)

func TestLoanMoreEdges(t *testing.T) {
	const same = `"remaining_principal":"1000000","current_rate_pct":"12","current_remaining_months":60,` +
		`"new_rate_pct":"12","new_term_months":60`
	runToolCases(t, map[string]toolCase{
		"nothing changes": {loanRefinancing, same, w("saving_total", "0.00", "payment_difference", "0.00",
			"break_even_month", "1")},
		"only costs": {loanRefinancing, same + `,"one_off_costs":"1000"`,
			w("saving_total", "-1000.00", "break_even_month", "null")},
		"costs in the loan": {loanRefinancing, same + `,"one_off_costs":"1000","costs_financed":true`,
			w("new_principal", "1001000.00", "break_even_month", "null")},
		"longer": {loanRefinancing,
			`"remaining_principal":"1000000","current_rate_pct":"12","current_remaining_months":60,` +
				`"new_rate_pct":"11","new_term_months":240`,
			w("warning", "longer_term_lower_payment_higher_total", "break_even_month", "1")},
		"no rate, one month": {loanRefinancing,
			`"remaining_principal":"1000","current_rate_pct":"12","current_remaining_months":1,` +
				`"new_rate_pct":"0","new_term_months":1,"one_off_costs":"10"`,
			w("saving_total", "0.00", "break_even_month", "1", "new_payment", "1000.00")},
		"given payment": {loanRefinancing, same + `,"current_payment":"30000"`,
			w("current_payment", "30000.00", "warning", "term_shortened_by_rounding")},
		"payment too low": {loanRefinancing, same + `,"current_payment":"10000"`,
			w("reason", "payment_does_not_amortize")},
		"new does not pay": {loanRefinancing,
			`"remaining_principal":"1000000","current_rate_pct":"12","current_remaining_months":60,` +
				`"new_rate_pct":"100","new_term_months":360`,
			w("reason", "payment_does_not_amortize", "new_payment", "83333.33")},
		"no income": {loanPaymentToIncome, `"monthly_payments":["1"],"monthly_income":"0"`,
			w("reason", "zero_base", "payments_total", "1.00")},
		"at the threshold": {loanPaymentToIncome,
			`"monthly_payments":["40000"],"monthly_income":"80000","threshold_pct":"50"`,
			w("relation", "at_or_below", "ratio_pct", "50.00")},
		"just above": {loanPaymentToIncome,
			`"monthly_payments":["40000.01"],"monthly_income":"80000","threshold_pct":"50"`,
			w("relation", "above", "ratio_pct", "50.00")},
		"no threshold": {loanPaymentToIncome, `"monthly_payments":["35000","12500.50"],"monthly_income":"95000"`,
			w("relation", "", "ratio_pct", "50.00")},
		"many times too much": {loanPaymentToIncome, `"monthly_payments":["999999999999.99"],"monthly_income":"0.01"`,
			w("ratio_pct", "9999999999999900.00")},
	})
	checkError(t, loanPaymentToIncome, `{"inputs":{"monthly_payments":[],"monthly_income":"1"}}`,
		"/inputs/monthly_payments min")
	checkError(t, loanRefinancing, `{"inputs":{`+same+`,"current_payment":"0"}}`, "/inputs/current_payment min")
}

// TestBreakEvenRows: the schedule's running total first reaches zero in the month
// given, and ends in the saving.
func TestBreakEvenRows(t *testing.T) {
	a := answer(t, loanRefinancing,
		`{"inputs":{"remaining_principal":"2500000","current_rate_pct":"21.9","current_remaining_months":180,`+
			`"new_rate_pct":"15.5","new_term_months":200,"one_off_costs":"60000"},`+
			`"options":{"include_schedule":true,"schedule_limit":1200}}`)
	rows := a["schedule"].(map[string]any)["rows"].([]any)
	if len(rows) != 200 {
		t.Fatalf("%d rows", len(rows))
	}
	sum, first := big.NewRat(-60000, 1), "null"
	for _, row := range rows {
		row := row.(map[string]any)
		sum.Add(sum, rat(t, row["current_payment"]))
		sum.Sub(sum, rat(t, row["new_payment"]))
		if sum.Cmp(rat(t, row["cumulative"])) != 0 {
			t.Fatalf("row %v, want %s", row, sum.FloatString(2))
		}
		if first == "null" && sum.Sign() >= 0 {
			first = printed(row["no"])
		}
	}
	if output(a, "break_even_month") != first || output(a, "saving_total") != sum.FloatString(2) {
		t.Errorf("break-even %s, want %s; saving %s, want %s", output(a, "break_even_month"), first,
			output(a, "saving_total"), sum.FloatString(2))
	}
}

// FuzzLoanMore: any body gets an answer that fits, or an error, and soon.
func FuzzLoanMore(f *testing.F) { fuzzFamily(f, toolsOf("loan")) }
