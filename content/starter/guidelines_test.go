package starter_test

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"rulestore/content"
)

type guideline struct {
	Scenario      string
	Title         string
	Summary       string
	Owner         string
	Applicability struct {
		ProductTypes []string `json:"product_types"`
		Triggers     []string
		Exclusions   []string
	}
	RequiredInputs []struct {
		InputID     string `json:"input_id"`
		Title       string
		Reason      string
		HowToObtain string `json:"how_to_obtain"`
		MayAsk      *bool  `json:"may_ask"`
	} `json:"required_inputs"`
	Rules      []rule
	Guardrails []struct {
		GuardrailID string `json:"guardrail_id"`
		Type        string
		Text        string
		Reason      string
	}
	Sources      []source
	ValidFrom    string `json:"valid_from"`
	RecheckAfter string `json:"recheck_after"`
}

type rule struct {
	RuleID      string `json:"rule_id"`
	Title       string
	Condition   string
	Action      string
	Explanation string
	Severity    string
	StopCode    string   `json:"stop_code"`
	Related     []string `json:"related_guidelines"`
}

type source struct {
	Title     string
	Article   string
	URL       string
	CheckedOn string `json:"checked_on"`
}

// The 17 identifiers of the specification and those that came later, each in one
// of the four scenarios that a guideline may have.
func TestGuidelinesOfTheSpecification(t *testing.T) {
	want := map[string]string{
		"product.common.001":                          "product_analysis",
		"product.deposit.analysis.001":                "product_analysis",
		"product.mortgage.analysis.001":               "product_analysis",
		"product.credit-card.analysis.001":            "product_analysis",
		"product.kasko.analysis.001":                  "product_analysis",
		"consumer-rights.primary-contact.001":         "consumer_rights",
		"consumer-rights.goal-routing.001":            "consumer_rights",
		"consumer-rights.ombudsman-eligibility.001":   "consumer_rights",
		"consumer-rights.timeline.001":                "consumer_rights",
		"consumer-rights.evidence.001":                "consumer_rights",
		"consumer-rights.case-status.001":             "consumer_rights",
		"consumer-rights.ombudsman-appeal.001":        "consumer_rights",
		"consumer-rights.enforcement.001":             "consumer_rights",
		"investment.message-classification.001":       "investment_advice",
		"investment.stop-filters.001":                 "investment_advice",
		"fraud.intercom-code-government-portal.001":   "fraud_risk",
		"fraud.ai-deepfake-impersonation.001":         "fraud_risk",
		"fraud.loan-by-fraudsters.001":                "fraud_risk",
		"fraud.money-sent.001":                        "fraud_risk",
		"consumer-rights.osago-payout.001":            "consumer_rights",
		"consumer-rights.imposed-services.001":        "consumer_rights",
		"consumer-rights.transfer-suspended.001":      "consumer_rights",
		"consumer-rights.hardship.001":                "consumer_rights",
		"consumer-rights.collectors.001":              "consumer_rights",
		"consumer-rights.bankruptcy-out-of-court.001": "consumer_rights",
		"consumer-rights.inherited-debt.001":          "consumer_rights",
		"consumer-rights.wrong-transfer.001":          "consumer_rights",
		"consumer-rights.dwelling-debt.001":           "consumer_rights",
		"consumer-rights.bonus-dispute.001":           "consumer_rights",
		"consumer-rights.debt-limitation.001":         "consumer_rights",
		"consumer-rights.court-order.001":             "consumer_rights",
		"consumer-rights.wage-deduction.001":          "consumer_rights",
		"consumer-rights.spouse-debt.001":             "consumer_rights",
		"product.consumer-loan.analysis.001":          "product_analysis",
		"product.deposit.protection-and-tax.001":      "product_analysis",
	}
	got := map[string]string{}
	for _, e := range currents(t, content.Guidelines) {
		got[e.Name] = e.Body().Text("scenario")
		if e.Status != content.Current {
			t.Errorf("%s is %s", e.Name, e.Status)
		}
	}
	equal(t, "guidelines", got, want)
	for _, e := range everything(t, content.Guidelines) {
		if e.Body().Text("scenario") != want[e.Name] {
			t.Errorf("%s is of the scenario %s", e.Tag(), e.Body().Text("scenario"))
		}
	}
}

