package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func positionsInput(amounts ...string) string {
	var items []string
	for i, a := range amounts {
		items = append(items, fmt.Sprintf(`{"id":"p%d","amount":"%s"}`, i, a))
	}
	return `"positions":[` + strings.Join(items, ",") + `]`
}

func TestTooManyPositions(t *testing.T) {
	checkError(t, portfolioConcentration, `{"inputs":{`+positionsInput(make([]string, 501)...)+`}}`,
		"/inputs/positions too_many_items")
}

// TestConcentrationProperties: the index is between 1/N and 1 and is what plain
// fractions make of it.
func TestConcentrationProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(50, 1))
	for range 200 {
		n := 1 + rng.IntN([]int{3, 30, 200}[rng.IntN(3)])
		amounts, total := make([]string, n), new(big.Rat)
		for i := range amounts {
			amounts[i] = Money(1 + rng.Int64N([]int64{100, 1e6, 1e14 - 1}[rng.IntN(3)])).String()
			total.Add(total, rat(t, amounts[i]))
		}
		want := new(big.Rat)
		for _, a := range amounts {
			w := new(big.Rat).Quo(rat(t, a), total)
			want.Add(want, w.Mul(w, w))
		}
		a := answer(t, portfolioConcentration, `{"inputs":{`+positionsInput(amounts...)+`}}`)
		if got := rat(t, output(a, "hhi")); got.Cmp(halfUpRat(want, 6)) != 0 {
			t.Errorf("%v: %s, want %s", amounts, got.FloatString(6), want.FloatString(8))
		}
		if want.Cmp(big.NewRat(1, int64(n))) < 0 || want.Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("%v: the index is %s", amounts, want)
		}
		if got := rat(t, output(a, "effective_positions")); got.Cmp(halfUpRat(new(big.Rat).Inv(want), 4)) != 0 {
			t.Errorf("%v: %s effective positions", amounts, got.FloatString(4))
		}
		sum := rat(t, output(a, "rounding_residual_pp"))
		for _, s := range a["outputs"].(map[string]any)["shares"].(map[string]any)["value"].([]any) {
			sum.Add(sum, rat(t, s.(map[string]any)["share_pct"]))
		}
		if sum.Cmp(big.NewRat(100, 1)) != 0 {
			t.Errorf("%v: shares and their residual add up to %s", amounts, sum.FloatString(2))
		}
	}
}
