package search

import (
	"cmp"
	"slices"
	"strings"
)

// DefaultLimit is the number of hits of a query that does not say how many.
const DefaultLimit = 20

// A Query says what to find: what has all the words and passes all the filters.
// Empty fields ask for nothing.
type Query struct {
	Text        string
	Scenario    string
	ProductType string
	Signal      string

	Limit  int // at most so many hits; DefaultLimit if not positive
	Offset int // leave out so many of the first
}

// A Result is a page of the hits.
type Result struct {
	Total int // on all pages
	Hits  []Hit
}

// A Hit is a document that was found.
type Hit struct {
	Entry   *Entry
	Score   float64 // from 0 to below 1, 0 if no text was asked for
	Snippet Snippet
}

// Search answers q.
func (x *Index) Search(q Query) Result {
	asked, all := &question{}, []found(nil)
	if strings.TrimSpace(q.Text) == "" {
		all = x.filter(q.pass)
	} else {
		asked = x.ask(q.Text)
		all = x.rank(asked, q.pass)
	}
	result := Result{Total: len(all)}
	for _, f := range q.page(all) {
		e := x.entries[f.doc]
		result.Hits = append(result.Hits, Hit{e, f.score, asked.snippet(e)})
	}
	return result
}

// filter finds what passes, in order.
func (x *Index) filter(pass func(*Entry) bool) []found {
	var all []found
	for doc, e := range x.entries {
		if pass(e) {
			all = append(all, found{doc: uint32(doc)})
		}
	}
	return all
}

// rank finds what has all words, the best first.
func (x *Index) rank(q *question, pass func(*Entry) bool) []found {
	if len(q.words) == 0 || q.hopeless() {
		return nil
	}
	all := x.count(q, pass)
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
	})
	return all
}

func (q *Query) pass(e *Entry) bool {
	d := &e.doc
	return (q.Scenario == "" || slices.Contains(d.Scenarios, q.Scenario)) &&
		(q.ProductType == "" || slices.Contains(d.ProductTypes, q.ProductType)) &&
		(q.Signal == "" || slices.Contains(d.Signals, q.Signal))
}

func (q *Query) page(all []found) []found {
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	all = all[min(max(q.Offset, 0), len(all)):]
	return all[:min(limit, len(all))]
}