// Every version that was ever published can be worked with.
func TestGuidelinesAreComplete(t *testing.T) {
	for _, e := range everything(t, content.Guidelines) {
		t.Run(e.Name+"/"+e.Version.String(), func(t *testing.T) {
			g := decode[guideline](t, e)
			substantial(t, "title", g.Title, 10)
			substantial(t, "summary", g.Summary, 80)
			substantial(t, "owner", g.Owner, 10)
			atLeast(t, "triggers", len(g.Applicability.Triggers), 3)
			atLeast(t, "exclusions", len(g.Applicability.Exclusions), 2)
			if product := g.Scenario == "product_analysis"; product != (len(g.Applicability.ProductTypes) > 0) &&
				g.Scenario != "investment_advice" {
				t.Errorf("product types %v in the scenario %s", g.Applicability.ProductTypes, g.Scenario)
			}
			atLeast(t, "inputs", len(g.RequiredInputs), 4)
			for _, in := range g.RequiredInputs {
				substantial(t, in.InputID, in.Title, 8)
				substantial(t, in.InputID, in.Reason, 25)
				substantial(t, in.InputID, in.HowToObtain, 25)
				if in.MayAsk == nil {
					t.Errorf("%s does not say whether it may be asked", in.InputID)
				}
			}
			atLeast(t, "rules", len(g.Rules), 8)
			checkRules(t, g.Rules)
			checkGuardrails(t, g)
			checkSources(t, e, g.Sources)
			if published := e.PublishedAt.Format(time.DateOnly); g.ValidFrom > published ||
				g.RecheckAfter <= published {
				t.Errorf("published on %s, valid from %s, to be checked after %s", published,
					g.ValidFrom, g.RecheckAfter)
			}
		})
	}
}

func checkRules(t *testing.T, rules []rule) {
	t.Helper()
	actions := map[string]string{}
	for _, r := range rules {
		substantial(t, r.RuleID, r.Title, 8)
		substantial(t, r.RuleID, r.Condition, 15)
		substantial(t, r.RuleID, r.Action, 60)
		substantial(t, r.RuleID, r.Explanation, 30)
		if other := actions[r.Action]; other != "" {
			t.Errorf("%s and %s say the same", r.RuleID, other)
		}
		actions[r.Action] = r.RuleID
		if strings.HasPrefix(r.Action, "Остановиться") && r.StopCode == "" {
			t.Errorf("%s stops without a code to record", r.RuleID)
		}
		if r.StopCode != "" && r.Severity != "high" && r.Severity != "critical" && r.Severity != "warning" {
			t.Errorf("%s stops and is of severity %s", r.RuleID, r.Severity)
		}
	}
}

// A prohibition is something that must be kept; a stop says what to stop.
func checkGuardrails(t *testing.T, g guideline) {
	t.Helper()
	atLeast(t, "guardrails", len(g.Guardrails), 4)
	begins := map[string]string{"must": "Запрещено ", "stop": "Остановить "}
	stops := 0
	for _, r := range g.Guardrails {
		if begins[r.Type] == "" || !strings.HasPrefix(r.Text, begins[r.Type]) {
			t.Errorf("%s is of the type %q and says: %s", r.GuardrailID, r.Type, r.Text)
		}
		substantial(t, r.GuardrailID, r.Text, 40)
		substantial(t, r.GuardrailID, r.Reason, 20)
		if r.Type == "stop" {
			stops++
		}
	}
	atLeast(t, "guardrails that stop", stops, 1)
}

// officialHosts are those of authorities and of the two systems in which the
// texts of laws are published in full.
var officialHosts = words(`
	www.consultant.ru base.garant.ru
	www.cbr.ru fincult.info finombudsman.ru www.gosuslugi.ru www.asv.org.ru www.vsrf.ru
	xn--b1aew.xn--p1ai xn--80az8a.xn--d1aqf.xn--p1ai
	fas.gov.ru rkn.gov.ru fssp.gov.ru rostrud.gov.ru roszdravnadzor.gov.ru rpn.gov.ru nsis.ru
	digital.gov.ru epp.genproc.gov.ru sudrf.ru sfr.gov.ru rosreestr.gov.ru
	www.nalog.gov.ru www.rospotrebnadzor.ru www.fedsfm.ru`)

