package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// An edge is a request at a limit and what comes of it: outputs by name, "-" for
// none, and reason and warning by these names.
type edge struct {
	name, inputs string
	want         map[string]string
}

func runEdges(t *testing.T, tool *Tool, edges []edge) {
	schema := compiled(t, tool.OutputSchema())
	for _, e := range edges {
		t.Run(tool.ID+"/"+e.name, func(t *testing.T) {
			before := effort()
			a := answer(t, tool, `{"inputs":{`+e.inputs+`}}`)
			if took := effort() - before; took > slow {
				t.Errorf("took %v", took)
			}
			if err := schema.Validate(any(a)); err != nil {
				t.Errorf("the answer does not fit the schema: %v", err)
			}
			if _, ok := e.want["reason"]; !ok && a["status"] != StatusComputed {
				t.Errorf("no result: %v", a["reason"])
			}
			for name, want := range e.want {
				if got := foundIn(a, name); got != want && (want != "-" || got != "") {
					t.Errorf("%s = %s, want %s", name, got, want)
				}
			}
		})
	}
}

func foundIn(a map[string]any, name string) string {
	switch name {
	case "reason":
		return printed(a["reason"])
	case "warning":
		ws := a["warnings"].([]any)
		if len(ws) == 0 {
			return ""
		}
		return ws[0].(map[string]any)["code"].(string)
	}
	return output(a, name)
}

type outcome = map[string]string

func TestCardGraceEdges(t *testing.T) {
	runEdges(t, cardGracePeriodEnd, []edge{
		{"on the day of the statement",
			`"rule":"statement_plus_days","purchase_date":"2026-03-05","statement_day":5,"payment_days":20`,
			outcome{"statement_date": "2026-04-05", "grace_end": "2026-04-25", "warning": "purchase_on_statement_day"}},
		{"on the clamped day of the statement",
			`"rule":"statement_plus_days","purchase_date":"2026-02-28","statement_day":31,"payment_days":1`,
			outcome{"statement_date": "2026-03-31", "grace_end": "2026-04-01", "warning": "purchase_on_statement_day"}},
		{"the day before", `"rule":"statement_plus_days","purchase_date":"2024-02-28",` +
			`"statement_day":31,"payment_days":120`,
			outcome{"statement_date": "2024-02-29", "grace_end": "2024-06-28",
				"days_from_purchase": "121", "warning": "-"}},
		{"over the year", `"rule":"statement_plus_days","purchase_date":"2026-12-31",` +
			`"statement_day":30,"payment_days":1`,
			outcome{"statement_date": "2027-01-30", "grace_end": "2027-01-31"}},
		{"the last date", `"rule":"fixed_days_from_first_debt","first_debt_date":"2099-12-31","grace_days":400`,
			outcome{"grace_end": "2101-02-04", "days_from_purchase": "-", "statement_date": "-"}},
		{"leap February", `"rule":"end_of_month_after","purchase_date":"2023-02-01","months":12`,
			outcome{"grace_end": "2024-02-29"}},
		{"over the year in months", `"rule":"end_of_month_after","purchase_date":"2026-12-31","months":1`,
			outcome{"grace_end": "2027-01-31"}},
		{"rolled over the holidays", `"rule":"fixed_days_from_first_debt","first_debt_date":"2026-12-30",` +
			`"grace_days":1,"roll":"following"`,
			outcome{"nominal_end": "2026-12-31", "grace_end": "2027-01-11"}},
		{"a business day stays", `"rule":"fixed_days_from_first_debt","first_debt_date":"2024-04-26",` +
			`"grace_days":1,"roll":"following"`,
			outcome{"nominal_end": "2024-04-27", "grace_end": "2024-04-27"}},
		{"no calendar", `"rule":"fixed_days_from_first_debt","first_debt_date":"2099-12-31",` +
			`"grace_days":1,"roll":"following"`,
			outcome{"reason": "calendar_year_missing", "nominal_end": "2100-01-01", "grace_end": "-",
				"warning": "calendar_year_missing"}},
	})
	a := answer(t, cardGracePeriodEnd,
		`{"inputs":{"rule":"fixed_days_from_first_debt","first_debt_date":"2026-12-30",`+
			`"grace_days":1,"roll":"following"}}`)
	if cited := a["external_data"].([]any); len(cited) != 2 {
		t.Errorf("external_data %v, want two calendars", cited)
	}
}

