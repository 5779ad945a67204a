package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// owed is a request for the interest on 1000 roubles.
func owed(from, to, id, more string) string {
	return fmt.Sprintf(`{"inputs":{"debt_amount":"1000","from_date":"%s","to_date":"%s",`+
		`"rate":{"parameter_id":"%s"}%s}}`, from, to, id, more)
}

// TestMoneyUseRows: a row for each rate, debt and length of year, and only one citation for each rate.
func TestMoneyUseRows(t *testing.T) {
	a := answer(t, moneyUseInterest, owed("2024-12-20", "2025-06-10", keyRateSeries,
		`,"payments":[{"date":"2025-01-31","amount":"400"}]`))
	want := "2024-12-20 2024-12-31 12 366 21.00 1000.00 6.89; 2025-01-01 2025-01-31 31 365 21.00 1000.00 17.84; " +
		"2025-02-01 2025-06-08 128 365 21.00 600.00 44.19; 2025-06-09 2025-06-10 2 365 20.00 600.00 0.66; "
	got := ""
	for _, r := range a["outputs"].(map[string]any)["rows"].(map[string]any)["value"].([]any) {
		r := r.(map[string]any)
		got += fmt.Sprintln(r["from"], r["to"], r["days"], r["year_days"], r["rate"], r["debt"], r["interest"])
	}
	if got = strings.ReplaceAll(got, "\n", "; "); got != want {
		t.Errorf("rows %s\nwant %s", got, want)
	}
	if n := len(a["external_data"].([]any)); n != 2 {
		t.Errorf("%d values are cited", n)
	}
}

// TestMoneyUseSecondOpinion adds up random debts day by day.
func TestMoneyUseSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	first, last := NewDate(2023, 10, 30), NewDate(2026, 10, 25)
	for range 100 {
		from := first + Date(rng.IntN(int(last-first)))
		to := from + Date(rng.IntN(int(last-from)+1))
		debt, paid, given := Money(1+rng.Int64N(1e10)), map[Date]Money{}, []string(nil)
		for left := debt; left > 1 && rng.IntN(3) > 0; {
			day, amount := from+Date(rng.IntN(int(to-from)+1)), 1+Money(rng.Int64N(int64(left)))
			left -= amount
			paid[day] += amount
			given = append(given, fmt.Sprintf(`{"date":"%s","amount":"%s"}`, day, amount))
		}
		request := fmt.Sprintf(`{"inputs":{"debt_amount":"%s","from_date":"%s","to_date":"%s","rate":`+
			`{"parameter_id":"%s"},"payments":[%s]}}`, debt, from, to, keyRateSeries, strings.Join(given, ","))
		want, left, days := new(big.Rat), debt, 0
		for day := from; day <= to && left > 0; day++ {
			p, _ := testParameters.Parameter(keyRateSeries, day)
			y, _, _ := day.Split()
			i := new(big.Rat).Mul(big.NewRat(int64(left), 10000), rat(t, p.Value))
			want.Add(want, i.Quo(i, big.NewRat(int64(NewDate(y+1, 1, 1)-NewDate(y, 1, 1)), 1)))
			left -= paid[day]
			days++
		}
		a := answer(t, moneyUseInterest, request)
		if got := rat(t, output(a, "interest")); got.Cmp(halfUpRat(want, 2)) != 0 || output(a, "debt_left") !=
			left.String() || output(a, "days") != fmt.Sprint(days) {
			t.Errorf("%s: %v, want %s", request, a["outputs"], halfUpRat(want, 2).FloatString(2))
		}
	}
}

