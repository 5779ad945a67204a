package lsp

import (
	"bytes"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// spot is a position in a text: line and byte in the line, both counted from 0.
type spot struct{ line, column int }

func (s spot) before(t spot) bool {
	return s.line < t.line || s.line == t.line && s.column < t.column
}

// span is the text between two spots.
type span struct{ start, end spot }

// contains reports whether a spot is in the span or at its end.
func (s span) contains(at spot) bool { return !at.before(s.start) && !s.end.before(at) }

// text is a file with its lines.
type text struct {
	raw     []byte
	lines   []int           // offset of the beginning of each
	outline func() *outline // computed on first use
}

func newText(raw []byte) *text {
	t := &text{raw: raw, lines: []int{0}}
	t.outline = sync.OnceValue(func() *outline { return outlineOf(t) })
	for i, c := range raw {
		if c == '\n' || c == '\r' && (i+1 == len(raw) || raw[i+1] != '\n') {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// line returns a line without its end; nil if it does not exist.
func (t *text) line(n int) []byte {
	if n < 0 || n >= len(t.lines) {
		return nil
	}
	end := len(t.raw)
	if n+1 < len(t.lines) {
		end = t.lines[n+1]
	}
	return bytes.TrimRight(t.raw[t.lines[n]:end], "\r\n")
}

// slice returns the text in a span of one line.
func (t *text) slice(s span) string {
	line := t.line(s.start.line)
	if s.start.line != s.end.line || s.start.column > s.end.column || s.end.column > len(line) {
		return ""
	}
	return string(line[s.start.column:s.end.column])
}

// end returns the spot after the last character.
func (t *text) end() spot {
	last := len(t.lines) - 1
	return spot{last, len(t.raw) - t.lines[last]}
}

// offset returns the number of bytes before a spot.
func (t *text) offset(s spot) int {
	if s.line >= len(t.lines) {
		return len(t.raw)
	}
	return min(t.lines[s.line]+s.column, len(t.raw))
}

// spotOf returns the spot of a finding, which counts lines and characters from 1, without a
// byte order mark.
func (t *text) spotOf(line, column int) spot {
	s := spot{line: max(line-1, 0)}
	rest := t.line(s.line)
	if s.line == 0 {
		rest = bytes.TrimPrefix(rest, []byte(bom))
		s.column = len(t.line(0)) - len(rest)
	}
	for range column - 1 {
		_, n := utf8.DecodeRune(rest)
		rest, s.column = rest[n:], s.column+n
	}
	return s
}

// encoding is the unit in which the client counts the characters of a line.
type encoding string

const (
	inUTF8  encoding = "utf-8"
	inUTF16 encoding = "utf-16"
)

// spot converts a position. One beyond the end of a line is its end, one within a character
// is its beginning.
func (e encoding) spot(t *text, p position) spot {
	if int64(p.Line) >= int64(len(t.lines)) {
		return t.end()
	}
	line := t.line(int(p.Line))
	s, units := spot{line: int(p.Line)}, uint32(0)
	for s.column < len(line) {
		c, n := utf8.DecodeRune(line[s.column:])
		if units += e.width(c, n); units > p.Character {
			break
		}
		s.column += n
	}
	return s
}

// position is the reverse of spot.
func (e encoding) position(t *text, s spot) position {
	line := t.line(s.line)
	p := position{Line: uint32(s.line)}
	for i := 0; i < min(s.column, len(line)); {
		c, n := utf8.DecodeRune(line[i:])
		p.Character, i = p.Character+e.width(c, n), i+n
	}
	return p
}

// width is the number of units of a character of n bytes.
func (e encoding) width(c rune, n int) uint32 {
	if e == inUTF8 {
		return uint32(n)
	}
	return uint32(utf16.RuneLen(c)) // also for U+FFFD, which replaces invalid bytes
}

func (e encoding) span(t *text, r textRange) span {
	return span{e.spot(t, r.Start), e.spot(t, r.End)}
}

func (e encoding) rangeOf(t *text, s span) textRange {
	return textRange{Start: e.position(t, s.start), End: e.position(t, s.end)}
}

// edited applies changes to the text, in their order.
func (e encoding) edited(t *text, changes []contentChange) *text {
	for _, c := range changes {
		if c.Range == nil {
			t = newText([]byte(c.Text))
			continue
		}
		at := e.span(t, *c.Range)
		start, end := t.offset(at.start), t.offset(at.end)
		start, end = min(start, end), max(start, end)
		t = newText(append(append(bytes.Clone(t.raw[:start]), c.Text...), t.raw[end:]...))
	}
	return t
}