func TestCardMinimumEdges(t *testing.T) {
	runEdges(t, cardMinimumPayment, []edge{
		{"no debt", `"balance":"0","min_pct":"5","min_floor":"600"`,
			outcome{"principal_part": "0.00", "minimum_payment": "0.00"}},
		{"less than the floor", `"balance":"250.10","min_pct":"5","min_floor":"600"`,
			outcome{"minimum_payment": "250.10"}},
		{"the floor", `"balance":"1000","min_pct":"5","min_floor":"600","overdue":"0.01"`,
			outcome{"principal_part": "600.00", "minimum_payment": "600.01"}},
		{"half a kopeck", `"balance":"0.10","min_pct":"5"`, outcome{"principal_part": "0.01"}},
		{"the limits", `"balance":"999999999999.99","min_pct":"100","min_floor":"999999999999.99",` +
			`"interest_due":"999999999999.99","fees_due":"999999999999.99","overdue":"999999999999.99"`,
			outcome{"minimum_payment": "3999999999999.96"}},
	})
}

func TestCardPayoffEdges(t *testing.T) {
	runEdges(t, cardPayoffFixedPayment, []edge{
		{"one payment", `"balance":"1000","annual_rate_pct":"12","monthly_payment":"999999999999.99"`,
			outcome{"months": "1", "last_payment": "1010.00"}},
		{"no rate", `"balance":"1000","annual_rate_pct":"0","monthly_payment":"300"`,
			outcome{"months": "4", "last_payment": "100.00", "interest_total": "0.00",
				"minimum_amortizing_payment": "0.01"}},
		{"a kopeck less than amortises", `"balance":"120000","annual_rate_pct":"24","monthly_payment":"2400"`,
			outcome{"reason": "payment_does_not_amortize", "minimum_amortizing_payment": "2400.01", "months": "-"}},
		{"1200 rows", `"balance":"12.00","annual_rate_pct":"0","monthly_payment":"0.01"`,
			outcome{"months": "1200", "payoff_date": "-"}},
		{"1201 rows", `"balance":"12.01","annual_rate_pct":"0","monthly_payment":"0.01"`,
			outcome{"reason": "schedule_too_long"}},
		{"the limits", `"balance":"999999999999.99","annual_rate_pct":"1000","monthly_payment":"833333333333.34"`,
			outcome{"minimum_amortizing_payment": "833333333333.34"}},
		{"payoff date", `"balance":"1000","annual_rate_pct":"0","monthly_payment":"1000","start_date":"2026-01-31"`,
			outcome{"payoff_date": "2026-02-28"}},
	})
	runEdges(t, cardPayoffMinimumPayment, []edge{
		{"all at once", `"balance":"1000","annual_rate_pct":"12","min_principal_pct":"100"`,
			outcome{"months": "1", "paid_total": "1010.00", "first_payment": "1010.00"}},
		{"by the floor", `"balance":"1000","annual_rate_pct":"0","min_principal_pct":"0","min_principal_floor":"300"`,
			outcome{"months": "4", "last_payment": "100.00"}},
		{"nothing", `"balance":"1000","annual_rate_pct":"12","min_principal_pct":"0"`,
			outcome{"reason": "schedule_too_long", "first_payment": "10.00"}},
		{"a part that becomes nothing", `"balance":"100","annual_rate_pct":"0","min_principal_pct":"5"`,
			outcome{"reason": "schedule_too_long", "months": "-"}},
		{"a part that stays a kopeck", `"balance":"0.05","annual_rate_pct":"0","min_principal_pct":"50"`,
			outcome{"months": "3"}},
		{"1201 rows", `"balance":"12.01","annual_rate_pct":"0","min_principal_pct":"0","min_principal_floor":"0.01"`,
			outcome{"reason": "schedule_too_long"}},
		{"the limits", `"balance":"999999999999.99","annual_rate_pct":"1000","min_principal_pct":"0.000001",` +
			`"min_principal_floor":"833333334"`, outcome{"months": "1200"}},
	})
	runEdges(t, cardRequiredPayment, []edge{
		{"one month", `"balance":"1000","annual_rate_pct":"12","months":1`,
			outcome{"required_payment": "1010.00", "months": "1"}},
		{"no rate", `"balance":"1000","annual_rate_pct":"0","months":3`,
			outcome{"required_payment": "333.34", "last_payment": "333.32"}},
		{"sooner by rounding", `"balance":"1.00","annual_rate_pct":"0","months":60`,
			outcome{"required_payment": "0.02", "months": "50", "warning": "term_shortened_by_rounding"}},
		{"the limits", `"balance":"999999999999.99","annual_rate_pct":"1000","months":600`,
			outcome{"required_payment": "833333333333.34"}},
		{"a kopeck", `"balance":"0.01","annual_rate_pct":"1000","months":600,"start_date":"2026-01-31"`,
			outcome{"required_payment": "0.02", "months": "1", "payoff_date": "2026-02-28"}},
	})
}

