package markdown

import (
	"strings"
	"unicode"

	"rulestore/content/document"
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

// plainLine joins the lines of a text, without control characters.
func plainLine(s string) string {
	if document.OddBreak(s) {
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
