package calc

import (
	"math/big"

	"github.com/cockroachdb/apd/v3"
)

// A Dec is a decimal of 50 digits, rounded half to even: for roots and powers
// with a fractional exponent, and for search. Rational values stay an [Exact]: with
// 50 digits a value of exactly half a kopeck could be rounded to the wrong side.
//
// A result that is infinite, not a number or out of apd's range stops the calculation
// with result_out_of_range.
type Dec struct{ v apd.Decimal }

var decContext = apd.Context{
	Precision:   50,
	MaxExponent: 5000,
	MinExponent: -5000,
	Rounding:    apd.RoundHalfEven,
	Traps:       apd.DefaultTraps,
}

// Dec is the fraction to 50 digits.
func (x Exact) Dec() *Dec {
	num, den := &Dec{*apd.NewWithBigInt(bigInt(x.num), 0)}, &Dec{*apd.NewWithBigInt(bigInt(x.den), 0)}
	return num.Quo(den)
}

func bigInt(n *big.Int) *apd.BigInt { return new(apd.BigInt).SetMathBigInt(n) }

func (x *Dec) Add(y *Dec) *Dec { return x.do(y, decContext.Add) }
func (x *Dec) Sub(y *Dec) *Dec { return x.do(y, decContext.Sub) }
func (x *Dec) Mul(y *Dec) *Dec { return x.do(y, decContext.Mul) }
func (x *Dec) Cmp(y *Dec) int  { return x.v.Cmp(&y.v) }
func (x *Dec) Sign() int       { return x.v.Sign() }

// Quo stops the calculation with zero_base for y = 0.
func (x *Dec) Quo(y *Dec) *Dec {
	if y.v.IsZero() {
		panic(ZeroBase)
	}
	return x.do(y, decContext.Quo)
}

// Pow is x to the power y, for x > 0. The exponent is exact: 365/366 is better
// said as a fraction than as a decimal.
func (x *Dec) Pow(y Exact) *Dec { return power(x.Exact(), y) }

func (x *Dec) do(y *Dec, op func(d, x, y *apd.Decimal) (apd.Condition, error)) *Dec {
	z := new(Dec)
	if _, err := op(&z.v, &x.v, &y.v); err != nil || z.v.Form != apd.Finite {
		panic(ResultOutOfRange)
	}
	return z
}

// Round turns roubles into kopecks, half up away from zero.
func (x *Dec) Round() Money { return x.Exact().Round() }

// Exact is the decimal as a fraction.
func (x *Dec) Exact() Exact {
	n := x.v.Coeff.MathBigInt()
	if x.v.Negative {
		n.Neg(n)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(int64(x.v.Exponent), -int64(x.v.Exponent))), nil)
	if x.v.Exponent < 0 {
		return Exact{n, scale}
	}
	return Exact{n.Mul(n, scale), big.NewInt(1)}
}

// Fixed is the number with so many decimals, rounded half up away from zero.
func (x *Dec) Fixed(places int) string { return x.Exact().Fixed(places) }

func (x *Dec) String() string { return x.Fixed(10) }
