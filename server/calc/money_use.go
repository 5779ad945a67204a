package calc

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

const moneyUseInterestID = "money_use_interest"

// keyRateSeries is the published key rate of the Bank of Russia by periods, by which статья 395 ГК РФ counts.
const keyRateSeries = "rate.key-series"

// maxRates is the largest number of rows: decades of a rate that changes at every meeting of the bank.
const maxRates = 400

var moneyUseInterest = &Tool{
	ID: moneyUseInterestID,
	Inputs: []Field{
		moneyPlus("debt_amount", "Долг в первый день"),
		date("from_date", "Первый день просрочки, входит"),
		date("to_date", "Последний день, входит: день оплаты или день расчёта"),
		object("rate", "Ставка", parameterID("parameter_id", "Параметр с годовой ставкой по периодам", "percent")),
		list("payments", "Платежи в счёт долга", 0, MaxItems,
			date("date", "Дата"),
			moneyPlus("amount", "Сумма"),
		).Optional(),
	},
	Outputs: []Field{
		money("interest", "Проценты"),
		count("days", "Дней с долгом", "days"),
		money("debt_left", "Долг после платежей"),
		listOf(object("rows", "Проценты по ставкам",
			date("from", "Первый день"),
			date("to", "Последний день"),
			count("days", "Дней", "days"),
			count("year_days", "Дней в году", "days"),
			percent("rate", "Ставка, процентов годовых", 2),
			money("debt", "Долг"),
			money("interest", "Проценты"),
		), 0, maxRates),
	},
	Check:   checkMoneyUse,
	Compute: computeMoneyUse,
}

func checkMoneyUse(in In) {
	from, to := in.Date("from_date"), in.Date("to_date")
	if from > to {
		in.Fail("to_date", FaultDateOrder, fmt.Sprintf("Последний день %s раньше первого, %s", to, from),
			"Проверьте порядок дат")
		return
	}
	left := in.Money("debt_amount")
	for _, p := range in.List("payments") {
		day, amount := p.Date("date"), p.Money("amount")
		switch {
		case day < from:
			p.Fail("date", FaultDateOrder, fmt.Sprintf("Платёж %s раньше первого дня просрочки, %s", day, from),
				"Вычтите такой платёж из debt_amount")
		case day > to:
			p.Fail("date", FaultDateOrder, fmt.Sprintf("Платёж %s позже последнего дня, %s", day, to),
				"Уберите такой платёж или продлите срок")
		case amount > left:
			p.Fail("amount", FaultInconsistent, "Платежи больше долга: остаток до этого платежа "+left.String(),
				"Укажите суммы, которые зачтены в основной долг")
			return
		}
		left -= amount
	}
}

// A moneyUse adds up interest on a debt, by rows of one debt, one rate and one length of year.
type moneyUse struct {
	debt     Money
	payments []In // those to come, by date
	days     int
	rows     []moneyUseRow
}

type moneyUseRow struct {
	from, to Date
	yearDays int64
	rate     Pct
	debt     Money
}

func (r moneyUseRow) days() int64 { return int64(r.to-r.from) + 1 }

func computeMoneyUse(in In, out *Out) error {
	out.Assume("both_dates_included", "payment_counts_from_next_day", "payments_reduce_debt",
		"interest_rounded_in_total")
	const pointer = "/inputs/rate/parameter_id"
	m := moneyUse{debt: in.Money("debt_amount"), payments: in.List("payments")}
	slices.SortStableFunc(m.payments, func(a, b In) int { return cmp.Compare(a.Date("date"), b.Date("date")) })
	stretches, err := out.series(in.Object("rate").Text("parameter_id"), in.Date("from_date"), m.last(in), pointer)
	if err != nil {
		return err
	}
	most := pct("rate", "")
	for _, s := range stretches {
		rate, err := s.rate(&most, pointer, out)
		if err != nil {
			return err
		}
		m.add(s.from, s.to, rate)
	}
	if len(m.rows) > maxRates {
		return ScheduleTooLong
	}
	const bothYears = 365 * 366
	sum, rows := new(big.Int), List{}
	for _, r := range m.rows {
		product := big.NewInt(int64(r.debt))
		product.Mul(product, big.NewInt(int64(r.rate)))
		sum.Add(sum, product.Mul(product, big.NewInt(r.days()*(bothYears/r.yearDays))))
		rows = append(rows, Row{
			r.from, r.to, Count(r.days()), Count(r.yearDays), r.rate, r.debt,
			interest(r.debt, r.rate, Frac{r.days(), r.yearDays}),
		})
	}
	exact := Exact{sum, big.NewInt(100 * wholePct * bothYears)}
	out.Set("days", Count(m.days))
	out.Set("debt_left", m.debt)
	out.Set("rows", rows)
	out.Derive("interest", exact.Round(), "round2(Σ D·R·days/(100·year))", "round2(%s)", exact)
	return nil
}

// last is the last day with a debt.
func (m *moneyUse) last(in In) Date {
	left := m.debt
	for _, p := range m.payments {
		if left -= p.Money("amount"); left == 0 {
			return p.Date("date")
		}
	}
	return in.Date("to_date")
}

// add adds the days from … to at a rate. A payment counts from the next day.
func (m *moneyUse) add(from, to Date, rate Pct) {
	for from <= to {
		newYear := NewDate(from.Year()+1, 1, 1)
		end := min(to, newYear-1)
		if len(m.payments) > 0 {
			end = min(end, m.payments[0].Date("date"))
		}
		row := moneyUseRow{from, end, int64(newYear - NewDate(from.Year(), 1, 1)), rate, m.debt}
		m.days += int(row.days())
		if n := len(m.rows) - 1; n >= 0 && m.rows[n].rate == rate && m.rows[n].debt == m.debt &&
			m.rows[n].yearDays == row.yearDays {
			m.rows[n].to = end
		} else {
			m.rows = append(m.rows, row)
		}
		for len(m.payments) > 0 && m.payments[0].Date("date") == end {
			m.debt -= m.payments[0].Money("amount")
			m.payments = m.payments[1:]
		}
		from = end + 1
	}
}
