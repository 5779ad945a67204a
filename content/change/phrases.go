package change

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Phrases compares two texts word by word, for readers: adjacent changes are joined, and if almost nothing is
// unchanged the whole text is one change. The segments in order, without the added ones, are the first text; without
// the removed ones, the second. whole reports that the texts are too long to be compared by words: then all between
// equal ends is one change.
func (e *Effort) Phrases(before, after string) (all []Segment, whole bool) {
	segments, whole := e.byWord(before, after)
	kept := 0
	for _, s := range segments {
		if s.What == "" {
			kept += letters(s.Text)
		}
	}
	if 5*kept < max(letters(before), letters(after)) {
		return pair(nil, before, after), whole
	}
	return smooth(segments), whole
}

// smooth joins what changed on both sides of a space or a sign.
func smooth(segments []Segment) (all []Segment) {
	var went, came strings.Builder
	for i, s := range segments {
		switch {
		case s.What == Removed:
			went.WriteString(s.Text)
		case s.What == Added:
			came.WriteString(s.Text)
		case went.Len() > 0 && came.Len() > 0 && i+1 < len(segments) && len(s.Text) <= 3 && letters(s.Text) == 0 &&
			s.Text != "\n":
			went.WriteString(s.Text)
			came.WriteString(s.Text)
		default:
			all = append(pair(all, went.String(), came.String()), s)
			went.Reset()
			came.Reset()
		}
	}
	return pair(all, went.String(), came.String())
}

func pair(all []Segment, went, came string) []Segment {
	if went != "" {
		all = append(all, Segment{What: Removed, Text: went})
	}
	if came != "" {
		all = append(all, Segment{What: Added, Text: came})
	}
	return all
}

func letters(s string) (n int) {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
		s = s[size:]
	}
	return n
}
