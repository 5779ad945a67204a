package search

import (
	"slices"
	"strings"
)

// A phrase is what must be there in this order, without anything in between.
type phrase struct {
	key   string // the terms, which tell phrases apart
	terms []term
	span  uint32 // how many positions it takes
}

// A term of a phrase, and where it is from the beginning of the phrase.
type term struct {
	text string
	at   uint32
}

func newPhrase(name string) phrase {
	var p phrase
	var keys []string
	for s := (scanner{src: name}); s.next() && len(p.terms) <= longestName; {
		text := s.term()
		keys = append(keys, text)
		p.terms = append(p.terms, term{text, p.span})
		p.span += uint32(len(s.parts))
	}
	p.key = phraseKey(keys)
	return p
}

// phraseKey is the one key of these terms, since no term has a space.
func phraseKey(terms []string) string { return strings.Join(terms, " ") }

// term returns what a document that has the whole lexeme has in its index.
func (l *lexeme) term() string {
	if l.cyrillic {
		return stem(string(l.text))
	}
	return string(l.text)
}

// occurrences returns where the phrase begins, given which of the entry's terms
// are those of the phrase. The result is good until scratch is used again.
func (e *Entry) occurrences(p *phrase, refs []int, scratch *[2][]uint32) []uint32 {
	scratch[0] = e.positions(scratch[0][:0], refs[0])
	for i := 1; i < len(refs) && len(scratch[0]) > 0; i++ {
		scratch[1] = e.positions(scratch[1][:0], refs[i])
		scratch[0] = slices.DeleteFunc(scratch[0], func(start uint32) bool {
			_, ok := slices.BinarySearch(scratch[1], start+p.terms[i].at)
			return !ok
		})
	}
	return scratch[0]
}

// lookUp returns which of the entry's terms are those of p, nil if one is not
// there.
func (e *Entry) lookUp(p *phrase) []int {
	refs := make([]int, len(p.terms))
	for i, term := range p.terms {
		lo, hi := e.span(term.text, false)
		if lo == hi {
			return nil
		}
		refs[i] = lo
	}
	return refs
}
