package calc

import (
	"fmt"
)

var depositEarlyWithdrawal = &Tool{
	ID: "deposit_early_withdrawal",
	Inputs: []Field{
		moneyPlus("principal", "Сумма вклада"),
		date("start_date", "Дата открытия"),
		date("withdrawal_date", "Дата расторжения"),
		pct("on_demand_rate_pct", "Ставка до востребования, процентов годовых"),
		money("interest_already_paid", "Уже выплаченные проценты"),
		list("preferential_steps", "Льготные ставки по фактическому сроку: действует ступень с наибольшим пройденным "+
			"сроком", 0, 20,
			days("min_days", "Срок не менее, дней"),
			pct("annual_rate_pct", "Ставка, процентов годовых"),
		).Optional(),
		depositDays(),
	},
	Outputs: []Field{
		count("days", "Дней начисления", "days"),
		percent("applied_rate_pct", "Применённая ставка, процентов годовых", 6),
		money("interest_at_demand_rate", "Проценты по применённой ставке"),
		money("clawback", "Удержание ранее выплаченных процентов"),
		smoney("payout", "Сумма к выплате"),
	},
	Check:   checkEarlyWithdrawal,
	Span:    between("start_date", "withdrawal_date"),
	Series:  "deposit_cashflow_balance",
	Compute: computeEarlyWithdrawal,
}

func checkEarlyWithdrawal(in In) {
	in.Order("start_date", "withdrawal_date")
	seen := map[int]bool{}
	for _, s := range in.List("preferential_steps") {
		n := s.Int("min_days")
		if seen[n] {
			s.Fail("min_days", FaultInconsistent,
				fmt.Sprintf("Для срока %d дней указаны две ставки", n), "Оставьте одну ставку на каждый срок")
		}
		seen[n] = true
	}
}

// earlyRate is the rate of the longest step that was reached.
func earlyRate(in In, days int) Pct {
	rate, reached := in.Pct("on_demand_rate_pct"), -1
	for _, s := range in.List("preferential_steps") {
		if n := s.Int("min_days"); n <= days && n > reached {
			rate, reached = s.Pct("annual_rate_pct"), n
		}
	}
	return rate
}

func computeEarlyWithdrawal(in In, out *Out) error {
	out.Assume(assumeNextDay)
	p, paid, from, to := in.Money("principal"), in.Money("interest_already_paid"), in.Date("start_date"),
		in.Date("withdrawal_date")
	r, yf := earlyRate(in, int(to-from)), yearFraction(from, to, in.DayCount())
	i := interest(p, r, yf)
	clawback, payout := max(0, paid-i), p+i-paid
	out.Set("applied_rate_pct", r)
	out.Derive("days", Count(to-from), "days = d₁ − d₀", "%s − %s", to, from)
	out.Derive("interest_at_demand_rate", i, "I = round2(P·R/100·YF)", "round2(%s·%s/100·%d/%d)", p, r, yf.Num, yf.Den)
	out.Derive("clawback", clawback, "max(0, paid − I)", "max(0, %s − %s)", paid, i)
	out.Derive("payout", payout, "P + I − paid", "%s + %s − %s", p, i, paid)
	out.WarnIf(payout < p, "payout_below_principal", "/inputs/interest_already_paid")
	return nil
}

var depositInsuranceCoverage = &Tool{
	ID: "deposit_insurance_coverage",
	Inputs: []Field{
		moneyPlus("limit_per_bank", "Страховой лимит на один банк"),
		list("balances", "Остатки; счета одного банка складываются", 1, 50,
			ident("bank_id", "Банк"),
			money("amount", "Остаток"),
		),
	},
	Outputs: []Field{
		money("covered_total", "Покрыто лимитом"),
		money("uncovered_total", "Сверх лимита"),
		listOf(object("by_bank", "По банкам",
			word("bank_id", "Банк"),
			money("total", "Остатки в банке"),
			money("covered", "Покрыто лимитом"),
			money("uncovered", "Сверх лимита"),
		), 1, 50),
	},
	Compute: computeCoverage,
}

// computeCoverage lists the banks in the order of their first deposits.
func computeCoverage(in In, out *Out) error {
	out.Assume("limit_per_bank_is_input")
	limit := in.Money("limit_per_bank")
	totals, banks := map[string]Money{}, []string{}
	for _, b := range in.List("balances") {
		id := b.Text("bank_id")
		if _, seen := totals[id]; !seen {
			banks = append(banks, id)
		}
		totals[id] += b.Money("amount")
	}
	var covered, uncovered Money
	var rows List
	var parts, rest []any
	for _, id := range banks {
		sum := totals[id]
		inside := min(limit, sum)
		covered += inside
		uncovered += sum - inside
		rows = append(rows, Row{Text(id), sum, inside, sum - inside})
		parts = append(parts, phrase{"min(%s, %s)", []any{limit, sum}})
		rest = append(rest, sum-inside)
	}
	out.Set("by_bank", rows)
	out.Derive("covered_total", covered, "Σ min(limit, S_bank)", "%s", sumOf(parts))
	out.Derive("uncovered_total", uncovered, "Σ (S_bank − covered_bank)", "%s", sumOf(rest))
	return nil
}
