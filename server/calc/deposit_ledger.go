package calc

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

// A movement is money put in or taken out at the close of a day: it changes the opening
// balance of the next day. The input is kept for the pointer of a fault.
type movement struct {
	date   Date
	amount Money
	in     In
}

// A rateStep is the rate of the accrual days from a date on.
type rateStep struct {
	from Date
	rate Pct
}

// An account accrues interest on the opening balance of each day. Accrued interest is a
// whole number over a common denominator, so that a posting is rounded once.
type account struct {
	balance  Money
	lowest   Money // of the opening balances accrued on
	accruing bool
	closed   Date // the day that has closed
	rate     Pct
	basis    DayCount
	moves    []movement
	steps    []rateStep

	unposted *big.Int // kopecks × Pct × year fraction numerators
	den      int64    // of the year fractions

	last      movement // the latest one that was applied
	overdrawn bool     // it was reported
	terms     []any    // phrases: the stretches, for the trace
	tracing   bool
}

func newAccount(opening Money, at Date, basis DayCount, steps []rateStep, moves []movement) account {
	a := account{balance: opening, closed: at, basis: basis, steps: steps, moves: moves, unposted: new(big.Int)}
	a.den = yearFraction(at, at+1, basis).Den
	return a
}

// settle applies the movements of the closed day and the rate of the next one.
func (a *account) settle() {
	for len(a.moves) > 0 && a.moves[0].date <= a.closed {
		a.last, a.moves = a.moves[0], a.moves[1:]
		a.balance += a.last.amount
	}
	for len(a.steps) > 0 && a.steps[0].from <= a.closed+1 {
		a.rate, a.steps = a.steps[0].rate, a.steps[1:]
	}
}

// check reports an overdraft, once. It is called after the posting of the day, as
// capitalized interest can be withdrawn on the same day.
func (a *account) check() {
	if a.balance >= 0 || a.overdrawn {
		return
	}
	a.overdrawn = true
	a.last.in.Fail("amount", FaultInconsistent,
		fmt.Sprintf("На %s остаток становится отрицательным: %s", a.closed, a.balance),
		"Проверьте суммы и даты движений и начальный остаток")
}

// accrue accrues up to the close of a day and applies the movements of that day.
func (a *account) accrue(to Date) {
	for a.closed < to {
		a.check()
		next := to
		if len(a.moves) > 0 {
			next = min(next, a.moves[0].date)
		}
		if len(a.steps) > 0 {
			next = min(next, a.steps[0].from-1)
		}
		a.stretch(next)
		a.closed = next
		a.settle()
	}
}

// stretch accrues days with the same balance and rate.
func (a *account) stretch(to Date) {
	yf := yearFraction(a.closed, to, a.basis)
	part := new(big.Int).Mul(big.NewInt(int64(a.balance)), big.NewInt(int64(a.rate)))
	a.unposted.Add(a.unposted, part.Mul(part, big.NewInt(yf.Num)))
	if !a.accruing || a.balance < a.lowest {
		a.accruing, a.lowest = true, a.balance
	}
	if a.tracing {
		a.terms = append(a.terms, phrase{"%s·%s/100·%d/%d", []any{a.balance, a.rate, yf.Num, yf.Den}})
	}
}

// post returns the accrued interest, rounded, and resets it.
func (a *account) post() Money {
	den := big.NewInt(100 * 100 * pctUnit)
	i := Exact{a.unposted, den.Mul(den, big.NewInt(a.den))}.Round()
	a.unposted = new(big.Int)
	return i
}

// maxTerms is the maximum number of terms of a sum in the trace.
const maxTerms = 12

func sumOf(terms []any) phrase {
	if len(terms) > maxTerms {
		terms = append(slices.Clone(terms[:maxTerms]), phrase{"… (слагаемых: %d)", []any{len(terms)}})
	}
	return addition(terms)
}

// A ledger is an account with postings of interest.
type ledger struct {
	account
	opening       Money
	start, end    Date
	postingMonths int // between postings; 0 for one at the end
	paidOut       bool
	postings      []posting
	interest      Money // total
	moved         Money // total of the movements
}

// A posting is the interest of a period and the balance after it.
type posting struct {
	date              Date
	days              int
	interest, balance Money
}

