package calc

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Money is an amount in kopecks.
//
// An amount of a request is at most 10^14, a posting at most [maxPosting]; 1200
// postings and any list of a request add up without overflow, so sums need no
// checks.
type Money int64

// maxPosting bounds the result of one rounding, in kopecks: 50 times the largest
// amount a request can hold. What is larger is result_out_of_range.
const maxPosting = 5_000_000_000_000_000

func (m Money) String() string { return scaledString(int64(m), 2, 2) }

// Exact is the amount in roubles.
func (m Money) Exact() Exact { return newExact(int64(m), 100) }

// Pct is a percentage in units of 10^-8 percent: 18.5 % is 1 850 000 000.
type Pct int64

const (
	pctPlaces = 8
	pctUnit   = 100_000_000 // one percent
	wholePct  = 100 * pctUnit
)

// String is the shortest decimal: 18.5.
func (p Pct) String() string { return scaledString(int64(p), pctPlaces, 0) }

// complement is the factor 1 − p/100.
func (p Pct) complement() Exact { return newExact(int64(wholePct-p), wholePct) }

// Exact is the percentage as a number: 18.5 % is 37/2.
func (p Pct) Exact() Exact { return newExact(int64(p), pctUnit) }

// percentOf is p per cent of m, rounded once.
func percentOf(m Money, p Pct) Money { return Money(mulDiv(int64(m), int64(p), 1, 100*pctUnit)) }

// monthInterest is the interest of one month: round2(S·R/1200).
func monthInterest(s Money, r Pct) Money { return Money(mulDiv(int64(s), int64(r), 1, 1200*pctUnit)) }

// interest is the interest of a year fraction: round2(S·R/100·YF), one division.
func interest(s Money, r Pct, yf Frac) Money {
	return Money(mulDiv(int64(s), int64(r), yf.Num, 100*pctUnit*yf.Den))
}

// share is round2(m·num/den).
func share(m Money, num, den int64) Money { return Money(mulDiv(int64(m), num, 1, den)) }

