package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content/document"
)

// place is the context of a text, which determines what Markdown would interpret in it, and
// whether it can have more than one line.
type place uint8

const (
	atStart   place = iota // of a line: the text could begin a block
	inLine                 // after other text
	inCell                 // of a table: one line
	inHeading              // one line
)

func (p place) oneLine() bool { return p == inCell || p == inHeading }

// nothing is written in place of an empty text.
const nothing = "—"

// toNewlines replaces all characters that are line breaks anywhere.
var toNewlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n\n")

// appendText appends plain text, escaped so that Markdown shows exactly this text. Lines after the
// first are indented, which keeps them in their list item.
func appendText(dst []byte, s string, at place, indent int) []byte {
	if document.OddBreak(s) {
		s = toNewlines.Replace(s)
	}
	start, empty, paragraph := len(dst), true, false
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimFunc(line, unicode.IsSpace)
		if line == "" {
			paragraph = true
			continue
		}
		if !empty {
			dst = appendBreak(dst, at, paragraph, indent)
		}
		dst = appendLine(dst, line, at, empty)
		empty, paragraph = false, false
	}
	switch {
	case empty:
		return append(dst, nothing...)
	case at == inHeading:
		return keepHashes(dst, start)
	}
	return dst
}

// keepHashes escapes the hashes that would end a heading: "C #".
func keepHashes(dst []byte, start int) []byte {
	s := dst[start:]
	i := len(bytes.TrimRight(s, "#"))
	if i == len(s) || i > 0 && s[i-1] != ' ' {
		return dst
	}
	return slices.Insert(dst, start+i, '\\')
}

// appendBreak begins the next line. A backslash is a hard break that is visible, and that no
// editor strips.
func appendBreak(dst []byte, at place, paragraph bool, indent int) []byte {
	switch {
	case at.oneLine():
		return append(dst, ' ')
	case paragraph:
		dst = append(dst, "\n\n"...)
	default:
		dst = append(dst, "\\\n"...)
	}
	return appendSpaces(dst, indent)
}

func appendLine(dst []byte, line string, at place, first bool) []byte {
	if at == atStart || at == inLine && !first {
		if i := blockStart(line); i >= 0 {
			dst = append(dst, line[:i]...)
			dst = append(dst, '\\', line[i])
			return appendInline(dst, line, i+1, at)
		}
	}
	return appendInline(dst, line, 0, at)
}

// blockStart returns the index of the character to escape so that the line does not begin a block,
// -1 if there is none. Characters that are escaped everywhere (* _ ` [ < and two ~) are left to
// appendInline.
func blockStart(line string) int {
	switch c := line[0]; c {
	case '>', '|': // a quote, a row of a table
		return 0
	case '#':
		if n := run(line, 0); n <= 6 && endsWord(line, n) {
			return 0
		}
	case '-', '+':
		if endsWord(line, 1) || isRule(line) {
			return 0
		}
	case '=', ':':
		if isRule(line) {
			return 0
		}
	default:
		return numbered(line)
	}
	return -1
}

// isRule reports whether a line would underline a heading or the head of a table, or separate
// paragraphs.
func isRule(line string) bool {
	return strings.Trim(line, "= \t") == "" || strings.Trim(line, "-:| \t") == ""
}

// numbered returns the index of the dot or parenthesis in "1. ", else -1.
func numbered(line string) int {
	i := 0
	for i < len(line) && i < 9 && '0' <= line[i] && line[i] <= '9' {
		i++
	}
	if i > 0 && i < len(line) && (line[i] == '.' || line[i] == ')') && endsWord(line, i+1) {
		return i
	}
	return -1
}

// run returns the number of equal characters from i on.
func run(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == s[i] {
		n++
	}
	return n
}

func endsWord(s string, i int) bool { return i >= len(s) || s[i] == ' ' || s[i] == '\t' }

// special marks the bytes that appendInline has to check.
var special = func() (t [utf8.RuneSelf]bool) {
	for c := range ' ' {
		t[c] = true
	}
	for _, c := range "\\`*_[<&~|\x7f" {
		t[c] = true
	}
	return t
}()

// appendInline appends the line from i on.
func appendInline(dst []byte, line string, i int, at place) []byte {
	done := i
	for i < len(line) {
		c := line[i]
		if c >= utf8.RuneSelf || !special[c] {
			i++
			continue
		}
		dst = append(dst, line[done:i]...)
		n := 1
		if c == '*' || c == '_' || c == '~' {
			n = run(line, i)
		}
		dst = appendSpecial(dst, line, i, n, at)
		i += n
		done = i
	}
	return append(dst, line[done:]...)
}

// appendSpecial appends n equal characters, escaped if necessary.
func appendSpecial(dst []byte, line string, i, n int, at place) []byte {
	c := line[i]
	switch {
	case c == '\t':
		return append(dst, ' ')
	case c < ' ' || c == 0x7f: // control characters
		return append(dst, "\uFFFD"...)
	case !interpreted(line, i, n, at):
		return append(dst, line[i:i+n]...)
	}
	for range n {
		dst = append(dst, '\\', c)
	}
	return dst
}

// interpreted reports whether Markdown could interpret the n equal characters at i. It does not
// interpret a closing ] whose opening one is escaped, nor ! without that.
func interpreted(line string, i, n int, at place) bool {
	switch rest := line[i+n:]; line[i] {
	case '\\':
		return rest == "" || isPunct(rest[0])
	case '*':
		return !apart(line, i, n)
	case '_':
		return !apart(line, i, n) && !within(line, i, n)
	case '~': // a single one that cannot close anything is just "about"
		return n > 1 || i > 0 && line[i-1] != ' '
	case '<':
		return rest != "" && (isLetter(rest[0]) || strings.IndexByte("/!?", rest[0]) >= 0)
	case '&':
		return isEntity(rest)
	case '|':
		return at == inCell
	}
	return true // ` and [
}

// apart reports whether the run is between two spaces.
func apart(line string, i, n int) bool {
	return i > 0 && line[i-1] == ' ' && i+n < len(line) && line[i+n] == ' '
}

// within reports whether the run is inside of a word.
func within(line string, i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:i])
	after, _ := utf8.DecodeRuneInString(line[i+n:])
	return isAlnum(before) && isAlnum(after)
}

func isAlnum(r rune) bool  { return unicode.IsLetter(r) || unicode.IsDigit(r) }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isPunct(c byte) bool  { return '!' <= c && c <= '~' && !isLetter(c) && !isDigit(c) }

// isEntity reports whether the text after an & could be a character reference, such as "amp;".
func isEntity(s string) bool {
	i := 0
	for i < len(s) && i < 40 && (isLetter(s[i]) || isDigit(s[i]) || i == 0 && s[i] == '#') {
		i++
	}
	return i > 0 && i < len(s) && s[i] == ';'
}