// run posts interest every postingMonths from the start, and at the end.
func (l *ledger) run(tracing bool) {
	for _, m := range l.moves {
		l.moved += m.amount
	}
	l.settle()
	for k := 1; l.closed < l.end; k++ {
		from, to := l.closed, l.end
		if l.postingMonths > 0 {
			to = min(to, l.start.AddMonths(k*l.postingMonths))
		}
		l.tracing = tracing && k == 1
		l.accrue(to)
		i := l.post()
		l.interest += i
		if !l.paidOut {
			l.balance += i
		}
		l.postings = append(l.postings, posting{to, int(to - from), i, l.balance})
	}
	l.check()
}

// total is the final amount, including interest that was paid out.
func (l *ledger) total() Money { return l.opening + l.moved + l.interest }

func (l *ledger) days() int { return int(l.end - l.start) }

// stub reports whether the last period is shorter than the others.
func (l *ledger) stub() bool {
	return l.postingMonths > 0 && l.start.AddMonths(len(l.postings)*l.postingMonths) != l.end
}

func (l *ledger) trace(out *Out) {
	if !out.tracing {
		return
	}
	first := l.postings[0]
	out.Step("first_interest", "I₁ = round2(Σ S·R/100·YF)", first.interest, "round2(%s)", sumOf(l.terms))
	var terms []any
	for _, p := range l.postings {
		terms = append(terms, p.interest)
	}
	out.Step("interest_total", "ΣI = I₁ + … + Iₙ", l.interest, "%s", sumOf(terms))
}

// growthPct is the annual growth from p to s in percent: ((S/P)^(365/days) − 1)·100.
func growthPct(p, s Money, days int) *Dec {
	growth := power(s.Exact().Quo(p.Exact()), newExact(365, int64(days)))
	return growth.Sub(Whole(1).Dec()).Mul(Whole(100).Dec())
}

func traceGrowth(out *Out, name string, p, s Money, days int, e *Dec) {
	out.Step(name, "E = ((S/P)^(365/days) − 1)·100", e.Fixed(4), "((%s/%s)^(365/%d) − 1)·100", s, p, days)
}

func movementsField() Field {
	return list("movements", "Пополнения и снятия; учитываются со следующего дня", 0, 200,
		date("date", "Дата движения"),
		smoney("amount", "Сумма: пополнение положительная, снятие отрицательная"),
	).Optional()
}

func rateStepsField() Field {
	return list("rate_steps", "Ставки по датам: каждая действует со своей даты, первая — с даты открытия", 1, 60,
		date("from_date", "Первый день действия ставки"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
	)
}

// readMovements returns the movements sorted by date, those of one day in the order of
// the request.
func readMovements(in In) []movement {
	var ms []movement
	for _, m := range in.List("movements") {
		ms = append(ms, movement{m.Date("date"), m.Money("amount"), m})
	}
	slices.SortStableFunc(ms, func(a, b movement) int { return cmp.Compare(a.date, b.date) })
	return ms
}

func checkMovements(in In, from, to Date) {
	for _, m := range in.List("movements") {
		if d := m.Date("date"); d < from || d > to {
			m.Fail("date", FaultInconsistent,
				fmt.Sprintf("Движение %s вне периода с %s по %s", d, from, to),
				"Укажите дату внутри периода или уберите движение")
		}
	}
}

func readRateSteps(in In) []rateStep {
	var steps []rateStep
	for _, s := range in.List("rate_steps") {
		steps = append(steps, rateStep{s.Date("from_date"), s.Pct("annual_rate_pct")})
	}
	return steps
}

func checkRateSteps(in In) {
	before := Date(0)
	for i, s := range in.List("rate_steps") {
		from := s.Date("from_date")
		switch {
		case i == 0 && from != in.Date("start_date"):
			s.Fail("from_date", FaultInconsistent,
				"Первая ставка действует не с даты открытия "+in.Date("start_date").String(),
				"Укажите в первой ставке дату открытия")
		case i > 0 && from <= before:
			s.Fail("from_date", FaultDateOrder,
				fmt.Sprintf("Ставка с %s стоит после ставки с %s", from, before),
				"Перечислите ставки по возрастанию дат")
		}
		before = from
	}
}
