package change

import (
	"slices"
	"strings"
)

// Doubt is a reason why a person has to review a change.
type Doubt string

// The reasons: what no program can judge.
const (
	Numbers  Doubt = "the numbers differ"
	Measures Doubt = "a date, a term or a unit differs"
	Reworded Doubt = "a rule reads differently: does it still demand the same?"
	TooLong  Doubt = "it is too long to be looked through: does it still demand the same?"
)

// Look is what a person has to review in a changed text, because no program can judge it. The zero
// Look is nothing.
type Look struct {
	Doubt      Doubt
	Lost, Came []string // the numbers, dates, terms and units that differ, if any
}

// String returns the reason in one line, "" if there is nothing to review.
func (l Look) String() string {
	if len(l.Lost)+len(l.Came) == 0 {
		return string(l.Doubt)
	}
	return string(l.Doubt) + ": " + l.Words()
}

// Words returns the removed and the added words in one text.
func (l Look) Words() string { return listed(l.Lost) + " → " + listed(l.Came) }

// MarshalText implements encoding.TextMarshaler: one line.
func (l Look) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// maxLooked is the maximum number of words listed.
const maxLooked = 20

// listed joins words in one line, up to a limit; a dash if there are none.
func listed(words []string) string {
	switch {
	case len(words) == 0:
		return "—"
	case len(words) > maxLooked:
		return strings.Join(words[:maxLooked], ", ") + " …"
	}
	return strings.Join(words, ", ")
}

// look returns what a person has to review in a change: numbers, dates, terms and units that differ
// in a text for readers, or else any other word of a rule or a guardrail. Titles only help to find
// something and oblige nobody.
func (e *effort) look(p *place, what Verb, before, after any) Look {
	if what != Changed || !isProse(p.field) {
		return Look{}
	}
	was, _ := before.(string)
	is, _ := after.(string)
	if max(len(was), len(is)) > maxText || !e.spend(len(was)+len(is)) {
		return Look{Doubt: TooLong}
	}
	if e.counting {
		return Look{}
	}
	if l := inMeasures(measuresOf(was), measuresOf(is)); l.Doubt != "" {
		return l
	}
	if p.last() != "title" && (p.in("rules") || p.in("guardrails")) {
		return Look{Doubt: Reworded}
	}
	return Look{}
}

// inMeasures returns the numbers that differ or, if all are the same, the dates, terms and units; all
// of them if only their order is another.
func inMeasures(was, is []measure) Look {
	lost, came := onlyIn(was, is), onlyIn(is, was)
	if len(lost)+len(came) == 0 {
		if slices.EqualFunc(was, is, func(a, b measure) bool { return a.sense == b.sense }) {
			return Look{}
		}
		lost, came = onlyIn(was, nil), onlyIn(is, nil)
	}
	if numbers := (Look{Numbers, numbersIn(lost), numbersIn(came)}); len(numbers.Lost)+len(numbers.Came) > 0 {
		return numbers
	}
	return Look{Measures, lost, came}
}

// onlyIn returns the words of a whose senses b does not have as often.
func onlyIn(a, b []measure) (words []string) {
	rest := map[string]int{}
	for _, m := range b {
		rest[m.sense]++
	}
	for _, m := range a {
		if rest[m.sense]--; rest[m.sense] < 0 {
			words = append(words, m.word)
		}
	}
	return words
}

// numbersIn returns those of some words that have digits.
func numbersIn(words []string) (numbers []string) {
	for _, w := range words {
		if hasDigit(w) {
			numbers = append(numbers, w)
		}
	}
	return numbers
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }
