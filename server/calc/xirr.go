package calc

import (
	"math/big"
	"slices"
)

// A cashFlow is money received (positive) or paid (negative) on a day.
type cashFlow struct {
	date   Date
	amount Money
}

// Rates are found to 10^-12, between −0.9999 (excluded) and 10 (included).
const ratePlaces = 12

var minRate, maxRate = newExact(-9999, 10_000), Whole(10)

// solveRate finds the annual rate at which a function changes its sign. Its argument is
// the growth factor of a period, of which a year has so many: a day or a month. It is
// positive below the solution and negative above it.
//
// The search is a bisection of factors from 2/5 to 5/4, which include all allowed rates
// for twelve and more periods. It always takes 70 evaluations.
func solveRate(periods int, sign func(factor *big.Int) int) (Exact, error) {
	low := new(big.Int).Quo(new(big.Int).Lsh(big.NewInt(2), fixedBits), big.NewInt(5))
	width := new(big.Int).Sub(new(big.Int).Rsh(new(big.Int).Lsh(big.NewInt(5), fixedBits), 2), low)
	middle := new(big.Int)
	for range 70 {
		width.Rsh(width, 1)
		if middle.Add(low, width); sign(middle) >= 0 {
			low.Set(middle)
		}
	}
	year := Exact{powFixed(low, periods), one()}
	rate := *decimalExact(year.Sub(Whole(1)).Fixed(ratePlaces))
	if rate.Cmp(minRate) <= 0 || rate.Cmp(maxRate) > 0 {
		return Exact{}, ResultOutOfRange
	}
	return rate, nil
}

// powFixed is x^n in fixed point.
func powFixed(x *big.Int, n int) *big.Int {
	out, square := one(), new(big.Int).Set(x)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			mulFixed(out, out, square)
		}
		mulFixed(square, square, square)
	}
	return out
}

// xirr is the annual rate r at which Σ CF·(1+r)^(−days/365) is zero. If the flows change
// their sign more than once, there may be several rates, and it returns
// MultipleSolutionsPossible.
func xirr(flows []cashFlow) (Exact, error) {
	flows = netted(flows)
	changes := 0
	for i := range flows {
		if i > 0 && (flows[i].amount > 0) != (flows[i-1].amount > 0) {
			changes++
		}
	}
	switch {
	case changes == 0:
		return Exact{}, NoSolution
	case changes > 1:
		return Exact{}, MultipleSolutionsPossible
	}
	return solveRate(365, func(day *big.Int) int {
		value := flowsValue(flows, day)
		if flows[0].amount > 0 { // a debt: worth more at a higher rate
			return -value.Sign()
		}
		return value.Sign()
	})
}

// netted returns the flows sorted by date, one per date, without zeros.
func netted(flows []cashFlow) []cashFlow {
	flows = slices.Clone(flows)
	slices.SortStableFunc(flows, func(a, b cashFlow) int { return int(a.date - b.date) })
	var out []cashFlow
	for _, f := range flows {
		if n := len(out); n > 0 && out[n-1].date == f.date {
			out[n-1].amount += f.amount
		} else {
			out = append(out, f)
		}
	}
	return slices.DeleteFunc(out, func(f cashFlow) bool { return f.amount == 0 })
}

// flowsValue is the value of the flows at a daily growth factor, in fixed-point kopecks:
// on the first day if the factor is above one, on the last day if it is below. So no power
// exceeds one, and the sign, which is all that the caller needs, is the same.
//
// It is evaluated by Horner's rule from flow to flow. The powers of the factor are squared
// once for all flows, as a search evaluates it dozens of times.
func flowsValue(flows []cashFlow, day *big.Int) *big.Int {
	from, step := 0, 1
	if day.Cmp(one()) > 0 {
		day = quoFixed(new(big.Int), one(), day)
		from, step = len(flows)-1, -1
	}
	powers := make([]*big.Int, 0, 16)
	sum, next, amount := new(big.Int), new(big.Int), new(big.Int)
	for i := range flows {
		f := flows[from+i*step]
		if i > 0 {
			before := flows[from+(i-1)*step].date
			for days, bit := max(f.date-before, before-f.date), 0; days > 0; days, bit = days>>1, bit+1 {
				powers = squareUpTo(powers, bit, day)
				if days&1 == 1 { // two buffers: big.Int allocates for a product into its factor
					mulFixed(next, sum, powers[bit])
					sum, next = next, sum
				}
			}
		}
		sum.Add(sum, amount.Lsh(amount.SetInt64(int64(f.amount)), fixedBits))
	}
	return sum
}

// squareUpTo extends the powers 1, 2, 4 … of x to that of 2^bit.
func squareUpTo(powers []*big.Int, bit int, x *big.Int) []*big.Int {
	if len(powers) == 0 {
		powers = append(powers, x)
	}
	for len(powers) <= bit {
		last := powers[len(powers)-1]
		powers = append(powers, mulFixed(new(big.Int), last, last))
	}
	return powers
}
