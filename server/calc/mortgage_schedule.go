package calc

import "fmt"

var mortgageSchedule = &Tool{
	ID:          "mortgage_schedule",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "График ипотеки по датам",
	Description: "График с датами платежей и процентами по дням. Платёж определяется по месячной ставке, проценты каждого периода по дням; дата платежа привязана к первой и в коротком месяце сдвигается на его конец, но не на рабочий день. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_schedule/1",
	Inputs: append(loanTerms(),
		date("start_date", "Дата выдачи"),
		dayCount(Act365, ActAct, Thirty360, Monthly112),
		enum("payment_type", "Вид платежа", "annuity", "differentiated").Default("annuity"),
		date("first_due_date", "Дата первого платежа: не позже двух месяцев после выдачи; по умолчанию через месяц").Optional()),
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
		Title:   "Выдача 31 октября: конец месяца и високосный год",
		Request: `{"inputs":{"principal":"1000000","annual_rate_pct":"18","term_months":24,"start_date":"2023-10-31","day_count":"act_act"},"options":{"include_schedule":true,"schedule_limit":24}}`,
		Want:    map[string]string{"payment": "49924.10", "first_interest": "14794.52", "last_payment": "49631.96", "last_date": "2025-10-31", "interest_total": "197886.26", "paid_total": "1197886.26"},
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
			"Способ monthly_1_12 считает целые месяцы, а первый период не целый", "Выберите другой day_count или дату "+start.AddMonths(1).String())
	}
}

// dueDates are the start and the dates of n payments. The anchor is the start or
// the first due date, never the payment before, or a month's end would stick.
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

// periodFraction is the part of a year in period k of those dates.
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
	l.warn(out)
	if out.Paging() {
		for i, r := range l.rows {
			out.Row(Count(i+1), ds[i+1], Count(ds[i+1]-ds[i]), r.Payment, r.Interest, r.Principal, r.Balance)
		}
	}
	return nil
}

// dated makes the plan by some accrual. The payment of a contract is the one by
// months, whatever the interest is counted by.
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

var mortgageEarlyRepayment = &Tool{
	ID:          "mortgage_early_repayment",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Досрочное погашение ипотеки",
	Description: "Частичное или полное досрочное погашение в день платежа: новый платёж при прежнем сроке и новый срок при прежнем платеже, экономия на процентах в обоих случаях. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_early_repayment/1",
	Inputs: []Field{
		money("principal", "Сумма кредита").Min("1.00"),
		months("term_months", "Срок, месяцев"),
		integer("after_payment_no", "После какого платежа погашается досрочно", "payments", 0, 599),
		moneyPlus("current_balance", "Остаток долга"),
		months("remaining_months", "Осталось месяцев"),
		moneyPlus("current_payment", "Ежемесячный платёж"),
		pct("annual_rate_pct", "Ставка, процентов годовых"),
		moneyPlus("extra_amount", "Сумма досрочного погашения, не больше остатка долга"),
		enum("mode", "Что уменьшить", "both", "reduce_payment", "reduce_term").Default("both"),
	},
	Choices: []Choice{{
		{Needs: names("principal", "term_months", "after_payment_no")},
		{Needs: names("current_balance", "remaining_months", "current_payment")},
	}},
	Outputs: []Field{
		money("balance_before", "Остаток долга до погашения"),
		money("balance_after", "Остаток долга после погашения"),
		money("base_payment", "Платёж до погашения"),
		money("base_interest_remaining", "Оставшиеся проценты без погашения"),
		object("reduce_payment", "Уменьшить платёж",
			money("new_payment", "Новый платёж"),
			count("remaining_months", "Осталось платежей", "payments"),
			money("last_payment", "Последний платёж"),
			smoney("interest_saved", "Экономия на процентах")),
		object("reduce_term", "Уменьшить срок",
			money("payment", "Платёж"),
			count("remaining_months", "Осталось платежей", "payments"),
			count("months_saved", "На сколько платежей меньше", "payments").Signed(),
			money("last_payment", "Последний платёж"),
			smoney("interest_saved", "Экономия на процентах")),
		smoney("difference_interest_saved", "На сколько больше экономия при уменьшении срока"),
	},
	PSK:     true,
	Check:   checkEarlyRepayment,
	Compute: computeEarlyRepayment,
	Examples: []Example{{
		Title:   "500 000 ₽ после 24-го платежа",
		Request: `{"inputs":{"principal":"3000000","annual_rate_pct":"12","term_months":120,"after_payment_no":24,"extra_amount":"500000"}}`,
		Want:    map[string]string{"balance_before": "2648231.47", "balance_after": "2148231.47", "base_payment": "43041.28", "difference_interest_saved": "361183.32"},
	}, {
		Title:   "По остатку долга, только срок",
		Request: `{"inputs":{"current_balance":"2648231.47","remaining_months":96,"current_payment":"43041.28","annual_rate_pct":"12","extra_amount":"500000","mode":"reduce_term"}}`,
		Want:    map[string]string{"balance_after": "2148231.47"},
	}},
}

