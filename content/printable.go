package content

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// Printable returns a text on one line that is safe for a terminal, a log and a review. Names
// from a repository or a remote server may contain anything, so every character that is
// [Hidden] is escaped as in JSON (\u202e), a line break and a tab as \n and \t, and an invalid
// UTF-8 byte as \x9b; so is ##[, which a GitHub workflow interprets
// anywhere in a line. Everything else is unchanged, including letters of all alphabets and
// spaces of all widths.
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

// Hidden reports whether a character must not be printed: control and format characters, line
// and paragraph separators, private use and unassigned characters, and characters that fonts do
// not show (Default_Ignorable_Code_Point, variation selectors).
func Hidden(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return !unicode.IsGraphic(r) || Invisible(r)
}

// Invisible reports whether a character has no visible form: those of [InvisibleTable] except
// Arabic number signs.
func Invisible(r rune) bool {
	return unicode.Is(InvisibleTable, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// InvisibleTable has the format characters, Default_Ignorable_Code_Point as far as Go has its
// tables, and the Braille pattern without dots, which looks like a space. It is one table, since
// every character of every text is looked up in it.
var InvisibleTable = rangetable.Merge(unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
	unicode.Variation_Selector, rangetable.New('\u2800'))

// AppendPrintable appends one character, escaped if it is [Hidden], line breaks and tabs
// included. The escape is valid in a JSON string and means that character.
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

// AppendEscape appends the escape sequence of a character (RFC 8259, section 7).
func AppendEscape(dst []byte, r rune) []byte {
	for _, unit := range utf16.Encode([]rune{r}) {
		dst = fmt.Appendf(dst, `\u%04x`, unit)
	}
	return dst
}

// PrintableLines is [Printable] for a text of several lines, which may be indented by tabs.
func PrintableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		text := strings.TrimLeft(line, "\t")
		lines[i] = line[:len(line)-len(text)] + Printable(text)
	}
	return strings.Join(lines, "\n")
}

// PrintableJSON returns equivalent JSON whose strings are escaped as by [Printable].
func PrintableJSON(raw []byte) []byte {
	raw = bytes.ReplaceAll(raw, []byte(command), []byte(inert))
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r > ' ' && Hidden(r) { // the others are the spaces between values
			out = AppendEscape(out, r)
		} else {
			out = append(out, raw[:n]...)
		}
		raw = raw[n:]
	}
	return out
}
