package starter_test

import (
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
)

// What people ask, and what the rule that answers it has to name: a question is
// answered by a rule that reads the value, not by one that abstains.
func TestQuestionsLeadToValues(t *testing.T) {
	for _, test := range []struct {
		question, guideline, rule string
		names                     []string
	}{
		{"сколько заплатят по ОСАГО", "consumer-rights.osago-payout.001", "payout_limit",
			[]string{"osago.property-limit", "osago.life-limit"}},
		{"сколько по европротоколу", "consumer-rights.osago-payout.001", "europrotocol_limit",
			[]string{"osago.europrotocol-paper", "osago.europrotocol-dispute", "osago.europrotocol-agreed"}},
		{"когда страховая заплатит", "consumer-rights.osago-payout.001", "payment_term",
			[]string{"osago.payment-days"}},
		{"навязали страховку", "consumer-rights.imposed-services.001", "which_term",
			[]string{"insurance.cooling-off-days", "insurance.credit-linked-refusal-days"}},
		{"страховая не возвращает, кто ещё обязан", "consumer-rights.imposed-services.001", "creditor_pays",
			[]string{"insurance.credit-linked-refund"}},
		{"перевод остановили, сколько ждать", "consumer-rights.transfer-suspended.001", "pause_days",
			[]string{"payments.suspension-days", "payments.suspension-confirmation"}},
		{"как выйти из базы", "consumer-rights.transfer-suspended.001", "leave_database",
			[]string{"payments.database-exclusion-decision"}},
		{"банк требует документы", "consumer-rights.transfer-suspended.001", "aml_path",
			[]string{"aml.reasons-answer", "aml.documents-answer", "aml.commission-answer",
				"aml.commission-application"}},
		{"кредит взяли мошенники, деньги ещё не выданы", "fraud.loan-by-fraudsters.001", "cooling_off_refuse",
			[]string{"credit.cooling-off-short-hours", "credit.cooling-off-long-hours"}},
		{"кредит выдали без ожидания", "fraud.loan-by-fraudsters.001", "cooling_off_skipped",
			[]string{"credit.cooling-off-skipped"}},
		{"кредит выдали при самозапрете", "fraud.loan-by-fraudsters.001", "ban_violated",
			[]string{"credit.self-ban-violated", "credit.self-ban-exceptions"}},
		{"банк обязан вернуть украденное?", "fraud.money-sent.001", "refund_duty",
			[]string{"payments.refund-without-pause"}},
		{"сколько максимум процентов по займу", "product.consumer-loan.analysis.001", "daily_rate",
			[]string{"credit.microloan-daily-rate", "credit.microloan-charges-cap"}},
		{"какая полная стоимость допустима", "product.consumer-loan.analysis.001", "psk_from_contract",
			[]string{"credit.psk-cap", "credit.psk-over-average"}},
		{"деньги списали без меня, банк обязан возместить?", "fraud.money-sent.001", "unauthorized",
			[]string{"payments.unauthorized-refund", "payments.unauthorized-refund-cross-border"}},
		{"я на СВО, кредитные каникулы", "consumer-rights.hardship.001", "svo_first",
			[]string{"credit.svo-holidays-extra-days", "credit.svo-holidays-request-until"}},
		{"банк молчит о каникулах участника СВО", "consumer-rights.hardship.001", "svo_request",
			[]string{"credit.svo-holidays-answer", "credit.svo-holidays-silence"}},
		{"ипотечные каникулы задним числом", "consumer-rights.hardship.001", "mortgage_right",
			[]string{"credit.mortgage-holidays-months", "credit.mortgage-holidays-backdate"}},
		{"хочу кредитные каникулы", "consumer-rights.hardship.001", "holidays_right",
			[]string{"credit.holidays-income-drop", "credit.holidays-months", "credit.holidays-limit-car"}},
		{"сколько раз можно звонить", "consumer-rights.collectors.001", "frequency",
			[]string{"collectors.calls-day", "collectors.calls-week", "collectors.calls-month",
				"collectors.messages-day"}},
		{"списать долги через МФЦ", "consumer-rights.bankruptcy-out-of-court.001", "amount_fits",
			[]string{"bankruptcy.out-of-court-min", "bankruptcy.out-of-court-max"}},
		{"отец умер, кто платит кредит", "consumer-rights.inherited-debt.001", "who_pays",
			[]string{"inheritance.debt-limit"}},
		{"сколько времени на отказ от наследства", "consumer-rights.inherited-debt.001", "term",
			[]string{"inheritance.acceptance-term"}},
		{"МФО берёт квартиру в залог", "consumer-rights.dwelling-debt.001", "pledge_ban",
			[]string{"credit.microloan-dwelling-pledge"}},
		{"срок давности по кредиту прошёл", "consumer-rights.debt-limitation.001", "how_long",
			[]string{"debt.limitation-period"}},
		{"пришёл судебный приказ", "consumer-rights.court-order.001", "object",
			[]string{"court-order.objection-term"}},
		{"сколько могут удержать из зарплаты", "consumer-rights.wage-deduction.001", "share",
			[]string{"enforcement.wage-share", "enforcement.wage-share-alimony"}},
		{"сколько вернут по вкладу", "product.deposit.protection-and-tax.001", "coverage",
			[]string{"deposit.insurance-limit", "deposit_insurance_coverage"}},
		{"какой налог с процентов", "product.deposit.protection-and-tax.001", "tax",
			[]string{"tax.income-rate", "tax.income-threshold", "deposit_interest_tax"}},
	} {
		t.Run(test.question, func(t *testing.T) {
			text := recordText(t, content.Guidelines, test.guideline, test.rule)
			says(t, test.rule, text, test.names...)
			for _, name := range test.names {
				if strings.Contains(name, ".") {
					current(t, content.Parameters, name)
				}
			}
		})
	}
}