func checkEarlyRepayment(in In) {
	if in.Has("current_balance") {
		checkExtra(in, in.Money("current_balance"))
		return
	}
	if in.Int("after_payment_no") >= in.Int("term_months") {
		in.Fail("after_payment_no", FaultInconsistent, "После последнего платежа гасить нечего", "Укажите номер меньше срока")
	}
}

// checkExtra reports whether there is as much debt as is to be repaid.
func checkExtra(in In, balance Money) bool {
	if in.Money("extra_amount") <= balance {
		return true
	}
	in.Fail("extra_amount", FaultInconsistent,
		"Сумма погашения больше остатка долга", "Укажите не больше "+balance.String())
	return false
}

// A mortgageDebt is a loan on the day of an early repayment.
type mortgageDebt struct {
	balance  Money
	rate     Pct
	months   int   // to go by the contract
	payments int   // to go by its schedule, which rounding can shorten
	level    Money // payment
	interest Money // to go
}

func computeEarlyRepayment(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	d, err := debtNow(in, out)
	if err != nil || !checkExtra(in, d.balance) {
		return err
	}
	out.Warn("assumes_repayment_on_due_date", "", "Погашение считается внесённым в день платежа: проценты между датами платежей не учтены")
	rest := d.balance - in.Money("extra_amount")
	out.Set("balance_before", d.balance)
	out.Set("balance_after", rest)
	out.Set("base_payment", d.level)
	out.Set("base_interest_remaining", d.interest)
	out.Step("balance_after", "S′ = S − E", rest, "%s − %s", d.balance, in.Money("extra_amount"))
	return d.modes(in.Text("mode"), rest, out)
}

// modes computes what was asked for. If one mode has no result, the other's is
// still given.
func (d mortgageDebt) modes(mode string, rest Money, out *Out) error {
	var byPayment, byTerm Money
	var errPayment, errTerm error
	if mode != "reduce_term" {
		byPayment, errPayment = d.reducePayment(rest, out)
	}
	if mode != "reduce_payment" {
		byTerm, errTerm = d.reduceTerm(rest, out)
	}
	if errPayment != nil {
		return errPayment
	}
	if errTerm != nil {
		return errTerm
	}
	if mode == "both" {
		out.Set("difference_interest_saved", byTerm-byPayment)
		out.Step("difference_interest_saved", "saved(term) − saved(payment)", byTerm-byPayment, "%s − %s", byTerm, byPayment)
	}
	return nil
}

