package change

import (
	"regexp"
	"strings"
)

// look says what a person should look at in a text that changed: a number or a
// word that turns a sentence round, in one version only, or a text that was
// written anew. Empty if there is none.
func (e *effort) look(before, after any) string {
	was, _ := before.(string)
	is, _ := after.(string)
	from, to := e.read(was), e.read(is)
	if max(len(was), len(is)) > maxText || !e.spend(len(was)+len(is)) {
		return "it is too long to be looked through: does it still demand the same?"
	}
	if e.alike(was, is) == 0 && len(from.words) > 6 {
		return "nearly every word is another: does it still demand the same?"
	}
	if what := exchanged(numbersOf(was), numbersOf(is)); what != "" {
		return "the numbers differ: " + what
	}
	if what := exchanged(from.turns, to.turns); what != "" {
		return "a word that turns the meaning came or went: " + what
	}
	return ""
}

// exchanged says what of one list is not in the other; empty if there is nothing.
func exchanged(was, is []string) string {
	lost, came := onlyIn(was, is), onlyIn(is, was)
	if len(lost)+len(came) == 0 {
		return ""
	}
	return list(lost) + " → " + list(came)
}

// maxLooked is how many words a person is shown.
const maxLooked = 20

func list(words []string) string {
	if len(words) == 0 {
		return "—"
	}
	if len(words) > maxLooked {
		return strings.Join(words[:maxLooked], ", ") + " …"
	}
	return strings.Join(words, ", ")
}

var digits = regexp.MustCompile(`\d+(?:[ \x{00A0}.,]\d+)*`)

func numbersOf(s string) []string { return digits.FindAllString(s, -1) }

// turning words change what a sentence demands.
var turning = set("не", "нет", "ни", "без", "нельзя", "запрещено", "кроме", "только", "можно", "должен", "обязан", "обязательно", "никогда", "всегда")

// onlyIn returns what is in a and, as often, not in b.
func onlyIn(a, b []string) (only []string) {
	rest := map[string]int{}
	for _, s := range b {
		rest[s]++
	}
	for _, s := range a {
		if rest[s]--; rest[s] < 0 {
			only = append(only, s)
		}
	}
	return only
}
