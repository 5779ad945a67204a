//go:build slow

package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// plainFraction walks day by day: the part of a year in (from, to].
func plainFraction(from, to time.Time, basis DayCount) *big.Rat {
	if basis == Thirty360 {
		y1, m1, d1 := from.Date()
		y2, m2, d2 := to.Date()
		return big.NewRat(int64((y2-y1)*360+int(m2-m1)*30+min(d2, 30)-min(d1, 30)), 360)
	}
	sum := new(big.Rat)
	for d := from.AddDate(0, 0, 1); !d.After(to); d = d.AddDate(0, 0, 1) {
		year := int64(365)
		if basis == ActAct {
			year = int64(time.Date(d.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay())
		}
		sum.Add(sum, big.NewRat(1, year))
	}
	return sum
}

// plainDue is the day of a later month, or the month's last.
func plainDue(start time.Time, k int) time.Time {
	first := time.Date(start.Year(), start.Month()+time.Month(k), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	return first.AddDate(0, 0, min(start.Day(), last.Day())-1)
}

// plainDated is the interest of a dated annuity schedule by fractions; nil if it does not amortise. What a
// payment leaves of the interest is paid by the next ones.
func plainDated(l randomLoan, due []time.Time, basis DayCount) *big.Rat {
	p, r := big.NewRat(int64(l.p), 100), big.NewRat(int64(l.r), 100*pctUnit)
	level := halfUpRat(plainAnnuity(p, big.NewRat(int64(l.r), pctUnit), l.n, new(big.Rat)), 2)
	s, unpaid, total := p, new(big.Rat), new(big.Rat)
	for k := 1; k <= l.n && s.Sign() > 0; k++ {
		i := new(big.Rat).Mul(s, r)
		i = halfUpRat(i.Mul(i, plainFraction(due[k-1], due[k], basis)), 2)
		total.Add(total, i)
		left := i.Sub(level, unpaid.Add(unpaid, i)) // of the payment for the principal
		repaid := left
		switch {
		case k == l.n || left.Cmp(s) >= 0:
			if repaid = s; s.Cmp(p) == 0 && l.n > 1 {
				return nil
			}
			unpaid = new(big.Rat)
		case left.Sign() < 0 && k == 1 && due[1].After(plainDue(due[0], 1)):
			repaid, unpaid = new(big.Rat), new(big.Rat)
		case left.Sign() < 0:
			repaid, unpaid = new(big.Rat), left.Neg(left)
		default:
			unpaid = new(big.Rat)
		}
		s = new(big.Rat).Sub(s, repaid)
	}
	return total
}

// TestDatedSecondOpinion checks dated schedules against fractions and calendar
// days counted one by one, at rates of 0 to 60 % over 1 to 360 months.
func TestDatedSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	for i := range 40 {
		l := newRandomLoan(rng)
		l.n, l.r = 1+rng.IntN(360), Pct(rng.IntN(60*100+1))*pctUnit/100
		if i%4 == 0 {
			l.n = 240 + rng.IntN(121)
		}
		start := time.Date(2019+rng.IntN(10), time.Month(1+rng.IntN(12)), 1+rng.IntN(31), 0, 0, 0, 0, time.UTC)
		first, given := plainDue(start, 1), ""
		if i%3 == 0 {
			first = start.AddDate(0, 0, 1+rng.IntN(59))
			given = fmt.Sprintf(`"first_due_date":"%s",`, first.Format(layout))
		}
		due := []time.Time{start}
		for k := range l.n {
			if given == "" {
				due = append(due, plainDue(start, k+1))
			} else {
				due = append(due, plainDue(first, k))
			}
		}
		for _, basis := range []DayCount{Act365, ActAct, Thirty360} {
			request := fmt.Sprintf(`{"inputs":{"principal":"%s","annual_rate_pct":"%s",`+
				`"term_months":%d,"start_date":"%s",%s"day_count":"%s"},"options":{"include_schedule":true,`+
				`"schedule_limit":1200}}`,
				l.p, l.r, l.n, start.Format(layout), given, basis)
			a := answer(t, mortgageSchedule, request)
			want := plainDated(l, due, basis)
			if want == nil {
				if a["reason"] != string(PaymentDoesNotAmortize) {
					t.Errorf("%s: reason %v", request, a["reason"])
				}
				continue
			}
			if got := rat(t, output(a, "interest_total")); got.Cmp(want) != 0 {
				t.Errorf("%s: interest %s, want %s", request, got.FloatString(2), want.FloatString(2))
			}
			checkRows(t, request, a, l.p.String())
		}
	}
}
