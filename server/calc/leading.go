package calc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leading names the outputs that answer what a tool is asked, the most telling first, where
// it is not those declared first. A name may lead into an object, or into every row of a
// list: variants.paid_total.
var leading = map[string][]string{
	"loan_refinancing":              {"new_payment", "payment_difference", "current_payment"},
	"loan_payment_to_income":        {"ratio_pct", "relation", "payments_total"},
	CompareLoansID:                  {"differences.total_outflow", "differences.payment"},
	"mortgage_early_repayment":      {"reduce_term.interest_saved", "reduce_payment.interest_saved", "reduce_term.months_saved", "reduce_payment.new_payment"},
	"mortgage_outstanding_balance":  {"balance"},
	"mortgage_max_principal":        {"max_principal", "payment"},
	"mortgage_loan_to_value":        {"ltv_pct"},
	"mortgage_phased_payment":       {"interest_total", "paid_total"},
	"mortgage_total_cost":           {"total_cost"},
	"deposit_simple_interest":       {"interest", "final_amount"},
	"deposit_early_withdrawal":      {"payout"},
	"deposit_interest_tax":          {"tax", "tax_base"},
	"deposit_comparison":            {"differences.final_amount", "differences.interest"},
	"card_grace_period_end":         {"grace_end", "days_from_purchase"},
	"card_minimum_payment":          {"minimum_payment"},
	"card_cash_withdrawal_cost":     {"total_cost", "total_repayment"},
	"kasko_total_loss_payout":       {"payout"},
	"pfm_cash_flow":                 {"net_cash_flow"},
	"pfm_net_worth":                 {"net_worth"},
	"pfm_debt_payoff_plan":          {"months", "interest_total", "paid_total", "avalanche.months", "snowball.months", "difference.interest_total"},
	"pfm_goal_allocation":           {"shortfall_total"},
	"consumer_rights_deadline_date": {"deadline"},
	"invest_fee_impact":             {"fee_drag"},
	"invest_reliable_return":        {"real_annual_pct", "after_tax_annual_pct"},
}

// maxLeading is how long a value may be that a glance takes in, in bytes.
const maxLeading = 24

// Leading are the values that a glance takes in: what the tool is asked for, then the other
// short ones, as they are declared.
func (a *Answer) Leading() (all []Figure) {
	results := a.results()
	for _, path := range leading[a.Tool.ID] {
		all = append(all, results.at(path)...)
	}
	asked := all
	for _, f := range results.Figures {
		if !slices.ContainsFunc(asked, func(known Figure) bool { return known.Name == f.Name && known.Title == f.Title }) {
			all = append(all, f)
		}
	}
	return slices.DeleteFunc(all, func(f Figure) bool { return f.Parts != nil || f.Text == "" || len(f.Text) > maxLeading })
}

// at are the values under a name, which leads into objects and lists by points.
func (s Section) at(path string) (all []Figure) {
	name, rest, within := strings.Cut(path, ".")
	for _, f := range s.Figures {
		if f.Name == name && !within {
			all = append(all, f)
		}
	}
	for _, w := range s.Within {
		switch {
		case w.ID != name || !within:
		case w.Table != nil:
			for _, row := range w.Table.Rows {
				all = append(all, prefixed(w.Title+", "+row[0].Text, Section{Figures: row}.at(rest))...)
			}
		default:
			all = append(all, prefixed(w.Title, w.at(rest))...)
		}
	}
	return all
}

// prefixed puts before the titles of values what they are values of.
func prefixed(of string, all []Figure) []Figure {
	return each(all, func(f Figure) Figure {
		first, size := utf8.DecodeRuneInString(f.Title)
		of, _, _ := strings.Cut(of, ";") // behind which a title explains itself
		f.Title = of + ": " + string(unicode.ToLower(first)) + f.Title[size:]
		return f
	})
}
