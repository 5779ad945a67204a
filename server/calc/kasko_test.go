package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestKaskoEdges(t *testing.T) {
	runEdges(t, kaskoPremium, []edge{
		{"no coefficients", `"sum_insured":"1000000","base_tariff_pct":"5","coefficients":[]`,
			outcome{"premium": "50000.00", "coefficient_product": "1.000000"}},
		{"no tariff", `"sum_insured":"1000000","base_tariff_pct":"0"`, outcome{"premium": "0.00"}},
		{"half a kopeck", `"sum_insured":"0.50","base_tariff_pct":"1"`, outcome{"premium": "0.01"}},
		{"rounded once", `"sum_insured":"0.90","base_tariff_pct":"1","discount_pct":"50"`,
			outcome{"premium_before_discount": "0.01", "premium": "0.00", "discount_amount": "0.01"}},
		{"all of it off", `"sum_insured":"1000000","base_tariff_pct":"5","discount_pct":"100"`,
			outcome{"premium": "0.00", "discount_amount": "50000.00"}},
		{"the limits", `"sum_insured":"999999999999.99","base_tariff_pct":"100","coefficients":[` +
			strings.Repeat("1000,", 19) + `1000]`, outcome{"reason": "result_out_of_range", "premium": "-"}},
		{"the least", `"sum_insured":"0.01","base_tariff_pct":"0.000001","coefficients":[` +
			strings.Repeat("0.0001,", 19) + `0.0001]`, outcome{"premium": "0.00"}},
	})
	runEdges(t, kaskoPremiumInstallments, []edge{
		{"one part", `"premium":"1000","shares_pct":[100]`, outcome{"parts": `["1000.00"]`,
			"overpayment": "0.00", "due_dates": "-"}},
		{"the last part closes", `"premium":"100","shares_pct":["33.333333","33.333333","33.333334"]`,
			outcome{"parts": `["33.33","33.33","33.34"]`}},
		{"too small", `"premium":"0.05","shares_pct":[10,10,10,10,10,10,10,10,10,10]`,
			outcome{"reason": "amount_too_small_for_term", "parts": "-"}},
		{"days that a month has not", `"premium":"100","shares_pct":[50,25,25],"start_date":"2027-12-31",` +
			`"due_months":[0,2,4]`,
			outcome{"due_dates": `["2027-12-31","2028-02-29","2028-04-30"]`}},
		{"the limits", `"premium":"999999999999.99","surcharge_pct":100,"shares_pct":[50,50]`,
			outcome{"total": "1999999999999.98", "overpayment": "999999999999.99"}},
	})
	runEdges(t, kaskoTotalLossPayout, []edge{
		{"nothing off", `"sum_insured":"100"`, outcome{"payout": "100.00"}},
		{"not the owner's", `"sum_insured":"100","salvage_retained_value":"40"`,
			outcome{"payout": "100.00", "warning": "salvage_not_deducted"}},
		{"never negative", `"sum_insured":"100","depreciation_pct":"100","deductible":"5",` +
			`"salvage_retained_value":"40","owner_keeps_salvage":true`,
			outcome{"depreciated_sum": "0.00", "payout": "0.00"}},
	})
	runEdges(t, kaskoPremiumRefund, []edge{
		{"nothing elapsed", `"premium":"100","term_days":365,"elapsed_days":0`, outcome{"refund": "100.00"}},
		{"all elapsed", `"premium":"100","term_days":365,"elapsed_days":365`,
			outcome{"refund": "0.00", "remaining_days": "0"}},
		{"losses", `"premium":"100","term_days":2,"elapsed_days":1,"paid_losses":"20","deduct_losses":true`,
			outcome{"refund": "30.00", "warning": "-"}},
		{"losses not taken off", `"premium":"100","term_days":2,"elapsed_days":1,"paid_losses":"20"`,
			outcome{"refund": "50.00", "warning": "paid_losses_not_deducted"}},
		{"never negative", `"premium":"100","term_days":2,"elapsed_days":1,"paid_losses":"60","deduct_losses":true`,
			outcome{"refund": "0.00"}},
		{"all kept", `"premium":"100","term_days":2,"elapsed_days":1,"retention_pct":"100"`, outcome{"refund": "0.00"}},
		{"rounded after the losses", `"premium":"0.01","term_days":2,"elapsed_days":1,` +
			`"paid_losses":"0","deduct_losses":true`, outcome{"refund": "0.01"}},
	})
	runEdges(t, kaskoDeductibleBreakEven, []edge{
		{"nothing saved", `"premium_without":"100","premium_with":"100","deductible":"1"`,
			outcome{"reason": "no_solution", "premium_saved": "0.00", "break_even_claims": "-",
				"warning": "deductible_saves_nothing"}},
		{"less than nothing", `"premium_without":"100","premium_with":"150","deductible":"1"`,
			outcome{"reason": "no_solution", "premium_saved": "-50.00"}},
		{"the limits", `"premium_without":"999999999999.99","premium_with":"0","deductible":"0.01"`,
			outcome{"break_even_claims": "99999999999999.0000"}},
	})
}

