package search

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// phrases are those names of synonyms that were looked for, with where they are: to
// find that out is most of what a search costs for a name that has others. No query
// adds another one, but a glossary may be long: keptPostings is how much is kept.
type phrases struct {
	known sync.Map // []posting by key
	size  atomic.Int64
}

// keptPostings is 12 MB.
const keptPostings = 1 << 20

// phrase returns the documents that have a phrase, and how often. Of a phrase of one
// term these are the term's; otherwise it goes through those that have the rarest.
func (x *Index) phrase(p *phrase, scratch *[2][]uint32) []posting {
	if found, ok := x.phrases.known.Load(p.key); ok {
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
	if x.phrases.size.Add(int64(len(found))) <= keptPostings {
		x.phrases.known.Store(p.key, found)
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

// inAll says whether doc is in all lists, and sets refs to its terms there.
// Documents must be asked for in order: it drops what comes before.
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
