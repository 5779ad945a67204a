package calc

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	start, _ := ParseDate("2023-10-31")
	for k, want := range []string{"2023-10-31", "2023-11-30", "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31"} {
		if got := start.AddMonths(k).String(); got != want {
			t.Errorf("after %d months: %s, want %s", k, got, want)
		}
	}
	for _, s := range []string{"2023-02-29", "2024-00-10", "2024-1-1", "+024-01-01", "2024-01-01 ", ""} {
		if d, ok := ParseDate(s); ok {
			t.Errorf("%q is read as %s", s, d)
		}
	}
}

// plainYearFraction walks day by day.
func plainYearFraction(from, to Date, basis DayCount) *big.Rat {
	sum := new(big.Rat)
	if basis == Thirty360 {
		a, b := from.time(), to.time()
		n := (b.Year()-a.Year())*360 + (int(b.Month())-int(a.Month()))*30 + min(b.Day(), 30) - min(a.Day(), 30)
		return big.NewRat(int64(n), 360)
	}
	for d := from + 1; d <= to; d++ {
		days := int64(365)
		if basis == ActAct && time.Date(d.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay() == 366 {
			days = 366
		}
		sum.Add(sum, big.NewRat(1, days))
	}
	return sum
}

func TestYearFraction(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		from := firstDate + Date(rng.IntN(9000))
		mid := from + Date(rng.IntN(800))
		to := mid + Date(rng.IntN(800))
		for _, basis := range []DayCount{Act365, ActAct, Thirty360} {
			got := yearFraction(from, to, basis)
			if want := plainYearFraction(from, to, basis); big.NewRat(got.Num, got.Den).Cmp(want) != 0 {
				t.Fatalf("%s %s…%s: %v, want %v", basis, from, to, got, want)
			}
			if sum := yearFraction(from, mid, basis).Num + yearFraction(mid, to, basis).Num; sum != got.Num {
				t.Fatalf("%s %s…%s…%s does not add up", basis, from, mid, to)
			}
		}
	}
}
