package calc

import "slices"

var loanPayment = &Tool{
	ID:       "loan_payment",
	Version:  "1.1.0",
	Formula:  "loan_payment/2",
	Inputs:   loanInputs(),
	Outputs:  loanOutputs(),
	Schedule: loanSchedule,
	PSK:      true,
	Check:    checkLoan,
	Compute:  computeLoanPayment,
}

// loanTerms are the inputs of every loan: principal, rate and term.
func loanTerms() []Field {
	return []Field{
		money("principal", "Сумма кредита").Min("1.00"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		months("term_months", "Срок, месяцев"),
	}
}

func loanInputs() []Field {
	return append(loanTerms(),
		enum("payment_type", "Вид платежа", "annuity", "differentiated").Default("annuity"),
		money("balloon_amount", "Остаток, погашаемый последним платежом; только для аннуитета").Default("0"))
}

func loanOutputs() []Field {
	return []Field{
		money("payment", "Ежемесячный платёж"),
		money("first_payment", "Первый платёж"),
		money("last_payment", "Последний платёж"),
		money("interest_total", "Проценты за весь срок"),
		money("paid_total", "Всего выплат"),
		percent("overpayment_pct", "Переплата, процентов от суммы кредита", 4),
		money("balloon_amount", "Остаток в последнем платеже"),
		count("rows", "Число платежей", "payments"),
	}
}

// loanOutputsBut are the outputs of a loan except some.
func loanOutputsBut(without ...string) []Field {
	return slices.DeleteFunc(loanOutputs(), func(f Field) bool { return slices.Contains(without, f.Name) })
}

var loanSchedule = []Field{
	count("no", "Номер платежа", ""),
	money("payment", "Платёж"),
	money("interest", "Проценты"),
	money("principal", "Основной долг"),
	money("balance", "Остаток долга"),
}

func checkLoan(in In) {
	if in.Money("balloon_amount") > 0 && in.Text("payment_type") == "differentiated" {
		in.Fail("balloon_amount", FaultInconsistent,
			"Остаток последнего платежа не сочетается с дифференцированным платежом",
			"Уберите balloon_amount или выберите annuity")
		return
	}
	checkBalloon(in)
}

func checkBalloon(in In) {
	in.FailIf(in.Money("balloon_amount") >= in.Money("principal"), "balloon_amount", FaultInconsistent,
		"Остаток последнего платежа не меньше суммы кредита", "Укажите остаток меньше суммы кредита")
}

// A loan is a loan and its repayment schedule.
type loan struct {
	principal, balloon Money
	rate               Pct
	months             int
	annuity            bool
	unrounded          Exact // of an annuity
	level              Money // the annuity, or the part of the principal
	*plan
}

func computeLoan(in In) (loan, error) {
	p, r, n := in.Money("principal"), in.Pct("annual_rate_pct"), in.Int("term_months")
	if in.Text("payment_type") == "annuity" {
		return annuityLoan(p, r, n, in.Money("balloon_amount"))
	}
	return differentiatedLoan(p, r, n)
}

// annuityLoan is a loan repaid in level monthly payments.
func annuityLoan(p Money, r Pct, n int, balloon Money) (l loan, err error) {
	l = loan{principal: p, balloon: balloon, rate: r, months: n, annuity: true, unrounded: annuity(p, r, n, balloon)}
	l.level = l.unrounded.Round()
	l.plan, err = amortize(p, n, l.level, balloon, monthly(r))
	return l, err
}

// differentiatedLoan is a loan repaid in equal parts of the principal.
func differentiatedLoan(p Money, r Pct, n int) (l loan, err error) {
	l = loan{principal: p, rate: r, months: n, level: share(p, 1, int64(n))}
	l.plan, err = differentiated(p, n, monthly(r))
	return l, err
}

func (l loan) overpayment() Exact { return l.interest.Exact().Quo(l.principal.Exact()).Mul(Whole(100)) }

// levelLoan calculates a loan, and writes its level payment with the steps to it.
func levelLoan(in In, out *Out) (loan, error) {
	out.Assume("interest_monthly_1_12")
	l, err := computeLoan(in)
	l.traceLevel(out)
	if err == nil && l.annuity {
		out.Set("payment", l.level)
	}
	return l, err
}

func computeLoanPayment(in In, out *Out) error {
	l, err := levelLoan(in, out)
	if err != nil {
		return err
	}
	out.Set("balloon_amount", l.balloon)
	l.results(out)
	l.warnRounding(out)
	l.schedule(out)
	return nil
}

// balanceAfter is the balance after k payments and the interest paid by them.
func (l loan) balanceAfter(k int) (balance, interest Money) {
	balance = l.principal
	for _, row := range l.rows[:min(k, len(l.rows))] {
		balance = row.Balance
		interest += row.Interest
	}
	return balance, interest
}

// traceLevel adds the steps that calculate the level payment, also if it then does not
// repay the debt.
func (l loan) traceLevel(out *Out) {
	if !l.annuity {
		out.Step("principal_part", "D = round2(P/n)", l.level, "round2(%s/%d)", l.principal, l.months)
		return
	}
	if l.rate == 0 {
		out.Step("payment_unrounded", "A = (P − B)/n", l.unrounded, "(%s − %s)/%d", l.principal, l.balloon, l.months)
	} else if out.tracing {
		q := compound(l.rate, 12, l.months)
		v := Exact{q.den, q.num}.Fixed(34)
		out.Step("discount_factor", "v = (1 + R/1200)^−n", v, "(1 + %s/1200)^−%d", l.rate, l.months)
		out.Step("payment_unrounded", "A = (P − B·v)·(R/1200)/(1 − v)", l.unrounded,
			"(%s − %s·%s)·(%s/1200)/(1 − %s)", l.principal, l.balloon, v, l.rate, v)
	}
	out.Step("payment", "A2 = round2(A)", l.level, "round2(%s)", l.unrounded)
}

// results sets the outputs of every loan.
func (l loan) results(out *Out) {
	first, last := l.rows[0], l.last()
	out.Step("first_interest", "I₁ = round2(P·R/1200)", first.Interest, "round2(%s·%s/1200)", l.principal, l.rate)
	out.Derive("first_payment", first.Payment, "A₁ = I₁ + Pr₁", "%s + %s", first.Interest, first.Principal)
	out.Derive("last_payment", last.Payment, "Aₙ = Sₙ₋₁ + round2(Sₙ₋₁·R/1200)",
		"%s + %s", last.Principal, last.Interest)
	out.Derive("interest_total", l.interest, "ΣI = Σpaid − P", "%s − %s", l.paid, l.principal)
	out.Derive("overpayment_pct", l.overpayment(), "ΣI/P·100", "%s/%s·100", l.interest, l.principal)
	out.Set("paid_total", l.paid)
	out.Set("rows", Count(len(l.rows)))
}

func (p *plan) schedule(out *Out) {
	if !out.Paging() {
		return
	}
	for i, r := range p.rows {
		out.Row(Count(i+1), r.Payment, r.Interest, r.Principal, r.Balance)
	}
}

// CompareLoansID is the id of the comparison of loan variants.
const CompareLoansID = "compare_loan_variants"

// loanComparison is the comparison of loan variants, section 3.2 of the
// catalogue.
func loanComparison() *Tool {
	variant := slices.Concat([]Field{ident("id", "Идентификатор варианта")}, loanInputs(),
		[]Field{money("one_off_costs", "Разовые расходы").Default("0")})
	return &Tool{
		ID: CompareLoansID,
		Inputs: []Field{
			list("variants", "Варианты кредита", 2, 10, variant...).Unique("id"),
			ident("baseline_id", "С каким вариантом сравнивать; по умолчанию с первым").Optional(),
		},
		Members: []Field{
			listOf(object("variants", "Варианты", slices.Concat([]Field{
				word("id", "Вариант"),
				word("status", "Состояние расчёта"),
				word("reason", "Причина, по которой расчёта нет").Nullable(),
			}, nullable(loanOutputs()), nullable([]Field{
				count("term_months", "Срок", "months"),
				money("total_outflow", "Всего выплат с разовыми расходами"),
			}))...), 2, 10),
			listOf(object("differences", "Разница с базовым вариантом", slices.Concat([]Field{
				word("id", "Вариант"),
				word("baseline_id", "Базовый вариант"),
			}, nullable([]Field{
				smoney("payment", "Платёж"),
				smoney("interest_total", "Проценты"),
				smoney("total_outflow", "Всего выплат с разовыми расходами"),
				count("term_months", "Срок", "months").Signed(),
			}))...), 1, 9),
		},
		PSK:     true,
		Check:   checkLoanComparison,
		Compute: compareLoans,
	}
}

func nullable(fields []Field) []Field {
	for i := range fields {
		fields[i] = fields[i].Nullable()
	}
	return fields
}

func checkLoanComparison(in In) {
	found := !in.Has("baseline_id")
	for _, v := range in.List("variants") {
		checkLoan(v)
		found = found || v.Text("id") == in.Text("baseline_id")
	}
	in.FailIf(!found, "baseline_id", FaultInconsistent,
		"Такого варианта нет в списке", "Укажите id одного из вариантов")
}

// A loanVariant is one loan of a comparison, or the reason why there is none.
type loanVariant struct {
	id     string
	reason Reason
	costs  Money
	loan
}

func (v loanVariant) outflow() Money { return v.paid + v.costs }

func compareLoans(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	var variants []loanVariant
	base := 0
	for i, item := range in.List("variants") {
		v := loanVariant{id: item.Text("id"), costs: item.Money("one_off_costs")}
		l, err := computeLoan(item)
		v.loan = l
		if err != nil {
			v.reason = err.(Reason)
		} else {
			out.Step("total_outflow_"+v.id, "paid_total + one_off_costs", v.outflow(), "%s + %s", v.paid, v.costs)
		}
		if v.id == in.Text("baseline_id") {
			base = i
		}
		variants = append(variants, v)
	}
	warnPrincipals(variants, out)
	var rows, differences List
	for i, v := range variants {
		rows = append(rows, v.row())
		if i != base {
			differences = append(differences, v.difference(variants[base]))
		}
	}
	out.Member("variants", rows)
	out.Member("differences", differences)
	return nil
}

func warnPrincipals(variants []loanVariant, out *Out) {
	for _, v := range variants {
		if v.principal != variants[0].principal {
			out.Warn("variants_not_comparable_principal", "/inputs/variants")
			return
		}
	}
}

func (v loanVariant) row() Row {
	if v.reason != "" {
		row := Row{Text(v.id), Text(CalculationNotAvailable), Text(v.reason)}
		for range len(loanOutputs()) + 2 {
			row = append(row, Null)
		}
		return row
	}
	return Row{Text(v.id), Text(StatusComputed), Null, v.payment(), v.rows[0].Payment, v.last().Payment, v.interest,
		v.paid, v.overpayment(), v.balloon, Count(len(v.rows)), Count(v.months), v.outflow()}
}

// payment is the level payment, which only an annuity has.
func (v loanVariant) payment() Value {
	if !v.annuity {
		return Null
	}
	return v.level
}

func (v loanVariant) difference(base loanVariant) Row {
	if v.reason != "" || base.reason != "" {
		return Row{Text(v.id), Text(base.id), Null, Null, Null, Null}
	}
	payment := Null
	if v.annuity && base.annuity {
		payment = v.level - base.level
	}
	return Row{
		Text(v.id), Text(base.id), payment, v.interest - base.interest, v.outflow() - base.outflow(),
		Count(v.months - base.months),
	}
}