func TestKaskoPayoutEdges(t *testing.T) {
	runEdges(t, kaskoDeductiblePayout, []edge{
		{"conditional, a kopeck more",
			`"loss":"30000.01","deductible_type":"conditional","deductible":"30000","sum_insured":"2000000"`,
			outcome{"payout": "30000.01"}},
		{"conditional, no deductible",
			`"loss":"10","deductible_type":"conditional","deductible":"0","sum_insured":"2000000"`,
			outcome{"payout": "10.00"}},
		{"unconditional, all of it", `"loss":"30000","deductible_type":"unconditional",` +
			`"deductible":"30000.01","sum_insured":"2000000"`, outcome{"payout": "0.00"}},
		{"of the loss", `"loss":"120000.50","deductible_type":"pct_of_loss","deductible":"2.5","sum_insured":"2000000"`,
			outcome{"deductible_amount": "3000.01", "payout": "117000.49"}},
		{"all per cents", `"loss":"120000","deductible_type":"pct_of_loss","deductible":"100","sum_insured":"2000000"`,
			outcome{"payout": "0.00"}},
		{"capped after the deductible",
			`"loss":"2500000","deductible_type":"unconditional","deductible":"30000","sum_insured":"2000000"`,
			outcome{"payout_before_cap": "2470000.00", "payout": "2000000.00",
				"warning": "payout_capped_by_sum_insured"}},
		{"an aggregate sum", `"loss":"500000","deductible_type":"unconditional",` +
			`"deductible":"0","sum_insured":"2000000","paid_earlier":"1900000"`,
			outcome{"available_sum": "100000.00", "payout": "100000.00"}},
		{"nothing left", `"loss":"500000","deductible_type":"unconditional","deductible":"0",` +
			`"sum_insured":"2000000","paid_earlier":"2000000"`, outcome{"payout": "0.00"}},
		{"no loss", `"loss":"0","deductible_type":"pct_of_sum_insured","deductible":"2","sum_insured":"2000000"`,
			outcome{"payout": "0.00"}},
	})
	runEdges(t, kaskoProportionalPayout, []edge{
		{"insured in full", `"loss":"100","sum_insured":"1000","insured_value":"1000","deductible":"1"`,
			outcome{"payout": "99.00", "base": "100.00"}},
		{"insured for more", `"loss":"100","sum_insured":"2000","insured_value":"1000"`,
			outcome{"payout": "100.00", "insured_share_pct": "200.0000"}},
		{"the deductible is more", `"loss":"100","sum_insured":"500","insured_value":"1000","deductible":"60"`,
			outcome{"payout": "0.00"}},
		{"multiplied first", `"loss":"100","sum_insured":"1","insured_value":"3"`, outcome{"base": "33.33"}},
		{"above the sum insured", `"loss":"100","sum_insured":"50","insured_value":"200","first_risk":true`,
			outcome{"payout": "50.00", "payout_before_cap": "100.00", "warning": "payout_capped_by_sum_insured"}},
		{"the limits", `"loss":"999999999999.99","sum_insured":"999999999999.98","insured_value":"999999999999.99"`,
			outcome{"payout": "999999999999.98"}},
	})
}

