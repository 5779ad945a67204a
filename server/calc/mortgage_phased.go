package calc

import "fmt"

var mortgagePhased = &Tool{
	ID: "mortgage_phased_payment",
	Inputs: []Field{
		money("principal", "Сумма кредита").Min("1.00"),
		months("term_months", "Срок, месяцев"),
		list("phases", "Периоды по порядку; вместе составляют срок, последний с погашением", 1, 20,
			months("months", "Длина периода, месяцев"),
			pct("annual_rate_pct", "Ставка периода, процентов годовых"),
			enum("mode", "Что платится: долг и проценты, только проценты или ничего (отсрочка, проценты "+
				"присоединяются к долгу)",
				"amortizing", "interest_only", "deferred_capitalized")),
	},
	Outputs: []Field{
		listOf(money("phase_payments", "Платёж в каждом периоде"), 1, 20),
		listOf(money("balance_after_phase", "Остаток долга после каждого периода"), 1, 20),
		money("capitalized_total", "Проценты, присоединённые к долгу"),
		money("last_payment", "Последний платёж"),
		money("interest_total", "Проценты за весь срок"),
		money("paid_total", "Всего выплат"),
		count("rows", "Число месяцев до погашения", "months"),
	},
	Schedule: []Field{
		count("no", "Номер месяца", ""),
		count("phase", "Номер периода", ""),
		money("payment", "Платёж"),
		money("interest", "Проценты"),
		smoney("principal", "Основной долг; отрицательный, если проценты присоединены к долгу"),
		money("balance", "Остаток долга"),
	},
	PSK:     true,
	Check:   checkPhases,
	Compute: computePhased,
}

func checkPhases(in In) {
	phases := in.List("phases")
	sum := 0
	for _, p := range phases {
		sum += p.Int("months")
	}
	if sum != in.Int("term_months") {
		in.Fail("phases", FaultInconsistent,
			fmt.Sprintf("Периоды составляют %d мес., а срок %d мес.", sum, in.Int("term_months")),
			"Сумма months должна быть равна term_months")
	}
	if last := phases[len(phases)-1]; last.Text("mode") != "amortizing" {
		last.Fail("mode", FaultInconsistent, "В последнем периоде долг должен погашаться", "Укажите amortizing")
	}
}

// A phased is a repayment schedule that is computed phase by phase.
type phased struct {
	plan
	phaseOf     []int // by row, from 1
	balance     Money
	monthsLeft  int // months of the whole term
	capitalized Money
	payments    List // by phase
	balances    List
	level       Money // of the phase
}

func computePhased(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	principal := in.Money("principal")
	s := &phased{balance: principal, monthsLeft: in.Int("term_months")}
	s.rows = make([]payment, 0, s.monthsLeft)
	for i, p := range in.List("phases") {
		if err := s.run(i+1, p, out); err != nil {
			return err
		}
	}
	last := s.last()
	s.shortened = len(s.rows) < in.Int("term_months")
	s.outlier = 2*last.Payment > 3*s.level && s.level > 0
	out.Set("phase_payments", s.payments)
	out.Set("balance_after_phase", s.balances)
	out.Set("capitalized_total", s.capitalized)
	out.Set("paid_total", s.paid)
	out.Set("rows", Count(len(s.rows)))
	out.Derive("last_payment", last.Payment, "Aₙ = Sₙ₋₁ + Iₙ", "%s + %s", last.Principal, last.Interest)
	out.Derive("interest_total", s.interest, "ΣI = Σpaid − P", "%s − %s", s.paid, principal)
	s.warnRounding(out)
	if out.Paging() {
		for i, r := range s.rows {
			out.Row(Count(i+1), Count(s.phaseOf[i]), r.Payment, r.Interest, r.Principal, r.Balance)
		}
	}
	return nil
}

// run adds the payments of a phase: none if rounding has repaid the debt before it.
func (s *phased) run(no int, in In, out *Out) error {
	r, mode := in.Pct("annual_rate_pct"), in.Text("mode")
	level, opening := s.start(no, r, mode, out), s.balance
	for range in.Int("months") {
		if s.balance == 0 {
			break
		}
		i := monthInterest(s.balance, r)
		principal := Money(0)
		switch mode {
		case "amortizing":
			principal = min(level-i, s.balance)
			if s.monthsLeft == 1 {
				principal = s.balance
			} else if level <= i {
				out.Warn("payment_does_not_amortize: month", fmt.Sprintf("/inputs/phases/%d", no-1), len(s.rows)+1)
				return PaymentDoesNotAmortize
			}
		case "deferred_capitalized":
			principal = -i
			s.capitalized += i
		}
		s.balance = s.post(s.balance, i, principal)
		s.phaseOf = append(s.phaseOf, no)
		s.monthsLeft--
	}
	s.payments = append(s.payments, level)
	s.balances = append(s.balances, s.balance)
	out.Step(fmt.Sprintf("balance_after_phase_%d", no), "S − ΣPr", s.balance, "%s − %s", opening, opening-s.balance)
	return nil
}

// start sets the payment of a phase: level over all remaining months, interest only, or
// zero.
func (s *phased) start(no int, r Pct, mode string, out *Out) Money {
	step := fmt.Sprintf("phase_payment_%d", no)
	s.level = 0
	switch {
	case s.balance == 0:
	case mode == "amortizing":
		exact := annuity(s.balance, r, s.monthsLeft, 0)
		s.level = exact.Round()
		out.Step(step, "A2 = round2(A(S, R, n))", s.level,
			"round2(%s), A(%s, %s, %d)", exact, s.balance, r, s.monthsLeft)
	case mode == "interest_only":
		s.level = monthInterest(s.balance, r)
		out.Step(step, "I = round2(S·R/1200)", s.level, "round2(%s·%s/1200)", s.balance, r)
	default:
		out.Step(step, "A = 0, S += I", s.level, "S = %s", s.balance)
	}
	return s.level
}
