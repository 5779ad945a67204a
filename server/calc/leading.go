package calc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leading names the most important outputs of a tool, if they are not those declared
// first. A path may go into an object, or into every row of a list: variants.paid_total.
var leading = map[string][]string{
	"loan_refinancing":       {"new_payment", "payment_difference", "current_payment"},
	"loan_payment_to_income": {"ratio_pct", "relation", "payments_total"},
	CompareLoansID:           {"differences.total_outflow", "differences.payment"},
	"mortgage_early_repayment": {
		"reduce_term.interest_saved", "reduce_payment.interest_saved", "reduce_term.months_saved",
		"reduce_payment.new_payment",
	},
	"mortgage_outstanding_balance": {"balance"},
	"mortgage_max_principal":       {"max_principal", "payment"},
	"mortgage_loan_to_value":       {"ltv_pct"},
	"mortgage_phased_payment":      {"interest_total", "paid_total"},
	"mortgage_total_cost":          {"total_cost"},
	"deposit_simple_interest":      {"interest", "final_amount"},
	"deposit_early_withdrawal":     {"payout"},
	"deposit_interest_tax":         {"tax", "tax_base"},
	"deposit_comparison":           {"differences.final_amount", "differences.interest"},
	"card_grace_period_end":        {"grace_end", "days_from_purchase"},
	"card_minimum_payment":         {"minimum_payment"},
	"card_cash_withdrawal_cost":    {"total_cost", "total_repayment"},
	"kasko_total_loss_payout":      {"payout"},
	"pfm_cash_flow":                {"net_cash_flow"},
	"pfm_net_worth":                {"net_worth"},
	"pfm_debt_payoff_plan": {
		"months", "interest_total", "paid_total", "avalanche.months", "snowball.months", "difference.interest_total",
	},
	"pfm_goal_allocation":           {"shortfall_total"},
	"consumer_rights_deadline_date": {"deadline"},
	"invest_fee_impact":             {"fee_drag"},
	"invest_reliable_return":        {"real_annual_pct", "after_tax_annual_pct"},
}

// maxLeading is the largest length of a short value, in bytes.
const maxLeading = 24

// Leading returns the short values of the answer: the most important ones, then the
// others in the order of declaration.
func (a *Answer) Leading() (all []Figure) {
	results := a.resultSection()
	for _, path := range leading[a.Tool.ID] {
		all = append(all, results.figuresAt(path)...)
	}
	asked := all
	for _, f := range results.Figures {
		if !slices.ContainsFunc(asked, func(known Figure) bool {
			return known.Name == f.Name && known.Title == f.Title
		}) {
			all = append(all, f)
		}
	}
	return slices.DeleteFunc(all, func(f Figure) bool {
		return f.Parts != nil || f.Text == "" || len(f.Text) > maxLeading
	})
}

// figuresAt returns the values at a path of names separated by points, through objects
// and the rows of lists.
func (s Section) figuresAt(path string) (all []Figure) {
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
				all = append(all, prefixed(w.Title+", "+row[0].Text, Section{Figures: row}.figuresAt(rest))...)
			}
		default:
			all = append(all, prefixed(w.Title, w.figuresAt(rest))...)
		}
	}
	return all
}

// prefixed prepends the title of the object to the titles of its values.
func prefixed(of string, all []Figure) []Figure {
	return each(all, func(f Figure) Figure {
		first, size := utf8.DecodeRuneInString(f.Title)
		of, _, _ := strings.Cut(of, ";") // the rest of a title explains it
		f.Title = of + ": " + string(unicode.ToLower(first)) + f.Title[size:]
		return f
	})
}
