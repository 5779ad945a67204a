package content

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Excerpt is a line of a file, cut to a maximum length, with the position to show in it.
type Excerpt struct {
	Text  string
	Caret int // number of characters before the position
}

// maxExcerpt is the maximum length of an excerpt, in characters.
const maxExcerpt = 100

// ExcerptAt cuts the line of a position from a file; line and column are counted from 1. The
// result is false if the file has no such line. A tab is written as a space, and invalid UTF-8
// as U+FFFD, so that every character has a width of one.
func ExcerptAt(raw []byte, line, column int) (Excerpt, bool) {
	if line < 1 {
		return Excerpt{}, false
	}
	for range line - 1 {
		_, rest, found := bytes.Cut(raw, []byte("\n"))
		if !found {
			return Excerpt{}, false
		}
		raw = rest
	}
	first, _, _ := bytes.Cut(raw, []byte("\n"))
	text := []rune(lineText(first))
	caret := max(column-1, 0)
	if from := caret - maxExcerpt/2; from > 0 && len(text) > maxExcerpt {
		text, caret = append([]rune("…"), text[min(from, len(text)):]...), caret-from+1
	}
	if len(text) > maxExcerpt {
		text = append(text[:maxExcerpt:maxExcerpt], '…')
	}
	s := strings.TrimRight(string(text), " ")
	return Excerpt{s, min(caret, utf8.RuneCountInString(s))}, true
}

// lineText is a line for display, without a byte order mark, which columns do not count.
func lineText(line []byte) string {
	line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	return strings.ReplaceAll(strings.TrimRight(strings.ToValidUTF8(string(line), "\uFFFD"), "\r"), "\t", " ")
}
