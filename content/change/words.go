package change

import (
	"strings"
	"unicode"
)

// Segment is a piece of a text that both versions have, or only one of them.
type Segment struct {
	What Verb // Added, Removed, or "" for what is in both
	Text string
}

// maxTable is how many pairs of words are compared; beyond that a text counts as
// written anew.
const maxTable = 4 << 20

// Words compares two texts word by word. The segments in order, without those
// added, are the first text; without those removed, the second.
func Words(before, after string) []Segment {
	a, b := tokens(before), tokens(after)
	head := common(a, b, func(i int) (string, string) { return a[i], b[i] })
	x, y := a[head:], b[head:]
	tail := common(x, y, func(i int) (string, string) { return x[len(x)-1-i], y[len(y)-1-i] })
	var s segments
	s.add("", a[:head]...)
	s.middle(x[:len(x)-tail], y[:len(y)-tail])
	s.add("", x[len(x)-tail:]...)
	return s
}

// common counts the equal pairs at one end of two lists.
func common(a, b []string, pair func(i int) (string, string)) int {
	n := 0
	for n < min(len(a), len(b)) {
		if x, y := pair(n); x != y {
			break
		}
		n++
	}
	return n
}

// tokens splits a text into words, runs of spaces, and single other signs.
func tokens(s string) []string {
	class := func(c rune) int {
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			return 1
		case unicode.IsSpace(c):
			return 2
		}
		return 0
	}
	var all []string
	start, last := 0, -1
	for i, c := range s {
		if k := class(c); k != last || k == 0 {
			if i > start {
				all = append(all, s[start:i])
			}
			start, last = i, k
		}
	}
	if start < len(s) {
		all = append(all, s[start:])
	}
	return all
}

type segments []Segment

// add appends tokens, to the last segment if it is of the same sort.
func (s *segments) add(what Verb, tokens ...string) {
	text := strings.Join(tokens, "")
	if text == "" {
		return
	}
	if n := len(*s); n > 0 && (*s)[n-1].What == what {
		(*s)[n-1].Text += text
		return
	}
	*s = append(*s, Segment{what, text})
}

// middle compares what is left between equal ends: the longest common
// subsequence stays, the rest came or went.
func (s *segments) middle(a, b []string) {
	if len(a)*len(b) > maxTable {
		s.add(Removed, a...)
		s.add(Added, b...)
		return
	}
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			s.add("", a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			s.add(Removed, a[i])
			i++
		default:
			s.add(Added, b[j])
			j++
		}
	}
	s.add(Removed, a[i:]...)
	s.add(Added, b[j:]...)
}
