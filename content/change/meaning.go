package change

import (
	"slices"
	"strings"

	"rulestore/content"
)

// Names of fields whose meaning is in no schema. A name has the same meaning in all places.
var (
	// background fields state what content is based on: who is responsible for it, which documents
	// it follows and when it was reviewed.
	background = set("sources", "checked_on", "verified_at", "recheck_after", "owner", "decree", "basis")

	// upkeep fields are background that differs after every review, and is irrelevant to readers
	// of changes.
	upkeep = set("checked_on", "verified_at", "recheck_after", "content_checksum", "source_checksum")

	// narrowing lists allow less, or demand more, the longer they are: exceptions, conditions that
	// all have to be met, required documents.
	narrowing = set("exclusions", "conditions", "not_competent_for", "not_applicable_for", "not_applicable_goals",
		"not_applicable_when", "not_passed_when", "denied_when", "excluded", "passed_when", "allowed_when",
		"entry_conditions", "minimum_checks", "prerequisite_facts", "prerequisite_checks", "required_evidence",
		"facts", "match_criteria", "fixed_values", "minimum_content", "required_documents")

	// restricting fields narrow the object that they belong to by their presence: without them
	// everything is allowed.
	restricting = set("product_types", "values", "allowed_values", "codes_from", "exclusions", "conditions",
		"not_competent_for", "fixed_values", "to", "valid_to")

	// pointing fields refer to content and say nothing themselves.
	pointing = set("synonyms", "see_also", "related_guidelines", "related_instructions")

	// located fields state where to find something that does not change by that.
	located = set("url", "lookup_url", "official_domain", "phone", "read_from")

	// widening booleans allow more, or warn of more, when they are true.
	widening = set("may_ask", "nullable", "sufficient_for_stop", "irreversible_harm_possible", "allowed")

	// demanding booleans ask for more when they are true.
	demanding = set("required", "requires_notification")

	// days determine how a period is counted: one more or one less moves a deadline.
	days = set("non_working_weekdays", "working_weekend_days", "transfers", "working_days")

	// scales are enumerations in ascending order. A higher value takes nothing away.
	scales = map[string][]string{
		"severity":  {"info", "warning", "high", "critical"},
		"urgency":   {"preventive", "prompt", "urgent", "immediate"},
		"type":      {"must", "stop"},
		"approval":  {"draft", "approved"},
		"status":    {"recheck_required", "verified"},
		"certainty": {"low", "medium", "medium_high", "high"},
	}
)

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// meaning returns the class of a change at a place, with the reason.
func (d *differ) meaning(p *place, what Verb, before, after any) (Class, Reason) {
	name := p.last()
	switch {
	case slices.ContainsFunc(p.names(), func(n string) bool { return background[n] }):
		return Wording, "it is what the content rests on, not what it says"
	case name == d.kind.Format:
		return formats(before, after)
	case name == "valid_from" && d.kind != content.Parameters:
		return Wording, "it says when this version begins to apply"
	case pointing[name] && what == Removed:
		return Wording, "it helped to find content and said nothing itself"
	case name == "step":
		return Wording, "the number follows from the order of the steps"
	case d.kind == content.Calendars && days[p.names()[0]] && !isProse(p.field):
		return Breaking, "deadlines that were counted with the days before are others now"
	case isBoolean(before, after) && (widening[name] || demanding[name]):
		return switched(name, before, after)
	case what == Moved && p.field != nil && p.field.Ordered:
		return Breaking, "the order says what comes first"
	case what == Moved:
		return Wording, "the order says nothing"
	case what == Changed:
		return d.changed(p, before, after)
	}
	return addedOrRemoved(p, what, after)
}

func isBoolean(before, after any) bool {
	_, was := before.(bool)
	_, is := after.(bool)
	return was || is
}

// switched classifies a change of a boolean, one value of which takes something away; a missing
// one is false.
func switched(name string, before, after any) (Class, Reason) {
	was, _ := before.(bool)
	is, _ := after.(bool)
	switch {
	case was == is:
		return Wording, "without the field it is false as well"
	case is == demanding[name]:
		return Breaking, "more is demanded or less is allowed than before"
	}
	return Addition, "more is allowed or less is demanded than before"
}

func formats(before, after any) (Class, Reason) {
	major := func(v any) string {
		s, _ := v.(string)
		m, _, _ := strings.Cut(s, ".")
		return m
	}
	if major(before) == major(after) {
		return Addition, "the format has new fields"
	}
	return Breaking, "the format is another: fields may mean something else"
}

// changed classifies a value in place of another.
func (d *differ) changed(p *place, before, after any) (Class, Reason) {
	name := p.last()
	if steps, ok := scales[name]; ok {
		was, is := rank(steps, before), rank(steps, after)
		switch {
		case was < 0 || is < 0:
		case was < is:
			return Addition, "it weighs more than before"
		default:
			return Breaking, "it weighs less than before"
		}
	}
	switch {
	case isProse(p.field) && p.element && d.similarity(before, after) == 0:
		return Addition, "another text stands in its place"
	case isProse(p.field):
		return Wording, "the text reads differently"
	case located[name]:
		return Addition, "it is found elsewhere"
	}
	return Breaking, "whoever relied on the value before relies on what is gone"
}

func isProse(f *content.Field) bool { return f != nil && f.Prose }

func rank(steps []string, v any) int {
	s, _ := v.(string)
	return slices.Index(steps, s)
}

// addedOrRemoved classifies a field or an element that only one version has.
func addedOrRemoved(p *place, what Verb, after any) (Class, Reason) {
	name := p.last()
	narrows := p.element && narrows(p) || !p.element && restricting[name] || required(p, after)
	switch {
	case narrows && what == Added:
		return Breaking, "it narrows what was there"
	case narrows:
		return Addition, "what it excluded or demanded is open now"
	case what == Added:
		return Addition, "nothing that was there is affected"
	}
	return Breaking, "who relied on it does not find it any more"
}

// narrows reports whether another element of a list narrows its meaning. All signals of a compound
// rule have to be present.
func narrows(p *place) bool {
	return narrowing[p.last()] || p.last() == "signals" && p.in("compound_rules")
}

// required reports whether an added element is mandatory for those who follow the schema.
func required(p *place, after any) bool {
	object, _ := after.(map[string]any)
	must, _ := object["required"].(bool)
	return must && p.element && (p.last() == "sections" || p.last() == "fields")
}
