package calc

var mortgageSchedule = &Tool{
	ID:       "mortgage_schedule",
	Version:  "1.1.0",
	Formula:  "mortgage_schedule/2",
	Earlier:  []*Tool{mortgageSchedule1},
	Inputs:   datedInputs(),
	Outputs:  datedOutputs("Проценты за первый период"),
	Schedule: datedColumns,
	PSK:      true,
	Check:    checkMortgageSchedule,
	Span: func(in In) (Date, Date) {
		start := in.Date("start_date")
		return start, start.AddMonths(in.Int("term_months"))
	},
	Series:  "mortgage_phased_payment",
	Compute: computeMortgageSchedule,
}

func datedInputs() []Field {
	return append(loanTerms(),
		date("start_date", "Дата выдачи"),
		dayCount(ActAct, Thirty360, Monthly112),
		enum("payment_type", "Вид платежа", "annuity", "differentiated").Default("annuity"),
		date("first_due_date", "Дата первого платежа: не позже двух месяцев после выдачи; по умолчанию через месяц").
			Optional())
}

func datedOutputs(firstInterest string) []Field {
	return []Field{
		money("payment", "Ежемесячный платёж; только для аннуитета"),
		money("first_interest", firstInterest),
		money("first_payment", "Первый платёж"),
		money("last_payment", "Последний платёж"),
		date("last_date", "Дата последнего платежа"),
		money("interest_total", "Проценты за весь срок"),
		money("paid_total", "Всего выплат"),
		count("rows", "Число платежей", "payments"),
	}
}

var datedColumns = []Field{
	count("no", "Номер платежа", ""),
	date("date", "Дата платежа"),
	count("days", "Календарных дней в периоде", "days"),
	money("payment", "Платёж"),
	money("interest", "Проценты"),
	money("principal", "Основной долг"),
	money("balance", "Остаток долга"),
	money("interest_unpaid", "Начисленные проценты, которые войдут в следующие платежи"),
}

func checkMortgageSchedule(in In) {
	if !in.Has("first_due_date") {
		return
	}
	in.Order("start_date", "first_due_date")
	start, first := in.Date("start_date"), in.Date("first_due_date")
	switch {
	case first > start.AddMonths(2):
		in.Fail("first_due_date", FaultInconsistent,
			"Первый платёж позже двух месяцев после выдачи", "Укажите дату не позже "+start.AddMonths(2).String())
	case first > start && in.DayCount() == Monthly112 && first != start.AddMonths(1) && first != start.AddMonths(2):
		in.Fail("first_due_date", FaultInconsistent,
			"Способ monthly_1_12 считает целые месяцы, а первый период не целый",
			"Выберите другой day_count или дату "+start.AddMonths(1).String())
	}
}

// dueDates are the start and the dates of n payments, all counted from the start or from
// the first due date: see [Date.AddMonths].
func dueDates(in In, n int) []Date {
	ds := make([]Date, 1, n+1)
	ds[0] = in.Date("start_date")
	for k := 1; k <= n; k++ {
		if in.Has("first_due_date") {
			ds = append(ds, in.Date("first_due_date").AddMonths(k-1))
		} else {
			ds = append(ds, ds[0].AddMonths(k))
		}
	}
	return ds
}

// periodFraction is the year fraction of period k of dueDates.
func periodFraction(ds []Date, k int, basis DayCount) Frac {
	if basis != Monthly112 {
		return yearFraction(ds[k-1], ds[k], basis)
	}
	if k == 1 && ds[1] != ds[0].AddMonths(1) {
		return wholeMonths(2)
	}
	return wholeMonths(1)
}

func computeMortgageSchedule(in In, out *Out) error {
	start := in.Date("start_date")
	l, ds, err := scheduledLoan(in, out, func(l *loan, accrue accrual) (*plan, error) {
		longFirst := in.Has("first_due_date") && in.Date("first_due_date") > start.AddMonths(1)
		p := amortizeDated(l.principal, l.months, l.level, longFirst, accrue)
		if l.months > 1 && p.last().Principal == l.principal && l.level <= monthInterest(l.principal, l.rate) {
			return nil, PaymentDoesNotAmortize
		}
		return p, nil
	})
	if err != nil {
		return err
	}
	l.datedResults(in, out, ds)
	if l.annuity {
		l.warnDated(in, out, ds)
	} else {
		l.warnRounding(out)
	}
	l.datedSchedule(out, ds)
	return nil
}

