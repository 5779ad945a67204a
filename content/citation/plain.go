package citation

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// plain is a text without what editors and mail programs make of it: spaces are spaces,
// hyphens are hyphens, quotation marks are ", and what nobody sees is not there. Codings of
// mail, JSON and HTML are undone, marks of quoted lines are gone, letters of two characters are
// one, and words that were broken behind a hyphen or a slash are whole.
func plain(text string) string {
	text = printable(strings.ReplaceAll(text, "\r\n", "\n"))
	text = strings.NewReplacer(`\/`, "/", `\"`, "'", `\n`, "\n").Replace(text)
	text = html.UnescapeString(lineTag.ReplaceAllString(wordTag.ReplaceAllString(text, ""), "\n"))
	text = strings.Map(simple, escape.ReplaceAllStringFunc(text, unescaped))
	text = quotedLine.ReplaceAllString(composed.Replace(text), "")
	text = strings.ReplaceAll(text, "=\n", "") // a soft break of quoted-printable
	return brokenWord.ReplaceAllString(text, "$1$2")
}

var (
	quotedLine = regexp.MustCompile(`(?m)^[ \t]*(?:[>|][ \t]?)+`)
	brokenWord = regexp.MustCompile(`([a-z0-9][/-])\n[ \t]*([a-z0-9])`)

	// An address between angle brackets is no tag of HTML.
	wordTag = regexp.MustCompile(`(?i)</?(?:a|abbr|b|code|em|font|i|mark|span|strong|u|wbr)(?:\s[^<>]*)?/?>`)
	lineTag = regexp.MustCompile(`(?i)</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>`)

	composed = strings.NewReplacer("и\u0306", "й", "И\u0306", "Й", "е\u0308", "ё", "Е\u0308", "Ё")
)

// quotedPrintable matches text in the quoted-printable encoding (RFC 2045): each = begins an
// escape.
var (
	quotedPrintable = regexp.MustCompile(`^(?:[^=]|=\n|=[0-9A-F]{2})*$`)
	quotedByte      = regexp.MustCompile(`=\n|=[0-9A-F]{2}`)
)

// printable undoes quoted-printable, if a text is that as a whole.
func printable(text string) string {
	if !quotedPrintable.MatchString(text) {
		return text
	}
	return strings.ToValidUTF8(quotedByte.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s[1:], 16, 8)
		if err != nil {
			return "" // a soft break
		}
		return string([]byte{byte(n)})
	}), "\uFFFD")
}

// escape is a character as JSON may have it.
var escape = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)

func unescaped(s string) string {
	n, err := strconv.ParseUint(s[2:], 16, 32)
	if err != nil {
		return s
	}
	return string(rune(n))
}

// Alike reports whether two texts are equal except for the characters between words.
func Alike(a, b string) bool { return said(a) == said(b) }

// said is what a text says: letters, digits, what makes another number of digits, and units.
func said(text string) string {
	runes := []rune(plain(text))
	digit := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsDigit(runes[i]) }
	var b strings.Builder
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Sc, r), strings.ContainsRune("%‰№<=+≤≥≠", r):
			b.WriteRune(r)
		case unicode.IsPunct(r) && digit(i-1) && digit(i+1):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// simple is what a character is taken for; -1 for nothing.
func simple(r rune) rune {
	switch {
	case r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return '\n'
	case r == 0xAD, r == 0x180E, r == 0xFEFF, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 &&
		r <= 0x206F:
		return -1
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Pd, r), r == 0x2212:
		return '-'
	case strings.ContainsRune("«»“”„‟″＂", r):
		return '"'
	}
	return r
}
