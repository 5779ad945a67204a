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
