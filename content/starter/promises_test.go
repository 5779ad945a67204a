package starter_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// A guideline that is found for a subject says something of it: what its triggers and search terms
// name is named in its rules and prohibitions too, or an exclusion says where to go. A line of
// subjects.txt has the beginnings of words for one subject; one of up to three letters is a whole word.
func TestWhatTriggersPromiseRulesSay(t *testing.T) {
	subjects := strings.Split(strings.TrimSpace(string(must(os.ReadFile("testdata/subjects.txt"))(t))), "\n")
	for _, e := range currents(t, content.Guidelines) {
		var promised []passage
		var said []string
		for _, p := range passages(e) {
			switch {
			case p.in("triggers", "search_terms"):
				promised = append(promised, p)
			case p.in("rules", "guardrails", "exclusions"):
				said = append(said, withoutYo(p.text)...)
			}
		}
		for _, line := range subjects {
			subject := withoutYo(line)
			if slices.ContainsFunc(said, begins(subject)) {
				continue
			}
			for _, p := range promised {
				if slices.ContainsFunc(withoutYo(p.text), begins(subject)) {
					t.Errorf("%s is found for %q, and its rules do not say a word of it: %s", e.Name, p.text, line)
				}
			}
		}
	}
}

// withoutYo returns the Russian words of a text as people type them.
func withoutYo(text string) []string {
	return russianWords(strings.ReplaceAll(strings.ToLower(text), "ё", "е"))
}

// begins says of a word whether it is one of the subject.
func begins(subject []string) func(word string) bool {
	return func(word string) bool {
		return slices.ContainsFunc(subject, func(s string) bool {
			return word == s || len([]rune(s)) > 3 && strings.HasPrefix(word, s)
		})
	}
}

// An exclusion says what to do instead. Those of fraud may only say that nothing is wrong.
func TestExclusionsLeadOn(t *testing.T) {
	for _, e := range currents(t, content.Guidelines) {
		for _, p := range passages(e) {
			leads := strings.Contains(p.text, " — ") || strings.Contains(p.text, "применя")
			if p.in("exclusions") && !leads && !strings.HasPrefix(e.Name, "fraud.") {
				t.Errorf("%s: an exclusion leads nowhere: %s", e.Name, p.text)
			}
		}
	}
}

// A value that no guideline and no instruction names is never told to anybody.
func TestParametersAreNamed(t *testing.T) {
	const presentRate = "rate.key-current" // for search alone: texts name the series
	named := map[string]bool{presentRate: true}
	for _, e := range currents(t, content.Guidelines, content.Instructions) {
		for _, p := range passages(e) {
			for _, code := range latin.FindAllString(p.text, -1) {
				named[strings.TrimPrefix(code, "parameters/")] = true
			}
		}
	}
	for _, e := range currents(t, content.Parameters) {
		if !named[e.Name] && e.Status != content.Archived {
			t.Errorf("%s is named nowhere", e.Name)
		}
	}
}
