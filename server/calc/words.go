package calc

import (
	"cmp"
	"strings"
)

// assumptionWords has the Russian texts of assumptions.
var assumptionWords = map[string]string{
	assumeNextDay:                              "первый день не считается, последний считается",
	assumeMovements:                            "пополнение и снятие меняют проценты со следующего дня",
	assumeGrowth365:                            "эффективная ставка — за 365 дней",
	"accrual_interval_first_day_excluded":      "первый день промежутка не считается, последний считается",
	"accrual_start_excluded_end_included":      "проценты идут со следующего дня и по последний день",
	"annuity_by_monthly_rate":                  "платёж считается по месячной ставке, двенадцатой части годовой",
	"both_dates_included":                      "оба дня, первый и последний, входят в срок",
	"business_days_five_day_week":              "рабочие дни — по пятидневной неделе и производственному календарю",
	"contributions_at_month_end":               "взносы вносятся в конце месяца",
	"costs_paid_at_once":                       "расходы оплачиваются сразу",
	"costs_paid_by_new_loan":                   "расходы входят в сумму нового кредита",
	"count_from_next_day":                      "счёт начинается со следующего дня",
	"count_from_same_day":                      "счёт начинается с того же дня",
	"due_dates_not_shifted_to_business_days":   "дни платежей не переносятся с выходных",
	"elapsed_days_include_termination_day":     "день расторжения входит в прошедшие дни",
	"equal_capitalization_periods":             "периоды капитализации равны",
	"guarantee_is_input":                       "гарантированность дохода указана в исходных данных, а не проверена",
	"inflation_is_scenario":                    "инфляция — предположение, а не прогноз",
	"insurance_at_months_0_12_24":              "страховка оплачивается сразу и затем раз в год",
	"interest_monthly_1_12":                    "проценты за месяц — двенадцатая часть годовых",
	"limit_per_bank_is_input":                  "предел возмещения указан в исходных данных",
	"monthly_budget_constant":                  "сумма на погашение в месяц не меняется",
	"no_interest_after_end_until_horizon":      "после окончания вклада и до даты сравнения процентов нет",
	"no_new_purchases":                         "новых покупок нет",
	"no_such_day_last_of_month_civil_code_192": "если такого числа в месяце нет, срок истекает в последний его день (статья 192 ГК РФ)",
	"non_working_holidays_left_out":            "нерабочие праздничные дни в срок не входят",
	"not_regulatory_debt_burden_indicator":     "это не показатель долговой нагрузки по правилам Банка России",
	"notification_date_not_given":              "дата уведомления не указана",
	"parameter_on_start_event_date":            "срок взят из параметра на день события",
	"interest_rounded_in_total":                "округлена общая сумма; сумма строк может отличаться на копейки",
	"payment_counts_from_next_day":             "платёж уменьшает долг со следующего дня",
	"payments_reduce_debt":                     "платежи уменьшают основной долг; статья 319 ГК РФ не применяется",
	"payments_made_on_schedule":                "платежи вносятся по графику",
	"penalty_rate_is_input":                    "ставка неустойки указана в исходных данных",
	"periods_averaged_to_months":               "суммы за другие периоды приведены к месяцу",
	"refund_entitlement_not_assessed":          "право на возврат не оценивается",
	"roll_if_non_working_following":            "последний день, если он нерабочий, переносится на следующий рабочий",
	"roll_if_non_working_none":                 "последний день не переносится",
	"tax_on_gain_at_exit":                      "налог платится с дохода в конце",
	"xirr_act_365":                             "доходность считается по фактическим дням, год — 365 дней",
	"yield_is_input":                           "доходность указана в исходных данных",
	"tolerance_absolute_money":                 "допуск сверки сумм",
	"tolerance_absolute_percent":               "допуск сверки процентов",
	"tolerance_absolute_ratio":                 "допуск сверки коэффициентов",
	"tolerance_absolute_count":                 "допуск сверки количеств",
	"tolerance_relative_money":                 "относительный допуск сверки сумм",
	"tolerance_relative_percent":               "относительный допуск сверки процентов",
	"tolerance_relative_ratio":                 "относительный допуск сверки коэффициентов",
	"tolerance_relative_count":                 "относительный допуск сверки количеств",
	"tolerance_days":                           "допуск сверки дат, дней",
}

// assumption is the Russian text of an assumption, "" if there is none for the code.
func assumption(code string) string {
	name, value, stated := strings.Cut(code, "=")
	words := assumptionWords[name]
	if words != "" && stated {
		return words + " — " + strings.Replace(value, ".", ",", 1)
	}
	return words
}

