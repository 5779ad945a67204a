package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Words that are far apart in a long text are weak evidence: an instruction of seventy pages
// contains nearly all words, and so have fifty search terms together. The best documents by their
// words alone are therefore ranked again by how many of the words are in one name and one passage.
const (
	// rerankCount is how many of the best documents are ranked again.
	rerankCount = 48
	// passageWords is the maximum distance of words that count as close, in words.
	passageWords = 12
	// nameShare is the part of the factor that depends on words in a name: names say what the
	// subject of the document is.
	nameShare = 0.4
)

// rerank multiplies the scores of the best documents by the share of the words that are close
// together, and sorts them first. The first of the others are sorted too.
func (x *Index) rerank(q *question, all []found, first int) {
	sortBest(all, max(first, rerankCount))
	shares := newShares(q)
	best := all[:min(rerankCount, len(all))]
	for i := range best {
		f := &best[i]
		e := x.entries[f.doc]
		head, text := q.matches(e, f.words)
		named, like := e.bestName(head, shares)
		together := closeWords(text, named, shares)
		if f.class == AllWords && together != q.all() {
			f.class = SomeWords
		}
		share := (1-nameShare)*shares.of(together) + nameShare*shares.of(named)
		f.score *= share * (1 + nameWeight*like*like*like*like)
	}
	sortBest(best, len(best))
	q.rankBelow(all[len(best):], best)
}

// rankBelow limits the scores of documents that were not ranked again: the closeness of their
// words is unknown.
func (q *question) rankBelow(others, best []found) {
	for i := range others {
		f := &others[i]
		f.score = min(f.score, best[len(best)-1].score)
		if f.class == AllWords && len(q.words) > 1 {
			f.class = SomeWords
		}
	}
}

// closeWords returns the words in a name of an entry and in one part of its text: the part that has
// most of them.
func closeWords(matches []match, named uint64, s *shares) uint64 {
	best, most := named, s.of(named)
	var counts [maxWords]int
	words, from := named, 0
	for _, m := range matches {
		words |= m.words
		for b := m.words; b != 0; b &= b - 1 {
			counts[bits.TrailingZeros64(b)]++
		}
		for m.position-matches[from].position >= passageWords {
			for b := matches[from].words; b != 0; b &= b - 1 {
				if i := bits.TrailingZeros64(b); counts[i] == 1 {
					counts[i] = 0
					words &^= 1 << i &^ named
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

// compare orders documents with all words first, then by score.
func (f found) compare(g found) int {
	if n := trueFirst(f.class == AllWords, g.class == AllWords); n != 0 {
		return n
	}
	if n := cmp.Compare(g.rounded, f.rounded); n != 0 {
		return n
	}
	return cmp.Compare(f.doc, g.doc)
}

// sortBest moves the n best to the front and sorts them: only these are shown.
func sortBest(all []found, n int) {
	for i := range all {
		all[i].rounded = rounded(all[i].score)
	}
	n = min(n, len(all))
	partitionBest(all, n)
	slices.SortFunc(all[:n], found.compare)
}

// partitionBest moves the n best to the front, unsorted (quickselect).
func partitionBest(all []found, n int) {
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
			return // at most the pivot is between the two parts
		}
	}
}

// trueFirst compares two conditions: true is before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// rounded rounds a score, so that machines with different rounding errors sort alike.
func rounded(score float64) float64 { return math.Round(score*1e6) / 1e6 }
