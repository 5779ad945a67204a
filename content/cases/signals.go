package cases

import (
	"encoding/json"
	"slices"

	"rulestore/content"
)

// compoundRules lists those of all instructions that are in force.
func compoundRules(s *content.Snapshot) (all []content.CompoundRule) {
	for _, item := range s.Items {
		if item.Kind != content.Instructions || item.Current == nil || item.Current.Status == content.Archived {
			continue
		}
		var rules []content.CompoundRule
		if json.Unmarshal(item.Current.Body().Get("compound_rules"), &rules) == nil {
			all = append(all, rules...)
		}
	}
	return all
}

// signals are the codes of the registry of them, nil if there is none.
func signals(s *content.Snapshot) map[string]bool {
	item := s.Item(content.Registries, "fraud-signals")
	if item == nil || item.Current == nil {
		return nil
	}
	var records []struct{ Code string }
	if json.Unmarshal(item.Current.Body().Get("signals"), &records) != nil {
		return nil
	}
	codes := make(map[string]bool, len(records))
	for _, r := range records {
		codes[r.Code] = true
	}
	return codes
}

// judge says what the compound rules make of signals. Several rules may hold; one of
// their results has to be the one that is expected.
func (t *trial) judge(c *content.SignalsCase) Outcome {
	for _, code := range c.Given {
		if t.signals != nil && !t.signals[code] {
			return failed(content.Say("case", "signal", content.Args{"signal": code}))
		}
	}
	var results []string
	for _, r := range t.rules {
		if r.Holds(c.Given) && !slices.Contains(results, r.Result) {
			results = append(results, r.Result)
		}
	}
	if len(results) == 0 {
		results = []string{content.NoResult}
	}
	if !slices.Contains(results, c.Result) {
		return failed(
			content.Say("case", "result", content.Args{"signals": c.Given, "got": results, "want": c.Result}),
			results...,
		)
	}
	return Outcome{Got: results}
}
