package calc

import (
	"cmp"
	"slices"
)

var pfmDebtPayoffPlan = &Tool{
	ID: "pfm_debt_payoff_plan",
	Inputs: []Field{
		list("debts", "Долги", 1, 20,
			ident("id", "Идентификатор долга"),
			moneyPlus("balance", "Остаток долга"),
			pct("annual_rate_pct", "Ставка, процентов годовых"),
			money("min_payment", "Обязательный платёж в месяц"),
		).Unique("id"),
		money("extra_monthly", "Сверх обязательных платежей, в месяц"),
		enum("strategy", "Порядок погашения", "avalanche", "snowball", "both"),
	},
	Outputs: []Field{
		money("monthly_budget", "Всего в месяц"),
		count("months", "Месяцев до погашения всех долгов; для одного порядка", "months"),
		money("interest_total", "Проценты всего; для одного порядка"),
		money("paid_total", "Всего выплат; для одного порядка"),
		payoffMonths(),
		object("avalanche", "Сначала самая высокая ставка; если считаются оба порядка", payoffFields()...),
		object("snowball", "Сначала самый малый остаток; если считаются оба порядка", payoffFields()...),
		object("difference", "Разница: малый остаток − высокая ставка; если считаются оба порядка",
			count("months", "Месяцев", "months").Signed(),
			smoney("interest_total", "Проценты")),
	},
	Schedule: []Field{
		count("no", "Номер месяца", ""),
		money("avalanche", "Остаток долгов: сначала самая высокая ставка").Nullable(),
		money("snowball", "Остаток долгов: сначала самый малый остаток").Nullable(),
	},
	Members: stopMembers(),
	Compute: filtered(computeDebtPayoff),
}

func payoffMonths() Field {
	return mapOf(count("payoff_month", "Месяц погашения каждого долга", "month"))
}

func payoffFields() []Field {
	return []Field{
		count("months", "Месяцев до погашения всех долгов", "months"),
		money("interest_total", "Проценты всего"),
		money("paid_total", "Всего выплат"),
		payoffMonths(),
	}
}

// A debt is one of several that are repaid together.
type debt struct {
	id           string
	balance, min Money
	rate         Pct
	closed       int // the month in which it was repaid; 0 while it is open
}

// A payoff is the repayment of several debts, month by month.
type payoff struct {
	debts    []debt
	budget   Money
	balances []Money // of all debts together, after each month
	interest Money
	paid     Money
}

func (p *payoff) months() int { return len(p.balances) }

// An order compares two open debts: the lesser gets the money above the minimum payments
// first. Equal debts keep the order of the request.
type order func(a, b debt) int

func avalanche(a, b debt) int {
	return cmp.Or(cmp.Compare(b.rate, a.rate), cmp.Compare(a.balance, b.balance))
}

func snowball(a, b debt) int {
	return cmp.Or(cmp.Compare(a.balance, b.balance), cmp.Compare(b.rate, a.rate))
}

var orders = map[string]order{"avalanche": avalanche, "snowball": snowball}

func newPayoff(in In) *payoff {
	p := &payoff{budget: in.Money("extra_monthly")}
	for _, d := range in.List("debts") {
		p.debts = append(
			p.debts,
			debt{
				id: d.Text("id"), balance: d.Money("balance"), rate: d.Pct("annual_rate_pct"),
				min: d.Money("min_payment"),
			},
		)
		p.budget += d.Money("min_payment")
	}
	return p
}

func computeDebtPayoff(in In, out *Out, _ *filters) error {
	out.Assume("interest_monthly_1_12", "monthly_budget_constant")
	p := newPayoff(in)
	out.Derive("monthly_budget", p.budget, "T = Σmin + extra",
		"%s + %s", p.budget-in.Money("extra_monthly"), in.Money("extra_monthly"))
	first := p.firstInterest(out)
	if p.budget <= first {
		return PaymentDoesNotAmortize
	}
	if strategy := in.Text("strategy"); strategy != "both" {
		if err := p.run(orders[strategy]); err != nil {
			return err
		}
		p.set(out)
		p.trace(out, "")
		schedulePayoffs(out, map[string]*payoff{strategy: p})
		return nil
	}
	return bothPayoffs(in, out)
}