// debtNow is the debt after some payments of a loan, or as it was given.
func debtNow(in In, out *Out) (mortgageDebt, error) {
	d := mortgageDebt{rate: in.Pct("annual_rate_pct")}
	if in.Has("current_balance") {
		d.balance, d.months, d.level = in.Money("current_balance"), in.Int("remaining_months"), in.Money("current_payment")
		p, err := amortize(d.balance, d.months, d.level, 0, monthly(d.rate))
		if err != nil {
			return d, err
		}
		d.payments, d.interest = len(p.rows), p.interest
		p.warnGiven(out, "/inputs/current_payment")
		return d, nil
	}
	n, k := in.Int("term_months"), in.Int("after_payment_no")
	l, err := annuityLoan(in.Money("principal"), d.rate, n, 0)
	l.traceLevel(out)
	if err != nil {
		return d, err
	}
	l.warn(out)
	balance, paid := l.after(k)
	out.Step("balance_before", "S_k = P − ΣPr", balance, "%s − %s, k = %d", l.principal, l.principal-balance, k)
	out.Step("base_interest_remaining", "ΣI − Σ_{≤k}I", l.interest-paid, "%s − %s", l.interest, paid)
	d.balance, d.months, d.level = balance, n-k, l.level
	d.payments, d.interest = max(0, len(l.rows)-k), l.interest-paid
	return d, nil
}

// warnGiven is warn for a payment that the caller gave: it may not fit the term.
func (p *plan) warnGiven(out *Out, pointer string) {
	if p.shortened {
		out.Warn("term_shortened_by_rounding", pointer, "При указанном платеже долг погашается раньше срока: платежей "+Count(len(p.rows)).String())
	}
	if p.outlier {
		out.Warn("last_payment_outlier", pointer, "При указанном платеже последний платёж больше обычного в полтора раза и более")
	}
}

// closing is the last payment; of a plan without rows, zero.
func (p *plan) closing() Money {
	if len(p.rows) == 0 {
		return 0
	}
	return p.last().Payment
}

func (d mortgageDebt) reducePayment(rest Money, out *Out) (saved Money, err error) {
	l := loan{plan: &plan{}}
	if rest > 0 {
		l, err = annuityLoan(rest, d.rate, d.months, 0)
		out.Step("reduce_payment_new_payment", "A′ = round2(A(S′, R, n − k))", l.level, "round2(%s), A(%s, %s, %d)", l.unrounded, rest, d.rate, d.months)
		if err != nil {
			return 0, err
		}
		l.warn(out)
	}
	saved = d.interest - l.interest
	out.Set("reduce_payment", Row{l.level, Count(len(l.rows)), l.closing(), saved})
	out.Step("reduce_payment_interest_saved", "ΣI_base − ΣI_new", saved, "%s − %s", d.interest, l.interest)
	return saved, nil
}

func (d mortgageDebt) reduceTerm(rest Money, out *Out) (saved Money, err error) {
	p := &plan{}
	if rest > 0 {
		if p, err = payDown(rest, d.level, monthly(d.rate)); err != nil {
			return 0, err
		}
	}
	saved = d.interest - p.interest
	fewer := d.payments - len(p.rows)
	out.Set("reduce_term", Row{d.level, Count(len(p.rows)), Count(fewer), p.closing(), saved})
	out.Step("reduce_term_months_saved", "rows_base − rows_new", fewer, "%d − %d", d.payments, len(p.rows))
	out.Step("reduce_term_interest_saved", "ΣI_base − ΣI_new", saved, "%s − %s", d.interest, p.interest)
	return saved, nil
}

var mortgageBalance = &Tool{
	ID:          "mortgage_outstanding_balance",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Остаток долга по ипотеке",
	Description: "Остаток долга после заданного числа аннуитетных платежей, уплаченные долг и проценты; проценты, начисленные с последней даты платежа. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_outstanding_balance/1",
	Inputs: append(loanTerms(),
		integer("payments_made", "Внесено платежей", "payments", 0, 600),
		date("as_of_date", "На какую дату начислить проценты"),
		date("last_due_date", "Дата последнего внесённого платежа"),
		dayCount(Act365, ActAct, Thirty360)),
	Choices: []Choice{{{}, {Needs: names("as_of_date", "last_due_date"), May: names("day_count")}}},
	Outputs: []Field{
		money("payment", "Ежемесячный платёж"),
		money("balance", "Остаток долга"),
		money("principal_paid", "Погашено долга"),
		money("interest_paid", "Уплачено процентов"),
		money("accrued_interest", "Начислено процентов с последней даты платежа"),
	},
	PSK:     true,
	Check:   checkMortgageBalance,
	Compute: computeMortgageBalance,
	Examples: []Example{{
		Title:   "Остаток через год",
		Request: `{"inputs":{"principal":"5000000","annual_rate_pct":"18.5","term_months":360,"payments_made":12}}`,
		Want:    map[string]string{"balance": "4995896.84", "principal_paid": "4103.16", "interest_paid": "924663.60"},
	}, {
		Title:   "С процентами за 15 дней",
		Request: `{"inputs":{"principal":"5000000","annual_rate_pct":"18.5","term_months":360,"payments_made":12,"last_due_date":"2026-03-10","as_of_date":"2026-03-25"}}`,
		Want:    map[string]string{"balance": "4995896.84", "accrued_interest": "37982.50"},
	}},
}

