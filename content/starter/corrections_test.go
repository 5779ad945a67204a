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
		if p.field() == code { // what has no list is named by its field
			return textOf(t, e, p.where())
		}
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
		{"a difference within the tolerance is not always rounding", content.Instructions,
			"math-module", "both_tolerances",
			[]string{"округление", "малая разница", "расхождение", "копейка, умноженная на число платежей"},
			[]string{"отличие на копейки или доли процента возникает от округления"}},
		{"no wear on abandonment", content.Guidelines, "product.kasko.analysis.001", "total_loss_terms",
			[]string{"полную страховую сумму", "износ", "не вычитают"}, nil},
		{"the tool is told no wear on abandonment", content.Instructions, "math-module", "kasko_total_loss_payout",
			[]string{"износ не передавать"}, nil},
		{"loss of value is real damage", content.Guidelines, "product.kasko.analysis.001", "loss_of_market_value",
			[]string{"реальный ущерб", "в пределах страховой суммы"}, []string{"выплату не обещать"}},
		{"the tax-free interest has a rule", content.Guidelines, "product.deposit.analysis.001", "interest_tax",
			[]string{"миллион рублей", "наибольшую ключевую ставку", "первые числа месяцев", "deposit_interest_tax"},
			[]string{"сумму не называть"}},
		{"the ombudsman has a regime of its own", content.Guidelines, "consumer-rights.timeline.001", "choose_regime",
			[]string{"consumer-rights.ombudsman-claim-answer-electronic",
				"consumer-rights.ombudsman-claim-answer-other", "без продления"},
			[]string{"из действующей редакции закона"}},
		{"an ordinary term leads to no ombudsman", content.Guidelines, "consumer-rights.case-status.001", "waiting",
			[]string{"истёкший срок обычного обращения туда не ведёт", "статье 16"}, nil},
		{"the court term has a value", content.Guidelines, "consumer-rights.timeline.001",
			"court_deadline_after_ombudsman",
			[]string{"consumer-rights.court-after-ombudsman-consumer",
				"consumer-rights.ombudsman-decision-entry-into-force"}, nil},
		{"a delivery receipt bounds the day of registration", content.Guidelines, "consumer-rights.timeline.001",
			"confirmed_start_event",
			[]string{"не раньше вручения", "consumer-rights.complaint-registration"}, nil},
		{"a ban does not undo earlier loans only", content.Registries, "fraud-routes", "credit-self-ban.001",
			[]string{"выданный раньше запрета", "когда запрет уже действовал"},
			[]string{"выданный кредит она не отменяет и"}},
		{"a ban in the credit history", content.Instructions, "credit-history-analysis", "self_ban",
			[]string{"раньше запрета", "при действующем запрете"}, []string{"на действующие договоры он не влияет"}},
		{"a suspended transfer", content.Registries, "fraud-routes", "antifraud-restriction-review.001",
			[]string{"161-фз", "115-фз", "двое суток", "следующего дня"}, nil},
		{"the police after a takeover", content.Registries, "fraud-routes", "government-portal-recovery.001",
			[]string{"заявление в полицию", "помогает в спорах"}, []string{"основным маршрутом не становится"}},
		{"free reports", content.Registries, "fraud-routes", "credit-history-check.001",
			[]string{"сколько установлено"}, []string{"два раза в год"}},
		{"one limit of questions", content.Instructions, "consumer-rights-response", "not_as_a_block",
			[]string{"не больше трёх", "max_clarifying_questions"}, []string{"весь список разом"}},
		{"concentration without names", content.Guidelines, "investment.stop-filters.001", "profile_transfer",
			[]string{"portfolio_concentration", "без названий"}, nil},
		{"a ban undoes earlier loans only, in the instruction", content.Instructions,
			"fraud-response", "fraudulent_credit",
			[]string{"выданный раньше запрета", "при действующем запрете", "без периода охлаждения",
				"fraud.loan-by-fraudsters.001"}, []string{"выданный кредит он не аннулирует"}},
		{"a ban undoes earlier loans only, when a history is read", content.Instructions,
			"credit-history-analysis", "CHECK_SAFETY",
			[]string{"раньше запрета", "отдельное основание спора"}, []string{"выданный кредит он не отменяет"}},
		{"a ban undoes earlier loans only, after a code was told", content.Guidelines,
			"fraud.intercom-code-government-portal.001", "credit_issued",
			[]string{"раньше запрета", "при действующем запрете"}, []string{"не отменяет уже выданный кредит"}},
		{"a ban undoes earlier loans only, after a voice was believed", content.Guidelines,
			"fraud.ai-deepfake-impersonation.001", "credit_taken_under_influence",
			[]string{"раньше запрета", "без периода охлаждения"}, []string{"не отменяет уже заключённый договор"}},
		{"a creditor is not left unpaid blindly", content.Registries, "fraud-routes", "creditor-dispute.001",
			[]string{"до платежа узнать последствия", "периодом охлаждения"}, []string{"не платить"}},
		{"the police after a takeover, in the instruction", content.Instructions, "fraud-response",
			"digital_account_compromise", []string{"заявление о захвате посоветовать"}, nil},
		{"the police after a takeover of an account elsewhere", content.Registries, "fraud-routes",
			"platform-account-recovery.001", []string{"и без потерь его номер помогает"}, nil},
		{"cash is a matter for the police first", content.Guidelines, "fraud.money-sent.001", "cash_handed",
			[]string{"102", "банкомат"}, nil},
		{"money of strangers has a rule where its state leads", content.Guidelines,
			"consumer-rights.transfer-suspended.001", "unknown_funds", []string{"не тратить", "банку"}, nil},
		{"a card that was given away has a rule where its state leads", content.Guidelines,
			"consumer-rights.transfer-suspended.001", "card_given",
			[]string{"payments.card-handover-liability", "адвокатом"}, nil},
		{"the pause ends where the law says", content.Guidelines, "consumer-rights.transfer-suspended.001",
			"pause_days", []string{"с самого дня события", "перенос"}, nil},
		{"holidays do not count for a payout", content.Guidelines, "consumer-rights.osago-payout.001", "payment_term",
			[]string{"по дню за каждый нерабочий праздничный день"}, nil},
		{"whom to claim an OSAGO payout from is said", content.Guidelines, "consumer-rights.osago-payout.001",
			"scope_of_osago", []string{"своему страховщику", "страховщику виновника"}, nil},
		{"what is over the insured sum is claimed", content.Guidelines, "product.deposit.protection-and-tax.001",
			"payout", []string{"в реестр кредиторов"}, nil},
		{"the term of the claim is named", content.Guidelines, "consumer-rights.ombudsman-eligibility.001",
			"response_period_of_claim",
			[]string{"consumer-rights.ombudsman-claim-answer-electronic",
				"consumer-rights.ombudsman-claim-answer-other"}, nil},
		{"the bank reimburses what nobody agreed to", content.Guidelines, "fraud.money-sent.001", "unauthorized",
			[]string{"статье 9", "payments.unauthorized-refund-cross-border", "не позже следующего дня"},
			[]string{"сроки ответа — из параметров"}},
		{"the right to it may be lost", content.Guidelines, "fraud.money-sent.001", "unauthorized_lost",
			[]string{"обязанности нет", "доказывает это банк", "сам перевёл под обманом"}, nil},
		{"those who serve have holidays of their own", content.Guidelines, "consumer-rights.hardship.001", "svo_first",
			[]string{"377-фз", "предела суммы и проверки дохода в нём нет", "члены семьи"}, nil},
		{"terms that nobody confirmed are not named", content.Guidelines, "consumer-rights.hardship.001",
			"creditor_silent", []string{"6.1-1 и 6.1-2", "по памяти не называть"}, nil},
		{"the refusal of the bank is asked for, not guessed", content.Guidelines, "fraud.money-sent.001",
			"no_pause_no_list", []string{"всё равно подать", "письменно"}, nil},
		{"concentration without names in the module", content.Instructions, "math-module", "portfolio_concentration",
			[]string{"условными номерами", "названий бумаг, эмитентов и счетов в запросе нет"}, nil},
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

// The ordinary term is none of a claim for a payout, and not all kinds of firms have it.
func TestOrdinaryTermIsNarrow(t *testing.T) {
	for _, id := range []string{"consumer-rights.fo-response-standard-working-days",
		"consumer-rights.fo-response-extension-working-days", "consumer-rights.complaint-registration"} {
		says(t, id, textOf(t, current(t, content.Parameters, id), "conditions/"), "о страховой выплате")
	}
	says(t, "firms", textOf(t, current(t, content.Parameters, "consumer-rights.fo-response-standard-working-days"),
		"conditions/"), "пенсионного фонда", "бюро кредитных историй", "клиринговой")
}