// datedSchedule writes the columns that the version has.
func (l *loan) datedSchedule(out *Out, ds []Date) {
	if !out.Paging() {
		return
	}
	for i, r := range l.rows {
		row := Row{
			Count(i + 1), ds[i+1], Count(ds[i+1] - ds[i]), r.Payment, r.Interest, r.Principal, r.Balance, r.Unpaid,
		}
		out.Row(row[:len(out.tool.Schedule)]...)
	}
}

// scheduledLoan is a loan whose interest accrues by dates, and its due dates. The level payment of an
// annuity stays the one of monthly accrual; repay makes its plan.
func scheduledLoan(in In, out *Out, repay func(*loan, accrual) (*plan, error)) (l loan, ds []Date, err error) {
	out.Assume("accrual_interval_first_day_excluded", "due_dates_not_shifted_to_business_days")
	l = loan{
		principal: in.Money("principal"),
		rate:      in.Pct("annual_rate_pct"),
		months:    in.Int("term_months"),
		annuity:   in.Text("payment_type") == "annuity",
	}
	ds = dueDates(in, l.months)
	accrue := func(k int, s Money) Money { return interest(s, l.rate, periodFraction(ds, k, in.DayCount())) }
	if !l.annuity {
		l.level = share(l.principal, 1, int64(l.months))
		l.traceLevel(out)
		l.plan, err = differentiated(l.principal, l.months, accrue)
		return l, ds, err
	}
	out.Assume("annuity_by_monthly_rate")
	l.unrounded = annuity(l.principal, l.rate, l.months, 0)
	l.level = l.unrounded.Round()
	l.traceLevel(out)
	l.plan, err = repay(&l, accrue)
	return l, ds, err
}

// warnDated says which payments do not cover their interest, and what makes the last payment differ from
// the level one.
func (l *loan) warnDated(in In, out *Out, ds []Date) {
	unpaid, first := 0, 0
	for i, r := range l.rows {
		if r.Unpaid > 0 {
			if unpaid++; unpaid == 1 {
				first = i
			}
		}
	}
	if l.rows[0].Payment > l.level && l.rows[0].Principal == 0 {
		out.Warn("first_payment_is_interest", "/inputs/first_due_date", l.level, l.rows[0].Payment)
	}
	if unpaid > 0 {
		out.Warn("interest_carried_forward", "", first+1, ds[first+1], l.rows[first].Unpaid, unpaid)
	}
	l.warnLast(in, out, ds)
}

// warnLast says what makes the last payment, or the end before the term, if the days of a period do
// that; otherwise it is the rounding.
func (l *loan) warnLast(in In, out *Out, ds []Date) {
	byDays := false
	for k := 1; k <= len(l.rows) && !byDays; k++ {
		yf := periodFraction(ds, k, in.DayCount())
		byDays = 12*yf.Num != yf.Den
	}
	last := l.last().Payment
	switch {
	case !byDays:
		l.warnRounding(out)
	case l.shortened:
		out.Warn("term_shortened_by_day_count", "", len(l.rows), last)
	case 2*last > 3*l.level || 2*last < l.level:
		rounding := Money(0)
		if monthly, err := annuityLoan(l.principal, l.rate, l.months, 0); err == nil && !monthly.shortened {
			rounding = monthly.last().Payment - l.level
		}
		out.Warn("last_payment_outlier: days", "", last, l.level, last-l.level-rounding, rounding)
	}
}

func (l *loan) datedResults(in In, out *Out, ds []Date) {
	first, last := l.rows[0], l.last()
	yf := periodFraction(ds, 1, in.DayCount())
	if l.annuity {
		out.Set("payment", l.level)
	}
	accrued := first.Interest + first.Unpaid
	out.Set("last_date", ds[len(l.rows)])
	out.Set("paid_total", l.paid)
	out.Set("rows", Count(len(l.rows)))
	out.Derive("first_interest", accrued, "I₁ = round2(P·R/100·YF(d₀, d₁))",
		"round2(%s·%s/100·%d/%d), (%s, %s]", l.principal, l.rate, yf.Num, yf.Den, ds[0], ds[1])
	out.Derive("first_payment", first.Payment, "A₁ = I₁ + Pr₁", "%s + %s", first.Interest, first.Principal)
	out.Derive("last_payment", last.Payment, "Aₙ = Sₙ₋₁ + Iₙ", "%s + %s", last.Principal, last.Interest)
	out.Derive("interest_total", l.interest, "ΣI = Σpaid − P", "%s − %s", l.paid, l.principal)
}
