package calc

import "fmt"

var mortgageSchedule = &Tool{
	ID:    "mortgage_schedule",
	Title: "График ипотеки по датам",
	Description: "График с датами платежей и процентами по дням. Платёж определяется по месячной ставке, проценты " +
		"каждого периода по дням; дата платежа привязана к первой и в коротком месяце сдвигается на его конец, но не " +
		"на рабочий день. Полная стоимость кредита (ПСК) не рассчитывается.",
	Inputs: append(loanTerms(),
		date("start_date", "Дата выдачи"),
		dayCount(ActAct, Thirty360, Monthly112),
		enum("payment_type", "Вид платежа", "annuity", "differentiated").Default("annuity"),
		date(
			"first_due_date", "Дата первого платежа: не позже двух месяцев после выдачи; по умолчанию через месяц",
		).Optional()),
	Outputs: []Field{
		money("payment", "Ежемесячный платёж; только для аннуитета"),
		money("first_interest", "Проценты в первом платеже"),
		money("first_payment", "Первый платёж"),
		money("last_payment", "Последний платёж"),
		date("last_date", "Дата последнего платежа"),
		money("interest_total", "Проценты за весь срок"),
		money("paid_total", "Всего выплат"),
		count("rows", "Число платежей", "payments"),
	},
	Schedule: []Field{
		count("no", "Номер платежа", ""),
		date("date", "Дата платежа"),
		count("days", "Календарных дней в периоде", "days"),
		money("payment", "Платёж"),
		money("interest", "Проценты"),
		money("principal", "Основной долг"),
		money("balance", "Остаток долга"),
	},
	PSK:     true,
	Check:   checkMortgageSchedule,
	Compute: computeMortgageSchedule,
	Examples: []Example{{
		Title: "Выдача 31 октября: конец месяца и високосный год",
		Request: `{"inputs":{"principal":"1000000","annual_rate_pct":"18","term_months":24,` +
			`"start_date":"2023-10-31","day_count":"act_act"},"options":{"include_schedule":true,"schedule_limit":24}}`,
		Want: map[string]string{
			"payment": "49924.10", "first_interest": "14794.52", "last_payment": "49631.96", "last_date": "2025-10-31",
			"interest_total": "197886.26", "paid_total": "1197886.26",
		},
	}, {
		Title:   "Тот же кредит по 365 дней в году",
		Request: `{"inputs":{"principal":"1000000","annual_rate_pct":"18","term_months":24,"start_date":"2023-10-31"}}`,
		Want:    map[string]string{"payment": "49924.10", "interest_total": "198338.93"},
	}},
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
	out.Assume("accrual_interval_first_day_excluded")
	out.Assume("due_dates_not_shifted_to_business_days")
	l := loan{
		principal: in.Money("principal"),
		rate:      in.Pct("annual_rate_pct"),
		months:    in.Int("term_months"),
		annuity:   in.Text("payment_type") == "annuity",
	}
	ds, at := dueDates(in, l.months), 0
	accrue := func(k int, s Money) Money {
		at = k
		return interest(s, l.rate, periodFraction(ds, k, in.DayCount()))
	}
	err := l.dated(accrue, out)
	if err == PaymentDoesNotAmortize {
		warnRow(in, out, at, ds[at])
	}
	if err != nil {
		return err
	}
	l.datedResults(in, out, ds)
	l.warnRounding(out)
	if out.Paging() {
		for i, r := range l.rows {
			out.Row(Count(i+1), ds[i+1], Count(ds[i+1]-ds[i]), r.Payment, r.Interest, r.Principal, r.Balance)
		}
	}
	return nil
}

// dated recalculates the schedule with an accrual by dates. The level payment stays the
// one of monthly accrual.
func (l *loan) dated(accrue accrual, out *Out) (err error) {
	if l.annuity {
		out.Assume("annuity_by_monthly_rate")
		l.unrounded = annuity(l.principal, l.rate, l.months, 0)
		l.level = l.unrounded.Round()
		l.traceLevel(out)
		l.plan, err = amortize(l.principal, l.months, l.level, 0, accrue)
		return err
	}
	l.level = share(l.principal, 1, int64(l.months))
	l.traceLevel(out)
	l.plan, err = differentiated(l.principal, l.months, accrue)
	return err
}

func warnRow(in In, out *Out, row int, due Date) {
	pointer := ""
	if row == 1 && in.Has("first_due_date") {
		pointer = "/inputs/first_due_date"
	}
	out.Warn(string(PaymentDoesNotAmortize), pointer,
		fmt.Sprintf("Платёж не покрывает проценты в строке %d (%s): на потом проценты не переносятся", row, due))
}

func (l *loan) datedResults(in In, out *Out, ds []Date) {
	first, last := l.rows[0], l.last()
	yf := periodFraction(ds, 1, in.DayCount())
	if l.annuity {
		out.Set("payment", l.level)
	}
	out.Set("first_interest", first.Interest)
	out.Set("first_payment", first.Payment)
	out.Set("last_payment", last.Payment)
	out.Set("last_date", ds[len(l.rows)])
	out.Set("interest_total", l.interest)
	out.Set("paid_total", l.paid)
	out.Set("rows", Count(len(l.rows)))
	out.Step("first_interest", "I₁ = round2(P·R/100·YF(d₀, d₁))", first.Interest,
		"round2(%s·%s/100·%d/%d), (%s, %s]", l.principal, l.rate, yf.Num, yf.Den, ds[0], ds[1])
	out.Step("first_payment", "A₁ = I₁ + Pr₁", first.Payment, "%s + %s", first.Interest, first.Principal)
	out.Step("last_payment", "Aₙ = Sₙ₋₁ + Iₙ", last.Payment, "%s + %s", last.Principal, last.Interest)
	out.Step("interest_total", "ΣI = Σpaid − P", l.interest, "%s − %s", l.paid, l.principal)
}
