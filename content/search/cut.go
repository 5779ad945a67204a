package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	snippetRunes = 200 // the maximum length of a snippet
	leadRunes    = 60  // the maximum length of the text before the first match
)

// cut returns the part of text to show, which includes hold. It begins and ends between
// words, unless a word is too long.
func cut(text string, hold stretch) (start, end int) {
	spare := snippetRunes - utf8.RuneCountInString(text[hold.start:hold.end])
	start = back(text, hold.start, max(0, min(leadRunes, spare/3)))
	end = forward(text, start, snippetRunes)
	if skipSpace(text, end) == len(text) {
		start = min(start, back(text, end, snippetRunes))
	}
	return start, end
}

// back returns the beginning of a word at most n runes before i.
func back(text string, i, n int) int {
	at := i
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	if at > 0 && at < i && !isBreak(utf8.DecodeLastRuneInString(text[:at])) {
		next := strings.IndexFunc(text[at:i], isSpace)
		if next < 0 {
			return i
		}
		at += next
	}
	return min(skipSpace(text, at), i)
}

// forward returns the end of a word at most n runes after i.
func forward(text string, i, n int) int {
	at := i
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	if at < len(text) && !isBreak(utf8.DecodeRuneInString(text[at:])) {
		if last := strings.LastIndexFunc(text[i:at], isSpace); last > 0 {
			at = i + last
		}
	}
	return i + len(strings.TrimRightFunc(text[i:at], isSpace))
}

func skipSpace(text string, i int) int {
	return len(text) - len(strings.TrimLeftFunc(text[i:], isSpace))
}

// isSpace reports whether a text may be cut at r.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f'
}

func isBreak(r rune, _ int) bool { return isSpace(r) }

// assemble makes the snippet from start to end.
func assemble(p Passage, start, end int, found []stretch) Snippet {
	text := p.Text
	s := Snippet{
		Section: p.Section,
		Before:  skipSpace(text, 0) < start,
		After:   skipSpace(text, end) < len(text),
	}
	add := func(to int, matches bool) {
		if start < to {
			s.Segments = append(s.Segments, Segment{text[start:to], matches})
			start = to
		}
	}
	for _, f := range found {
		add(min(f.start, end), false)
		add(min(f.end, end), true)
	}
	add(end, false)
	return s
}
