package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content/i18n"
)

// isBoundary reports whether a token can end at a position of a text: between words, and never
// inside of a date, a number, a code or a reference, which are marked as a whole.
func isBoundary(s string, at int) bool {
	if at == 0 || at == len(s) {
		return true
	}
	if !utf8.RuneStart(s[at]) {
		return false
	}
	last, size := utf8.DecodeLastRuneInString(s[:at])
	next, width := utf8.DecodeRuneInString(s[at:])
	switch before, after := class(last), class(next); {
	case before == after && before != sign:
		return false
	case before == letter && after == sign:
		return !joins(last, next, s[at+width:])
	case before == sign && after == letter:
		other, _ := utf8.DecodeLastRuneInString(s[:at-size])
		return class(other) != letter || !joins(other, last, s[at:])
	case before == space && after == letter && last != '\n':
		return !spans(s[:at-size], s[at:])
	case before == letter && after == space && next != '\n':
		return !spans(s[:at], s[at+width:])
	}
	return true
}

const (
	sign = iota
	letter
	space
)

func class(c rune) int {
	switch {
	case unicode.IsLetter(c) || unicode.IsDigit(c):
		return letter
	case unicode.IsSpace(c):
		return space
	}
	return sign
}

// joins reports whether a sign between two letters or digits is inside of an atom: a
// point in 01.09.2026 and product.common.001, a hyphen in 161-ФЗ, a comma in 18,5; but
// none between Russian words.
func joins(last, sign rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if class(next) != letter {
		return false
	}
	if sign == ',' {
		return unicode.IsDigit(last) && unicode.IsDigit(next)
	}
	return strings.ContainsRune("._-/:#@=&?", sign) && (last < utf8.RuneSelf || next < utf8.RuneSelf)
}

// spans reports whether a space between two texts is inside of an atom: those of
// 1 500 000 and of 3 сентября 2018 are, that of 5 лет is not, since a term may change its
// number alone.
func spans(before, after string) bool {
	last, next := lastWord(before), firstWord(after)
	switch {
	case isNumber(last) && isNumber(next):
		return len(next) == 3 && len(last) <= 3
	case isNumber(last):
		return slices.Contains(i18n.Months, next)
	}
	return len(next) == 4 && isNumber(next) && slices.Contains(i18n.Months, last)
}

// maxWord is the maximum number of bytes of a word that are read: the longest of the months is
// shorter.
const maxWord = 24

// lastWord and firstWord are the letters and digits next to a place of a text.
func lastWord(s string) string {
	s = s[max(0, len(s)-maxWord):]
	return s[strings.LastIndexFunc(s, isNoLetter)+1:]
}

func firstWord(s string) string {
	s = s[:min(len(s), maxWord)]
	if end := strings.IndexFunc(s, isNoLetter); end >= 0 {
		return s[:end]
	}
	return s
}

func isNoLetter(c rune) bool { return class(c) != letter }

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }
