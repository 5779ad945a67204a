package starter_test

import (
	"strings"
	"testing"

	"rulestore/content"
)

// textOf returns what one rule, route or tool of an item says: the passage whose
// place ends with where.
func textOf(t *testing.T, e *content.Entry, under string) string {
	t.Helper()
	var all []string
	for _, p := range passages(t, e) {
		if strings.HasPrefix(p.where(), under) {
			all = append(all, p.text)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has nothing at %s", e.Tag(), under)
	}
	return strings.ToLower(strings.Join(all, "\n"))
}

// recordText returns the texts of the record of an item that has the code.
func recordText(t *testing.T, k *content.Kind, name, code string) string {
	t.Helper()
	e := current(t, k, name)
	for _, p := range passages(t, e) {
		if p.text == code && strings.HasSuffix(p.at[len(p.at)-1], "_id") || p.text == code && p.field() == "code" {
			return textOf(t, e, strings.Join(p.at[:len(p.at)-1], "/")+"/")
		}
	}
	t.Fatalf("%s has no %s", e.Tag(), code)
	return ""
}

// Each of these statements led people to a false step. What stood before is
// named beside it, so that it does not come back.
func TestCorrections(t *testing.T) {
	for _, test := range []struct {
		name       string
		kind       *content.Kind
		item, code string
		says       []string
		never      []string
	}{
		{"a difference within the tolerance is not always rounding", content.Instructions, "math-module", "both_tolerances",
			[]string{"округление", "малая разница", "расхождение", "копейка, умноженная на число платежей"}, []string{"отличие на копейки или доли процента возникает от округления"}},
		{"no wear on abandonment", content.Guidelines, "product.kasko.analysis.001", "total_loss_terms", []string{"полную страховую сумму", "износ", "не вычитают"}, nil},
		{"the tool is told no wear on abandonment", content.Instructions, "math-module", "kasko_total_loss_payout", []string{"износ не передавать"}, nil},
		{"loss of value is real damage", content.Guidelines, "product.kasko.analysis.001", "loss_of_market_value", []string{"реальный ущерб", "в пределах страховой суммы"}, []string{"выплату не обещать"}},
		{"the tax-free interest has a rule", content.Guidelines, "product.deposit.analysis.001", "interest_tax",
			[]string{"миллион рублей", "наибольшую ключевую ставку", "первые числа месяцев", "deposit_interest_tax"}, []string{"сумму не называть"}},
		{"the ombudsman has a regime of its own", content.Guidelines, "consumer-rights.timeline.001", "choose_regime",
			[]string{"consumer-rights.ombudsman-claim-answer-electronic", "consumer-rights.ombudsman-claim-answer-other", "без продления"}, []string{"из действующей редакции закона"}},
		{"an ordinary term leads to no ombudsman", content.Guidelines, "consumer-rights.case-status.001", "waiting",
			[]string{"истёкший срок обычного обращения туда не ведёт", "статье 16"}, nil},
		{"the court term has a value", content.Guidelines, "consumer-rights.timeline.001", "court_deadline_after_ombudsman",
			[]string{"consumer-rights.court-after-ombudsman-consumer", "consumer-rights.ombudsman-decision-entry-into-force"}, nil},
		{"a delivery receipt bounds the day of registration", content.Guidelines, "consumer-rights.timeline.001", "confirmed_start_event",
			[]string{"не раньше вручения", "consumer-rights.complaint-registration"}, nil},
		{"a ban does not undo earlier loans only", content.Registries, "fraud-routes", "credit-self-ban.001",
			[]string{"выданный раньше запрета", "когда запрет уже действовал"}, []string{"выданный кредит она не отменяет и"}},
		{"a ban in the credit history", content.Instructions, "credit-history-analysis", "self_ban", []string{"раньше запрета", "при действующем запрете"}, []string{"на действующие договоры он не влияет"}},
		{"a suspended transfer", content.Registries, "fraud-routes", "antifraud-restriction-review.001", []string{"161-фз", "115-фз", "двое суток", "следующего дня"}, nil},
		{"the police after a takeover", content.Registries, "fraud-routes", "government-portal-recovery.001", []string{"заявление в полицию", "помогает в спорах"}, []string{"основным маршрутом не становится"}},
		{"free reports", content.Registries, "fraud-routes", "credit-history-check.001", []string{"сколько установлено"}, []string{"два раза в год"}},
		{"one limit of questions", content.Instructions, "consumer-rights-response", "not_as_a_block", []string{"не больше трёх", "max_clarifying_questions"}, []string{"весь список разом"}},
		{"concentration without names", content.Guidelines, "investment.stop-filters.001", "profile_transfer", []string{"portfolio_concentration", "без названий"}, nil},
		{"concentration without names in the module", content.Instructions, "math-module", "portfolio_concentration", []string{"условными номерами", "названий бумаг, эмитентов и счетов в запросе нет"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Join(strings.Fields(recordText(t, test.kind, test.item, test.code)), " ")
			says(t, test.code, text, test.says...)
			for _, phrase := range test.never {
				if strings.Contains(text, phrase) {
					t.Errorf("%s says again %q", test.code, phrase)
				}
			}
		})
	}
}

// The exceptions from the limit are those of the law, not all disputes on OSAGO.
func TestExceptionsFromTheLimitAreNarrow(t *testing.T) {
	text := textOf(t, current(t, content.Parameters, "consumer-rights.ombudsman-product-exceptions"), "value/")
	says(t, "exceptions", text, "порядка страхового возмещения", "пенсионн")
}
