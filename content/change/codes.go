package change

import (
	"regexp"
	"strings"
)

// coded matches a code, an identifier or an address in a text: an atom, of which no part is a word
// or a number of the text. A text between backticks is a code.
var coded = regexp.MustCompile(
	"`[^`\n]+`" + // as in Markdown
		`|[A-Za-z]+://[^\s<>"«»]+` +
		`|[\p{L}\d.-]*_[\p{L}\d_./:-]*` + // after_first_payment
		`|[A-Za-z][A-Za-z0-9-]*(?:/[a-z0-9-]+)*(?:\.[a-z0-9][a-z0-9-]*)+(?:[./][a-z0-9-]+)*`, // product.common.001
)

// cited matches the number of an act or of another document.
var cited = regexp.MustCompile(`№\s*[\p{L}\d]+(?:[./-][\p{L}\d]+)*|\d+-(?:[А-ЯЁ]{1,3}|[IVX]{1,4})(?:[^\p{L}\d]|$)`)

// withoutCodes returns a text without its codes and without the numbers of documents, and these.
func withoutCodes(text string) (rest string, documents []sensed) {
	rest = coded.ReplaceAllString(text, " ")
	rest = cited.ReplaceAllStringFunc(rest, func(s string) string {
		number := strings.Trim(s, " \t\n\u00A0№.,;:!?()«»\"")
		documents = append(documents, sensed{number, strings.ToLower(number)})
		return " "
	})
	return rest, documents
}
