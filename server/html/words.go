package html

import "cmp"

// choiceWords are the labels of values of enumerations in forms and answers.
var choiceWords = map[string]string{
	"true": "да", "false": "нет",
	"annuity": "аннуитет: равные платежи", "differentiated": "дифференцированный: равные части долга",
	"act_365": "фактические дни / 365", "act_act": "фактические дни / дни года", "30e_360": "30 / 360",
	"monthly_1_12": "месяц = 1/12 года",
	"next_day":     "со следующего дня", "same_day": "с того же дня",
	"unconditional": "безусловная", "conditional": "условная", "pct_of_sum_insured": "процент от страховой суммы",
	"pct_of_loss":          "процент от ущерба",
	"nominal_to_effective": "из номинальной в эффективную", "effective_to_nominal": "из эффективной в номинальную",
	"capitalized": "прибавляются к вкладу", "paid_out": "выплачиваются", "amount": "снятая сумма",
	"amount_plus_fee": "сумма с комиссией",
	"daily":           "по ежедневному остатку", "minimum": "по наименьшему остатку",
	"both": "оба варианта", "reduce_payment": "платёж", "reduce_term": "срок", "none": "не переносить",
	"following":           "на следующий рабочий день",
	"statement_plus_days": "дни после выписки", "fixed_days_from_first_debt": "дни от первой задолженности",
	"end_of_month_after": "конец месяца через несколько месяцев",
	"avalanche":          "сначала дорогие", "snowball": "сначала маленькие",
	"moved": "перенесён", "not_needed": "не понадобился", "not_applied": "не применяется",
	"civil_code_191": "статья 191 ГК РФ", "civil_code_193": "статья 193 ГК РФ", "parameter": "параметр",
	"request":           "исходные данные",
	"business_day_term": "срок в рабочих днях",
	"weekend":           "выходной", "holiday": "праздник", "transferred_day_off": "перенесённый выходной",
	"computed_not_legally_confirmed": "посчитано, юридически не подтверждено",
	"investment_advice":              "инвестиционный совет",
}

// Worded returns the label of a value, or the value itself if it has none.
func Worded(value string) string { return cmp.Or(choiceWords[value], value) }
