package content

import "slices"

// CompoundRule says what signals of fraud mean together, as instructions have it in
// compound_rules.
type CompoundRule struct {
	ID      string   `json:"rule_id,omitempty"`
	Title   string   `json:"title,omitempty"`
	Signals []string `json:"signals"`
	Alone   bool     `json:"without_other_signals,omitempty"`
	Result  string   `json:"result"`
	Note    string   `json:"note,omitempty"`
}

// Holds reports whether the rule is about signals that are given: all of its own are among
// them and, if it is one about these alone, no other is.
func (r CompoundRule) Holds(given []string) bool {
	without := func(all, some []string) bool {
		return slices.ContainsFunc(some, func(code string) bool { return !slices.Contains(all, code) })
	}
	return !without(given, r.Signals) && !(r.Alone && without(r.Signals, given))
}