// reasonWords has the Russian texts of reasons.
var reasonWords = map[Reason]string{
	PaymentDoesNotAmortize: "платёж не больше процентов и не гасит долг",
	AmountTooSmallForTerm:  "сумма слишком мала для такого срока",
	NoSolution:             "такого значения нет", MultipleSolutionsPossible: "подходит несколько значений",
	NotConverged:     "значение не удалось найти",
	ResultOutOfRange: "результат слишком велик или мал", ScheduleTooLong: "график слишком длинный",
	ZeroBase:            "делить пришлось бы на ноль",
	CalendarYearMissing: "нет утверждённого календаря на этот год", ParameterUnknown: "такого параметра нет",
	ParameterNotInForce: "на этот день параметр ничего не устанавливает",
	ParameterUnfit:      "параметр не подходит по виду или единице",
}

// stateWords has the Russian texts of codes in outputs.
var stateWords = map[string]string{
	StatusComputed: "рассчитано", CalculationNotAvailable: "расчёта нет", StatusDoNotGuess: "не подтверждено",
	filterNotEvaluated:  "отбор не проверен до конца",
	"cash_flow_deficit": "расходы больше доходов", "horizon_mismatch": "срок не подходит",
	"liquidity_shortfall": "запаса денег не хватает", "risk_exceeds_capacity": "риск больше возможного",
	"double_counting": "одно и то же посчитано дважды",
	"above":           "больше порога", "at_or_below": "не больше порога",
}

// stepWords has the titles of steps that are not fields of the tool. A title that only a family or a
// tool has follows it.
var stepWords = map[string]string{
	"days_counted": "Счёт дней", "raw_deadline": "Последний день до переноса",
	"base_deadline": "Последний день обычного срока", "roll": "Перенос с нерабочего дня",
	"growth": "Рост", "growth_factor": "Множитель роста", "discount_factor": "Множитель дисконтирования",
	"payment_unrounded":  "Платёж до округления",
	"payment_rounded_up": "Платёж, округлённый вверх", "interest_base": "База процентов", "tax_base": "Налоговая база",
	"contribution_unrounded": "Взнос до округления",
	"principal_part":         "Часть долга", "premium_before_discount": "Премия до скидки",
	"payout_before_cap": "Выплата до ограничения", "penalty_before_cap": "Неустойка до ограничения",
	"coefficient_product": "Произведение коэффициентов", "threshold": "Порог", "segment": "Отрезок",
	"allocation": "Распределение", "skip": "Пропуск",
	"first_interest": "Проценты первого платежа", "first_interest deposit": "Проценты первого периода",
	"first_interest pfm_debt_payoff_plan": "Проценты первого месяца",
	"first_principal":                     "Долг в первом платеже",
	"effective_annual_pct":                "Эффективная ставка", "present_value": "Приведённая стоимость",
	"base_interest_remaining": "Проценты, оставшиеся без досрочного погашения", "available_sum": "Доступная сумма",
	"target_at_end": "Цель в конце", "relation": "Соотношение",
	"payment": "Ежемесячный платёж", "insurance_first": "Страховка первого года", "part": "Часть премии",
	"phase_payment": "Платёж периода", "final_amount": "Сумма в конце срока",
	"difference":                    "Разница с базовым вариантом",
	"difference_interest_saved":     "На сколько больше экономия при уменьшении срока",
	"avalanche_interest_total":      "Сначала самая высокая ставка: проценты всего",
	"snowball_interest_total":       "Сначала самый малый остаток: проценты всего",
	"total_outflow":                 "Всего выплат",
	"reduce_payment_new_payment":    "Уменьшить платёж: новый платёж",
	"reduce_payment_interest_saved": "Уменьшить платёж: экономия на процентах",
	"reduce_term_interest_saved":    "Уменьшить срок: экономия на процентах",
	"reduce_term_months_saved":      "Уменьшить срок: на сколько платежей меньше",
}

// stepTitle is the title of a step: that of the field with its name, or with the longest
// part of its name that ends before an underscore. The rest of the name follows: it is a number, a day,
// or what the caller calls a variant.
func (t *Tool) stepTitle(name string) string {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '_') {
		if title := t.titleOfStep(name[:end]); title != "" {
			of := strings.TrimPrefix(name[end:], "_")
			if day, ok := ParseDate(of); ok {
				of = day.shown()
			}
			return strings.TrimSuffix(title+", "+of, ", ")
		}
	}
	return ""
}

// titleOfStep is the title of the field or the step with that very name, without its explanation.
func (t *Tool) titleOfStep(name string) string {
	if limit, ok := strings.CutPrefix(name, thresholdStep); ok && thresholdTitles[limit] != "" {
		return "Порог: " + thresholdTitles[limit]
	}
	for _, fields := range [][]Field{t.Outputs, t.Schedule, t.Members, t.Inputs} {
		if i := indexOf(fields, name); i >= 0 {
			title, _, _ := strings.Cut(fields[i].Title, ";")
			title, _, _ = strings.Cut(title, ": ")
			return title
		}
	}
	return cmp.Or(stepWords[name+" "+t.ID], stepWords[name+" "+t.Family], stepWords[name])
}
