package calc

import (
	"math/big"
	"sync"
)

// Powers with a fractional exponent are computed in fixed point, in units of
// 2^-fixedBits: those of apd take most of a millisecond, and a search takes
// hundreds of them. The result is exact to more than 60 digits.
const (
	fixedBits = 256
	halvings  = 8         // how often an argument is halved, or its root taken, before a series
	maxLog2   = 4096      // binary logarithm of the largest result
	maxPower  = 1_000_000 // the largest exponent
)

func one() *big.Int { return new(big.Int).Lsh(big.NewInt(1), fixedBits) }

func mulFixed(z, x, y *big.Int) *big.Int { return z.Rsh(z.Mul(x, y), fixedBits) }

func quoFixed(z, x, y *big.Int) *big.Int { return z.Quo(z.Lsh(x, fixedBits), y) }

var ln2 = sync.OnceValue(func() *big.Int { return lnNearOne(new(big.Int).Lsh(one(), 1)) })

// power is x^y for x > 0.
func power(x, y Exact) *Dec {
	if x.Sign() <= 0 || y.abs().Cmp(Whole(maxPower)) > 0 {
		panic(ResultOutOfRange)
	}
	t := lnFixed(x)
	t.Quo(t.Mul(t, y.num), y.den)
	k := new(big.Int).Div(t, ln2()) // x^y = 2^k·e^rest
	if !k.IsInt64() || magnitude(k.Int64()) > maxLog2 {
		panic(ResultOutOfRange)
	}
	e := expFixed(t.Sub(t, new(big.Int).Mul(k, ln2())))
	return fixedDec(e, int(k.Int64()))
}

// lnFixed is ln x: the sum of the logarithms of its mantissa and of its power of two.
func lnFixed(x Exact) *big.Int {
	k := x.num.BitLen() - x.den.BitLen()
	num, den := x.num, x.den
	if k >= 0 {
		den = new(big.Int).Lsh(den, uint(k))
	} else {
		num = new(big.Int).Lsh(num, uint(-k))
	}
	t := lnNearOne(quoFixed(new(big.Int), num, den))
	return t.Add(t, new(big.Int).Mul(ln2(), big.NewInt(int64(k))))
}

// lnNearOne is ln m for m from 1/2 to 2: after taking roots, 2·artanh of
// (m−1)/(m+1).
func lnNearOne(m *big.Int) *big.Int {
	m = new(big.Int).Set(m)
	for range halvings {
		m.Sqrt(m.Lsh(m, fixedBits))
	}
	z := quoFixed(new(big.Int), new(big.Int).Sub(m, one()), new(big.Int).Add(m, one()))
	square, term := mulFixed(new(big.Int), z, z), new(big.Int).Set(z)
	sum, part := new(big.Int), new(big.Int)
	for n := int64(1); ; n += 2 {
		if part.Quo(term, big.NewInt(n)).Sign() == 0 {
			return sum.Lsh(sum, halvings+1)
		}
		sum.Add(sum, part)
		mulFixed(term, term, square)
		if term.CmpAbs(big.NewInt(1)) <= 0 { // shifting a negative number ends at −1, not at 0
			return sum.Lsh(sum, halvings+1)
		}
	}
}

// expFixed is e^t for t from 0 to ln 2: the series of t/2^halvings, squared halvings times.
func expFixed(t *big.Int) *big.Int {
	t = new(big.Int).Rsh(t, halvings)
	sum, term := one(), one()
	for n := int64(1); term.Sign() != 0; n++ {
		mulFixed(term, term, t)
		term.Quo(term, big.NewInt(n))
		sum.Add(sum, term)
	}
	for range halvings {
		mulFixed(sum, sum, sum)
	}
	return sum
}

// fixedDec is e·2^(k−fixedBits), rounded to the digits of a Dec.
func fixedDec(e *big.Int, k int) *Dec {
	if k > fixedBits {
		return Exact{e.Lsh(e, uint(k-fixedBits)), big.NewInt(1)}.Dec()
	}
	return Exact{e, new(big.Int).Lsh(big.NewInt(1), uint(fixedBits-k))}.Dec()
}
