package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainCardPayoff pays a debt down in fractions: rows, interest and the last payment.
func plainCardPayoff(s, r *big.Rat, pay func(s *big.Rat) (level, principal *big.Rat)) (n int, sum, last *big.Rat) {
	sum = new(big.Rat)
	for s.Sign() > 0 && n <= MaxRows {
		interest := new(big.Rat).Mul(s, r)
		interest = halfUpRat(interest.Quo(interest, big.NewRat(1200, 1)), 2)
		level, principal := pay(s)
		if level != nil {
			principal = new(big.Rat).Sub(level, interest)
		}
		if principal.Sign() <= 0 {
			return -1, nil, nil
		}
		if principal.Cmp(s) > 0 {
			principal = s
		}
		last = new(big.Rat).Add(principal, interest)
		sum.Add(sum, interest)
		s = new(big.Rat).Sub(s, principal)
		n++
	}
	return n, sum, last
}

func fixedPay(level *big.Rat) func(*big.Rat) (*big.Rat, *big.Rat) {
	return func(*big.Rat) (*big.Rat, *big.Rat) { return level, nil }
}

type randomCard struct {
	s Money
	r Pct
}

func newRandomCard(rng *rand.Rand) randomCard {
	return randomCard{
		Money(1 + rng.Int64N([]int64{1e3, 1e7, 1e12}[rng.IntN(3)])),
		Pct(rng.Int64N([]int64{60, 6000, 100000}[rng.IntN(3)])) * pctUnit / 100,
	}
}

func (c randomCard) rats() (s, r *big.Rat) {
	return big.NewRat(int64(c.s), 100), big.NewRat(int64(c.r), pctUnit)
}

func checkPayoff(t *testing.T, a map[string]any, n int, sum, last *big.Rat) {
	t.Helper()
	reason := map[bool]string{true: "payment_does_not_amortize", false: "schedule_too_long"}[n < 0]
	if n < 0 || n > MaxRows {
		if a["reason"] != reason {
			t.Errorf("%v: reason %v, want %s", a["inputs_echo"], a["reason"], reason)
		}
		return
	}
	if output(a, "months") != fmt.Sprint(n) || rat(t, output(a, "interest_total")).Cmp(sum) != 0 ||
		rat(t, output(a, "last_payment")).Cmp(last) != 0 {
		t.Errorf("%v: %s months, %s and %s; want %d, %s and %s", a["inputs_echo"], output(a, "months"),
			output(a, "interest_total"),
			output(a, "last_payment"), n, sum.FloatString(2), last.FloatString(2))
	}
}

// TestCardPayoffSecondOpinion checks fixed and minimum payments against the plain
// implementation, and the months against the unrounded number of periods.
func TestCardPayoffSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 68))
	for range 200 {
		c := newRandomCard(rng)
		s, r := c.rats()
		level := monthInterest(c.s, c.r) + Money(rng.Int64N(int64(c.s)/4+3))
		if level == 0 {
			continue
		}
		a := answer(t, cardPayoffFixedPayment,
			fmt.Sprintf(`{"inputs":{"balance":"%s","annual_rate_pct":"%s","monthly_payment":"%s"}}`, c.s, c.r, level))
		n, sum, last := plainCardPayoff(s, r, fixedPay(big.NewRat(int64(level), 100)))
		checkPayoff(t, a, n, sum, last)
		if n > 0 && n <= 60 && c.s > 100_000 {
			if exact := ceilNPER(s, r, big.NewRat(int64(level), 100)); n-exact > 1 || exact-n > 1 {
				t.Errorf("%+v by %s: %d months, unrounded %d", c, level, n, exact)
			}
		}
		share, floor := Pct(rng.Int64N(2000))*pctUnit/100, Money(rng.Int64N(int64(c.s)/20+2))
		a = answer(t, cardPayoffMinimumPayment,
			fmt.Sprintf(`{"inputs":{"balance":"%s","annual_rate_pct":"%s","min_principal_pct":"%s",`+
				`"min_principal_floor":"%s"}}`, c.s, c.r, share, floor))
		n, sum, last = plainCardPayoff(s, r, func(s *big.Rat) (*big.Rat, *big.Rat) {
			part := new(big.Rat).Mul(s, big.NewRat(int64(share), 100*pctUnit))
			return nil, slices.MaxFunc([]*big.Rat{halfUpRat(part, 2), big.NewRat(int64(floor), 100)}, (*big.Rat).Cmp)
		})
		if n < 0 {
			n = MaxRows + 1 // a part of nothing has no end
		}
		checkPayoff(t, a, n, sum, last)
	}
}

// ceilNPER is ceil(NPER): after how many payments nothing is owed, unrounded.
func ceilNPER(s, r, level *big.Rat) int {
	q := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(r, big.NewRat(1200, 1)))
	n := 0
	for s.Sign() > 0 && n < 100 {
		s = new(big.Rat).Sub(new(big.Rat).Mul(s, q), level)
		n++
	}
	return n
}

// TestCardSegments checks the interest against days counted one by one.
func TestCardSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 136))
	for range 60 {
		from, sum := NewDate(2019, 1, 1)+Date(rng.IntN(2000)), new(big.Rat)
		r, basis := Pct(rng.Int64N(9000))*pctUnit/100, []DayCount{Act365, ActAct, Thirty360}[rng.IntN(3)]
		list := ""
		for i := range 1 + rng.IntN(6) {
			to, balance := from+1+Date(rng.IntN(400)), Money(rng.Int64N(1e9))
			if i > 0 {
				list += ","
			}
			list += fmt.Sprintf(`{"balance":"%s","from_date":"%s","to_date":"%s"}`, balance, from, to)
			part := plainYearFraction(from, to, basis)
			sum.Add(sum, part.Mul(part, big.NewRat(int64(balance), 100)))
			from = to + Date(rng.IntN(5))
		}
		sum.Mul(sum, big.NewRat(int64(r), 100*pctUnit))
		a := answer(t, cardInterestAccrued,
			fmt.Sprintf(`{"inputs":{"segments":[%s],"annual_rate_pct":"%s","day_count":"%s"}}`, list, r, basis))
		if got, want := rat(t, output(a, "interest")), halfUpRat(sum, 2); got.Cmp(want) != 0 {
			t.Errorf("%v: %s, want %s", a["inputs_echo"], got.FloatString(2), want.FloatString(2))
		}
	}
}

// TestCardSchedule: the rows of the schedule add up.
func TestCardSchedule(t *testing.T) {
	for _, tool := range []*Tool{cardPayoffFixedPayment, cardPayoffMinimumPayment, cardRequiredPayment} {
		body := tool.Examples[0].Request
		a := answer(t, tool, body[:len(body)-1]+`,"options":{"include_schedule":true,"schedule_limit":1200}}`)
		sum, balance := new(big.Rat), ""
		for _, row := range a["schedule"].(map[string]any)["rows"].([]any) {
			row := row.(map[string]any)
			sum.Add(sum, rat(t, row["principal"]))
			balance = printed(row["balance"])
		}
		if echo := a["inputs_echo"].(map[string]any)["balance"]; sum.Cmp(rat(t, echo)) != 0 || balance != "0.00" {
			t.Errorf("%s: principal parts add up to %s, %s remains", tool.ID, sum.FloatString(2), balance)
		}
		if a["psk"].(map[string]any)["status"] != "not_calculated" {
			t.Errorf("%s: psk %v", tool.ID, a["psk"])
		}
	}
}
