package search

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"unique"
)

const (
	// gap is the distance between the positions of two passages. It exceeds the length of
	// any phrase or window, so that none spans two passages.
	gap = 64
	// stride is the number of words between two marks in a passage.
	stride = 64
)

// Analyse analyses a document: the expensive part of indexing, done once for every version of
// it.
func Analyse(d Document) *AnalysedDocument {
	a := analysis{entry: &AnalysedDocument{doc: d.clone()}, ids: map[string]uint32{}, stems: map[string]uint32{}}
	for _, name := range append([]string{d.Title}, d.Codes...) {
		a.entry.names = append(a.entry.names, nameSpan{a.position, significantWords(name)})
		a.read(name)
	}
	a.entry.head, a.words, a.entry.bodyStart = a.words, 0, a.position
	for i, passage := range a.entry.doc.Text {
		a.passage = uint32(i)
		a.read(passage.Text)
	}
	a.entry.body = a.words
	a.finish()
	return a.entry
}

// significantWords counts the words of a name that are not stop words.
func significantWords(name string) (n uint32) {
	for s := (scanner{src: name}); s.next(); {
		if !stopWords[string(s.text)] {
			n += uint32(len(s.parts))
		}
	}
	return n
}

// An analysis collects the occurrences of one document.
type analysis struct {
	entry *AnalysedDocument

	ids   map[string]uint32 // by term
	stems map[string]uint32 // cache, by Russian word
	terms []string
	found []occurrence

	position uint32
	passage  uint32
	words    uint32
}

// An occurrence is a term and a position, in one number because that sorts fast.
type occurrence uint64

func at(term, position uint32) occurrence {
	return occurrence(term)<<32 | occurrence(position)
}

func (o occurrence) term() uint32     { return uint32(o >> 32) }
func (o occurrence) position() uint32 { return uint32(o) }

func (a *analysis) read(text string) {
	s := scanner{src: text}
	for n := 0; s.next(); n++ {
		if n%stride == 0 {
			a.entry.marks = append(a.entry.marks, mark{a.position, a.passage, uint32(s.parts[0].start)})
		}
		a.add(&s.lexeme)
	}
	a.position += gap
}

// add adds a lexeme. A code is added from each of its parts on, so that it is found by the
// prefix of any of them.
func (a *analysis) add(l *lexeme) {
	term := a.id
	if l.cyrillic {
		term = a.word
	}
	for i := range l.parts {
		a.found = append(a.found, at(term(l.suffix(i)), a.position))
		a.position++
		a.words++
	}
}

func (a *analysis) word(word []byte) uint32 {
	id, ok := a.stems[string(word)]
	if !ok {
		id = a.id([]byte(stem(string(word))))
		a.stems[string(word)] = id
	}
	return id
}

func (a *analysis) id(term []byte) uint32 {
	id, ok := a.ids[string(term)]
	if !ok {
		id = uint32(len(a.terms))
		a.terms = append(a.terms, string(term))
		a.ids[a.terms[id]] = id
	}
	return id
}

// finish sorts and packs terms and occurrences.
func (a *analysis) finish() {
	rank := a.sortTerms()
	for i, o := range a.found {
		a.found[i] = at(rank[o.term()], o.position())
	}
	slices.Sort(a.found)
	e := a.entry
	e.marks = slices.DeleteFunc(e.marks, func(m mark) bool { return m.position < e.bodyStart })
	e.uses = make([]use, len(e.terms))
	for i, o := range a.found {
		last := uint32(0)
		if i > 0 && a.found[i-1].term() == o.term() {
			last = a.found[i-1].position()
		}
		e.places = binary.AppendUvarint(e.places, uint64(o.position()-last))
		u := &e.uses[o.term()]
		u.count(o.position() < e.bodyStart)
		u.end = uint32(len(e.places))
	}
	e.places, e.marks = slices.Clip(e.places), slices.Clip(e.marks)
}

// sortTerms fills entry.terms and returns the new index of every term.
func (a *analysis) sortTerms() []uint32 {
	order, rank := make([]uint32, len(a.terms)), make([]uint32, len(a.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(a.terms[x], a.terms[y]) })
	a.entry.terms = make([]unique.Handle[string], len(order))
	for i, id := range order {
		a.entry.terms[i] = unique.Make(a.terms[id])
		rank[id] = uint32(i)
	}
	return rank
}

// count counts an occurrence, up to a maximum above which the ranking does not change.
func (u *use) count(head bool) {
	n := &u.body
	if head {
		n = &u.head
	}
	if *n < math.MaxUint16 {
		*n++
	}
}

// positions appends to dst where the i-th term is.
func (e *AnalysedDocument) positions(dst []uint32, i int) []uint32 {
	start := uint32(0)
	if i > 0 {
		start = e.uses[i-1].end
	}
	at := uint64(0)
	for rest := e.places[start:e.uses[i].end]; len(rest) > 0; {
		d, n := binary.Uvarint(rest)
		at += d
		dst, rest = append(dst, uint32(at)), rest[n:]
	}
	return dst
}
