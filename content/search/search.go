package search

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Query says what to find: documents with all the words that pass all the filters. Empty
// fields are no filters.
type Query struct {
	Text        string
	Kinds       []string // one of them
	Scenario    string
	ProductType string
	Signal      string

	Limit  int // maximum number of hits; not positive: all of them
	Offset int // number of hits to skip
}

// A Result is a page of hits.
type Result struct {
	Total int // on all pages
	Hits  []Hit

	Suggestion *Suggestion // nil if some document has all words

	Unfit   bool     // no document answers the query, which has no filters: the hits are only near it
	Unknown []string // the words of such a query that no document has, nor similar ones
}

// A Hit is a matching document.
type Hit struct {
	Entry   *AnalysedDocument
	Class   Coverage
	Words   []string // the words of the query that it has, as written in the query
	Snippet Snippet
}

// Search answers q.
func (x *Index) Search(q Query) Result {
	asked, all := x.find(&q, q.pageEnd())
	result := Result{Total: len(all)}
	if len(all) == 0 || all[0].class > AllWords {
		s := x.suggest(asked)
		s.Text = corrected(q.Text, s.Words)
		s.Kinds = x.kinds(x.unfiltered(q, asked, all))
		if len(s.Kinds)+len(s.Titles)+len(s.Words) == 0 {
			s.Kinds = slices.Clone(x.all)
		}
		result.Suggestion = &s
	}
	if len(asked.words) > 0 && !q.hasFilters() && (len(all) == 0 || !asked.fits(all[0].words)) {
		result.Unfit, result.Unknown = true, asked.unknown()
	}
	for _, f := range q.page(all) {
		e := x.entries[f.doc]
		result.Hits = append(result.Hits, Hit{e, f.class, asked.wordsAsked(f.words), asked.snippet(e, f.words)})
	}
	return result
}

// Find lists all hits, without pages.
func (x *Index) Find(q Query) (entries []*AnalysedDocument) {
	_, all := x.find(&q, math.MaxInt)
	for _, f := range all {
		entries = append(entries, x.entries[f.doc])
	}
	return entries
}

// unfiltered returns the hits of a query without its filters; all is its hits with them.
func (x *Index) unfiltered(q Query, asked *question, all []found) []found {
	if !q.hasFilters() {
		return all
	}
	q = Query{Text: q.Text}
	if q.isBlank() {
		return x.filter(q.pass)
	}
	return x.count(asked, &q)
}

// find returns the hits of a query, of which the first are sorted.
func (x *Index) find(q *Query, first int) (*question, []found) {
	if q.isBlank() {
		return &question{}, x.filter(q.pass)
	}
	asked := x.ask(q.Text)
	return asked, x.rank(asked, q, first)
}

// filter returns the entries that pass, in order.
func (x *Index) filter(pass func(*AnalysedDocument) bool) []found {
	var all []found
	for doc, e := range x.entries {
		if pass(e) {
			all = append(all, found{doc: uint32(doc)})
		}
	}
	return all
}

// rank returns the hits of a question: those with all words first. The first hits are sorted.
func (x *Index) rank(q *question, filters *Query, first int) []found {
	if len(q.words) == 0 {
		return nil
	}
	all := x.count(q, filters)
	x.rerank(q, all, first)
	return all
}

// corrected returns a text with each word that has a guess replaced by it, "" if no word has.
func corrected(text string, guesses []Guess) string {
	if len(guesses) == 0 {
		return ""
	}
	for _, g := range guesses {
		text = strings.Replace(text, g.Asked, g.Meant, 1)
	}
	return text
}

// fits reports whether a document with these words answers the question: it has all of them, nearly three, or
// half of them if documents have the others. A similar word counts half.
func (q *question) fits(words uint64) bool {
	similar := bits.OnesCount64(words & q.guessed())
	halves := 2*bits.OnesCount64(words) - similar
	return words == q.all() || halves >= 5 || halves > len(q.words) || halves == len(q.words) && len(q.unknown()) == 0
}

// unknown lists the words of more than three letters, as written, that no document has, nor words similar to
// them.
func (q *question) unknown() (all []string) {
	var named uint64
	for _, n := range q.names {
		named |= n.words
	}
	for i, w := range q.words {
		known := len(w.readings) > 0 || named>>i&1 == 1
		if !known && utf8.RuneCountInString(w.asked) > 3 && !slices.Contains(all, w.asked) {
			all = append(all, w.asked)
		}
	}
	return all
}

// wordsAsked lists words of the query as written.
func (q *question) wordsAsked(words uint64) (all []string) {
	for i := range q.words {
		if asked := q.words[i].asked; words>>i&1 == 1 && !slices.Contains(all, asked) {
			all = append(all, asked)
		}
	}
	return all
}

// isBlank reports whether the query has no text.
func (q *Query) isBlank() bool { return strings.TrimSpace(q.Text) == "" }

// hasFilters reports whether a filter is set.
func (q *Query) hasFilters() bool {
	return len(q.Kinds) > 0 || q.Scenario != "" || q.ProductType != "" || q.Signal != ""
}

func (q *Query) pass(e *AnalysedDocument) bool { return q.passKind(e) && q.passExceptKinds(e) }

func (q *Query) passKind(e *AnalysedDocument) bool {
	return len(q.Kinds) == 0 || slices.Contains(q.Kinds, e.doc.Kind)
}

// passExceptKinds reports whether an entry passes all filters except that of kinds.
func (q *Query) passExceptKinds(e *AnalysedDocument) bool {
	d := &e.doc
	return (q.Scenario == "" || slices.Contains(d.Scenarios, q.Scenario)) &&
		(q.ProductType == "" || slices.Contains(d.ProductTypes, q.ProductType)) &&
		(q.Signal == "" || slices.Contains(d.Signals, q.Signal))
}

func (q *Query) page(all []found) []found {
	all = all[min(max(q.Offset, 0), len(all)):]
	return all[:min(q.limit(), len(all))]
}

func (q *Query) limit() int {
	if q.Limit <= 0 {
		return math.MaxInt
	}
	return q.Limit
}

// pageEnd is the number of hits up to the end of the page.
func (q *Query) pageEnd() int {
	if offset := max(q.Offset, 0); offset < math.MaxInt-q.limit() {
		return offset + q.limit()
	}
	return math.MaxInt
}
