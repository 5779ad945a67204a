package citation

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// plain is a text without what editors and mail programs make of it: spaces are spaces,
// hyphens are hyphens, quotation marks are ", and what nobody sees is not there. Marks of
// quoted lines are gone, and words that were broken behind a hyphen or a slash are whole.
func plain(text string) string {
	text = strings.NewReplacer("\r\n", "\n", `\/`, "/", `\"`, "'").Replace(text)
	text = strings.Map(simple, escape.ReplaceAllStringFunc(text, unescaped))
	text = quotedLine.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "=\n", "") // a soft break of quoted-printable
	return brokenWord.ReplaceAllString(text, "$1$2")
}

var (
	quotedLine = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]?)+`)
	brokenWord = regexp.MustCompile(`([a-z0-9][/-])\n[ \t]*([a-z0-9])`)
)

// escape is a character as JSON may have it.
var escape = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)

func unescaped(s string) string {
	n, err := strconv.ParseUint(s[2:], 16, 32)
	if err != nil {
		return s
	}
	return string(rune(n))
}

// Alike reports whether two texts have the same letters and digits, whatever became of what
// stands between these.
func Alike(a, b string) bool {
	letters := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}
	return strings.Map(letters, plain(a)) == strings.Map(letters, plain(b))
}

// simple is what a character is taken for; -1 for nothing.
func simple(r rune) rune {
	switch {
	case r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return '\n'
	case r == 0xAD, r == 0x180E, r == 0xFEFF, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
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
