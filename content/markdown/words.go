package markdown

import (
	"strings"
	"unicode"
)

// appendCode appends s between backticks, where Markdown interprets nothing.
// In a table a | would still end the cell, so such a text is escaped instead.
func appendCode(dst []byte, s string, at place) []byte {
	s = plainLine(s)
	if s == "" || at == inCell && strings.ContainsAny(s, `|\`) {
		return appendText(dst, s, at, 0)
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' {
		pad = " "
	}
	for _, part := range [...]string{fence, pad, s, pad, fence} {
		dst = append(dst, part...)
	}
	return dst
}

// plainLine makes one line of s, without control characters.
func plainLine(s string) string {
	if oddBreak(s) {
		s = toNewlines.Replace(s)
	}
	return strings.TrimFunc(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case r < ' ' || r == 0x7f:
			return '\uFFFD'
		}
		return r
	}, s), unicode.IsSpace)
}

func longestRun(s string, c byte) int {
	longest := 0
	for i := 0; i < len(s); {
		if s[i] != c {
			i++
			continue
		}
		n := run(s, i)
		longest, i = max(longest, n), i+n
	}
	return longest
}

func appendSpaces(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// isURL says whether the whole of s is a web address that can stand between
// angle brackets, where nothing can be escaped. Some readers look for entities
// even there.
func isURL(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	if !ok || rest == "" || strings.ContainsAny(rest, "<>\\|`") || strings.Contains(rest, "&") && strings.Contains(rest, ";") {
		return false
	}
	return strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) < 0
}

// isCode says whether s looks like a word for machines: an id, a code, a
// checksum, a path. Numbers, versions and dates begin with a digit; they are
// for people too. A capitalised word is a name.
func isCode(s string) bool {
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

// isFigure says whether s is a number, a version, a date or an instant.
func isFigure(s string) bool { return s != "" && strings.Trim(s, "0123456789.:+-TZ") == "" }
