package search

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unique"
)

// An Index searches entries. It is immutable after New returned it, and any number of
// goroutines may search it.
type Index struct {
	entries []*AnalysedDocument // in the order of equal scores
	norms   []norm              // of the same length

	terms    []string // sorted
	first    []uint32 // postings[first[i]:first[i+1]] are those of terms[i]
	postings []posting

	signed [maxGuess + 1][]signedTerm // by number of letters, without those that are too long

	signals      map[string]bool // the codes to which an entry refers
	productTypes map[string]bool
	all          []KindCount // the numbers of documents

	names   *names
	phrases phrases
	tallies sync.Pool // of *tally
}

// A posting is an entry that has a term: the numbers of occurrences in its head and its body,
// and the index of the term in the entry.
type posting struct {
	doc, term  uint32
	head, body uint16
}

// New makes the index of entries, which may be shared with other indexes. Each element of
// synonyms is a group of names with one meaning. A pair of kind and id should occur once.
func New(entries []*AnalysedDocument, synonyms [][]string) *Index {
	x := &Index{entries: inOrder(entries), names: newNames(synonyms)}
	x.norms = measure(x.entries)
	x.signals = codes(x.entries, func(d *Document) []string { return d.Signals })
	x.productTypes = codes(x.entries, func(d *Document) []string { return d.ProductTypes })
	x.all = x.kinds(x.filter((&Query{}).pass))
	x.invert()
	return x
}

// codes are all values of a field of the documents.
func codes(entries []*AnalysedDocument, field func(*Document) []string) map[string]bool {
	all := map[string]bool{}
	for _, e := range entries {
		for _, code := range field(&e.doc) {
			all[code] = true
		}
	}
	return all
}

// HasSignal reports whether some entry refers to a signal.
func (x *Index) HasSignal(code string) bool { return x.signals[code] }

// HasProductType reports whether some entry has a product type.
func (x *Index) HasProductType(code string) bool { return x.productTypes[code] }

// inOrder sorts by kind and id. The kinds are in the order of their first entry.
func inOrder(entries []*AnalysedDocument) []*AnalysedDocument {
	kinds := map[string]int{}
	for _, e := range entries {
		if _, ok := kinds[e.doc.Kind]; !ok {
			kinds[e.doc.Kind] = len(kinds)
		}
	}
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b *AnalysedDocument) int {
		return cmp.Or(cmp.Compare(kinds[a.doc.Kind], kinds[b.doc.Kind]), cmp.Compare(a.doc.ID, b.doc.ID))
	})
	return entries
}

// invert fills terms, first and postings: it numbers the terms, counts and sorts them, and
// then places every posting.
func (x *Index) invert() {
	number, met, handles := x.numberTerms()
	order := make([]uint32, len(handles))
	for i := range order {
		order[i] = uint32(i)
	}
	x.terms = make([]string, len(handles))
	for i, h := range handles {
		x.terms[i] = h.Value()
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(x.terms[a], x.terms[b]) })
	x.first = make([]uint32, len(handles)+1)
	next, end := make([]uint32, len(handles)), uint32(0) // next is by number
	for i, n := range order {
		next[n] = end
		end += met[n]
		x.first[i+1] = end
	}
	slices.Sort(x.terms)
	x.sign()
	x.place(number, next)
}

// signedTerm is a word for a term, with its signature.
type signedTerm struct {
	signature uint64
	word      string
	term      uint32
}

// sign fills signed: the terms, and the words of their families.
func (x *Index) sign() {
	for i, term := range x.terms {
		x.signWord(term, i)
	}
	for _, word := range relatedWords() {
		if i, end := x.span(familyStem()[word], false); i < end && word != x.terms[i] {
			x.signWord(word, i)
		}
	}
}

func (x *Index) signWord(word string, term int) {
	if mask, letters := signature(word); letters <= maxGuess {
		x.signed[letters] = append(x.signed[letters], signedTerm{mask, word, uint32(term)})
	}
}

// numberTerms returns the number of the term of every posting, and for each number the count
// and the term.
func (x *Index) numberTerms() (number, met []uint32, handles []unique.Handle[string]) {
	total := 0
	for _, e := range x.entries {
		total += len(e.terms)
	}
	number = make([]uint32, 0, total)
	numbers := map[unique.Handle[string]]uint32{}
	for _, e := range x.entries {
		for _, h := range e.terms {
			n, ok := numbers[h]
			if !ok {
				n = uint32(len(handles))
				numbers[h] = n
				handles, met = append(handles, h), append(met, 0)
			}
			met[n]++
			number = append(number, n)
		}
	}
	return number, met, handles
}

// place writes the postings, those of number n from next[n] on.
func (x *Index) place(number, next []uint32) {
	x.postings = make([]posting, len(number))
	for doc, e := range x.entries {
		for i, u := range e.uses {
			at := &next[number[i]]
			x.postings[*at] = posting{uint32(doc), uint32(i), u.head, u.body}
			*at++
		}
		number = number[len(e.uses):]
	}
}

// list returns the postings of the i-th term, in the order of documents.
func (x *Index) list(i int) []posting { return x.postings[x.first[i]:x.first[i+1]] }

// span returns which of the index's terms are text or begin with it.
func (x *Index) span(text string, prefix bool) (lo, hi int) {
	return span(len(x.terms), func(i int) string { return x.terms[i] }, text, prefix)
}

// span returns the range of terms from lo up to hi that are text or, if prefix is set, begin
// with it. The n terms must be sorted.
func span(n int, term func(int) string, text string, prefix bool) (lo, hi int) {
	lo = sort.Search(n, func(i int) bool { return term(i) >= text })
	if !prefix {
		if lo < n && term(lo) == text {
			return lo, lo + 1
		}
		return lo, lo
	}
	end := text + "\xff" // greater than any text with that prefix: 0xff is not in UTF-8
	return lo, lo + sort.Search(n-lo, func(i int) bool { return term(lo+i) >= end })
}
