package content

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns a text on one line, fit for a terminal, a log and a review. What a
// repository or a remote server names may hold anything, so every character that is
// [Hidden] is written out as JSON does (\u202e), a line break and a tab as \n and \t,
// and a byte that is no UTF-8 as \x9b; so is ##[, which a workflow of GitHub obeys
// anywhere in a line. Everything else stays as it is, letters of all alphabets and
// spaces of all widths among it.
func Printable(s string) string {
	s = strings.ReplaceAll(s, command, inert)
	if strings.IndexFunc(s, Hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for s != "" {
		char := firstOf(s)
		switch char {
		case "\n":
			out = append(out, `\n`...)
		case "\t":
			out = append(out, `\t`...)
		default:
			out = AppendPrintable(out, char)
		}
		s = s[len(char):]
	}
	return string(out)
}

func firstOf(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// command begins a command of a workflow, and inert is the same as text.
const command, inert = "##[", `##\u005b`

// Hidden reports whether a character is not to be printed as it is: control and format
// characters, line and paragraph separators, private use, what Unicode has not
// assigned, and what no font shows (Default_Ignorable_Code_Point, variation selectors).
func Hidden(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return !unicode.IsGraphic(r) || Invisible(r)
}

// Invisible reports whether a character shows nothing: format characters but for the
// signs of numbers in Arabic, what Unicode calls Default_Ignorable_Code_Point, as far as
// Go has its tables, and the blank of Braille.
func Invisible(r rune) bool {
	return r == braille || !unicode.Is(unicode.Prepended_Concatenation_Mark, r) &&
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// braille is the pattern without dots, which looks like a space and is none.
const braille = '\u2800'

// AppendPrintable appends one character, written out if it is [Hidden], line breaks and
// tabs included. What it writes for a character means that character inside a string of
// JSON.
func AppendPrintable(dst []byte, char string) []byte {
	r, n := utf8.DecodeRuneInString(char)
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Appendf(dst, `\x%02x`, char[0])
	case Hidden(r):
		return AppendEscape(dst, r)
	}
	return append(dst, char...)
}

// AppendEscape appends a character written out (RFC 8259, section 7).
func AppendEscape(dst []byte, r rune) []byte {
	for _, unit := range utf16.Encode([]rune{r}) {
		dst = fmt.Appendf(dst, `\u%04x`, unit)
	}
	return dst
}

// PrintableJSON returns JSON that means the same as another and has in its strings
// written out what [Printable] writes out.
func PrintableJSON(raw []byte) []byte {
	raw = bytes.ReplaceAll(raw, []byte(command), []byte(inert))
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r > ' ' && Hidden(r) { // below are the spaces between values
			out = AppendEscape(out, r)
		} else {
			out = append(out, raw[:n]...)
		}
		raw = raw[n:]
	}
	return out
}
