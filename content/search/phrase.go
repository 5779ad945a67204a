package search

import (
	"slices"
	"strings"
)

// A phrase is a sequence of terms at adjacent positions.
type phrase struct {
	key   string // the terms, which identify the phrase
	terms []term
	span  uint32 // its length in positions
}

// A term is a term of a phrase, with its offset in positions.
type term struct {
	text string
	at   uint32
}

func newPhrase(name string) phrase {
	var p phrase
	var keys []string
	for s := (scanner{src: name}); s.next() && len(p.terms) <= maxNameWords; {
		text := s.term()
		keys = append(keys, text)
		p.terms = append(p.terms, term{text, p.span})
		p.span += uint32(len(s.parts))
	}
	p.key = phraseKey(keys)
	return p
}

// phraseKey joins terms; it is unique, since no term has a space.
func phraseKey(terms []string) string { return strings.Join(terms, " ") }

// term returns the term of the whole lexeme.
func (l *lexeme) term() string {
	if l.asTerm == "" {
		if l.asTerm = string(l.text); l.cyrillic {
			l.asTerm = stem(l.asTerm)
		}
	}
	return l.asTerm
}

// occurrences returns the positions of the phrase, given the indices of its terms in the
// entry. The result is valid until scratch is used again.
func (e *AnalysedDocument) occurrences(p *phrase, refs []int, scratch *[2][]uint32) []uint32 {
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

// lookUp returns the indices of the terms of p in the entry, nil if one is missing.
func (e *AnalysedDocument) lookUp(p *phrase) []int {
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
