package calc

import (
	"math/big"
	"testing"
)

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