func checkMortgageBalance(in In) {
	if in.Int("payments_made") > in.Int("term_months") {
		in.Fail("payments_made", FaultInconsistent, "Платежей больше, чем месяцев в сроке", "Укажите число не больше срока")
	}
	if in.Has("as_of_date") {
		in.Order("last_due_date", "as_of_date")
	}
}

func computeMortgageBalance(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	out.Assume("payments_made_on_schedule")
	l, err := annuityLoan(in.Money("principal"), in.Pct("annual_rate_pct"), in.Int("term_months"), 0)
	l.traceLevel(out)
	if err != nil {
		return err
	}
	k := in.Int("payments_made")
	balance, paid := l.after(k)
	out.Set("payment", l.level)
	out.Set("balance", balance)
	out.Set("principal_paid", l.principal-balance)
	out.Set("interest_paid", paid)
	out.Step("interest_paid", "Σ_{≤k}I", paid, "Σ round2(S·%s/1200), k = 1…%d", l.rate, k)
	out.Step("balance", "S_k = P − ΣPr", balance, "%s − %s", l.principal, l.principal-balance)
	if in.Has("as_of_date") {
		accruedSince(in, out, balance)
	}
	l.warn(out)
	return nil
}

// accruedSince is the interest since the last due date, on what remained after it.
func accruedSince(in In, out *Out, balance Money) {
	out.Assume("accrual_interval_first_day_excluded")
	from, to, r := in.Date("last_due_date"), in.Date("as_of_date"), in.Pct("annual_rate_pct")
	yf := yearFraction(from, to, in.DayCount())
	sum := interest(balance, r, yf)
	out.Set("accrued_interest", sum)
	out.Step("accrued_interest", "round2(S_k·R/100·YF)", sum, "round2(%s·%s/100·%d/%d), (%s, %s]", balance, r, yf.Num, yf.Den, from, to)
}