func TestKaskoErrors(t *testing.T) {
	for _, tt := range []struct {
		tool         *Tool
		inputs, want string
	}{
		{kaskoPremium, `"sum_insured":0,"base_tariff_pct":101`, "/inputs/sum_insured min, /inputs/base_tariff_pct max"},
		{kaskoPremium, `"sum_insured":1,"base_tariff_pct":1,"coefficients":[` + strings.Repeat("1,", 20) + `1]`,
			"/inputs/coefficients too_many_items"},
		{kaskoPremium, `"sum_insured":1,"base_tariff_pct":1,"coefficients":[0]`, "/inputs/coefficients/0 min"},
		{kaskoPremium, `"sum_insured":1,"base_tariff_pct":1,"coefficients":[1],"coefficient_names":["a","b"]`,
			"/inputs/coefficient_names inconsistent"},
		{kaskoPremium, `"sum_insured":1,"base_tariff_pct":1,"coefficient_names":["a"]`,
			"/inputs/coefficient_names inconsistent"},
		{kaskoPremiumInstallments, `"premium":1,"shares_pct":[50,49.999999]`, "/inputs/shares_pct inconsistent"},
		{kaskoPremiumInstallments, `"premium":1,"shares_pct":[0,100]`, "/inputs/shares_pct/0 min"},
		{kaskoPremiumInstallments, `"premium":1,"shares_pct":[100],"due_months":[0]`, "/inputs/start_date required"},
		{kaskoPremiumInstallments, `"premium":1,"shares_pct":[100],"start_date":"2026-01-01","due_months":[0,1]`,
			"/inputs/due_months inconsistent"},
		{kaskoPremiumInstallments, `"premium":1,"shares_pct":[50,50],"start_date":"2026-01-01","due_months":[2,1]`,
			"/inputs/due_months inconsistent"},
		{kaskoDeductiblePayout, `"loss":1,"deductible_type":"pct_of_loss","deductible":"100.01","sum_insured":1`,
			"/inputs/deductible max"},
		{kaskoDeductiblePayout, `"loss":1,"deductible_type":"unconditional","deductible":"1",` +
			`"sum_insured":1,"paid_earlier":2`, "/inputs/paid_earlier inconsistent"},
		{kaskoProportionalPayout, `"loss":1,"sum_insured":1,"insured_value":0,"deductible_type":"conditional"`,
			"/inputs/insured_value min, /inputs/deductible_type enum"},
		{kaskoPremiumRefund, `"premium":1,"term_days":10,"elapsed_days":11`, "/inputs/elapsed_days inconsistent"},
		{kaskoDeductibleBreakEven, `"premium_without":1,"premium_with":0,"deductible":0`, "/inputs/deductible min"},
	} {
		t.Run(tt.tool.ID, func(t *testing.T) { checkError(t, tt.tool, `{"inputs":{`+tt.inputs+`}}`, tt.want) })
	}
}

func TestKaskoReasonText(t *testing.T) {
	a := answer(t, kaskoDeductibleBreakEven,
		`{"inputs":{"premium_without":"100","premium_with":"150","deductible":"1"}}`)
	if text := a["warnings"].([]any)[0].(map[string]any)["detail"].(string); !strings.ContainsFunc(text, cyrillic) {
		t.Errorf("no text says why: %q", text)
	}
}

