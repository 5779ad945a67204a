package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

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