func bothPayoffs(in In, out *Out) error {
	a, s := newPayoff(in), newPayoff(in)
	for _, p := range []struct {
		name string
		*payoff
	}{{"avalanche", a}, {"snowball", s}} {
		if err := p.run(orders[p.name]); err != nil {
			return err
		}
		out.Set(p.name, Row{Count(p.months()), p.interest, p.paid, p.payoffs()})
		p.trace(out, p.name+"_")
	}
	out.Set("difference", Row{Count(s.months() - a.months()), s.interest - a.interest})
	out.Step("difference", "ΣI(snowball) − ΣI(avalanche)", s.interest-a.interest, "%s − %s", s.interest, a.interest)
	schedulePayoffs(out, map[string]*payoff{"avalanche": a, "snowball": s})
	return nil
}

// schedulePayoffs adds the total debt in each order, month by month; zero after the order
// has repaid everything.
func schedulePayoffs(out *Out, by map[string]*payoff) {
	if !out.Paging() {
		return
	}
	months := 0
	for _, p := range by {
		months = max(months, p.months())
	}
	for k := range months {
		row := Row{Count(k + 1)}
		for _, column := range out.tool.Schedule[len(row):] {
			row = append(row, by[column.Name].balanceAt(k))
		}
		out.Row(row...)
	}
}

// balanceAt is the total debt after month k, counted from 0; null in an order that was not
// requested.
func (p *payoff) balanceAt(k int) Value {
	switch {
	case p == nil:
		return Null
	case k >= p.months():
		return Money(0)
	}
	return p.balances[k]
}

// firstInterest is the interest of the first month on all debts.
func (p *payoff) firstInterest(out *Out) (sum Money) {
	var parts []any
	for _, d := range p.debts {
		sum += monthInterest(d.balance, d.rate)
		if out.tracing {
			parts = append(parts, phrase{"round2(%s·%s/1200)", []any{d.balance, d.rate}})
		}
	}
	out.Step("first_interest", "ΣI₁ = Σround2(S·R/1200)", sum, "%s", addition(parts))
	return sum
}

// run pays month by month until all debts are repaid.
func (p *payoff) run(by order) error {
	for p.owed() > 0 {
		if p.months() == MaxRows || !p.month(by) {
			return ScheduleTooLong
		}
		p.balances = append(p.balances, p.owed())
	}
	return nil
}

// owed is the total debt.
func (p *payoff) owed() (sum Money) {
	for _, d := range p.debts {
		sum += d.balance
	}
	return sum
}

// month accrues interest on every debt, pays the minimums, and then the rest in order.
// The budget is constant: the minimums of closed debts go to the others.
//
// It reports whether the debts can still be repaid: a debt whose interest is at least the
// budget never decreases, and would overflow long before the last month.
func (p *payoff) month(by order) bool {
	rest := p.budget
	ranked := make([]*debt, 0, len(p.debts))
	for i := range p.debts {
		d := &p.debts[i]
		if d.balance == 0 {
			continue
		}
		accrued := monthInterest(d.balance, d.rate)
		if accrued >= p.budget {
			return false
		}
		d.balance += accrued
		p.interest += accrued
		rest -= p.pay(d, d.min)
		ranked = append(ranked, d)
	}
	slices.SortStableFunc(ranked, func(a, b *debt) int { return by(*a, *b) })
	for _, d := range ranked {
		rest -= p.pay(d, rest)
	}
	return true
}

// pay pays at most an amount and returns what was paid.
func (p *payoff) pay(d *debt, amount Money) Money {
	amount = min(amount, d.balance)
	d.balance -= amount
	p.paid += amount
	if d.balance == 0 && d.closed == 0 {
		d.closed = p.months() + 1
	}
	return amount
}

func (p *payoff) payoffs() Entries {
	es := Entries{}
	for _, d := range p.debts {
		es = append(es, Entry{d.id, Count(d.closed)})
	}
	return es
}

func (p *payoff) set(out *Out) {
	out.Set("months", Count(p.months()))
	out.Set("interest_total", p.interest)
	out.Set("paid_total", p.paid)
	out.Set("payoff_month", p.payoffs())
}

func (p *payoff) trace(out *Out, prefix string) {
	out.Step(prefix+"interest_total", "ΣI = Σpaid − ΣS", p.interest, "%s − %s", p.paid, p.paid-p.interest)
}
