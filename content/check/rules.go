package check

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"rulestore/content"
)

// Rule is the rule of a finding. The loader's rules for tags and seals are included, so that
// all rules are in one place.
type Rule struct {
	ID       string           `json:"rule"`
	Severity content.Severity `json:"severity"`        // the highest severity
	Fixable  bool             `json:"fixable"`         // validate --fix fixes it, if that is safe
	Since    string           `json:"since,omitempty"` // first day in force, see [Result.Outlives]; "": as the formats
	Summary  string           `json:"summary"`
	Text     string           `json:"text"`    // the reason for the rule, and the remedy
	Example  string           `json:"example"` // files that violate it, and files that conform

	russian         russian
	messages, hints phrases // the texts of its findings, see [Find]
}

// russian is the title and the explanation of a rule in Russian.
type russian struct{ title, advice string }

// ruleFiles hold a rule each, rules/<id>.txtar: its severity, what else is to be said
// of it ("fixable", "since 2027-01-31") and its summary, after an empty line its text,
// then as a file ru the same in Russian, as files messages and hints what its findings
// say (see [parsePhrases]), then the files of an example. Those named bad/… together
// break the rule once and no other rule, those named good/… break none. Where the
// rule is about history, they are scripts of commits, as gittest.ParseTxtar reads
// them.
//
//go:embed rules/*.txtar
var ruleFiles embed.FS

// Rules lists every rule by id.
var Rules = sync.OnceValue(func() []Rule {
	entries, err := ruleFiles.ReadDir("rules")
	if err != nil {
		panic(err) // the folder is embedded
	}
	var all []Rule
	for _, e := range entries {
		raw, err := ruleFiles.ReadFile("rules/" + e.Name())
		if err != nil {
			panic(err)
		}
		all = append(all, parseRule(strings.TrimSuffix(e.Name(), ".txtar"), string(raw)))
	}
	slices.SortFunc(all, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
})

// byID has the index of each rule in Rules.
var byID = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for i, r := range Rules() {
		all[r.ID] = i
	}
	return all
})

// RuleOf returns the rule with an id.
func RuleOf(id string) (Rule, bool) {
	i, ok := byID()[id]
	if !ok {
		return Rule{}, false
	}
	return Rules()[i], true
}

func parseRule(id, raw string) Rule {
	head, raw := section(raw, "ru")
	russian, raw := section(raw, "messages")
	messages, raw := section(raw, "hints")
	hints, example := raw, ""
	if i := strings.Index(raw, "\n-- "); i >= 0 {
		hints, example = raw[:i], raw[i+1:]
	}
	first, text, _ := strings.Cut(head, "\n")
	severity, summary, _ := strings.Cut(first, ": ")
	severity, since, _ := strings.Cut(severity, ", since ")
	severity, fixable := strings.CutSuffix(severity, ", fixable")
	return Rule{
		ID: id, Severity: content.Severity(severity), Fixable: fixable, Since: since,
		Summary: summary, Text: strings.TrimSpace(text), Example: example,
		russian: parseRussian(russian), messages: parsePhrases(messages), hints: parsePhrases(hints),
	}
}

// section splits a rule's file at a section.
func section(raw, name string) (before, after string) {
	before, after, _ = strings.Cut(raw, "\n-- "+name+" --")
	return before, after
}

func parseRussian(text string) (r russian) {
	r.title, text, _ = strings.Cut(strings.TrimSpace(text), "\n")
	r.advice = strings.Join(strings.Fields(text), " ")
	return r
}

// Told returns the title and the text of the rule, in a language.
func (r Rule) Told(in language.Tag) (title, advice string) {
	if in == language.Russian {
		return r.russian.title, r.russian.advice
	}
	return r.Summary, r.Text
}
