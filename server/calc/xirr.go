package calc

import (
	"math/big"
	"slices"
)

// A cashFlow is money in (positive) or out on a day.
type cashFlow struct {
	date   Date
	amount Money
}

// Rates are found to 10^-12, and lie above −0.9999 and not above 10.
const ratePlaces = 12

var minRate, maxRate = newExact(-9999, 10_000), Whole(10)

// solveRate finds the annual rate at which a value changes its sign. The value is
// asked for by the growth factor of a period, of which a year has so many: a day
// or a month. It is positive below the solution and negative above it.
//
// Factors are halved between 2/5 and 5/4, where all rates allowed are for twelve
// periods and more. The cost is 70 evaluations, whatever the function.
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

// powFixed is x to a whole power in fixed point.
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

// xirr is the annual rate r at which Σ CF·(1+r)^(−days/365) is zero. More than
// one change of sign means that there may be more than one: none is picked.
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

// netted are the flows in the order of dates, one for a date and none of zero.
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

// flowsValue is the value of the flows in fixed point, in kopecks, if a day
// multiplies money by a factor: on the first day for a factor above one, on the
// last one for a factor below. Then no power exceeds one, and the sign, which is
// all that is asked, is the same.
//
// It goes from flow to flow by Horner's rule, and the powers of the factor are
// squared once for all of them: a search evaluates it dozens of times.
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
