package calc

var kaskoPremiumRefund = &Tool{
	ID: "kasko_premium_refund",
	Inputs: []Field{
		money("premium", "Уплаченная премия"),
		integer("term_days", "Срок договора, дней", "days", 1, 36600),
		days("elapsed_days", "Прошло дней, включая день прекращения"),
		pct100("retention_pct", "Удержание (расходы на ведение дела), процентов").Default("0"),
		money("paid_losses", "Выплаченные убытки").Default("0"),
		boolean("deduct_losses", "Вычесть выплаченные убытки").Default("false"),
	},
	Outputs: []Field{
		money("refund", "Возврат"),
		count("remaining_days", "Осталось дней", "days"),
	},
	Check:   checkRefund,
	Compute: computeRefund,
}

func checkRefund(in In) {
	in.FailIf(in.Int("elapsed_days") > in.Int("term_days"), "elapsed_days", FaultInconsistent,
		"Прошло больше дней, чем в сроке договора", "Укажите elapsed_days не больше term_days")
}

func computeRefund(in In, out *Out) error {
	out.Assume("elapsed_days_include_termination_day", "refund_entitlement_not_assessed")
	premium, term, elapsed := in.Money("premium"), in.Int("term_days"), in.Int("elapsed_days")
	retention, losses := in.Pct("retention_pct"), in.Money("paid_losses")
	if !in.Bool("deduct_losses") {
		out.WarnIf(losses > 0, "paid_losses_not_deducted", "/inputs/paid_losses")
		losses = 0
	}
	exact := premium.Exact().Mul(newExact(
		int64(term-elapsed), int64(term),
	)).Mul(retention.complement()).Sub(losses.Exact())
	refund := max(0, exact.Round())
	out.Derive("refund", refund, "round2(max(0, P·(T − t)/T·(1 − retention/100) − losses))",
		"round2(max(0, %s·(%d − %d)/%d·(1 − %s/100) − %s))", premium, term, elapsed, term, retention, losses)
	out.Set("remaining_days", Count(term-elapsed))
	return nil
}

var kaskoDeductibleBreakEven = &Tool{
	ID: "kasko_deductible_break_even",
	Inputs: []Field{
		money("premium_without", "Премия без франшизы"),
		money("premium_with", "Премия с франшизой"),
		moneyPlus("deductible", "Франшиза"),
	},
	Outputs: []Field{
		smoney("premium_saved", "Экономия на премии"),
		ratio("break_even_claims", "Страховых случаев до равенства", 4),
	},
	Compute: computeDeductibleBreakEven,
}

func computeDeductibleBreakEven(in In, out *Out) error {
	without, with, d := in.Money("premium_without"), in.Money("premium_with"), in.Money("deductible")
	saved := without - with
	out.Derive("premium_saved", saved, "premium_without − premium_with", "%s − %s", without, with)
	if saved <= 0 {
		out.Warn("deductible_saves_nothing", "/inputs/premium_with")
		return NoSolution
	}
	claims := saved.Exact().Quo(d.Exact())
	out.Derive("break_even_claims", claims, "saved/deductible", "%s/%s", saved, d)
	return nil
}
