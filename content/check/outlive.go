package check

import (
	"slices"
	"time"

	"rulestore/content"
)

// harmless are rules whose violations do not affect what readers get: the offending fields
// are left out of the body, so sealed content is the same without them.
var harmless = []string{"derived-field"}

// Outlives reports whether sealed content is still served although the file violates rules:
// each of them came into force after the seal had reached the served branch; a zero time is
// after all of them. Content that was never checked against its format is not served, whenever
// it was sealed.
//
// A rule without a day is as old as the formats: a format never changes, and an item is checked
// against its own, so content that violates it was never validly served. Limits are such rules.
// A rule that is made stricter is a new rule with its own day; a rule unknown to this build
// counts as newer than every seal.
func (r Checked) Outlives(sealed time.Time) bool {
	return r.Body != nil && r.checked &&
		!slices.ContainsFunc(r.broken, func(id string) bool { return refuses(id, sealed) })
}

// refuses reports whether content that violates a rule is not served even if it was sealed at
// a time.
func refuses(id string, sealed time.Time) bool {
	rule, known := RuleOf(id)
	if !known || slices.Contains(harmless, id) {
		return false
	}
	return rule.Since == "" || sealed.IsZero() || sealed.UTC().Format(content.Date) >= rule.Since
}

// broken lists the rules of findings that are errors.
func broken(found []content.Finding) (rules []string) {
	for _, f := range found {
		if f.Severity == content.Error && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// breaks reports whether a finding is of a rule.
func breaks(found []content.Finding, rule string) bool {
	return slices.ContainsFunc(found, func(f content.Finding) bool { return f.Rule == rule })
}
