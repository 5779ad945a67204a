package check

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
)

// Rule is what a finding is about. Those of the loader that concern tags and
// seals are among them, so that there is one place to look them up.
type Rule struct {
	ID       string           `json:"rule"`
	Severity content.Severity `json:"severity"`        // what it is at its worst
	Fixable  bool             `json:"fixable"`         // validate --fix mends it, where it is safe
	Since    string           `json:"since,omitempty"` // the day it came into force, see [Result.Outlives]; "": with the formats
	Summary  string           `json:"summary"`
	Text     string           `json:"text"`    // why there is the rule, and what to do
	Example  string           `json:"example"` // files that break it, and files that keep it

	russian russian // for pages, see [Russian]
}

// ruleFiles hold a rule each, rules/<id>.txtar: its severity, what else is to be said
// of it ("fixable", "since 2027-01-31") and its summary, after an empty line its text,
// then as a file ru the same in Russian with the phrases of its
// findings (see [russian]), then the files of an example. Those named bad/… together
// break the rule once and no other rule, those named good/… break none. Where the
// rule is about history, they are scripts of commits, as gitrepo.ParseTxtar reads
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

// RuleOf returns the rule of that id.
func RuleOf(id string) (Rule, bool) {
	i := slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return Rules()[i], true
}

func parseRule(id, raw string) Rule {
	head, rest, _ := strings.Cut(raw, "\n-- ru --\n")
	inRussian, example := rest, ""
	if i := strings.Index(rest, "\n-- "); i >= 0 {
		inRussian, example = rest[:i+1], rest[i+1:]
	}
	first, text, _ := strings.Cut(head, "\n")
	severity, summary, _ := strings.Cut(first, ": ")
	severity, since, _ := strings.Cut(severity, ", since ")
	severity, fixable := strings.CutSuffix(severity, ", fixable")
	return Rule{
		ID: id, Severity: content.Severity(severity), Fixable: fixable, Since: since,
		Summary: summary, Text: strings.TrimSpace(text), Example: example, russian: parseRussian(inRussian),
	}
}

// Russian says in Russian what is against the rule, and what to do.
func (r Rule) Russian() (title, advice string) { return r.russian.title, r.russian.advice }
