package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func init() {
	for _, kind := range []string{"xirr_deposit_with_topup", "xirr_bond_coupons", "xirr_loss", "xirr_one_year"} {
		vectorTests[kind] = func(t *testing.T, v vector) {
			for _, f := range v.Inputs["cash_flows"].([]any) {
				f.(map[string]any)["guaranteed"] = true
			}
			v.Expected = map[string]any{"nominal_annual_pct": v.Expected["annual_pct"]}
			testVector(t, investReliableReturn, v)
		}
	}
	vectorRequests["hhi"] = func(in map[string]any) map[string]any {
		positions := []any{}
		for i, amount := range in["positions"].([]any) {
			positions = append(positions, map[string]any{"id": strconv.Itoa(i), "amount": amount})
		}
		return map[string]any{"positions": positions}
	}
}

// flowsInput writes flows, all guaranteed: date, amount, date, amount …
func flowsInput(pairs ...string) string {
	var items []string
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, fmt.Sprintf(`{"date":"%s","amount":"%s","guaranteed":true}`, pairs[i], pairs[i+1]))
	}
	return `"cash_flows":[` + strings.Join(items, ",") + `]`
}

// TestXIRRSecondOpinion: flows that are whole years of 365 days apart have a
// present value that plain fractions can state. Below the rate found it is
// positive, above it negative.
func TestXIRRSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	start := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	computed := 0
	for range 100 {
		years := 1 + rng.IntN(12)
		flows := []cashFlow{{0, -Money(1 + rng.Int64N(1e9))}}
		for k := 1; k <= years; k++ {
			flows = append(flows, cashFlow{Date(k), Money(rng.Int64N(4e8))})
		}
		var pairs []string
		for _, f := range flows {
			pairs = append(pairs, start.AddDate(0, 0, 365*int(f.date)).Format(time.DateOnly), f.amount.String())
		}
		a := answer(t, investReliableReturn, `{"inputs":{`+flowsInput(pairs...)+`}}`)
		if a["status"] != StatusComputed {
			continue
		}
		computed++
		r := rat(t, output(a, "nominal_annual_pct"))
		half := big.NewRat(501, 10_000_000) // a little over half of the last decimal
		if below, above := plainValue(flows, new(big.Rat).Sub(r, half)),
			plainValue(flows, new(big.Rat).Add(r, half)); below.Sign() < 0 || above.Sign() > 0 {
			t.Errorf("%v: %s is not where the value is zero", pairs, r.FloatString(4))
		}
	}
	if computed < 50 {
		t.Errorf("only %d of the flows have a rate", computed)
	}
}

func plainValue(flows []cashFlow, pct *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(pct, big.NewRat(100, 1))
	q.Inv(q.Add(q, big.NewRat(1, 1)))
	sum, v := new(big.Rat), big.NewRat(1, 1)
	for _, f := range flows {
		sum.Add(sum, new(big.Rat).Mul(v, big.NewRat(int64(f.amount), 100)))
		v.Mul(v, q)
	}
	return sum
}

// TestBreakEvenInverse: the yield found, put through the fees and the tax by plain
// fractions, gives what the alternative gives, to what four decimals allow.
func TestBreakEvenInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 1))
	hundred := big.NewRat(100, 1)
	less := func(p *big.Rat) *big.Rat { return new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Quo(p, hundred)) }
	for range 200 {
		years, g := 1+rng.IntN(20), big.NewRat(rng.Int64N(3000), 100)
		e, m, x, tax := big.NewRat(rng.Int64N(500), 100), big.NewRat(rng.Int64N(500), 100),
			big.NewRat(rng.Int64N(500), 100), big.NewRat(rng.Int64N(35), 1)
		a := answer(t, investBreakEvenYield,
			fmt.Sprintf(`{"inputs":{"principal":"1000","years":%d,"alternative_net_annual_pct":"%s",`+
				`"entry_fee_pct":"%s","annual_fee_pct":"%s","exit_fee_pct":"%s","tax_pct":"%s"}}`,
				years, g.FloatString(2), e.FloatString(2), m.FloatString(2), x.FloatString(2), tax.FloatString(0)))
		y := rat(t, output(a, "break_even_gross_annual_pct"))
		net := func(y *big.Rat) *big.Rat {
			growth := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(y, hundred))
			growth.Mul(growth, less(m))
			w := new(big.Rat).Mul(big.NewRat(1000, 1), new(big.Rat).Mul(less(e), less(x)))
			for range years {
				w.Mul(w, growth)
			}
			if gain := new(big.Rat).Sub(w, big.NewRat(1000, 1)); gain.Sign() > 0 {
				w.Sub(w, gain.Mul(gain, new(big.Rat).Quo(tax, hundred)))
			}
			return w
		}
		want := big.NewRat(1000, 1)
		for range years {
			want.Mul(want, new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(g, hundred)))
		}
		half := big.NewRat(1, 20000)
		if net(new(big.Rat).Sub(y, half)).Cmp(want) > 0 || net(new(big.Rat).Add(y, half)).Cmp(want) < 0 {
			t.Errorf("%v: %s does not give %s", a["inputs_echo"], y.FloatString(4), want.FloatString(2))
		}
	}
}