func checkSources(t *testing.T, e *content.Entry, sources []source) {
	t.Helper()
	atLeast(t, "sources", len(sources), 3)
	articles, said := 0, e.PublishedAt // when it was said what the sources are for
	for p := e; p.Predecessor != nil && sameButSources(p); p = p.Predecessor {
		said = p.Predecessor.PublishedAt
	}
	for _, s := range sources {
		substantial(t, "source", s.Title, 8)
		official(t, s.URL)
		on, err := time.Parse(time.DateOnly, s.CheckedOn)
		if err != nil || on.After(e.PublishedAt) || said.Sub(on) > 30*24*time.Hour && !kept(t, e, s) {
			t.Errorf("%s was checked on %s, published %s", s.Title, s.CheckedOn, e.PublishedAt)
		}
		if s.Article != "" {
			articles++
		}
	}
	if e.Body().Text("scenario") != "fraud_risk" {
		atLeast(t, "sources with an article", articles, 1)
	}
}

// kept says whether a version takes a source over from the one before it, and says of it that it
// was not read again.
func kept(t *testing.T, e *content.Entry, s source) bool {
	t.Helper()
	return e.Predecessor != nil && slices.Contains(decode[guideline](t, e.Predecessor).Sources, s)
}

// sameButSources says whether a version says what the one before it said, and only names its
// sources, and itself to a search, in other words.
func sameButSources(e *content.Entry) bool {
	for _, m := range e.Body() {
		if m.Name != "sources" && m.Name != "search_terms" && !bytes.Equal(m.Value, e.Predecessor.Body().Get(m.Name)) {
			return false
		}
	}
	return true
}

func official(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || !slices.Contains(officialHosts, u.Host) {
		t.Errorf("not an official address: %s", address)
	}
}

// Whatever a guideline is about, a fraud that is going on comes first.
func TestFraudComesFirstInEveryGuideline(t *testing.T) {
	for _, e := range currents(t, content.Guidelines) {
		g := decode[guideline](t, e)
		if g.Scenario != "fraud_risk" && !strings.Contains(strings.Join(g.Applicability.Exclusions, "\n"),
			"fraud_risk") {
			t.Errorf("%s does not send fraud to its own rules", e.Name)
		}
	}
}

// A guideline that hands a case over names one that takes it. An exclusion of the one that is named
// says where its own case goes, and shares no word with the case handed over that is in none of its
// triggers, unless both name the same successor: else a person is sent to rules that are not for them.
func TestCasesAreNotHandedToWhoExcludesThem(t *testing.T) {
	all, handed := map[string]guideline{}, 0
	for _, e := range currents(t, content.Guidelines) {
		all[e.Name] = decode[guideline](t, e)
	}
	for from, g := range all {
		for _, given := range g.Applicability.Exclusions {
			named := dottedInText.FindAllString(given, -1)
			for _, to := range named {
				taker, ok := all[to]
				if !ok { // a route
					continue
				}
				handed++
				own := stems(strings.Join(taker.Applicability.Triggers, " "))
				for _, excluded := range taker.Applicability.Exclusions {
					next := dottedInText.FindAllString(excluded, -1)
					if !strings.Contains(excluded, " — ") {
						t.Errorf("%s, to which %s hands cases, excludes and leads nowhere: %s", to, from, excluded)
					}
					if slices.ContainsFunc(next, func(id string) bool {
						return id == from || slices.Contains(named, id)
					}) {
						continue
					}
					for stem := range stems(excluded) {
						if stems(given)[stem] && !own[stem] {
							t.Errorf("%s hands over to %s: %s\nwhich excludes (%s…): %s", from, to, given, stem, excluded)
						}
					}
				}
			}
		}
	}
	atLeast(t, "cases handed over", handed, 30)
}

// stems are the beginnings of the longer words of what is said before a dash.
func stems(text string) map[string]bool {
	const letters = 6
	text, _, _ = strings.Cut(text, " — ")
	found := map[string]bool{}
	for _, word := range russianWords(strings.ToLower(text)) {
		if runes := []rune(word); len(runes) >= letters {
			found[string(runes[:letters])] = true
		}
	}
	return found
}

