package calc

import "fmt"

// mortgageSchedule1 refuses a loan whose payment does not cover the interest of some period.
var mortgageSchedule1 = &Tool{
	ID:      "mortgage_schedule",
	Version: "1.0.0",
	Title:   "График ипотеки по датам",
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
	Compute: computeMortgageSchedule1,
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

func computeMortgageSchedule1(in In, out *Out) error {
	at := 0
	l, ds, err := scheduledLoan(in, out, func(l *loan, accrue accrual) (*plan, error) {
		return amortize(l.principal, l.months, l.level, 0, func(k int, s Money) Money {
			at = k
			return accrue(k, s)
		})
	})
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

func warnRow(in In, out *Out, row int, due Date) {
	pointer := ""
	if row == 1 && in.Has("first_due_date") {
		pointer = "/inputs/first_due_date"
	}
	out.Warn(string(PaymentDoesNotAmortize), pointer,
		fmt.Sprintf("Платёж не покрывает проценты в строке %d (%s): на потом проценты не переносятся", row, due))
}
