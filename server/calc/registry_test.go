package calc_test

import (
	"slices"
	"testing"

	"rulestore/server/calc"
)

// catalogue lists the tools in their order: id, version, release.
var catalogue = [][3]string{
	{"loan_payment", "1.1.0", "1.3"},
	{"mortgage_annuity_payment", "1.0.0", "1.5"},
	{"mortgage_differentiated_payment", "1.0.0", "1.5"},
	{"mortgage_schedule", "1.1.0", "1.5"},
	{"mortgage_early_repayment", "1.0.0", "1.5"},
	{"mortgage_outstanding_balance", "1.0.0", "1.5"},
	{"mortgage_max_principal", "1.0.0", "1.5"},
	{"mortgage_loan_to_value", "1.0.0", "1.5"},
	{"mortgage_phased_payment", "1.0.0", "1.5"},
	{"mortgage_total_cost", "1.0.0", "1.5"},
	{"deposit_simple_interest", "1.0.0", "1.5"},
	{"deposit_capitalized_interest", "1.0.0", "1.5"},
	{"deposit_effective_rate", "1.0.0", "1.5"},
	{"deposit_cashflow_balance", "1.0.0", "1.5"},
	{"deposit_daily_balance_interest", "1.0.0", "1.5"},
	{"deposit_early_withdrawal", "1.0.0", "1.5"},
	{"deposit_interest_tax", "1.1.0", "1.5"},
	{"deposit_insurance_coverage", "1.0.0", "1.5"},
	{"card_grace_period_end", "1.0.0", "1.5"},
	{"card_minimum_payment", "1.0.0", "1.5"},
	{"card_interest_accrued", "1.0.0", "1.5"},
	{"card_payoff_fixed_payment", "1.0.0", "1.5"},
	{"card_payoff_minimum_payment", "1.0.0", "1.5"},
	{"card_required_payment", "1.0.0", "1.5"},
	{"card_cash_withdrawal_cost", "1.0.0", "1.5"},
	{"card_overdue_penalty", "1.0.0", "1.5"},
	{"kasko_premium", "1.0.0", "1.5"},
	{"kasko_premium_installments", "1.0.0", "1.5"},
	{"kasko_deductible_payout", "1.0.0", "1.5"},
	{"kasko_proportional_payout", "1.0.0", "1.5"},
	{"kasko_total_loss_payout", "1.1.0", "1.5"},
	{"kasko_premium_refund", "1.0.0", "1.5"},
	{"kasko_deductible_break_even", "1.0.0", "1.5"},
	{"pfm_cash_flow", "1.0.0", "1.6"},
	{"pfm_emergency_fund", "1.0.0", "1.6"},
	{"pfm_net_worth", "1.0.0", "1.6"},
	{"pfm_goal_contribution", "1.0.0", "1.6"},
	{"pfm_goal_projection", "1.0.0", "1.6"},
	{"pfm_goal_allocation", "1.0.0", "1.6"},
	{"pfm_debt_payoff_plan", "1.0.0", "1.6"},
	{"pfm_liquidity_ratio", "1.0.0", "1.6"},
	{"pfm_horizon_risk_check", "1.0.0", "1.6"},
	{"consumer_rights_deadline_date", "2.1.0", "1.7"},
	{"invest_reliable_return", "1.0.0", "1.8"},
	{"invest_fee_impact", "1.0.0", "1.8"},
	{"invest_break_even_yield", "1.0.0", "1.8"},
	{"loan_refinancing", "1.0.0", "1.8"},
	{"loan_payment_to_income", "1.0.0", "1.8"},
	{"deposit_comparison", "1.0.0", "1.8"},
	{"portfolio_concentration", "1.0.0", "1.8"},
	{"money_use_interest", "1.0.0", "1.8"},
	{"installment_true_cost", "1.0.0", "1.8"},
	{"compare_loan_variants", "1.0.0", "1.3"},
}

// The registry is the catalogue: exactly these tools, in this order.
func TestRegistryIsTheCatalogue(t *testing.T) {
	var got [][3]string
	for tool := range calc.New().Tools() {
		got = append(got, [3]string{tool.ID, tool.Version, tool.Release})
	}
	for i := range max(len(got), len(catalogue)) {
		g, w := got[min(i, len(got)):min(i+1, len(got))], catalogue[min(i, len(catalogue)):min(i+1, len(catalogue))]
		if !slices.Equal(g, w) {
			t.Fatalf("tool %d is %v, expected %v: a new tool or version needs its line in catalogue", i+1, g, w)
		}
	}
}
