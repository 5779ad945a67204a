package search

import (
	"cmp"
	"slices"
	"sort"
)

// A Snippet is the part of the text that best shows why a document matched, or the beginning of
// the text if no part does.
type Snippet struct {
	Section       string    // address of its section in the document
	Segments      []Segment // together a part of one passage, cut between words
	Before, After bool      // whether the passage has text before it, after it
}

// A Segment is a part of a snippet that matches, or one that does not.
type Segment struct {
	Text  string
	Match bool
}

// windowWords is the maximum distance of matches that are shown together, in words.
const windowWords = 18

// snippet is that of an entry with some of the words.
func (q *question) snippet(e *AnalysedDocument, words uint64) Snippet {
	if _, matches := q.matches(e, words); len(matches) > 0 {
		return e.excerpt(matches, q.bestWindow(matches))
	}
	for _, p := range e.doc.Text {
		if start := skipSpace(p.Text, 0); start < len(p.Text) {
			return assemble(p, start, forward(p.Text, start, snippetRunes), nil)
		}
	}
	return Snippet{}
}

// A match is an occurrence of words of the query in an entry, of span positions.
type match struct {
	position, span uint32
	words          uint64
}

// matches returns the matches of an entry with some of the words: those in the title and the codes, and those in the
// text, by position, longer ones first. They are valid until the next call.
func (q *question) matches(e *AnalysedDocument, words uint64) (head, text []match) {
	all := q.found[:0]
	for i, w := range q.words {
		if words>>i&1 == 0 {
			continue
		}
		for _, r := range w.readings {
			for j, hi := e.span(r.text, r.prefix); j < hi; j++ {
				q.scratch[0] = e.positions(q.scratch[0][:0], j)
				all = addMatches(all, q.scratch[0], r.parts(), 1<<i)
			}
		}
	}
	for _, n := range q.names {
		if n.words&^words != 0 {
			continue
		}
		if refs := e.lookUp(&n.phrase); refs != nil {
			all = addMatches(all, e.occurrences(&n.phrase, refs, &q.scratch), n.span, n.words)
		}
	}
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(b.span, a.span))
	})
	q.found = all
	i := sort.Search(len(all), func(i int) bool { return all[i].position >= e.bodyStart })
	return all[:i], all[i:]
}

func addMatches(all []match, positions []uint32, span uint32, words uint64) []match {
	for _, p := range positions {
		all = append(all, match{p, span, words})
	}
	return all
}

// bestWindow returns the most significant adjacent matches: those with the largest sum of
// rarities, the first such window in the text.
func (q *question) bestWindow(matches []match) []match {
	var w window
	best, most, from := matches[:1], -1.0, 0
	for i, m := range matches {
		w.enter(q, m.words)
		for m.position-matches[from].position >= windowWords {
			w.leave(q, matches[from].words)
			from++
		}
		if w.worth > most+1e-9 {
			best, most = matches[from:i+1], w.worth
		}
	}
	return best
}

// A window counts the words in it, and sums the rarities of the different ones.
type window struct {
	counts [maxWords]int
	worth  float64
}

func (w *window) enter(q *question, words uint64) {
	for i := range q.words {
		if words>>i&1 == 1 {
			if w.counts[i]++; w.counts[i] == 1 {
				w.worth += q.words[i].rarity
			}
		}
	}
}

func (w *window) leave(q *question, words uint64) {
	for i := range q.words {
		if words>>i&1 == 1 {
			if w.counts[i]--; w.counts[i] == 0 {
				w.worth -= q.words[i].rarity
			}
		}
	}
}

// excerpt cuts the text around window, and marks all matches in it.
func (e *AnalysedDocument) excerpt(matches, window []match) Snippet {
	i := e.markBefore(window[0].position)
	passage := e.marks[i].passage
	if i > 0 && e.marks[i-1].passage == passage {
		i-- // the excerpt can begin before the nearest mark
	}
	p := e.doc.Text[passage]
	l := locate(p.Text, e.marks[i], matches, window)
	start, end := cut(p.Text, l.window)
	return assemble(p, start, end, l.matches)
}

// markBefore returns the last mark at or before a position.
func (e *AnalysedDocument) markBefore(position uint32) int {
	return sort.Search(len(e.marks), func(i int) bool { return e.marks[i].position > position }) - 1
}