// TestKaskoSecondOpinion checks products and proportions against plain fractions.
func TestKaskoSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 33))
	one := big.NewRat(1, 1)
	pctRat := func(p Pct) *big.Rat { return big.NewRat(int64(p), 100*pctUnit) }
	for range 200 {
		sum, value, loss := Money(1+rng.Int64N(1e9)), Money(1+rng.Int64N(1e9)), Money(rng.Int64N(1e9))
		tariff, discount := Pct(rng.Int64N(2000))*pctUnit/100, Pct(rng.Int64N(10000))*pctUnit/100
		exact, list := new(big.Rat).Mul(big.NewRat(int64(sum), 100), pctRat(tariff)), []string{}
		for range rng.IntN(21) {
			k := big.NewRat(1+rng.Int64N(2_000_000), 1_000_000)
			if k.Cmp(big.NewRat(1, 10_000)) < 0 {
				k = one
			}
			list = append(list, `"`+k.FloatString(6)+`"`)
			exact.Mul(exact, k)
		}
		a := answer(t, kaskoPremium, fmt.Sprintf(`{"inputs":{"sum_insured":"%s",`+
			`"base_tariff_pct":"%s","coefficients":[%s],"discount_pct":"%s"}}`, sum, tariff,
			strings.Join(list, ","), discount))
		exactly(t, a, "premium_before_discount", exact)
		exactly(t, a, "premium", exact.Mul(exact, new(big.Rat).Sub(one, pctRat(discount))))

		base := big.NewRat(int64(loss), 100)
		if sum < value {
			base.Mul(base, big.NewRat(int64(sum), int64(value)))
		}
		a = answer(t, kaskoProportionalPayout,
			fmt.Sprintf(`{"inputs":{"loss":"%s","sum_insured":"%s","insured_value":"%s"}}`, loss, sum, value))
		exactly(t, a, "payout_before_cap", base)
		if whole := big.NewRat(int64(sum), 100); base.Cmp(whole) > 0 {
			base = whole
		}
		exactly(t, a, "payout", base)

		term := 1 + rng.IntN(400)
		elapsed, losses := rng.IntN(term+1), Money(rng.Int64N(int64(sum)))
		refund := new(big.Rat).Mul(big.NewRat(int64(sum), 100), big.NewRat(int64(term-elapsed), int64(term)))
		refund.Mul(refund, new(big.Rat).Sub(one, pctRat(discount)))
		if refund.Sub(refund, big.NewRat(int64(losses), 100)).Sign() < 0 {
			refund.SetInt64(0)
		}
		exactly(t, answer(t, kaskoPremiumRefund,
			fmt.Sprintf(`{"inputs":{"premium":"%s","term_days":%d,"elapsed_days":%d,`+
				`"retention_pct":"%s","paid_losses":"%s","deduct_losses":true}}`,
				sum, term, elapsed, discount, losses)), "refund", refund)
	}
}

func exactly(t *testing.T, a map[string]any, name string, want *big.Rat) {
	t.Helper()
	if got, want := rat(t, output(a, name)), halfUpRat(want, 2); got.Cmp(want) != 0 {
		t.Errorf("%v: %s = %s, want %s", a["inputs_echo"], name, got.FloatString(2), want.FloatString(2))
	}
}

// TestKaskoInstallmentsAddUp: the parts are the total, to the kopeck.
func TestKaskoInstallmentsAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 140))
	for range 200 {
		premium, rest, list := Money(100+rng.Int64N(1e9)), int64(100_000_000), []string{}
		for range rng.IntN(12) {
			part := 1 + rng.Int64N(rest/2+1)
			rest -= part
			list = append(list, big.NewRat(part, 1_000_000).FloatString(6))
		}
		list = append(list, big.NewRat(rest, 1_000_000).FloatString(6))
		a := answer(t, kaskoPremiumInstallments,
			fmt.Sprintf(`{"inputs":{"premium":"%s","surcharge_pct":"%d","shares_pct":[%s]}}`, premium, rng.IntN(20),
				strings.Join(list, ",")))
		if a["status"] != StatusComputed {
			continue
		}
		sum := new(big.Rat)
		for _, p := range a["outputs"].(map[string]any)["parts"].(map[string]any)["value"].([]any) {
			sum.Add(sum, rat(t, p))
		}
		exactly(t, a, "total", sum)
	}
}

func FuzzKasko(f *testing.F) { fuzzFamily(f, toolsOf("kasko")) }