// TestMoneyUseWithoutRate: what has no rate has no result, and the answer says for which days.
func TestMoneyUseWithoutRate(t *testing.T) {
	for name, tt := range map[string]struct{ request, reason, says string }{
		"after the last": {owed("2026-10-01", "2026-11-28", keyRateSeries, ""), "parameter_not_in_force",
			"С 2026-10-26 по 2026-11-28 параметр rate.key-series ничего не устанавливает"},
		"before the first": {owed("2023-01-01", "2023-12-31", keyRateSeries, ""), "parameter_not_in_force",
			"С 2023-01-01 по 2023-10-29"},
		"a gap": {owed("2024-11-01", "2024-12-31", "gap", ""), "parameter_not_in_force",
			"С 2024-12-01 по 2024-12-01"},
		"none of that id": {owed("2024-11-01", "2024-12-31", "nothing", ""), "parameter_unknown",
			"Параметра nothing нет"},
		"not a rate": {owed("2024-11-01", "2024-12-31", "pause", ""), "parameter_unfit", "не ставка"},
		"a list":     {owed("2024-11-01", "2024-12-31", "list", ""), "parameter_unfit", "не ставка"},
		"too many":   {owed("2000-01-01", "2099-12-31", "daily", ""), "schedule_too_long", ""},
		"repaid before the gap": {owed("2026-10-01", "2026-11-28", keyRateSeries,
			`,"payments":[{"date":"2026-10-25","amount":"1000"}]`), "", ""},
	} {
		facts := parameterFile{"gap": ratesOf("gap", "", "2020-01-01", "20", "2024-12-02", "21")}
		facts["gap"][0].To = "2024-11-30"
		for day := NewDate(2000, 1, 1); day <= lastDate; day += 91 {
			facts["daily"] = append(facts["daily"], Parameter{Confirmed: true, External: External{ID: "daily",
				Value: fmt.Sprint(day.Year() % 7), Unit: "percent", From: day.String(), To: (day + 90).String()}})
		}
		for id, periods := range testParameters {
			facts[id] = periods
		}
		a, err := moneyUseInterest.Calculate([]byte(tt.request), Facts{Parameters: facts})
		if err != nil || a.Reason != tt.reason || !strings.Contains(string(a.JSON()), tt.says) {
			t.Errorf("%s: %v %s", name, err, a.JSON())
		}
	}
}

func TestMoneyUseErrors(t *testing.T) {
	payment := func(day, amount string) string {
		return `,"payments":[{"date":"` + day + `","amount":"` + amount + `"}]`
	}
	for request, want := range map[string]string{
		owed("2025-03-16", "2025-03-15", keyRateSeries, ""): "/inputs/to_date date_order",
		owed("2025-03-16", "2025-06-15", keyRateSeries, payment("2025-03-15", "1")): "/inputs/payments/0/date " +
			"date_order",
		owed("2025-03-16", "2025-06-15", keyRateSeries, payment("2025-06-16", "1")): "/inputs/payments/0/date " +
			"date_order",
		owed("2025-03-16", "2025-06-15", keyRateSeries, payment("2025-06-15", "1000.01")): "/inputs/payments/0/" +
			"amount inconsistent",
		strings.Replace(owed("2025-03-16", "2025-06-15", "", ""), `{"parameter_id":""}`, `"21"`, 1): "/inputs/" +
			"rate type",
	} {
		checkError(t, moneyUseInterest, request, want)
	}
}

