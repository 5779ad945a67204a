package search

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// A Suggestion has possible corrections of a query that has no exact hits.
type Suggestion struct {
	Text   string // the query with all words corrected, "" if there are none to correct
	Words  []Guess
	Titles []*AnalysedDocument // titles that contain such words, at most maxTitles
	// Kinds are the hits of the text by kind, without filters, the most first; if there are
	// none, the counts of all documents.
	Kinds []KindCount
}

// A KindCount is the number of hits of a kind.
type KindCount struct {
	Kind  string `json:"kind"`
	Total int    `json:"total"`
}

// A Guess is a word of a query that no document has, with a similar one.
type Guess struct {
	Asked string `json:"asked"`
	Meant string `json:"meant"`
}

const (
	maxTitles = 5
	// maxFarWords is the maximum number of words that are guessed with many typing errors: each is
	// compared with most terms.
	maxFarWords = 1
	// maxFar is the maximum number of typing errors, and never more than half of the word.
	maxFar = 4
)

// suggest returns corrections of a question, if no document has all its words.
func (x *Index) suggest(q *question) (s Suggestion) {
	var titles []uint32
	far := maxFarWords
	if q.understood() {
		far = 0
	}
	for _, w := range q.words {
		readings := w.readings
		if len(readings) == 0 && far > 0 {
			far--
			readings = x.distantGuesses(w.text, w.folded)
		}
		if len(readings) == 0 {
			continue
		}
		best := readings[0]
		if w.guessed || len(w.readings) == 0 {
			s.Words = append(s.Words, Guess{w.asked, x.nearestForm(best.lo, w.folded)})
		}
		titles = append(titles, x.titled(best)...)
	}
	for _, doc := range titles {
		if e := x.entries[doc]; !slices.Contains(s.Titles, e) && len(s.Titles) < maxTitles {
			s.Titles = append(s.Titles, e)
		}
	}
	return s
}

// kinds counts hits by kind.
func (x *Index) kinds(all []found) (counts []KindCount) {
	for _, f := range all {
		kind := x.entries[f.doc].doc.Kind
		i := slices.IndexFunc(counts, func(c KindCount) bool { return c.Kind == kind })
		if i < 0 {
			i, counts = len(counts), append(counts, KindCount{Kind: kind})
		}
		counts[i].Total++
	}
	slices.SortFunc(counts, func(a, b KindCount) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Kind, b.Kind))
	})
	return counts
}

// understood reports whether a document has any of the words.
func (q *question) understood() bool {
	return len(q.names) > 0 || slices.ContainsFunc(q.words, func(w word) bool { return len(w.readings) > 0 })
}

// distantGuesses reads a word as the most similar terms, with more typing errors than a
// search allows. More than half of the letters of each are in the word, too.
func (x *Index) distantGuesses(term, folded string) []reading {
	most := min(maxFar, utf8.RuneCountInString(folded)/2)
	found, slips := x.near(term, most)
	if hasLatin(folded) {
		if other, fewer := x.near(toCyrillic(folded)[0], most); len(found) == 0 || len(other) > 0 && fewer < slips {
			found, slips = other, fewer
		}
	}
	return slices.DeleteFunc(found, func(r reading) bool {
		return stopWords[r.text] || 2*slips >= utf8.RuneCountInString(r.text)
	})
}

// titled lists some documents with a reading in the title or the codes.
func (x *Index) titled(r reading) (docs []uint32) {
	for i := r.lo; i < r.hi; i++ {
		for _, p := range x.list(i) {
			if p.head == 0 {
				continue
			}
			if docs = append(docs, p.doc); len(docs) == maxTitles {
				return docs
			}
		}
	}
	return docs
}

// maxForms is the maximum number of documents in which forms of a word are looked for.
const maxForms = 30

// nearestForm returns a term, which is a stem, in the form most like the word that was asked for: «ипотика» is
// «ипотека», although «ипотеке» may be written earlier. A capital counts as a slip, so that the beginning of a
// sentence is the last choice.
func (x *Index) nearestForm(i int, folded string) (nearest string) {
	var m matrix
	asked, least := []rune(folded), maxGuess+1
	for _, p := range x.list(i)[:min(len(x.list(i)), maxForms)] {
		form := x.form(i, p)
		if slips := m.distance(asked, form, maxGuess); nearest == "" || slips < least {
			nearest, least = form, slips
		}
	}
	return nearest
}

// form returns a term as a document writes it first.
func (x *Index) form(i int, p posting) string {
	e := x.entries[p.doc]
	at := e.positions(nil, int(p.term))[0]
	if at >= e.bodyStart {
		m := e.marks[e.markBefore(at)]
		return written(e.doc.Text[m.passage].Text[m.offset:], at-m.position)
	}
	from := uint32(0)
	for _, text := range append([]string{e.doc.Title}, e.doc.Codes...) {
		n := positions(text)
		if at < from+n {
			return written(text, at-from)
		}
		from += n + gap
	}
	return x.terms[i]
}

// written returns the word at a position of a text.
func written(text string, at uint32) string {
	for s := (scanner{src: text}); s.next(); at -= uint32(len(s.parts)) {
		if at < uint32(len(s.parts)) {
			return text[s.parts[at].start:s.parts[at].end]
		}
	}
	return ""
}

// positions returns the number of positions of a text.
func positions(text string) (n uint32) {
	for s := (scanner{src: text}); s.next(); {
		n += uint32(len(s.parts))
	}
	return n
}
