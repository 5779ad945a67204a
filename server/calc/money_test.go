package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/apd/v3"
)

// halfUpRat rounds in the plainest way: the second opinion on every rounding.
func halfUpRat(r *big.Rat, places int) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(ten))
	twice := new(big.Int).Mul(new(big.Int).Abs(scaled.Num()), big.NewInt(2))
	twice.Add(twice, scaled.Denom())
	n := twice.Quo(twice, new(big.Int).Mul(scaled.Denom(), big.NewInt(2)))
	if scaled.Sign() < 0 {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, ten)
}

func TestMulDiv(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		a, b, c, d := rng.Int64N(1e14)-5e13, rng.Int64N(1e11), rng.Int64N(1e7)+1, rng.Int64N(1e18)+1e13
		num := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		exact := new(big.Rat).SetFrac(num.Mul(num, big.NewInt(c)), big.NewInt(d))
		want := halfUpRat(exact, 0).Num()
		if want.CmpAbs(big.NewInt(maxPosting)) > 0 {
			continue
		}
		if got := mulDiv(a, b, c, d); want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%d·%d·%d/%d = %d, want %d", a, b, c, d, got, want)
		}
	}
}

func TestMulDivTies(t *testing.T) {
	for i, tt := range []struct{ a, b, c, d, want int64 }{
		{1, 1, 1, 2, 1}, {-1, 1, 1, 2, -1}, {1, 1, 1, -2, -1}, {3, 1, 1, 2, 2}, {1, 1, 1, 3, 0}, {2, 1, 1, 3, 1},
		{49, 1, 1, 100, 0}, {50, 1, 1, 100, 1}, {0, 5, 5, 7, 0}, {maxPosting, 1, 1, 1, maxPosting},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := mulDiv(tt.a, tt.b, tt.c, tt.d); got != tt.want {
				t.Errorf("%d·%d·%d/%d = %d, want %d", tt.a, tt.b, tt.c, tt.d, got, tt.want)
			}
		})
	}
}

func TestStops(t *testing.T) {
	for name, tt := range map[string]struct {
		f    func()
		want Reason
	}{
		"large quotient": {func() { mulDiv(maxPosting, 2, 1, 1) }, ResultOutOfRange},
		"large product":  {func() { mulDiv(1<<62, 1<<62, 1<<62, 1<<62) }, ResultOutOfRange},
		"zero":           {func() { share(1, 1, 0) }, ZeroBase},
		"exact":          {func() { Whole(1).Quo(Whole(0)) }, ZeroBase},
		"decimal":        {func() { Whole(1).Dec().Quo(Whole(0).Dec()) }, ZeroBase},
		"power":          {func() { Whole(10).Dec().Pow(Whole(1_000_000)) }, ResultOutOfRange},
		"money":          {func() { Whole(1 << 62).Round() }, ResultOutOfRange},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("stopped with %v, want %v", got, tt.want)
				}
			}()
			tt.f()
		})
	}
}

func TestExact(t *testing.T) {
	third := Whole(-1).Quo(Whole(3))
	for got, want := range map[string]string{
		third.Fixed(4):                               "-0.3333",
		newExact(2005, 1000).Fixed(2):                "2.01",
		newExact(-2005, 1000).Fixed(2):               "-2.01",
		newExact(1, 200).Round().String():            "0.01",
		newExact(1, 201).Round().String():            "0.00",
		third.Down().String():                        "-0.33",
		third.Up().String():                          "-0.34",
		Whole(7).Up().String():                       "7.00",
		newExact(1005, 10).RoundRouble().String():    "101.00",
		compound(12*pctUnit, 12, 2).Fixed(6):         "1.020100",
		Whole(2).Dec().Pow(newExact(1, 2)).Fixed(20): "1.41421356237309504880",
		newExact(1, 8).Dec().Exact().Fixed(3):        "0.125",
		Money(-5).String():                           "-0.05",
		Pct(1_850_000_000).String():                  "18.5",
	} {
		t.Run(got, func(t *testing.T) {
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestPow checks powers against apd's own.
func TestPow(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		x := newExact(1+rng.Int64N(1e6), 1+rng.Int64N([]int64{1e3, 1e6, 1e9}[rng.IntN(3)]))
		y := newExact(rng.Int64N(40000)-20000, []int64{1, 12, 365, 366}[rng.IntN(4)])
		if y.abs().Cmp(Whole(300)) > 0 {
			y = y.Quo(Whole(300))
		}
		exact := apd.Context{Precision: 60, MaxExponent: 9000, MinExponent: -9000, Rounding: apd.RoundHalfEven}
		var base, exponent, want apd.Decimal
		exact.Quo(&base, apd.NewWithBigInt(bigInt(x.num), 0), apd.NewWithBigInt(bigInt(x.den), 0))
		exact.Quo(&exponent, apd.NewWithBigInt(bigInt(y.num), 0), apd.NewWithBigInt(bigInt(y.den), 0))
		exact.Pow(&want, &base, &exponent)
		got := power(x, y)
		ratio := got.Quo(&Dec{want}).Sub(Whole(1).Dec()).Exact().abs()
		if ratio.Mul(Exact{new(big.Int).Exp(big.NewInt(10), big.NewInt(44), nil), big.NewInt(1)}).Cmp(Whole(1)) > 0 {
			t.Fatalf("(%s)^(%s) = %s, want %s", x, y, got.v.String(), want.String())
		}
	}
}

func BenchmarkPow(b *testing.B) {
	x, y := newExact(1196198, 1000000).Dec(), newExact(365, 366)
	for b.Loop() {
		x.Pow(y)
	}
}
