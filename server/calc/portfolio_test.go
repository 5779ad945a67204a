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

func TestConcentration(t *testing.T) {
	type m = map[string]string
	wants(t, portfolioConcentration, positionsInput("0.01"),
		m{"hhi": "1.000000", "effective_positions": "1.0000", "largest_share_pct": "100.00", "by_issuer": ""})
	wants(t, portfolioConcentration, positionsInput("1", "1", "1"),
		m{"hhi": "0.333333", "effective_positions": "3.0000", "rounding_residual_pp": "0.01"})
	wants(t, portfolioConcentration, positionsInput("1", "1", "1", "1", "1", "1"),
		m{"top5_share_pct": "83.33", "rounding_residual_pp": "-0.02"})
	wants(t, portfolioConcentration, positionsInput("999999999999.99", "0.01"),
		m{"total": "1000000000000.00", "largest_share_pct": "100.00", "hhi": "1.000000"})
	refuses(t, portfolioConcentration, positionsInput("0"), "/inputs/positions/0/amount: min")
	refuses(t, portfolioConcentration, positionsInput(), "/inputs/positions: min")
	refuses(t, portfolioConcentration, `"positions":[{"id":"a","amount":"1"},{"id":"a","amount":"2"}]`,
		"/inputs/positions/1/id: duplicate_id")
	refuses(t, portfolioConcentration, `"positions":[{"id":"a","amount":"1","currency":"rub"}]`,
		"/inputs/positions/0/currency: pattern")
	refuses(t, portfolioConcentration, positionsInput(make([]string, 501)...), "/inputs/positions: too_many_items")
}

func TestConcentrationGroups(t *testing.T) {
	const in = `"positions":[{"id":"a","amount":"25","issuer":"X","currency":"RUB"},{"id":"b","amount":"50","currency":"RUB"},{"id":"c","amount":"25","issuer":"X","currency":"CNY"}],
		"thresholds":{"issuer_share_pct":"50","currency_share_pct":"74.99","asset_class_share_pct":"10","largest_share_pct":"49.999999"}`
	a := wants(t, portfolioConcentration, in, map[string]string{
		"by_issuer":      `{"effective_groups":"2.0000","groups":[{"amount":"50.00","name":"X","share_pct":"50.00"},{"amount":"50.00","name":"unknown","share_pct":"50.00"}],"hhi":"0.500000","largest_share_pct":"50.00","rounding_residual_pp":"0.00"}`,
		"by_currency":    `{"effective_groups":"1.6000","groups":[{"amount":"75.00","name":"RUB","share_pct":"75.00"},{"amount":"25.00","name":"CNY","share_pct":"25.00"}],"hhi":"0.625000","largest_share_pct":"75.00","rounding_residual_pp":"0.00"}`,
		"by_asset_class": "",
		"thresholds": `[{"name":"largest_share_pct","relation":"above","share_pct":"50.00","threshold_pct":"49.999999"},` +
			`{"name":"issuer_share_pct","relation":"at_or_below","share_pct":"50.00","threshold_pct":"50.000000"},` +
			`{"name":"currency_share_pct","relation":"above","share_pct":"75.00","threshold_pct":"74.990000"}]`,
	})
	if warned(a, "label_missing") == nil || warned(a, "threshold_not_evaluated") == nil ||
		len(a["warnings"].([]any)) != 2 {
		t.Errorf("warnings %v", a["warnings"])
	}
	if err := compiled(t, portfolioConcentration.OutputSchema()).Validate(any(a)); err != nil {
		t.Error(err)
	}
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
