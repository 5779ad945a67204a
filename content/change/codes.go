package change

import (
	"regexp"
	"strings"
)

// coded matches a code, an identifier or an address in a text: an atom, of which no part is a word
// or a number of the text. None has Cyrillic letters: `не` between backticks is a word all the same.
var coded = regexp.MustCompile(
	"`[^`\n\\p{Cyrillic}]+`" + // as in Markdown
		`|[A-Za-z]+://[^\s<>"«»\p{Cyrillic}]+` +
		`|[A-Za-z0-9.-]*[A-Za-z0-9]_[A-Za-z0-9_./:-]*` + // after_first_payment
		`|[A-Za-z][A-Za-z0-9-]*(?:/[a-z0-9-]+)*(?:\.[a-z0-9][a-z0-9-]*)+(?:[./][a-z0-9-]+)*`, // product.common.001
)

// cited matches the number of an act or of another document.
var cited = regexp.MustCompile(`№\s*[\p{L}\d]+(?:[./-][\p{L}\d]+)*|\d+-(?:[А-ЯЁ]{1,3}|[IVX]{1,4})(?:[^\p{L}\d]|$)`)

// atoms are the codes and the numbers of documents in a text.
type atoms struct{ codes, documents []sensed }

// withoutAtoms returns a text without its codes and without the numbers of documents, and these.
func withoutAtoms(text string) (rest string, a atoms) {
	rest = coded.ReplaceAllStringFunc(text, func(s string) string {
		code := strings.Trim(s, "`.,;:")
		a.codes = append(a.codes, sensed{code, code})
		return " "
	})
	rest = cited.ReplaceAllStringFunc(rest, func(s string) string {
		number := strings.Trim(s, " \t\n\u00A0№.,;:!?()«»\"")
		a.documents = append(a.documents, sensed{number, strings.ToLower(number)})
		return " "
	})
	return rest, a
}

// inAtoms returns the codes that another one took the place of, and the documents that differ. A
// code beside the words that were there demands nothing else.
func inAtoms(was, is atoms) (all Looks) {
	if l := differing(Coded, was.codes, is.codes); l != nil && l.Doubt == Coded && len(l.Lost) > 0 {
		all = append(all, *l)
	}
	if l := differing(Cited, was.documents, is.documents); l != nil && l.Doubt == Cited {
		all = append(all, *l)
	}
	return all
}
