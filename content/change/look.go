package change

import (
	"regexp"
	"slices"
	"strings"
)

// look says what a person should look at in a text that changed: a number or a
// word that turns a sentence round, in one version only, or a text that was
// written anew. Empty if there is none.
func look(before, after any) string {
	was, _ := before.(string)
	is, _ := after.(string)
	if alike(before, after) == 0 && len(words(was)) > 6 {
		return "nearly every word is another: does it still demand the same?"
	}
	if lost, came := onlyIn(numbersOf(was), numbersOf(is)), onlyIn(numbersOf(is), numbersOf(was)); len(lost)+len(came) > 0 {
		return "the numbers differ: " + list(lost) + " → " + list(came)
	}
	if lost, came := onlyIn(turnsOf(was), turnsOf(is)), onlyIn(turnsOf(is), turnsOf(was)); len(lost)+len(came) > 0 {
		return "a word that turns the meaning came or went: " + list(lost) + " → " + list(came)
	}
	return ""
}

func list(words []string) string {
	if len(words) == 0 {
		return "—"
	}
	return strings.Join(words, ", ")
}

var digits = regexp.MustCompile(`\d+(?:[ \x{00A0}.,]\d+)*`)

func numbersOf(s string) []string { return digits.FindAllString(s, -1) }

// turning words change what a sentence demands.
var turning = set("не", "нет", "ни", "без", "нельзя", "запрещено", "кроме", "только", "можно", "должен", "обязан", "обязательно", "никогда", "всегда")

func turnsOf(s string) []string {
	return slices.DeleteFunc(words(s), func(w string) bool { return !turning[w] })
}

// onlyIn returns what is in a and, as often, not in b.
func onlyIn(a, b []string) []string {
	rest := slices.Clone(b)
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool {
		i := slices.Index(rest, s)
		if i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
		return i >= 0
	})
}