// The values themselves, as the law has them.
func TestValuesOfTheLaw(t *testing.T) {
	for id, want := range map[string]string{
		"consumer-rights.ombudsman-claim-answer-electronic":  "15 business_day",
		"consumer-rights.ombudsman-claim-answer-other":       "30 calendar_day",
		"consumer-rights.ombudsman-electronic-claim-window":  "180 calendar_day",
		"consumer-rights.court-after-ombudsman-consumer":     "30 calendar_day",
		"consumer-rights.court-after-ombudsman-organization": "10 business_day",
		"consumer-rights.regulator-forwarding":               "7 business_day",
		"payments.suspension-days":                           "2 calendar_day",
		"payments.refund-without-pause":                      "30 calendar_day",
		"payments.unauthorized-refund":                       "30 calendar_day",
		"payments.unauthorized-refund-cross-border":          "60 calendar_day",
		"credit.svo-holidays-extra-days":                     "180 calendar_day",
		"credit.mortgage-holidays-backdate":                  "2 month",
		"payments.database-transfer-limit":                   "100000 RUB",
		"payments.database-cash-limit":                       "100000 RUB",
		"payments.suspicious-cash-limit":                     "50000 RUB",
		"payments.suspicious-cash-hours":                     "48 ",
		"payments.database-exclusion-decision":               "15 business_day", "aml.reasons-answer": "5 business_day",
		"aml.documents-answer":  "7 business_day",
		"aml.commission-answer": "20 business_day", "aml.commission-application": "6 month",
		"credit.cooling-off-short-hours": "4 ", "credit.cooling-off-long-hours": "48 ",
		"credit.cooling-off-low-sum": "50000 RUB", "credit.cooling-off-high-sum": "200000 RUB",
		"insurance.cooling-off-days":           "14 calendar_day",
		"insurance.credit-linked-refusal-days": "30 calendar_day", "insurance.credit-linked-refund": "7 business_day",
		"osago.payment-days": "20 calendar_day",
		"osago.life-limit":   "500000 RUB", "credit.psk-cap": "292 percent",
		"credit.microloan-daily-rate":  "0.8 percent",
		"credit.microloan-charges-cap": "100 percent",
		"credit.holidays-months":       "6 month", "credit.holidays-income-drop": "30 percent",
		"credit.holidays-limit-car": "1600000 RUB", "credit.holidays-limit-card": "150000 RUB",
		"credit.holidays-limit-other": "450000 RUB", "collectors.calls-day": "1 ", "collectors.calls-week": "2 ",
		"collectors.calls-month": "8 ", "collectors.messages-month": "16 ",
		"bankruptcy.out-of-court-min": "25000 RUB", "bankruptcy.out-of-court-max": "1000000 RUB",
		"bankruptcy.writ-age-other": "7 year", "deposit.insurance-limit": "1400000 RUB",
		"deposit.insurance-certificates-extra": "2800000 RUB", "tax.interest-exempt-2024": "210000 RUB",
		"tax.interest-exempt-2026": "160000 RUB", "tax.income-threshold": "2400000 RUB",
		"tax.deduction-home": "2000000 RUB", "tax.deduction-mortgage-interest": "3000000 RUB",
		"inheritance.acceptance-term": "6 month", "debt.limitation-period": "3 year",
		"court-order.objection-term": "10 business_day", "enforcement.wage-share": "50 percent",
		"enforcement.wage-share-alimony": "70 percent",
		"pds.state-support":              "36000 RUB",
	} {
		t.Run(id, func(t *testing.T) {
			p := latest[parameter](t, content.Parameters, id)
			equal(t, id, string(p.Value)+" "+p.Unit, want)
		})
	}
	atLeast(t, "parameters", len(currents(t, content.Parameters)), 60)
}

// There is one rule for a value that is not checked: it is named as preliminary, with the norm and
// the advice to compare it. A value that is kept back helps nobody.
func TestUncheckedValuesAreNamedWithCaution(t *testing.T) {
	for _, e := range currents(t, content.Parameters) {
		if p := decode[parameter](t, e); p.Certainty == "low" || p.Certainty == "medium" {
			text := strings.Join(strings.Fields(textOf(t, e, "conditions/")), " ")
			if !strings.Contains(text, "назвать значение предварительным") || !strings.Contains(text, "сверить") {
				t.Errorf("%s is of %s certainty and does not say how to name it", e.Name, p.Certainty)
			}
		}
	}
	said := []string{string(script(t)[len(script(t))-1].Files[content.LifecycleFile])}
	for _, p := range sentences(t) {
		said = append(said, p.text)
	}
	keepBack := regexp.MustCompile(`(?i)сверк[иа][^.]*число\s+не\s+называть`)
	for _, text := range said {
		if found := keepBack.FindString(text); found != "" {
			t.Errorf("a value is kept back: %s", found)
		}
	}
	says(t, "assistant", textOf(t, current(t, content.Instructions, "assistant"), "dynamic_data_policy/"),
		"уверенность средняя либо низкая", "предварительным", "не умалчивать")
}
