package change

import (
	"strings"
)

// Segment is a part of a text that is in both versions, or in only one of them.
type Segment struct {
	What Verb // Added, Removed, or "" for both
	Text string
}

const (
	// maxPairs is the maximum number of pairs of words that are compared with one [Effort].
	maxPairs = 8 << 20
	// maxPieces is the maximum size of two texts together, in bytes, whose words are compared.
	maxPieces = 32 << 10
)

// Effort is the remaining budget for comparing texts, for instance of one page: it bounds the
// cost for any content.
type Effort struct{ pairs int }

// NewEffort returns the budget for one page.
func NewEffort() *Effort { return &Effort{maxPairs} }

// byWord compares two texts word by word or, if that is too expensive, as a whole except for a common prefix and
// suffix. The segments in order, without the added ones, are the first text; without the removed ones, the second.
func (e *Effort) byWord(before, after string) (all []Segment, whole bool) {
	head := commonPrefix(before, after)
	x, y := before[head:], after[head:]
	tail := commonSuffix(x, y)
	var s segments
	s.add("", before[:head])
	went, came := x[:len(x)-tail], y[:len(y)-tail]
	// a text has at most as many words as bytes
	whole = len(went)+len(came) > maxPieces || !e.pieces(&s, tokens(went), tokens(came))
	if whole {
		s.add(Removed, went)
		s.add(Added, came)
	}
	s.add("", x[len(x)-tail:])
	return s, whole
}

// tokens splits a text into words, runs of spaces, other signs, and atoms: dates, numbers, codes
// and references, however many signs these have.
func tokens(s string) (all []string) {
	for start := 0; start < len(s); {
		end := start + 1
		for !isBoundary(s, end) {
			end++
		}
		all = append(all, s[start:end])
		start = end
	}
	return all
}

// commonPrefix returns the length of the common prefix of two texts, up to a position at which a
// token can end in both.
func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for !isBoundary(a, n) || !isBoundary(b, n) {
		n--
	}
	return n
}

// commonSuffix is the same for the ends of the texts.
func commonSuffix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for !isBoundary(a, len(a)-n) || !isBoundary(b, len(b)-n) {
		n--
	}
	return n
}

type segments []Segment

// add appends a text, to the last segment if that has the same verb.
func (s *segments) add(what Verb, text string) {
	if text == "" {
		return
	}
	if n := len(*s); n > 0 && (*s)[n-1].What == what {
		(*s)[n-1].Text += text
		return
	}
	*s = append(*s, Segment{what, text})
}

// pieces compares two lists, and reports whether the budget was enough, else it does nothing. The
// longest common subsequence is unchanged, the rest was removed or added.
func (e *Effort) pieces(s *segments, a, b []string) bool {
	if len(a)*len(b) > e.pairs {
		return false
	}
	e.pairs -= len(a) * len(b)
	t := newTable(a, b)
	for i, j := 0, 0; i < len(a) || j < len(b); {
		from, to := i, j
		switch {
		case j == len(b) || i < len(a) && t.removes(i, j):
			for i < len(a) && (j == len(b) || t.removes(i, j)) {
				i++
			}
			s.add(Removed, strings.Join(a[from:i], ""))
		case i < len(a) && a[i] == b[j]:
			for i < len(a) && j < len(b) && a[i] == b[j] {
				i, j = i+1, j+1
			}
			s.add("", strings.Join(a[from:i], ""))
		default:
			for j < len(b) && (i == len(a) || a[i] != b[j] && !t.removes(i, j)) {
				j++
			}
			s.add(Added, strings.Join(b[to:j], ""))
		}
	}
	return true
}

// table has for each pair of unequal pieces which one the longest common subsequence of the rest
// leaves out first.
type table struct {
	width int
	bits  []uint64
}

func newTable(a, b []string) *table {
	t := &table{len(b), make([]uint64, len(a)*len(b)/64+1)}
	x, y := numbered(a, b)
	below, row := make([]int32, len(b)+1), make([]int32, len(b)+1) // lengths of subsequences
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			switch {
			case x[i] == y[j]:
				row[j] = below[j+1] + 1
			case below[j] >= row[j+1]:
				row[j] = below[j]
				at := i*t.width + j
				t.bits[at/64] |= 1 << (at % 64)
			default:
				row[j] = row[j+1]
			}
		}
		below, row = row, below
	}
	return t
}

// removes reports whether the i-th piece of the first list is left out rather than the j-th of the
// second.
func (t *table) removes(i, j int) bool {
	at := i*t.width + j
	return t.bits[at/64]&(1<<(at%64)) != 0
}

// numbered replaces pieces by numbers, equal ones by the same.
func numbered(a, b []string) (x, y []int32) {
	ids := map[string]int32{}
	number := func(pieces []string) (all []int32) {
		for _, p := range pieces {
			id, ok := ids[p]
			if !ok {
				id = int32(len(ids))
				ids[p] = id
			}
			all = append(all, id)
		}
		return all
	}
	return number(a), number(b)
}