var mortgagePhased = &Tool{
	ID:          "mortgage_phased_payment",
	Version:     "1.0.0",
	Release:     "1.5",
	Family:      "mortgage",
	Title:       "Ипотека с периодами",
	Description: "Платежи по периодам с разной ставкой: обычное погашение, только проценты или отсрочка с присоединением процентов к долгу. Полная стоимость кредита (ПСК) не рассчитывается.",
	Formula:     "mortgage_phased_payment/1",
	Inputs: []Field{
		money("principal", "Сумма кредита").Min("1.00"),
		months("term_months", "Срок, месяцев"),
		list("phases", "Периоды по порядку; вместе составляют срок, последний с погашением", 1, 20,
			months("months", "Длина периода, месяцев"),
			pct("annual_rate_pct", "Ставка периода, процентов годовых"),
			enum("mode", "amortizing: погашение, interest_only: только проценты, deferred_capitalized: отсрочка с присоединением процентов к долгу",
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
	Examples: []Example{{
		Title:   "6 % два года, затем 17 %",
		Request: `{"inputs":{"principal":"6000000","term_months":360,"phases":[{"months":24,"annual_rate_pct":"6","mode":"amortizing"},{"months":336,"annual_rate_pct":"17","mode":"amortizing"}]}}`,
		Want:    map[string]string{"phase_payments": `["35973.03","83588.30"]`, "interest_total": "22949057.78"},
	}, {
		Title:   "Отсрочка на полгода с присоединением процентов",
		Request: `{"inputs":{"principal":"2000000","term_months":120,"phases":[{"months":6,"annual_rate_pct":"18","mode":"deferred_capitalized"},{"months":114,"annual_rate_pct":"18","mode":"amortizing"}]},"options":{"include_schedule":true,"schedule_limit":12}}`,
		Want:    map[string]string{"phase_payments": `["0.00","40159.62"]`, "capitalized_total": "186886.53"},
	}},
}

func checkPhases(in In) {
	phases := in.List("phases")
	sum := 0
	for _, p := range phases {
		sum += p.Int("months")
	}
	if sum != in.Int("term_months") {
		in.Fail("phases", FaultInconsistent,
			fmt.Sprintf("Периоды составляют %d мес., а срок %d мес.", sum, in.Int("term_months")), "Сумма months должна быть равна term_months")
	}
	if last := phases[len(phases)-1]; last.Text("mode") != "amortizing" {
		last.Fail("mode", FaultInconsistent, "В последнем периоде долг должен погашаться", "Укажите amortizing")
	}
}

// A phased is a repayment in the making, phase by phase.
type phased struct {
	plan
	phaseOf     []int // by row, from 1
	balance     Money
	left        int // months of the whole term
	capitalized Money
	payments    List // by phase
	balances    List
	level       Money // of the phase
}

func computePhased(in In, out *Out) error {
	out.Assume("interest_monthly_1_12")
	principal := in.Money("principal")
	s := &phased{balance: principal, left: in.Int("term_months")}
	s.rows = make([]payment, 0, s.left)
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
	out.Set("last_payment", last.Payment)
	out.Set("interest_total", s.interest)
	out.Set("paid_total", s.paid)
	out.Set("rows", Count(len(s.rows)))
	out.Step("last_payment", "Aₙ = Sₙ₋₁ + Iₙ", last.Payment, "%s + %s", last.Principal, last.Interest)
	out.Step("interest_total", "ΣI = Σpaid − P", s.interest, "%s − %s", s.paid, principal)
	s.warn(out)
	if out.Paging() {
		for i, r := range s.rows {
			out.Row(Count(i+1), Count(s.phaseOf[i]), r.Payment, r.Interest, r.Principal, r.Balance)
		}
	}
	return nil
}

// run goes through the months of a phase. Rounding may have repaid the debt
// before, and then there is nothing to pay.
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
			if s.left == 1 {
				principal = s.balance
			} else if level <= i {
				out.Warn(string(PaymentDoesNotAmortize), fmt.Sprintf("/inputs/phases/%d", no-1), fmt.Sprintf("Платёж не покрывает проценты в месяце %d", len(s.rows)+1))
				return PaymentDoesNotAmortize
			}
		case "deferred_capitalized":
			principal = -i
			s.capitalized += i
		}
		s.balance = s.post(s.balance, i, principal)
		s.phaseOf = append(s.phaseOf, no)
		s.left--
	}
	s.payments = append(s.payments, level)
	s.balances = append(s.balances, s.balance)
	out.Step(fmt.Sprintf("balance_after_phase_%d", no), "S − ΣPr", s.balance, "%s − %s", opening, opening-s.balance)
	return nil
}

// start is the payment of a phase: level over all the months that are left, the
// interest alone, or nothing.
func (s *phased) start(no int, r Pct, mode string, out *Out) Money {
	step := fmt.Sprintf("phase_payment_%d", no)
	s.level = 0
	switch {
	case s.balance == 0:
	case mode == "amortizing":
		exact := annuity(s.balance, r, s.left, 0)
		s.level = exact.Round()
		out.Step(step, "A2 = round2(A(S, R, n))", s.level, "round2(%s), A(%s, %s, %d)", exact, s.balance, r, s.left)
	case mode == "interest_only":
		s.level = monthInterest(s.balance, r)
		out.Step(step, "I = round2(S·R/1200)", s.level, "round2(%s·%s/1200)", s.balance, r)
	default:
		out.Step(step, "A = 0, S += I", s.level, "S = %s", s.balance)
	}
	return s.level
}
