package citation

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// plain undoes the changes by editors and mail programs: spaces, hyphens and quotation marks are
// unified, and invisible characters removed. Encodings of mail, JSON and HTML are decoded, marks
// of quoted lines removed, decomposed letters composed, and joined are addresses of Markdown links
// that were broken anywhere, and words that were broken after a hyphen or a slash.
func plain(text string) string {
	text = printable(strings.ReplaceAll(text, "\r\n", "\n"))
	text = strings.NewReplacer(`\/`, "/", `\"`, "'", `\n`, "\n").Replace(text)
	text = html.UnescapeString(lineTag.ReplaceAllString(wordTag.ReplaceAllString(text, ""), "\n"))
	text = strings.Map(simple, escape.ReplaceAllStringFunc(text, unescaped))
	text = quotedLine.ReplaceAllString(composed.Replace(text), "")
	text = strings.ReplaceAll(text, "=\n", "") // a soft break of quoted-printable
	text = linkTarget.ReplaceAllStringFunc(text, func(target string) string {
		return lineBreak.ReplaceAllString(target, "")
	})
	return brokenWord.ReplaceAllString(text, "$1$2")
}

var (
	quotedLine = regexp.MustCompile(`(?m)^[ \t]*(?:[>|][ \t]?)+`)
	brokenWord = regexp.MustCompile(`([a-z0-9][/-])\n[ \t]*([a-z0-9])`)

	// The address of a link of Markdown in several lines has no spaces within a line.
	linkTarget = regexp.MustCompile(`\]\((?:[^\s()]*[ \t]*\n[ \t]*)+[^\s()]*\)`)
	lineBreak  = regexp.MustCompile(`[ \t]*\n[ \t]*`)

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

// printable decodes quoted-printable if the whole text is valid.
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

// escape matches an escaped character in JSON.
var escape = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)

func unescaped(s string) string {
	n, err := strconv.ParseUint(s[2:], 16, 32)
	if err != nil {
		return s
	}
	return string(rune(n))
}

// Alike reports whether two texts are equal except for the characters between words.
func Alike(a, b string) bool { return essence(a) == essence(b) }

// essence returns the significant characters of a text: letters, digits, separators within
// numbers, and units.
func essence(text string) string {
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

// simple returns the character that stands for a class of similar ones, -1 to drop it.
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
