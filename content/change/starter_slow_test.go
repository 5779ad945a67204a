//go:build slow

package change_test

import (
	"slices"
	"testing"

	"rulestore/content/change"
	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// The starter content is a history of real changes. Its authors gave a version
// that is smaller than the one asked for here to these: each narrows something, says when it
// begins, gave codes to compound rules that had none, or spells the code of a stop as all
// others do. Every other step was large enough. A change of the tables of meanings
// shows here what it would have meant to authors.
func TestStarterHistory(t *testing.T) {
	script, err := git.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	tooSmall, steps := []string{}, 0
	for _, it := range load(t, script).Items {
		for _, e := range it.Entries {
			if e.Predecessor == nil {
				continue
			}
			steps++
			fields, class := change.Of(schemas.Embedded(), it.Kind, it.Name, e.Predecessor.Body(), e.Body())
			if n, c := change.Count(schemas.Embedded(), it.Kind, it.Name, e.Predecessor.Body(),
				e.Body()); n != len(fields) ||
				c != class {
				t.Errorf("%s: %d fields are counted as %s, not %d as %s", e.Tag(), n, c, len(fields), class)
			}
			if class == change.None {
				t.Errorf("%s: nothing differs from %s", e.Tag(), e.Predecessor.Version)
			}
			if !change.Enough(e.Predecessor.Version, e.Version, class) {
				i := slices.IndexFunc(fields, func(f change.Field) bool { return f.Class == class })
				tooSmall = append(tooSmall, e.Tag()+" "+fields[i].Path)
			}
		}
	}
	want := []string{
		"guidelines/consumer-rights.collectors.001/v1.5.0 applicability.exclusions[3]",
		"guidelines/consumer-rights.enforcement.001/v1.3.0 applicability.exclusions[3]",
		"guidelines/consumer-rights.hardship.001/v1.3.1 search_terms[26]",
		"guidelines/consumer-rights.inherited-debt.001/v1.1.0 applicability.exclusions[3]",
		"guidelines/consumer-rights.ombudsman-eligibility.001/v1.1.0 applicability.exclusions[1]",
		"guidelines/consumer-rights.primary-contact.001/v1.2.0 applicability.exclusions[3]",
		"guidelines/consumer-rights.wage-deduction.001/v1.1.0 applicability.exclusions[4]",
		"guidelines/fraud.ai-deepfake-impersonation.001/v1.3.0 rules[stop_comes_first].stop_code",
		"guidelines/fraud.intercom-code-government-portal.001/v1.3.0 rules[code_requested].stop_code",
		"guidelines/fraud.intercom-code-government-portal.001/v1.1.0 rules[code_not_disclosed].severity",
		"guidelines/fraud.loan-by-fraudsters.001/v1.1.0 rules[stop_now].stop_code",
		"guidelines/fraud.money-sent.001/v1.1.0 rules[stop_and_call].stop_code",
		"guidelines/product.kasko.analysis.001/v1.6.0 applicability.exclusions[3]",
		"guidelines/product.kasko.analysis.001/v1.1.0 applicability.exclusions[1]",
		"instructions/consumer-rights-response/v4.1.0 journey.branch_codes[WAIT_FOR_FINANCIAL_ORGANIZATION]",
		"instructions/fraud-response/v1.8.0 steps[SELECT_ROUTES].read[2].sections[rules/unauthorized_lost]",
		"instructions/fraud-response/v1.5.0 steps[ASSESS_SIGNALS].instructions",
		"instructions/fraud-response/v1.3.0 compound_rules[1]",
		"instructions/product-document-analysis/v1.5.0 steps[SELECT_RULES].read[1].sections[rules]",
		"policies/fallback-policy/v1.1.0 cache_limits[instructions].max_age_hours",
		"registries/taxonomy/v1.4.0 stop_codes[CRITICAL_STOP].scenarios",
		"parameters/aml.commission-answer/v1.1.0 valid_from",
		"parameters/aml.commission-application/v1.1.0 valid_from",
		"parameters/aml.documents-answer/v1.1.0 valid_from",
		"parameters/aml.reasons-answer/v1.1.0 valid_from",
		"parameters/collectors.refusal-from-month/v1.2.0 conditions[3]",
		"parameters/consumer-rights.complaint-registration/v1.1.0 conditions[4]",
		"parameters/consumer-rights.court-after-ombudsman-consumer/v2.1.0 conditions[3]",
		"parameters/consumer-rights.court-after-ombudsman-organization/v2.1.0 conditions[3]",
		"parameters/consumer-rights.fo-response-extension-working-days/v1.2.0 conditions[8]",
		"parameters/consumer-rights.fo-response-extension-working-days/v1.1.0 conditions[2]",
		"parameters/consumer-rights.fo-response-standard-working-days/v1.1.0 conditions[4]",
		"parameters/consumer-rights.ombudsman-amount-limit/v1.2.0 conditions[4]",
		"parameters/consumer-rights.ombudsman-certificate-application/v2.1.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-claim-answer-electronic/v2.1.0 conditions[4]",
		"parameters/consumer-rights.ombudsman-claim-answer-other/v2.1.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-consideration/v2.3.0 conditions[2]",
		"parameters/consumer-rights.ombudsman-consideration/v2.1.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-decision-entry-into-force/v2.1.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-decision-execution/v2.1.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-electronic-claim-window/v2.1.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-limitation-period/v1.2.0 conditions[3]",
		"parameters/consumer-rights.ombudsman-nonexecution-penalty/v2.3.0 conditions[2]",
		"parameters/consumer-rights.ombudsman-nonexecution-penalty/v2.1.0 conditions[3]",
		"parameters/consumer-rights.regulator-own-answer/v1.1.0 conditions[1]",
		"parameters/credit-history.bureau-correction/v1.2.0 conditions[2]",
		"parameters/credit-history.source-correction/v1.2.0 conditions[2]",
		"parameters/credit-history.source-reporting/v1.1.0 valid_from",
		"parameters/credit.debt-burden-rule/v1.1.0 conditions[3]",
		"parameters/credit.early-repayment-notice/v1.2.0 conditions[3]",
		"parameters/credit.early-return-consumer/v1.3.0 conditions[3]",
		"parameters/credit.early-return-target/v1.2.0 conditions[2]",
		"parameters/credit.mortgage-holidays-limit/v1.3.0 conditions[3]",
		"parameters/credit.mortgage-holidays-limit/v1.1.0 valid_from",
		"parameters/credit.mortgage-holidays-months/v1.2.0 conditions[2]",
		"parameters/credit.self-ban-violated/v1.3.0 conditions[2]",
		"parameters/deposit.insurance-escrow/v1.1.0 conditions[3]",
		"parameters/deposit.insurance-temporary/v1.1.0 conditions[3]",
		"parameters/deposit.payout-money/v1.3.0 conditions[2]",
		"parameters/deposit.payout-money/v1.1.0 valid_from",
		"parameters/deposit.payout-start/v1.3.0 conditions[2]",
		"parameters/deposit.payout-start/v1.1.0 valid_from",
		"parameters/insurance.cooling-off-refund/v1.2.0 conditions[2]",
		"parameters/insurance.early-repayment-refund/v1.3.0 conditions[3]",
		"parameters/insurance.early-repayment-refund/v1.1.0 conditions[1]",
		"parameters/osago.loss-of-value-age/v1.2.0 conditions[2]",
		"parameters/osago.loss-of-value-wear/v1.2.0 conditions[2]",
		"parameters/osago.payment-days/v1.3.0 conditions[1]",
		"parameters/osago.payment-days/v1.1.0 valid_from",
		"parameters/osago.penalty-percent/v1.1.0 valid_from",
		"parameters/osago.property-limit/v1.2.0 conditions[3]",
		"parameters/osago.repair-days/v1.3.0 conditions[3]",
		"parameters/osago.repair-days/v1.1.0 valid_from",
		"parameters/payments.database-exclusion-decision/v1.1.0 valid_from",
		"parameters/payments.suspension-confirmation/v1.1.0 conditions[3]",
		"parameters/rate.key-current/v1.1.0 valid_to",
		"parameters/tax.deduction-home/v1.1.0 conditions[3]",
		"parameters/tax.deduction-long-term/v1.1.0 conditions[3]",
		"parameters/tax.deduction-mortgage-interest/v1.1.0 conditions[3]",
		"scenarios/fraud_risk/v1.1.0 stop_filters[CRITICAL_STOP]",
	}
	if steps < 40 || !slices.Equal(tooSmall, want) {
		t.Errorf("of %d steps these were too small: %q", steps, tooSmall)
	}
}
