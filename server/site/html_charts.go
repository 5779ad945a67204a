package site

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"rulestore/server/calc"
	"rulestore/server/page"
)

// charts draws the parts of an answer that are clearer than a table: the parts of payments,
// balances, the effect of an early repayment, the difference of variants, and the repayment of
// several debts.
func charts(answer []calc.Section) (all []page.Picture) {
	for _, c := range movements(answer) {
		all = append(all, c)
	}
	return append(all, repaidDebts(answer), variants(answer))
}

// movements are the values by period.
func movements(answer []calc.Section) (all []page.Chart) {
	outputs := page.SectionOf(answer, "outputs")
	table := cmp.Or(page.SectionOf(answer, "schedule").Table, page.SectionOf(outputs.Within, "postings").Table)
	payments := page.Chart{
		Title: "Из чего состоят платежи", Bars: series(table, "principal", "Основной долг", "interest", "Проценты"),
	}
	balance := page.Chart{Title: "Остаток", Lines: series(table, "balance", "Остаток")}
	switch {
	case len(payments.Bars) < 2 && len(balance.Lines) > 0: // a deposit
		balance.Title = "Остаток вклада"
		all = append(
			all, balance, page.Chart{Title: "Проценты по периодам", Bars: series(table, "interest", "Проценты")},
		)
	case len(payments.Bars) == 2:
		balance.Title = "Остаток долга"
		all = append(all, payments, balance)
	}
	all = append(all,
		page.Chart{
			Title: "Платежи до и после",
			Lines: series(table, "current_payment", "Нынешний платёж", "new_payment", "Новый платёж"),
		},
		page.Chart{
			Title: "Остаток долгов",
			Lines: series(
				table, "avalanche", "Сначала самая высокая ставка", "snowball", "Сначала самый малый остаток",
			),
		},
		page.Chart{Title: "Выгода с начала", Lines: series(table, "cumulative", "Накопленная разница")},
		earlyRepayment(answer),
	)
	for i := range all {
		all[i].X, all[i].First, all[i].Unit, all[i].Days = "номер периода", 1, "₽", daysOf(table)
		if monthly(table) || table == nil {
			all[i].X, all[i].Year = "месяцы", 12
		}
	}
	return all
}

// daysOf are the days of a schedule's rows, nil if it has none.
func daysOf(t *calc.Table) (all []time.Time) {
	if t == nil {
		return nil
	}
	for _, row := range t.Rows {
		i := slices.IndexFunc(row, func(f calc.Figure) bool { return f.Name == "date" })
		if i < 0 {
			return nil
		}
		day, err := time.Parse(time.DateOnly, row[i].Text)
		if err != nil {
			return nil
		}
		all = append(all, day)
	}
	return all
}

// repaidDebts shows the month in which each of several debts is repaid, in each order that was asked for.
func repaidDebts(answer []calc.Section) page.Ranked {
	chart := page.Ranked{Title: "В каком месяце погашен каждый долг"}
	outputs := page.SectionOf(answer, "outputs")
	add := func(s calc.Section, order string) {
		for _, f := range page.SectionOf(s.Within, "payoff_month").Figures {
			chart.Bars = append(
				chart.Bars, page.RankedBar{Title: f.Title + order, Length: number([]calc.Figure{f}, f.Name), Says: f},
			)
		}
	}
	add(outputs, "")
	for _, order := range []string{"avalanche", "snowball"} {
		s := page.SectionOf(outputs.Within, order)
		add(s, ": "+lowerFirst(page.Titled(calc.Figure{Title: s.Title})))
	}
	return chart
}

// variants shows the payments or results of compared variants.
func variants(answer []calc.Section) page.Ranked {
	chart := page.Ranked{}
	t := page.SectionOf(page.SectionOf(answer, "outputs").Within, "variants").Table
	if t == nil {
		return chart
	}
	for _, name := range []string{"total_outflow", "final_amount"} {
		i := slices.IndexFunc(t.Head, func(h calc.Figure) bool { return h.Name == name })
		if i < 0 {
			continue
		}
		chart.Title = t.Head[i].Title
		for _, row := range t.Rows {
			chart.Bars = append(chart.Bars, page.RankedBar{Title: row[0].Text, Length: number(row, name), Says: row[i]})
		}
	}
	return chart
}

// monthly reports whether each row of a schedule is a month: a payment, or a month by number.
func monthly(t *calc.Table) bool {
	return t != nil && slices.ContainsFunc(t.Head, func(h calc.Figure) bool {
		return h.Name == "payment" || h.Title == "Номер месяца"
	})
}

// number is the value of that name, zero if there is none. Binary floating point is sufficient
// for drawing.
func number(figures []calc.Figure, name string) float64 {
	i := slices.IndexFunc(figures, func(f calc.Figure) bool { return f.Name == name })
	if i < 0 {
		return 0
	}
	f, _ := strconv.ParseFloat(figures[i].Text, 64) // zero if it is not a number
	return f
}

// series are columns of a schedule, given by name and title.
func series(schedule *calc.Table, columns ...string) (all []page.Series) {
	if schedule == nil {
		return nil
	}
	for i := 0; i < len(columns); i += 2 {
		if slices.ContainsFunc(schedule.Head, func(h calc.Figure) bool { return h.Name == columns[i] }) {
			s := page.Series{Title: columns[i+1]}
			for _, row := range schedule.Rows {
				s.Values = append(s.Values, number(row, columns[i]))
			}
			all = append(all, s)
		}
	}
	return all
}

// earlyRepayment draws the debt without an early repayment, and with one that shortens the
// term or lowers the payment.
func earlyRepayment(answer []calc.Section) page.Chart {
	c := page.Chart{Title: "Остаток долга: без досрочного погашения и с ним"}
	outputs := page.SectionOf(answer, "outputs")
	before, after := number(outputs.Figures, "balance_before"), number(outputs.Figures, "balance_after")
	if before == 0 {
		return c
	}
	rate := number(page.SectionOf(answer, "inputs").Figures, "annual_rate_pct") / 1200
	c.Lines = append(c.Lines, repaid("Без погашения", before, number(outputs.Figures, "base_payment"), rate))
	for _, way := range []struct{ id, title, payment string }{
		{"reduce_term", "Уменьшен срок", "payment"}, {"reduce_payment", "Уменьшен платёж", "new_payment"},
	} {
		if p := number(page.SectionOf(outputs.Within, way.id).Figures, way.payment); p > 0 {
			c.Lines = append(c.Lines, repaid(way.title, after, p, rate))
		}
	}
	return c
}

// repaid is the balance of a debt under equal payments.
func repaid(title string, debt, payment, rate float64) page.Series {
	s := page.Series{Title: title, Values: []float64{debt}}
	for debt > payment/1000 && len(s.Values) <= calc.MaxRows && payment > debt*rate {
		if debt = debt*(1+rate) - payment; debt < payment/1000 {
			debt = 0 // remaining kopecks are rounding differences
		}
		s.Values = append(s.Values, debt)
	}
	return s
}