func TestCardCostEdges(t *testing.T) {
	runEdges(t, cardCashWithdrawalCost, []edge{
		{"least fee", `"amount":"100","fee_pct":"1","fee_min":"300","annual_rate_pct":"0","days":0`,
			outcome{"fee": "300.00", "interest": "0.00", "total_repayment": "400.00"}},
		{"interest on the fee", `"amount":"20000","fee_pct":"3.9","fee_fixed":"390",` +
			`"annual_rate_pct":"49.9","days":30,"interest_base":"amount_plus_fee"`,
			outcome{"interest": "868.26", "total_cost": "2038.26"}},
		{"by dates, a leap year", `"amount":"36600","annual_rate_pct":"10","from_date":"2023-12-31",` +
			`"to_date":"2024-12-31","day_count":"act_act"`, outcome{"interest": "3660.00", "days": "366"}},
		{"by dates, 365", `"amount":"36500","annual_rate_pct":"10","from_date":"2023-12-31","to_date":"2024-12-31"`,
			outcome{"interest": "3660.00"}},
		{"by dates, 360", `"amount":"36000","annual_rate_pct":"10","from_date":"2024-01-31",` +
			`"to_date":"2024-02-29","day_count":"30e_360"`, outcome{"interest": "290.00", "days": "29"}},
		{"the limits", `"amount":"999999999999.99","fee_pct":"100","fee_fixed":"999999999999.99",` +
			`"annual_rate_pct":"1000","days":36600`, outcome{"reason": "result_out_of_range"}},
	})
	runEdges(t, cardOverduePenalty, []edge{
		{"no days", `"overdue_amount":"5000","penalty_annual_pct":"20","overdue_days":0`, outcome{"penalty": "0.00"}},
		{"no cap reached", `"overdue_amount":"5000","penalty_daily_pct":"0.1","overdue_days":17,"cap_amount":"85"`,
			outcome{"penalty": "85.00", "warning": "-"}},
		{"capped", `"overdue_amount":"5000","penalty_annual_pct":"20","overdue_days":17,"cap_amount":"0"`,
			outcome{"penalty": "0.00", "penalty_before_cap": "46.58", "warning": "penalty_capped"}},
		{"by dates", `"overdue_amount":"36600","penalty_annual_pct":"10","from_date":"2024-02-28",` +
			`"to_date":"2024-03-01","day_count":"act_act"`, outcome{"penalty": "20.00", "overdue_days": "2"}},
		{"the limits", `"overdue_amount":"999999999999.99","penalty_daily_pct":"100","overdue_days":36600`,
			outcome{"reason": "result_out_of_range"}},
	})
	runEdges(t, cardInterestAccrued, []edge{
		{"no rate",
			`"segments":[{"balance":"1","from_date":"2000-01-01","to_date":"2099-12-31"}],"annual_rate_pct":"0"`,
			outcome{"interest": "0.00"}},
		{"rounded once", `"segments":[{"balance":"1.46","from_date":"2026-01-01",` +
			`"to_date":"2026-01-02"},{"balance":"2.19","from_date":"2026-01-03",` +
			`"to_date":"2026-01-04"}],"annual_rate_pct":"50"`,
			outcome{"interest": "0.01", "days_total": "2"}},
		{"in any order", `"segments":[{"balance":"36500","from_date":"2026-02-01",` +
			`"to_date":"2026-02-11"},{"balance":"36500","from_date":"2026-01-22",` +
			`"to_date":"2026-02-01"}],"annual_rate_pct":"10"`,
			outcome{"interest": "200.00"}},
		{"the limits", `"segments":[{"balance":"999999999999.99","from_date":"2000-01-01",` +
			`"to_date":"2099-12-31"}],"annual_rate_pct":"1000","day_count":"act_act"`,
			outcome{"reason": "result_out_of_range"}},
	})
}

