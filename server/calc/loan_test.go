package calc

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// A plainLoan is the second implementation: fractions and the textbook's
// formulas, nothing shared with the package but the half-up rounding's meaning.
type plainLoan struct {
	payment, interest, paid, last *big.Rat
	rows                          int
	fails                         bool
}

func plainAnnuity(p, r *big.Rat, n int, b *big.Rat) *big.Rat {
	if r.Sign() == 0 {
		d := new(big.Rat).Sub(p, b)
		return d.Quo(d, big.NewRat(int64(n), 1))
	}
	i := new(big.Rat).Quo(r, big.NewRat(1200, 1))
	v := big.NewRat(1, 1)
	base := new(big.Rat).Inv(new(big.Rat).Add(big.NewRat(1, 1), i))
	for range n {
		v.Mul(v, base)
	}
	a := new(big.Rat).Sub(p, new(big.Rat).Mul(b, v))
	a.Mul(a, i)
	return a.Quo(a, new(big.Rat).Sub(big.NewRat(1, 1), v))
}

func plain(p, r *big.Rat, n int, b *big.Rat, annuity bool) plainLoan {
	l := plainLoan{interest: new(big.Rat), paid: new(big.Rat)}
	part := halfUpRat(new(big.Rat).Quo(p, big.NewRat(int64(n), 1)), 2)
	if annuity {
		l.payment = halfUpRat(plainAnnuity(p, r, n, b), 2)
	}
	s := new(big.Rat).Set(p)
	for k := 1; k <= n && s.Sign() > 0; k++ {
		interest := new(big.Rat).Mul(s, r)
		interest = halfUpRat(interest.Quo(interest, big.NewRat(1200, 1)), 2)
		principal := part
		if annuity {
			principal = new(big.Rat).Sub(l.payment, interest)
		}
		if k == n {
			principal = s
		}
		if principal.Sign() <= 0 {
			l.fails = true
			return l
		}
		if principal.Cmp(s) > 0 {
			principal = s
		}
		l.last = new(big.Rat).Add(principal, interest)
		l.interest.Add(l.interest, interest)
		l.paid.Add(l.paid, l.last)
		s = new(big.Rat).Sub(s, principal)
		l.rows++
	}
	return l
}

type randomLoan struct {
	p, b Money
	r    Pct
	n    int
}

func newRandomLoan(rng *rand.Rand) randomLoan {
	l := randomLoan{
		p: Money(100 + rng.Int64N([]int64{1e4, 1e9, 1e12}[rng.IntN(3)])),
		r: Pct(rng.Int64N([]int64{4000, 40}[rng.IntN(2)])) * pctUnit / 100 * []Pct{1, 25}[rng.IntN(2)],
		n: []int{1, 2, 12, 60, 120, 360}[rng.IntN(6)],
	}
	if l.n > 12 {
		l.n -= rng.IntN(12)
	}
	if rng.IntN(4) == 0 {
		l.b = Money(rng.Int64N(int64(l.p)))
	}
	return l
}

func (l randomLoan) request(kind string, more string) string {
	return fmt.Sprintf(`{"inputs":{"principal":"%s","annual_rate_pct":"%s","term_months":%d,`+
		`"payment_type":"%s"%s},"options":{"include_schedule":true,"schedule_limit":1200}}`,
		l.p, l.r, l.n, kind, more)
}

func rat(t testing.TB, s any) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(printed(s))
	if !ok {
		t.Fatalf("%v is no number", s)
	}
	return r
}

// TestSecondOpinion checks answers against the plain implementation.
func TestSecondOpinion(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		l := newRandomLoan(rng)
		p, r, b := big.NewRat(int64(l.p), 100), big.NewRat(int64(l.r), pctUnit), big.NewRat(int64(l.b), 100)
		same(t, l.request("annuity", `,"balloon_amount":"`+l.b.String()+`"`), plain(p, r, l.n, b, true),
			"payment_does_not_amortize")
		same(t, l.request("differentiated", ""), plain(p, r, l.n, b, false), "amount_too_small_for_term")
	}
}

func same(t *testing.T, request string, want plainLoan, reason string) {
	t.Helper()
	a := answer(t, loanPayment, request)
	if want.fails {
		if a["reason"] != reason {
			t.Errorf("%s: reason %v, want %s", request, a["reason"], reason)
		}
		return
	}
	check := func(name string, w *big.Rat) {
		if w == nil {
			return
		}
		if got := rat(t, output(a, name)); got.Cmp(w) != 0 {
			t.Errorf("%s: %s = %s, want %s", request, name, got.FloatString(2), w.FloatString(2))
		}
	}
	check("payment", want.payment)
	check("interest_total", want.interest)
	check("paid_total", want.paid)
	check("last_payment", want.last)
	check("rows", big.NewRat(int64(want.rows), 1))
}