// TestOneRateOfASeries: a rate of a parameter that changed within the days that it accrues over is refused with
// the tool for it; one that did not is taken, and a typed one is warned of.
func TestOneRateOfASeries(t *testing.T) {
	const key = `{"parameter_id":"rate.key-series","on":"2025-03-16"}`
	year := `"from_date":"2025-03-16","to_date":"2026-03-15"`
	for name, tt := range map[string]struct {
		tool           *Tool
		inputs, tool2  string // the inputs, and the tool that the refusal names
		warning, value string
	}{
		"penalty":           {cardOverduePenalty, `"overdue_amount":"1000","penalty_annual_pct":` + key + `,` + year, moneyUseInterestID, "", ""},
		"penalty a day":     {cardOverduePenalty, `"overdue_amount":"1000","penalty_daily_pct":` + key + `,` + year, moneyUseInterestID, "", ""},
		"penalty by days":   {cardOverduePenalty, `"overdue_amount":"1000","penalty_annual_pct":` + key + `,"overdue_days":100`, "", "", "57.53"},
		"one value":         {cardOverduePenalty, `"overdue_amount":"1000","penalty_annual_pct":` + key + `,"from_date":"2025-03-16","to_date":"2025-06-08"`, "", "", "48.33"},
		"from the last day": {cardOverduePenalty, `"overdue_amount":"1000","penalty_annual_pct":` + key + `,"from_date":"2024-10-27","to_date":"2025-06-08"`, "", "", "128.88"},
		"typed":             {cardOverduePenalty, `"overdue_amount":"1000","penalty_annual_pct":"21",` + year, "", "key_rate_changed", "209.42"},
		"typed, one value":  {cardOverduePenalty, `"overdue_amount":"1000","penalty_annual_pct":"21","from_date":"2025-03-16","to_date":"2025-06-08"`, "", "", "48.33"},
		"cash": {cardCashWithdrawalCost, `"amount":"1000","annual_rate_pct":` + key + `,` + year,
			moneyUseInterestID, "", ""},
		"card": {cardInterestAccrued, `"annual_rate_pct":` + key + `,"segments":[{"balance":"1","from_date":"2025-06-01","to_date":"2025-06-05"},` +
			`{"balance":"1","from_date":"2025-06-05","to_date":"2025-06-15"}]`, moneyUseInterestID, "", ""},
		"deposit":       {depositSimpleInterest, `"principal":"1000","annual_rate_pct":` + key + `,"start_date":"2025-03-16","end_date":"2026-03-15"`, "deposit_cashflow_balance", "", ""},
		"deposit ahead": {depositSimpleInterest, `"principal":"1000","annual_rate_pct":{"parameter_id":"rate.key-series","on":"2026-08-01"},"start_date":"2026-08-01","end_date":"2027-08-01"`, "", "", ""},
		"capitalized":   {depositCapitalizedInterest, `"principal":"1000","annual_rate_pct":` + key + `,"start_date":"2025-03-16","term_months":12`, "deposit_cashflow_balance", "", ""},
		"daily":         {depositDailyBalanceInterest, `"opening_balance":"1000","movements":[],"method":"daily","annual_rate_pct":` + key + `,` + year, "deposit_cashflow_balance", "", ""},
		"early":         {depositEarlyWithdrawal, `"principal":"1000","interest_already_paid":"0","on_demand_rate_pct":` + key + `,"start_date":"2025-03-16","withdrawal_date":"2026-03-15"`, "deposit_cashflow_balance", "", ""},
		"mortgage":      {mortgageSchedule, `"principal":"1000000","term_months":12,"annual_rate_pct":` + key + `,"start_date":"2025-03-16"`, "mortgage_phased_payment", "", ""},
	} {
		a, err := tt.tool.Calculate([]byte(`{"inputs":{`+tt.inputs+`}}`), testFacts)
		if tt.tool2 != "" {
			e, _ := err.(*Error)
			if e == nil || len(e.Faults) != 1 || !strings.Contains(e.Faults[0].Pointer, "_pct") ||
				!strings.Contains(e.Faults[0].Hint, tt.tool2+";") {
				t.Errorf("%s: %v", name, err)
			}
			if _, ok := registry.Tool(tt.tool2); !ok {
				t.Errorf("%s: there is no tool %s", name, tt.tool2)
			}
			continue
		}
		if err != nil || strings.Contains(string(a.JSON()), `"key_rate_changed"`) != (tt.warning != "") ||
			tt.value != "" && output(decoded(t, a.JSON()), "penalty") != tt.value {
			t.Errorf("%s: %v %s", name, err, a.JSON())
		}
	}
}
