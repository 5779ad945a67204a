package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Words that are far apart in a long text are weak evidence: an instruction of seventy pages
// contains nearly all words. So the best documents by their words alone are ranked again by how
// many of the words are in the title and in one passage of the text.
const (
	// looked is how many of the best are looked at again.
	looked = 48
	// placeWords is how many words apart they may be in one place.
	placeWords = 12
	// inTitle is how much of it depends on the words being in the title or the codes:
	// what is about them says so there.
	inTitle = 0.4
)

// lookAgain weighs the best anew by the words that they have in one place, and puts
// them first. Of the others the first are in order too.
func (x *Index) lookAgain(q *question, all []found, first int) {
	bestFirst(all, max(first, looked))
	shares := newShares(q)
	best := all[:min(looked, len(all))]
	for i := range best {
		f := &best[i]
		e := x.entries[f.doc]
		head := q.inHead(e)
		together := q.together(e, head, shares)
		if f.class == AllWords && together != q.all() {
			f.class = SomeWords
		}
		share := (1-inTitle)*shares.of(together) + inTitle*shares.of(together&head)
		like := q.likeness(e, shares)
		f.score *= share * math.Sqrt(share) * (1 + called*like*like*like*like)
	}
	bestFirst(best, len(best))
	q.follow(all[len(best):], best)
}

// follow lets what was not looked at again come after what was: how close its words are
// is not known.
func (q *question) follow(others, best []found) {
	for i := range others {
		f := &others[i]
		f.score = min(f.score, best[len(best)-1].score)
		if f.class == AllWords && len(q.words) > 1 {
			f.class = SomeWords
		}
	}
}

// together returns the words that the head of an entry and one place of its text have,
// the place where these are most.
func (q *question) together(e *Entry, head uint64, s *shares) uint64 {
	best, most := head, s.of(head)
	matches := q.matches(e)
	var counts [maxWords]int
	words, from := head, 0
	for _, m := range matches {
		words |= m.words
		for b := m.words; b != 0; b &= b - 1 {
			counts[bits.TrailingZeros64(b)]++
		}
		for m.position-matches[from].position >= placeWords {
			for b := matches[from].words; b != 0; b &= b - 1 {
				if i := bits.TrailingZeros64(b); counts[i] == 1 {
					counts[i] = 0
					words &^= 1 << i &^ head
				} else {
					counts[i]--
				}
			}
			from++
		}
		if share := s.of(words); share > most {
			best, most = words, share
		}
	}
	return best
}

// inHead returns the words that are in the title or the codes.
func (q *question) inHead(e *Entry) (words uint64) {
	for i, w := range q.words {
		for _, r := range w.readings {
			for j, hi := e.span(r.text, r.prefix); j < hi; j++ {
				if e.uses[j].head > 0 {
					words |= 1 << i
				}
			}
		}
	}
	var scratch [2][]uint32
	for _, n := range q.names {
		refs := e.lookUp(&n.phrase)
		if n.words&^words == 0 || refs == nil {
			continue
		}
		if at := e.occurrences(&n.phrase, refs, &scratch); len(at) > 0 && at[0] < e.bodyStart {
			words |= n.words
		}
	}
	return words
}

// compare puts what has all words first, and then what is worth more.
func (f found) compare(g found) int {
	if n := first(f.class == AllWords, g.class == AllWords); n != 0 {
		return n
	}
	if n := cmp.Compare(g.rounded, f.rounded); n != 0 {
		return n
	}
	return cmp.Compare(f.doc, g.doc)
}

// bestFirst puts the n best first, in their order: nobody turns to the last of thousands.
func bestFirst(all []found, n int) {
	for i := range all {
		all[i].rounded = rounded(all[i].score)
	}
	n = min(n, len(all))
	gather(all, n)
	slices.SortFunc(all[:n], found.compare)
}

// gather puts the n best before the others, in no order (quickselect).
func gather(all []found, n int) {
	for 0 < n && n < len(all) {
		pivot, i, j := all[len(all)/2], 0, len(all)-1
		for i <= j {
			for all[i].compare(pivot) < 0 {
				i++
			}
			for all[j].compare(pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j+1:
			all = all[:j+1]
		case n > i:
			all, n = all[i:], n-i
		default:
			return // between the two parts there is at most the pivot
		}
	}
}

// first compares by what comes first.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// rounded lets machines which add up differently agree on the order.
func rounded(score float64) float64 { return math.Round(score*1e6) / 1e6 }