func TestCardErrors(t *testing.T) {
	const segment, dates = `{"balance":"1","from_date":"2026-01-01","to_date":"2026-02-01"}`,
		`,"from_date":"2026-02-01","to_date":"2026-02-01"`
	for _, tt := range []struct {
		tool         *Tool
		inputs, want string
	}{
		{cardGracePeriodEnd, `"rule":"statement_plus_days","purchase_date":"2026-02-30",` +
			`"statement_day":32,"payment_days":0`,
			"/inputs/purchase_date date_invalid, /inputs/statement_day max, /inputs/payment_days min"},
		{cardGracePeriodEnd, `"rule":"end_of_month_after","purchase_date":"2026-02-01","grace_days":3`,
			"/inputs/grace_days inconsistent, /inputs/months required"},
		{cardGracePeriodEnd, `"rule":"other"`, "/inputs/rule enum"},
		{cardInterestAccrued, `"annual_rate_pct":1,"segments":[` + segment + `,` + segment + `]`,
			"/inputs/segments/1/from_date inconsistent"},
		{cardInterestAccrued, `"annual_rate_pct":1,"segments":[{"balance":"1","from_date":"2026-01-01",` +
			`"to_date":"2026-01-01"}]`, "/inputs/segments/0/to_date date_order"},
		{cardInterestAccrued, `"annual_rate_pct":1,"segments":[]`, "/inputs/segments min"},
		{cardInterestAccrued, `"annual_rate_pct":1,"day_count":"monthly_1_12","segments":[` + segment + `]`,
			"/inputs/day_count enum"},
		{cardPayoffFixedPayment, `"balance":0,"annual_rate_pct":1,"monthly_payment":0`,
			"/inputs/balance min, /inputs/monthly_payment min"},
		{cardRequiredPayment, `"balance":1,"annual_rate_pct":1,"months":601`, "/inputs/months max"},
		{cardCashWithdrawalCost, `"amount":1,"annual_rate_pct":1,"days":1,"day_count":"act_act"`,
			"/inputs/day_count inconsistent"},
		{cardCashWithdrawalCost, `"amount":1,"annual_rate_pct":1` + dates, "/inputs/to_date date_order"},
		{cardOverduePenalty, `"overdue_amount":1,"penalty_daily_pct":1,"overdue_days":1,"day_count":"act_365"`,
			"/inputs/day_count inconsistent"},
		{cardOverduePenalty, `"overdue_amount":1,"penalty_daily_pct":1` + dates, "/inputs/to_date date_order"},
	} {
		t.Run(tt.tool.ID, func(t *testing.T) { checkError(t, tt.tool, `{"inputs":{`+tt.inputs+`}}`, tt.want) })
	}
}