// mulDiv is a·b·c/d rounded half up away from zero, without rounding in between.
// It stops the calculation with zero_base for d = 0 and with result_out_of_range
// for a result beyond maxPosting.
func mulDiv(a, b, c, d int64) int64 {
	if d == 0 {
		panic(ZeroBase)
	}
	negative := (a < 0) != (b < 0) != (c < 0) != (d < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	hi, lo = mul128(hi, lo, magnitude(c))
	den := magnitude(d)
	if hi >= den { // the quotient has more than 64 bits
		panic(ResultOutOfRange)
	}
	q, r := bits.Div64(hi, lo, den)
	if r >= den-r {
		q++
	}
	if q > maxPosting {
		panic(ResultOutOfRange)
	}
	if negative {
		return -int64(q)
	}
	return int64(q)
}

func mul128(hi, lo, c uint64) (uint64, uint64) {
	over, h := bits.Mul64(hi, c)
	carry, l := bits.Mul64(lo, c)
	h, more := bits.Add64(h, carry, 0)
	if over != 0 || more != 0 {
		panic(ResultOutOfRange)
	}
	return h, l
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// An Exact is a fraction of integers of any size: for products of many factors,
// annuities and all other values that are rounded only once. It is never reduced, so it
// is for tens of operations, not for thousands: longer sums are integers over a common
// denominator.
type Exact struct{ num, den *big.Int } // den > 0

func newExact(num, den int64) Exact { return Exact{big.NewInt(num), big.NewInt(den)} }

// Whole is a whole number.
func Whole(n int) Exact { return newExact(int64(n), 1) }

func (x Exact) Add(y Exact) Exact { return x.sum(y, (*big.Int).Add) }
func (x Exact) Sub(y Exact) Exact { return x.sum(y, (*big.Int).Sub) }

func (x Exact) sum(y Exact, op func(z, a, b *big.Int) *big.Int) Exact {
	a, b := new(big.Int).Mul(x.num, y.den), new(big.Int).Mul(y.num, x.den)
	return Exact{op(a, a, b), new(big.Int).Mul(x.den, y.den)}
}

func (x Exact) Mul(y Exact) Exact {
	return Exact{new(big.Int).Mul(x.num, y.num), new(big.Int).Mul(x.den, y.den)}
}

// Quo stops the calculation with zero_base for y = 0.
func (x Exact) Quo(y Exact) Exact {
	if y.num.Sign() == 0 {
		panic(ZeroBase)
	}
	z := Exact{new(big.Int).Mul(x.num, y.den), new(big.Int).Mul(x.den, y.num)}
	if z.den.Sign() < 0 {
		z.num.Neg(z.num)
		z.den.Neg(z.den)
	}
	return z
}

func (x Exact) Sign() int { return x.num.Sign() }

func (x Exact) Cmp(y Exact) int {
	return new(big.Int).Mul(x.num, y.den).Cmp(new(big.Int).Mul(y.num, x.den))
}

// Round, Down and Up turn roubles into kopecks: half up away from zero, toward
// zero, away from zero.
func (x Exact) Round() Money { return toMoney(x.scaled(2, halfUp)) }
func (x Exact) Down() Money  { return toMoney(x.scaled(2, towardZero)) }
func (x Exact) Up() Money    { return toMoney(x.scaled(2, awayFromZero)) }

// RoundRouble turns roubles into whole roubles, half up: for taxes.
func (x Exact) RoundRouble() Money { return 100 * toMoney(x.scaled(0, halfUp)) }

func toMoney(n *big.Int) Money {
	if !n.IsInt64() || magnitude(n.Int64()) > maxPosting {
		panic(ResultOutOfRange)
	}
	return Money(n.Int64())
}

// Fixed is the number with so many decimals, rounded half up away from zero.
func (x Exact) Fixed(places int) string { return fixed(x.scaled(places, halfUp), places) }

func (x Exact) String() string { return x.Fixed(10) }

type rounding int

const (
	halfUp rounding = iota
	towardZero
	awayFromZero
)

// scaled is x·10^places as a whole number.
func (x Exact) scaled(places int, mode rounding) *big.Int {
	n := new(big.Int).Abs(x.num)
	n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
	rest := new(big.Int)
	n.QuoRem(n, x.den, rest)
	half := rest.Sign() != 0 && mode == awayFromZero
	if mode == halfUp {
		half = rest.Lsh(rest, 1).Cmp(x.den) >= 0
	}
	if half {
		n.Add(n, big.NewInt(1))
	}
	if x.num.Sign() < 0 {
		n.Neg(n)
	}
	return n
}

// compound is (1 + R/(100·m))^n exactly: n periods, m per year.
func compound(r Pct, m, n int) Exact {
	a, b := growth(r, m)
	e := big.NewInt(int64(n))
	return Exact{a.Exp(a, e, nil), b.Exp(b, e, nil)}
}

// growth is the fraction 1 + R/(100·m) in its lowest terms.
func growth(r Pct, m int) (a, b *big.Int) {
	b = big.NewInt(int64(m) * 100 * pctUnit)
	a = new(big.Int).Add(b, big.NewInt(int64(r)))
	if common := new(big.Int).GCD(nil, nil, a, b); common.Sign() > 0 {
		a.Quo(a, common)
		b.Quo(b, common)
	}
	return a, b
}

func fixed(n *big.Int, places int) string {
	if n.IsInt64() {
		return scaledString(n.Int64(), places, places)
	}
	s := new(big.Int).Abs(n).String()
	if places > 0 {
		s = strings.Repeat("0", max(0, places+1-len(s))) + s
		s = s[:len(s)-places] + "." + s[len(s)-places:]
	}
	if n.Sign() < 0 {
		return "-" + s
	}
	return s
}

// scaledString formats n/10^places with at least so many decimals.
func scaledString(n int64, places, atLeast int) string {
	s := strconv.FormatUint(magnitude(n), 10)
	if len(s) <= places {
		s = strings.Repeat("0", places+1-len(s)) + s
	}
	whole, decimals := s[:len(s)-places], s[len(s)-places:]
	for len(decimals) > atLeast && decimals[len(decimals)-1] == '0' {
		decimals = decimals[:len(decimals)-1]
	}
	if decimals != "" {
		whole += "." + decimals
	}
	if n < 0 {
		return "-" + whole
	}
	return whole
}

// parseScaled parses a literal that a regular expression has validated: it has at most
// places decimals and fits an int64.
func parseScaled(literal string, places int) int64 {
	digits, negative := strings.CutPrefix(literal, "-")
	whole, decimals, _ := strings.Cut(digits, ".")
	n, _ := strconv.ParseInt(whole+decimals+strings.Repeat("0", max(0, places-len(decimals))), 10, 64)
	if negative {
		return -n
	}
	return n
}