// TestLoanProperties: what holds of every plan.
func TestLoanProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		l := newRandomLoan(rng)
		annuity := holds(t, l, l.request("annuity", ""))
		parts := holds(t, l, l.request("differentiated", ""))
		if annuity == nil || parts == nil {
			continue
		}
		if rat(t, output(parts, "interest_total")).Cmp(rat(t, output(annuity, "interest_total"))) > 0 &&
			output(annuity, "rows") == output(parts, "rows") && int64(l.p) > int64(l.n)*10_000 {
			t.Errorf("%+v: differentiated interest is higher", l)
		}
		if l.n == 1 && output(annuity, "paid_total") != output(parts, "paid_total") {
			t.Errorf("%+v: one annuity payment is not the one differentiated payment", l)
		}
		if l.r == 0 && output(annuity, "interest_total") != "0.00" {
			t.Errorf("%+v: interest at no rate", l)
		}
		if rat(t, output(annuity, "payment")).Cmp(rat(t, share(l.p, 1, int64(l.n)).String())) < 0 {
			t.Errorf("%+v: the payment is less than a part of the principal", l)
		}
	}
}

// holds checks the rows of a schedule; nil if there is none.
func holds(t *testing.T, l randomLoan, request string) map[string]any {
	t.Helper()
	a := answer(t, loanPayment, request)
	if a["status"] != StatusComputed {
		return nil
	}
	sum, balance := new(big.Rat), rat(t, l.p.String())
	for _, row := range a["schedule"].(map[string]any)["rows"].([]any) {
		row := row.(map[string]any)
		payment, interest, principal := rat(t, row["payment"]), rat(t, row["interest"]), rat(t, row["principal"])
		left := rat(t, row["balance"])
		if payment.Cmp(new(big.Rat).Add(interest, principal)) != 0 || interest.Sign() < 0 || left.Cmp(balance) > 0 {
			t.Fatalf("%s: row %v", request, row)
		}
		sum.Add(sum, principal)
		balance = left
	}
	if sum.Cmp(rat(t, l.p.String())) != 0 || balance.Sign() != 0 {
		t.Fatalf("%s: principal parts add up to %s, %s remains", request, sum.FloatString(2), balance.FloatString(2))
	}
	return a
}

// TestAnnuityExact: the present value of the payments is the principal, and ten
// times the principal ten times the payment; a higher rate never pays less.
func TestAnnuityExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		l := newRandomLoan(rng)
		a := annuity(l.p, l.r, l.n, l.b)
		if got := annuity(10*l.p, l.r, l.n, 10*l.b); got.Cmp(a.Mul(Whole(10))) != 0 {
			t.Errorf("%+v: not linear", l)
		}
		if l.b == 0 && annuity(l.p, l.r+pctUnit, l.n, 0).Cmp(a) < 0 {
			t.Errorf("%+v: a higher rate pays less", l)
		}
		want := plainAnnuity(big.NewRat(int64(l.p), 100), big.NewRat(int64(l.r), pctUnit), l.n,
			big.NewRat(int64(l.b), 100))
		if new(big.Rat).SetFrac(a.num, a.den).Cmp(want) != 0 {
			t.Errorf("%+v: %s, want %s", l, a, want.FloatString(10))
		}
	}
}

func TestCompareLoans(t *testing.T) {
	a, err := registry.byID[CompareLoansID].Calculate([]byte(`{"inputs":{"baseline_id":"b","variants":[
		{"id":"a","principal":"1000000","annual_rate_pct":"18","term_months":60},
		{"id":"b","principal":"1000000","annual_rate_pct":"18","term_months":84,"one_off_costs":"5000"},
		{"id":"c","principal":"900000","annual_rate_pct":"18","term_months":60,"payment_type":"differentiated"},
		{"id":"d","principal":"1000000","annual_rate_pct":"100","term_months":360}]}}`), Facts{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "compare.json", a.JSON())
	if strings.Contains(string(a.JSON()), "best") {
		t.Error("a verdict")
	}
	if err := compiled(t, registry.byID[CompareLoansID].OutputSchema()).Validate(any(decoded(t,
		a.JSON()))); err != nil {
		t.Error(err)
	}
}