// plainCardPayoff pays a debt down in fractions: rows, interest and the last payment.
func plainCardPayoff(s, r *big.Rat, pay func(s *big.Rat) (level, principal *big.Rat)) (n int, sum, last *big.Rat) {
	sum = new(big.Rat)
	for s.Sign() > 0 && n <= MaxRows {
		interest := new(big.Rat).Mul(s, r)
		interest = halfUpRat(interest.Quo(interest, big.NewRat(1200, 1)), 2)
		level, principal := pay(s)
		if level != nil {
			principal = new(big.Rat).Sub(level, interest)
		}
		if principal.Sign() <= 0 {
			return -1, nil, nil
		}
		if principal.Cmp(s) > 0 {
			principal = s
		}
		last = new(big.Rat).Add(principal, interest)
		sum.Add(sum, interest)
		s = new(big.Rat).Sub(s, principal)
		n++
	}
	return n, sum, last
}

func fixedPay(level *big.Rat) func(*big.Rat) (*big.Rat, *big.Rat) {
	return func(*big.Rat) (*big.Rat, *big.Rat) { return level, nil }
}

type randomCard struct {
	s Money
	r Pct
}

func newRandomCard(rng *rand.Rand) randomCard {
	return randomCard{
		Money(1 + rng.Int64N([]int64{1e3, 1e7, 1e12}[rng.IntN(3)])),
		Pct(rng.Int64N([]int64{60, 6000, 100000}[rng.IntN(3)])) * pctUnit / 100,
	}
}

func (c randomCard) rats() (s, r *big.Rat) {
	return big.NewRat(int64(c.s), 100), big.NewRat(int64(c.r), pctUnit)
}

func checkPayoff(t *testing.T, a map[string]any, n int, sum, last *big.Rat) {
	t.Helper()
	reason := map[bool]string{true: "payment_does_not_amortize", false: "schedule_too_long"}[n < 0]
	if n < 0 || n > MaxRows {
		if a["reason"] != reason {
			t.Errorf("%v: reason %v, want %s", a["inputs_echo"], a["reason"], reason)
		}
		return
	}
	if output(a, "months") != fmt.Sprint(n) || rat(t, output(a, "interest_total")).Cmp(sum) != 0 ||
		rat(t, output(a, "last_payment")).Cmp(last) != 0 {
		t.Errorf("%v: %s months, %s and %s; want %d, %s and %s", a["inputs_echo"], output(a, "months"),
			output(a, "interest_total"),
			output(a, "last_payment"), n, sum.FloatString(2), last.FloatString(2))
	}
}

// TestCardPayoffSecondOpinion checks fixed and minimum payments against the plain
// implementation, and the months against the unrounded number of periods.
func TestCardPayoffSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 68))
	for range 200 {
		c := newRandomCard(rng)
		s, r := c.rats()
		level := monthInterest(c.s, c.r) + Money(rng.Int64N(int64(c.s)/4+3))
		if level == 0 {
			continue
		}
		a := answer(t, cardPayoffFixedPayment,
			fmt.Sprintf(`{"inputs":{"balance":"%s","annual_rate_pct":"%s","monthly_payment":"%s"}}`, c.s, c.r, level))
		n, sum, last := plainCardPayoff(s, r, fixedPay(big.NewRat(int64(level), 100)))
		checkPayoff(t, a, n, sum, last)
		if n > 0 && n <= 60 && c.s > 100_000 {
			if exact := ceilNPER(s, r, big.NewRat(int64(level), 100)); n-exact > 1 || exact-n > 1 {
				t.Errorf("%+v by %s: %d months, unrounded %d", c, level, n, exact)
			}
		}
		share, floor := Pct(rng.Int64N(2000))*pctUnit/100, Money(rng.Int64N(int64(c.s)/20+2))
		a = answer(t, cardPayoffMinimumPayment,
			fmt.Sprintf(`{"inputs":{"balance":"%s","annual_rate_pct":"%s","min_principal_pct":"%s",`+
				`"min_principal_floor":"%s"}}`, c.s, c.r, share, floor))
		n, sum, last = plainCardPayoff(s, r, func(s *big.Rat) (*big.Rat, *big.Rat) {
			part := new(big.Rat).Mul(s, big.NewRat(int64(share), 100*pctUnit))
			return nil, slices.MaxFunc([]*big.Rat{halfUpRat(part, 2), big.NewRat(int64(floor), 100)}, (*big.Rat).Cmp)
		})
		if n < 0 {
			n = MaxRows + 1 // a part of nothing has no end
		}
		checkPayoff(t, a, n, sum, last)
	}
}

