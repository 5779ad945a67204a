package document

import (
	"iter"
	"strings"
	"unicode"
)

// IsURL reports whether the whole of s is a URL that can be an autolink in angle brackets,
// where nothing can be escaped. Some parsers interpret entities even there.
func IsURL(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	if !ok || rest == "" || strings.ContainsAny(rest, "<>\\|`") || strings.Contains(rest, "&") &&
		strings.Contains(rest, ";") {
		return false
	}
	return strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) < 0
}

// IsCode reports whether s looks like an identifier: an id, a code, a checksum, a path.
// Numbers, versions and dates begin with a digit; they are for people too. A capitalised word
// is a name.
func IsCode(s string) bool {
	if s == "" || !isLetter(s[0]) || !isLetter(s[len(s)-1]) && !isDigit(s[len(s)-1]) {
		return false
	}
	lower, marks := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			lower = true
		case isDigit(c), strings.IndexByte("._:/-", c) >= 0:
			marks = true
		case !isLetter(c):
			return false
		}
	}
	return marks || !lower || s[0] >= 'a'
}

// Codes lists the words of a text that look like identifiers: parts of letters and digits with
// dots, hyphens, slashes or underscores between them.
func (n *Node) Codes() iter.Seq[string] {
	return func(yield func(string) bool) {
		if n.Field == nil || !n.Field.Prose {
			return
		}
		for i := 0; i < len(n.Text); i++ {
			start := i
			for i < len(n.Text) && isCodeByte(n.Text[i]) {
				i++
			}
			word := strings.Trim(n.Text[start:i], "._-/")
			if strings.ContainsAny(word, "._-/") && isLetter(word[0]) && !yield(word) {
				return
			}
		}
	}
}

func isCodeByte(c byte) bool { return isLetter(c) || isDigit(c) || strings.IndexByte("._-/", c) >= 0 }

// isFigure reports whether s is a number, a version, a date or an instant.
func isFigure(s string) bool { return s != "" && strings.Trim(s, "0123456789.:+-TZ") == "" }

// OddBreak reports whether a text has a line break other than \n that some program recognizes.
// It is called for every text, so it looks at bytes, among which those of Cyrillic letters
// never match.
func OddBreak(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '\v' <= c && c <= '\r':
			return true
		case c == 0xC2 && strings.HasPrefix(s[i:], "\u0085"),
			c == 0xE2 && (strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029")):
			return true
		}
	}
	return false
}

// IsOneLine reports whether a text is a single line.
func IsOneLine(s string) bool { return strings.IndexByte(s, '\n') < 0 && !OddBreak(s) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
