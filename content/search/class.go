package search

import (
	"unicode"
	"unicode/utf8"
)

// A class is the role of a rune in a word.
type class uint8

const (
	separator class = iota
	cyrillic
	other // letters of other scripts, digits
	glue  // modifiers of the letter before: stress, a separate diaeresis, a soft hyphen
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if isAlnum(byte(r)) {
			return other
		}
		return separator
	case 'А' <= r && r <= 'я', r == 'ё', r == 'Ё':
		return cyrillic
	case unicode.IsLetter(r):
		if unicode.Is(unicode.Cyrillic, r) {
			return cyrillic
		}
		return other
	case unicode.IsDigit(r):
		return other
	case unicode.In(r, unicode.Mn, unicode.Mc, unicode.Cf):
		return glue
	}
	return separator
}
