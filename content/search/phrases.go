package search

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// phrases caches the postings of synonyms, which are the most expensive part of a search for
// a name with synonyms. Queries do not add phrases, but a glossary can be long, so the size
// is limited by maxCachedPostings.
type phrases struct {
	cached sync.Map // []posting by key
	size   atomic.Int64
}

// maxCachedPostings is 12 MB.
const maxCachedPostings = 1 << 20

// phrase returns the postings of a phrase: those of its term, if it has one, otherwise found
// by searching the documents with the rarest term.
func (x *Index) phrase(p *phrase, scratch *[2][]uint32) []posting {
	if found, ok := x.phrases.cached.Load(p.key); ok {
		return found.([]posting)
	}
	lists := x.lists(p)
	if len(lists) == 1 {
		return lists[0]
	}
	var found []posting
	refs := make([]int, len(lists))
	for _, candidate := range shortest(lists) {
		if !inAll(lists, candidate.doc, refs) {
			continue
		}
		e := x.entries[candidate.doc]
		var u use
		for _, position := range e.occurrences(p, refs, scratch) {
			u.count(position < e.bodyStart)
		}
		if u != (use{}) {
			found = append(found, posting{doc: candidate.doc, head: u.head, body: u.body})
		}
	}
	if x.phrases.size.Add(int64(len(found))) <= maxCachedPostings {
		x.phrases.cached.Store(p.key, found)
	}
	return found
}

// lists returns the postings of the terms of p.
func (x *Index) lists(p *phrase) [][]posting {
	lists := make([][]posting, len(p.terms))
	for i, term := range p.terms {
		if lo, hi := x.span(term.text, false); lo < hi {
			lists[i] = x.list(lo)
		}
	}
	return lists
}

func shortest(lists [][]posting) []posting {
	return slices.MinFunc(lists, func(a, b []posting) int { return len(a) - len(b) })
}

// inAll reports whether doc is in all lists, and sets refs to its terms in them. Calls must
// be in the order of documents, as smaller ones are removed from the lists.
func inAll(lists [][]posting, doc uint32, refs []int) bool {
	for i, list := range lists {
		at := sort.Search(len(list), func(i int) bool { return list[i].doc >= doc })
		lists[i] = list[at:]
		if at == len(list) || list[at].doc != doc {
			return false
		}
		refs[i] = int(list[at].term)
	}
	return true
}
