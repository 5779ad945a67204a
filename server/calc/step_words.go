package calc

import (
	"cmp"
	"regexp"
	"slices"
)

// formulaWords are the names in the formulas of steps, in words for people. Symbols of one or a few
// letters stay, see [symbols].
var formulaWords = map[string]string{
	"charges": "число взносов",
	"round2":  "округлить", "round0": "округлить до рубля", "roundup2": "округлить вверх",
	"rounddown2": "округлить вниз",
	"ceil":       "округлить вверх до целого",

	"I_base": "I без погашения", "I_new": "I с погашением", "R_new": "R новая", "n_new": "n новое",
	"rows_base": "платежей без погашения", "rows_new": "платежей с погашением", "S_bank": "S в банке",
	"S_base": "S базового варианта", "base_j": "база ступени", "rate_j": "ставка ступени",
	"covered_bank": "покрыто в банке", "S_k": "Sₖ", "A_k": "Aₖ", "A2": "A₂",

	"allocated": "распределено", "amount": "сумма", "assets": "имущество",
	"available_sum": "остаток страховой суммы",
	"avalanche":     "сначала высокая ставка", "base": "база", "cap_amount": "предел",
	"contributed": "накопленное и взносы",
	"days":        "дней", "debt_payments": "платежи по долгам", "deductible": "франшиза",
	"dep":          "сумма за вычетом износа",
	"depreciation": "износ", "discount": "скидка", "discretionary": "необязательные расходы", "down": "взнос",
	"essential": "необходимые расходы", "existing": "другие платежи", "extra": "сверх минимума", "fee": "комиссия",
	"fee_min": "наименьшая комиссия", "fees": "комиссии", "first_debt_date": "дата первой задолженности",
	"fixed": "постоянная часть", "floor": "наименьшая часть", "free": "необлагаемая сумма", "from": "первый день",
	"gap": "не хватает", "grace_days": "дней льготного периода", "grace_end": "последний день льготного периода",
	"income": "доход", "insurance": "страховка", "interest": "проценты", "liabilities": "долги", "limit": "лимит",
	"liquid": "доступные деньги", "loan": "кредит", "loss": "потеря", "losses": "выплаты по договору",
	"ltv": "доля кредита", "main": "часть долга", "month": "за месяц", "monthly_saving": "откладывается в месяц",
	"movements": "движения", "net": "остаётся", "new": "новый платёж", "obligations_12m": "обязательства на год",
	"old": "прежний платёж", "one_off": "разовые расходы", "one_off_costs": "разовые расходы", "overdue": "просрочено",
	"own_funds": "собственные средства", "paid": "выплачено", "paid_earlier": "выплачено раньше",
	"paid_total": "всего выплат", "payment": "платёж", "payment_days": "дней на оплату", "payments": "платежи",
	"payout_before_cap": "выплата до ограничения", "pct": "процент", "penalty_before_cap": "неустойка до предела",
	"premium": "премия", "premium_before_discount": "премия до скидки", "premium_with": "премия с франшизой",
	"premium_without": "премия без франшизы", "price": "стоимость жилья", "projected_value": "сколько накопится",
	"purchase_date": "дата покупки", "quarter": "за квартал", "ratio": "доля", "req": "требуемый взнос, процентов",
	"required": "требуется", "rest": "осталось распределить", "retention": "удержание", "rows": "число платежей",
	"salvage": "остатки", "saved": "экономия", "share": "доля", "snowball": "сначала малый остаток",
	"start_date": "дата начала", "statement_date": "дата выписки", "subsidies": "субсидии", "target": "нужный запас",
	"target_months": "месяцев запаса", "tariff": "тариф", "tax": "налог", "term": "срок", "threshold": "порог",
	"to": "последний день", "total": "премия с надбавкой", "total_cost": "расходы", "year": "за год",

	"as_of_date": "дата расчёта", "base_deadline": "последний день обычного срока", "deadline": "последний день срока",
	"raw_deadline": "последний день до переноса", "roll": "перенести", "weekend": "выходной", "holiday": "праздник",
	"transferred_day_off": "перенесённый выходной", "working_weekend": "рабочий выходной",

	"true": "да", "false": "нет", "null": "такого месяца нет",
	"above": "больше порога", "at_or_below": "не больше порога",
}

// symbols are the conventional symbols of formulas with their meanings. A meaning that only a family
// or a tool has follows it.
var symbols = map[string]string{
	"A": "платёж", "B": "остаток, погашаемый последним платежом", "B credit_card": "задолженность",
	"B deposit": "сумма, на которую начисляется ключевая ставка", "C": "расходы на новый кредит",
	"CF": "поступления и вложения", "D": "часть долга в платеже", "E": "сумма досрочного погашения",
	"E deposit": "эффективная ставка, процентов", "G": "рост за год с учётом комиссии",
	"HHI": "индекс Херфиндаля — Хиршмана", "I": "проценты", "K": "ключевая ставка, процентов", "L": "убыток",
	"N": "через сколько месяцев", "N card_required_payment": "число месяцев",
	"N deposit": "номинальная ставка, процентов", "N investment": "сумма альтернативы в конце срока",
	"P": "начальная сумма", "P kasko": "премия", "PV": "приведённая стоимость", "Pr": "часть долга в платеже",
	"R": "ставка, процентов годовых", "S": "остаток", "SI": "страховая сумма", "T": "нужная сумма",
	"T mortgage": "заданный платёж", "T kasko": "срок договора, дней", "T investment": "срок, лет",
	"T pfm_debt_payoff_plan": "сумма на долги в месяц", "V": "стоимость имущества", "W": "стоимость вложения",
	"YF": "доля года", "a": "сумма", "a investment": "доходность после налога, процентов",
	"a portfolio_concentration": "сумма позиции", "c": "взнос в месяц", "d": "первый и последний день",
	"d deadline": "день события", "d investment": "день платежа", "d kasko": "франшиза",
	"e": "комиссия при покупке", "f": "комиссия, процентов", "g": "доходность, процентов годовых", "j": "номер",
	"k": "номер платежа", "k kasko": "коэффициенты", "m": "капитализаций в году",
	"m card_grace_period_end": "месяц покупки", "m deadline": "срок продления",
	"m investment": "комиссия за управление", "n": "число месяцев",
	"n deadline": "срок", "p": "процент", "q": "множитель роста", "r": "доходность", "s": "надбавка, процентов",
	"t": "налог, процентов", "t kasko": "прошло дней", "v": "множитель дисконтирования", "w": "доля позиции",
	"x": "комиссия при продаже", "y": "доходность, процентов", "π": "рост цен, процентов в год",
}

var formulaName = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*|π`)

// inWords is a formula with words in place of names.
func inWords(formula string) string {
	return formulaName.ReplaceAllStringFunc(formula, func(name string) string {
		return cmp.Or(formulaWords[name], name)
	})
}

// meaning explains a symbol of the tool's formulas, "" if it is none.
func (t *Tool) meaning(symbol string) string {
	for _, key := range []string{symbol + " " + t.ID, symbol + " " + t.Family, symbol} {
		if words := symbols[key]; words != "" {
			return words
		}
	}
	return ""
}

// legend explains the symbols of formulas, in the order of their first use.
func (t *Tool) legend(formulas []string) (all []Point) {
	for _, formula := range formulas {
		for _, symbol := range formulaName.FindAllString(formula, -1) {
			words := t.meaning(symbol)
			if words != "" && !slices.ContainsFunc(all, func(p Point) bool { return p.Code == symbol }) {
				all = append(all, Point{Code: symbol, Text: words})
			}
		}
	}
	return all
}