// ceilNPER is ceil(NPER): after how many payments nothing is owed, unrounded.
func ceilNPER(s, r, level *big.Rat) int {
	q := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(r, big.NewRat(1200, 1)))
	n := 0
	for s.Sign() > 0 && n < 100 {
		s = new(big.Rat).Sub(new(big.Rat).Mul(s, q), level)
		n++
	}
	return n
}

// TestCardSegments checks the interest against days counted one by one.
func TestCardSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 136))
	for range 60 {
		from, sum := NewDate(2019, 1, 1)+Date(rng.IntN(2000)), new(big.Rat)
		r, basis := Pct(rng.Int64N(9000))*pctUnit/100, []DayCount{Act365, ActAct, Thirty360}[rng.IntN(3)]
		list := ""
		for i := range 1 + rng.IntN(6) {
			to, balance := from+1+Date(rng.IntN(400)), Money(rng.Int64N(1e9))
			if i > 0 {
				list += ","
			}
			list += fmt.Sprintf(`{"balance":"%s","from_date":"%s","to_date":"%s"}`, balance, from, to)
			part := plainYearFraction(from, to, basis)
			sum.Add(sum, part.Mul(part, big.NewRat(int64(balance), 100)))
			from = to + Date(rng.IntN(5))
		}
		sum.Mul(sum, big.NewRat(int64(r), 100*pctUnit))
		a := answer(t, cardInterestAccrued,
			fmt.Sprintf(`{"inputs":{"segments":[%s],"annual_rate_pct":"%s","day_count":"%s"}}`, list, r, basis))
		if got, want := rat(t, output(a, "interest")), halfUpRat(sum, 2); got.Cmp(want) != 0 {
			t.Errorf("%v: %s, want %s", a["inputs_echo"], got.FloatString(2), want.FloatString(2))
		}
	}
}

// TestCardSchedule: the rows of the schedule add up.
func TestCardSchedule(t *testing.T) {
	for _, tool := range []*Tool{cardPayoffFixedPayment, cardPayoffMinimumPayment, cardRequiredPayment} {
		body := tool.Examples[0].Request
		a := answer(t, tool, body[:len(body)-1]+`,"options":{"include_schedule":true,"schedule_limit":1200}}`)
		sum, balance := new(big.Rat), ""
		for _, row := range a["schedule"].(map[string]any)["rows"].([]any) {
			row := row.(map[string]any)
			sum.Add(sum, rat(t, row["principal"]))
			balance = printed(row["balance"])
		}
		if echo := a["inputs_echo"].(map[string]any)["balance"]; sum.Cmp(rat(t, echo)) != 0 || balance != "0.00" {
			t.Errorf("%s: principal parts add up to %s, %s remains", tool.ID, sum.FloatString(2), balance)
		}
		if a["psk"].(map[string]any)["status"] != "not_calculated" {
			t.Errorf("%s: psk %v", tool.ID, a["psk"])
		}
	}
}

func FuzzCard(f *testing.F) { fuzzFamily(f, toolsOf("credit_card")) }

// fuzzFamily gives every body to every tool of a family.
// toolsOf are the tools of a family.
func toolsOf(family string) []*Tool {
	return slices.DeleteFunc(slices.Clone(everyTool()), func(t *Tool) bool { return t.Family != family })
}

func fuzzFamily(f *testing.F, tools []*Tool) {
	for _, tool := range tools {
		for _, e := range tool.Examples {
			f.Add([]byte(e.Request))
		}
	}
	f.Add([]byte(`{"inputs":{"balance":1e999999999}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, tool := range tools {
			found, _ := registry.Tool(tool.ID) // the one that is compiled
			fuzzTool(t, found, body)
		}
	})
}
