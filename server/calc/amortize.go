package calc

import "math/big"

// A payment is one row of a repayment schedule. Balance is the debt after the payment, Unpaid the
// interest that later payments pay.
type payment struct{ Payment, Interest, Principal, Balance, Unpaid Money }

// A plan is a repayment schedule. Its principal parts add up to the principal
// and its last balance is zero, exactly.
type plan struct {
	rows      []payment
	interest  Money // total
	paid      Money // total
	shortened bool  // fewer rows than the term: the rounding of the payment repaid the debt early
	outlier   bool  // the last payment is more than 1.5 times the others
}

func (p *plan) last() payment { return p.rows[len(p.rows)-1] }

// post adds a row and returns the balance after it.
func (p *plan) post(balance, interest, principal Money) Money {
	row := payment{interest + principal, interest, principal, balance - principal, 0}
	p.rows = append(p.rows, row)
	p.interest += interest
	p.paid += row.Payment
	return row.Balance
}

// warnRounding adds a warning for each effect of rounding the payment to kopecks.
func (p *plan) warnRounding(out *Out) {
	if p.shortened {
		out.Warn("term_shortened_by_rounding", "/inputs/term_months", len(p.rows))
	}
	out.WarnIf(p.outlier, "last_payment_outlier", "")
}

// An accrual is the interest of period k, counted from 1, on an opening balance.
type accrual func(k int, balance Money) Money

// monthly accrues a twelfth of the annual rate each period.
func monthly(r Pct) accrual {
	return func(_ int, balance Money) Money { return monthInterest(balance, r) }
}

// annuity is A(P,R,n,B) of the specification in roubles, unrounded: the level payment
// that leaves the balloon B after n months.
//
// With q = 1 + R/1200 it is (P·qⁿ − B)·(q − 1)/(qⁿ − 1), the same as the form with
// v = q⁻ⁿ. There are loans whose payment is exactly half a kopeck, so it is kept
// as a fraction until it is rounded.
func annuity(p Money, r Pct, n int, balloon Money) Exact {
	if r == 0 {
		return newExact(int64(p-balloon), 100*int64(n))
	}
	q := compound(r, 12, n)
	num := new(big.Int).Mul(big.NewInt(int64(p)), q.num)
	num.Sub(num, new(big.Int).Mul(big.NewInt(int64(balloon)), q.den))
	num.Mul(num, big.NewInt(int64(r)))
	den := new(big.Int).Sub(q.num, q.den)
	den.Mul(den, big.NewInt(1200*pctUnit))
	return Exact{num, den.Mul(den, big.NewInt(100))}
}

// amortize is SCH(P,R,n,A2) of the specification: level payments, of which the last
// repays the remaining balance, a balloon included.
func amortize(p Money, n int, level, balloon Money, accrue accrual) (*plan, error) {
	s := &plan{rows: make([]payment, 0, n)}
	for k := 1; k <= n && p > 0; k++ {
		interest, principal := accrue(k, p), p
		if k < n {
			if level <= interest {
				return nil, PaymentDoesNotAmortize
			}
			principal = min(level-interest, p)
		}
		p = s.post(p, interest, principal)
	}
	s.shortened = len(s.rows) < n
	s.outlier = 2*(s.last().Payment-balloon) > 3*level
	return s, nil
}

// amortizeDated is amortize for interest by dates, which a level payment may not cover in a month of 31
// days. Such a payment repays nothing; the interest that it leaves unpaid bears no interest and is paid
// first by the payments that follow (статьи 317.1 и 319 ГК РФ). A first period longer than a month that the
// level payment does not cover has its interest as its payment.
func amortizeDated(p Money, n int, level Money, longFirst bool, accrue accrual) *plan {
	s, unpaid := &plan{rows: make([]payment, 0, n)}, Money(0)
	for k := 1; k <= n && p > 0; k++ {
		due := unpaid + accrue(k, p)
		paid, principal := due, p
		if k < n && level-due < p {
			if k > 1 || !longFirst {
				paid = min(level, due)
			}
			principal = max(level-paid, 0)
		}
		p = s.post(p, paid, principal)
		unpaid = due - paid
		s.rows[k-1].Unpaid = unpaid
	}
	s.shortened = len(s.rows) < n
	return s
}

// payDown is OPEN(S,R,A) of the specification: the same payment until the debt is repaid.
func payDown(p Money, level Money, accrue accrual) (*plan, error) {
	s := &plan{}
	for k := 1; p > 0; k++ {
		interest := accrue(k, p)
		if level <= interest {
			return nil, PaymentDoesNotAmortize
		}
		if k > MaxRows {
			return nil, ScheduleTooLong
		}
		p = s.post(p, interest, min(level-interest, p))
	}
	return s, nil
}

// differentiated repays equal parts of the principal with the interest on top.
func differentiated(p Money, n int, accrue accrual) (*plan, error) {
	part := share(p, 1, int64(n))
	if part == 0 {
		return nil, AmountTooSmallForTerm
	}
	s := &plan{rows: make([]payment, 0, n)}
	for k := 1; k <= n && p > 0; k++ {
		principal := p
		if k < n {
			principal = min(part, p)
		}
		p = s.post(p, accrue(k, p), principal)
	}
	s.shortened = len(s.rows) < n
	return s, nil
}
