package content

import "slices"

// CompoundRule defines the meaning of a combination of fraud signals, as in compound_rules of
// instructions.
type CompoundRule struct {
	ID      string   `json:"rule_id,omitempty"`
	Title   string   `json:"title,omitempty"`
	Signals []string `json:"signals"`
	Alone   bool     `json:"without_other_signals,omitempty"`
	Result  string   `json:"result"`
	Note    string   `json:"note,omitempty"`
}

// Holds reports whether the rule applies to the given signals: they include all of its own and,
// if the rule is exclusive, no others.
func (r CompoundRule) Holds(given []string) bool {
	without := func(all, some []string) bool {
		return slices.ContainsFunc(some, func(code string) bool { return !slices.Contains(all, code) })
	}
	return !without(given, r.Signals) && !(r.Alone && without(r.Signals, given))
}
