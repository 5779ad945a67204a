package site

import (
	"encoding/json"
	"strconv"

	"rulestore/server/calc"
	"rulestore/server/page"
)

// calculated is what a chart needs of an answer. Numbers become binary fractions
// here, because nothing but the place of a line follows from them.
type calculated struct {
	Inputs   map[string]json.RawMessage `json:"inputs_echo"`
	Outputs  map[string]struct{ Value json.RawMessage }
	Schedule struct {
		From int
		Rows []map[string]json.RawMessage
	}
}

// charts draws an answer where a picture tells more than a table: what payments
// are made of, how a balance moves, what an early repayment changes.
func charts(answer *calc.Answer) (all []page.Chart) {
	var a calculated
	must(0, json.Unmarshal(answer.JSON(), &a))
	payments := page.Chart{Title: "Из чего состоят платежи", Bars: a.series("principal", "Основной долг", "interest", "Проценты")}
	balance := page.Chart{Title: "Остаток", Lines: a.series("balance", "Остаток")}
	switch {
	case len(payments.Bars) < 2 && len(balance.Lines) > 0: // a deposit
		all = append(all, balance, page.Chart{Title: "Проценты", Bars: a.series("interest", "Проценты")})
	case len(payments.Bars) == 2:
		balance.Title = "Остаток долга"
		all = append(all, payments, balance)
	}
	all = append(all,
		page.Chart{Title: "Платежи до и после", Lines: a.series("current_payment", "Нынешний платёж", "new_payment", "Новый платёж")},
		page.Chart{Title: "Выгода с начала", Lines: a.series("cumulative", "Накопленная разница")},
		a.earlyRepayment(),
	)
	for i := range all {
		all[i].X, all[i].First = "номер платежа", max(1, a.Schedule.From)
	}
	return all
}

// series are columns of the schedule, given by name and title.
func (a *calculated) series(columns ...string) (all []page.Series) {
	for i := 0; i < len(columns); i += 2 {
		s := page.Series{Title: columns[i+1]}
		for _, row := range a.Schedule.Rows {
			if raw, ok := row[columns[i]]; ok {
				s.Values = append(s.Values, float(raw))
			}
		}
		if len(s.Values) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// float reads a number that may be written as a text.
func float(raw json.RawMessage) float64 {
	f, _ := strconv.ParseFloat(scalar(raw), 64) // what is no number is nought
	return f
}

// earlyRepayment draws the debt without an early repayment, and with one that
// shortens the term or lowers the payment.
func (a *calculated) earlyRepayment() page.Chart {
	c := page.Chart{Title: "Остаток долга: без досрочного погашения и с ним"}
	before, ok := a.Outputs["balance_before"]
	if !ok {
		return c
	}
	var term, payment struct {
		Payment    json.RawMessage
		NewPayment json.RawMessage `json:"new_payment"`
	}
	rate := float(a.Inputs["annual_rate_pct"]) / 1200
	c.Lines = append(c.Lines, repaid("Без погашения", float(before.Value), float(a.Outputs["base_payment"].Value), rate))
	after := float(a.Outputs["balance_after"].Value)
	if o, ok := a.Outputs["reduce_term"]; ok && json.Unmarshal(o.Value, &term) == nil {
		c.Lines = append(c.Lines, repaid("Уменьшен срок", after, float(term.Payment), rate))
	}
	if o, ok := a.Outputs["reduce_payment"]; ok && json.Unmarshal(o.Value, &payment) == nil {
		c.Lines = append(c.Lines, repaid("Уменьшен платёж", after, float(payment.NewPayment), rate))
	}
	return c
}

// repaid is how a debt goes down under equal payments.
func repaid(title string, debt, payment, rate float64) page.Series {
	s := page.Series{Title: title, Values: []float64{debt}}
	for debt > payment/1000 && len(s.Values) <= calc.MaxRows && payment > debt*rate {
		debt = max(0, debt*(1+rate)-payment)
		s.Values = append(s.Values, debt)
	}
	return s
}