// What the specification says of each guideline of consumer rights.
func TestConsumerRightsGuidelines(t *testing.T) {
	for name, phrases := range map[string][]string{
		"primary-contact": {"prepare_primary_contact", "фамилия, имя и отчество", "юридическое наименование",
			"желаемый результат", "контакт для ответа", "перечень приложений", "registration_proof_missing"},
		"goal-routing": words("return_money_or_change_result restore_right stop_practice_or_check_compliance punish_or_fine get_explanation prepare_for_court"),
		"ombudsman-eligibility": {"имущественн", "реестр", "узнал или должен был узнать",
			"consumer-rights.ombudsman-amount-limit", "consumer-rights.ombudsman-limitation-period",
			"consumer-rights.ombudsman-product-exceptions"},
		"timeline": {"consumer_rights_deadline_date", "do_not_guess",
			"consumer-rights.fo-response-standard-working-days", "consumer-rights.fo-response-extension-working-days",
			"уведомлен", "расчётная и юридически не подтверждена"},
		"evidence":         words("financial_org_claim_confirmation financial_org_response_or_expiry missing_evidence why_needed accepted_forms"),
		"case-status":      words("current_state completed_steps missing_requirements next_action next_check_date regulator"),
		"ombudsman-appeal": words("ombudsman_decision_received user_not_satisfied court_after_ombudsman direct_court_route do_not_guess"),
		"enforcement":      words("decision_executed submission_to_bank submission_to_fssp enforcement_no_action enforcement_document_available debtor_known voluntary_execution_status"),
	} {
		t.Run(name, func(t *testing.T) {
			e := current(t, content.Guidelines, "consumer-rights."+name+".001")
			says(t, name, string(e.Body().AppendJSON(nil)), phrases...)
		})
	}
}

func TestStopCodesOfGuidelines(t *testing.T) {
	for name, want := range map[string]string{
		"consumer-rights.primary-contact.001":       "STOP_FURTHER_ROUTING PRIMARY_CONTACT_NOT_CONFIRMED",
		"consumer-rights.ombudsman-eligibility.001": "PRIMARY_CONTACT_NOT_CONFIRMED CLAIM_NOT_PROPERTY_BASED ORGANIZATION_OUT_OF_SCOPE CLAIM_AMOUNT_OUT_OF_SCOPE PRODUCT_OUT_OF_SCOPE LIMITATION_PERIOD_NOT_CONFIRMED",
		"consumer-rights.goal-routing.001":          "STOP_CBR_INDIVIDUAL_PROPERTY_DISPUTE STOP_PUNITIVE_ROUTE STOP_COURT_PRETRIAL_NOT_COMPLETED",
		"fraud.ai-deepfake-impersonation.001":       "critical_stop stop_verify_identity",
		"investment.message-classification.001":     "STOP_CONTENT_ELIGIBILITY STOP_PROVIDER_ELIGIBILITY STOP_DELIVERY_ELIGIBILITY STOP_UNVERIFIED_PROVIDER STOP_CLIENT_PROFILE STOP_INDIVIDUAL_RECOMMENDATION",
		"investment.stop-filters.001": "STOP_GUARANTEED_RETURN STOP_UNVERIFIED_PROVIDER STOP_FRAUD_SIGNS STOP_BORROWED_MONEY STOP_LIQUIDITY STOP_HORIZON_MISMATCH STOP_RISK_EXCEEDS_CAPACITY " +
			"STOP_DOUBLE_COUNTING STOP_QUALIFICATION_REQUIRED STOP_UNKNOWN_INSTRUMENT STOP_INDIVIDUAL_RECOMMENDATION " +
			"STOP_CLIENT_PROFILE",
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range latest[guideline](t, content.Guidelines, name).Rules {
				if r.StopCode != "" && !slices.Contains(got, r.StopCode) {
					got = append(got, r.StopCode)
				}
			}
			sameSet(t, name, got, words(want))
		})
	}
}

func substantial(t *testing.T, what, text string, least int) {
	t.Helper()
	if utf8.RuneCountInString(text) < least {
		t.Errorf("%s says too little: %q", what, text)
	}
}

func atLeast(t *testing.T, what string, got, least int) {
	t.Helper()
	if got < least {
		t.Errorf("%d %s, want at least %d", got, what, least)
	}
}
