//go:build slow

package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestCardRequiredPayment: it keeps its promise, and at most the last kopeck of it
// is for rounding.
func TestCardRequiredPayment(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 137))
	raised := 0
	for range 400 {
		c := newRandomCard(rng)
		n := 1 + rng.IntN([]int{12, 60, 360}[rng.IntN(3)])
		s, r := c.rats()
		a := answer(t, cardRequiredPayment,
			fmt.Sprintf(`{"inputs":{"balance":"%s","annual_rate_pct":"%s","months":%d}}`, c.s, c.r, n))
		level := rat(t, output(a, "required_payment"))
		got, sum, last := plainCardPayoff(s, r, fixedPay(level))
		checkPayoff(t, a, got, sum, last)
		if got < 0 || got > n {
			t.Fatalf("%+v in %d: %s does not repay it", c, n, level.FloatString(2))
		}
		over := new(big.Rat).Sub(level, plainAnnuity(s, r, n, new(big.Rat)))
		if over.Sign() < 0 || over.Cmp(big.NewRat(2, 100)) >= 0 {
			t.Errorf("%+v in %d: %s is %s over", c, n, level.FloatString(2), over.FloatString(4))
		}
		if over.Cmp(big.NewRat(1, 100)) >= 0 { // raised: a kopeck less must not do
			raised++
			if less, _, _ := plainCardPayoff(s, r, fixedPay(new(big.Rat).Sub(level, big.NewRat(1, 100)))); less > 0 &&
				less <= n {
				t.Errorf("%+v in %d: a kopeck less would do", c, n)
			}
		}
	}
	if raised == 0 {
		t.Error("no payment was raised: the test does not test it")
	}
}
