package search

import (
	"math"
	"math/bits"
	"slices"
)

// A tally collects the scores of all documents in one search. An index reuses tallies,
// because clearing one is cheaper than allocating one.
type tally struct {
	x    *Index
	docs []count

	// The best occurrences of the current word, and the documents that have one.
	best    []float64
	touched []uint32

	scratch [2][]uint32
	found   []found
}

// A count has the bits of the words found, the sum of their scores, and that of their
// rarities, which determines their share in the query.
type count struct {
	words     uint64
	sum, rare float64
}

// found is a document that has words of the query.
type found struct {
	doc   uint32
	class Coverage
	words uint64
	score float64
	share float64 // of its words in the query

	rounded float64 // the score used for sorting
}

func (x *Index) tally() *tally {
	if t, ok := x.tallies.Get().(*tally); ok {
		clear(t.docs)
		return t
	}
	return &tally{x: x, docs: make([]count, len(x.entries)), best: make([]float64, len(x.entries))}
}

// count returns the documents with a sufficient share of the words, unsorted.
func (x *Index) count(q *question, filters *Query) []found {
	t := x.tally()
	defer x.tallies.Put(t)
	for i := range q.words {
		t.addWord(q, i)
	}
	for i := range q.names {
		if n := &q.names[i]; bits.OnesCount64(n.words) > 1 {
			t.addName(q, n)
		}
	}
	all := t.withShare(q, filters.passExceptKinds, filters.passKind)
	if len(all) == 0 && len(filters.Kinds) > 0 {
		// if no document has enough, those of these kinds with any share
		all = t.withShare(q, filters.pass, (&Query{}).pass)
	}
	return all
}

// withShare returns the documents of some kinds with a sufficient share of the query,
// relative to the best that passes, of any kind.
func (t *tally) withShare(q *question, pass, ofKind func(*AnalysedDocument) bool) []found {
	whole, classes, best := newShares(q).all, q.classes(), 0.0
	near := t.found[:0]
	for doc, c := range t.docs {
		share := c.rare / whole
		if c.words == 0 || share < best*minShare || !pass(t.x.entries[doc]) {
			continue
		}
		best = max(best, share)
		near = append(near, found{
			doc: uint32(doc), words: c.words, class: classes.classOf(c.words), share: share,
			score: c.sum * math.Sqrt(share) * t.x.norms[doc].weight,
		})
	}
	t.found = slices.DeleteFunc(
		near, func(f found) bool { return f.share < best*minShare || !ofKind(t.x.entries[f.doc]) },
	)
	return slices.Clone(t.found)
}

// addWord counts the occurrences of a word and of its synonyms. They have one rarity, that of
// finding either.
func (t *tally) addWord(q *question, i int) {
	w, bit := &q.words[i], uint64(1)<<i
	for _, r := range w.readings {
		for i := r.lo; i < r.hi; i++ {
			weight := r.weight
			if !hasWholeParts(t.x.terms[i], r.text) {
				weight *= innerPartWeight
			}
			for _, p := range t.x.list(i) {
				t.touch(p.doc, weight*t.x.worth(p.doc, p.head, p.body))
			}
		}
	}
	for i := range q.names {
		if n := &q.names[i]; n.words == bit {
			t.touchName(n)
		}
	}
	if len(t.touched) > 0 {
		w.rarity = t.x.rarity(len(t.touched))
		if w.isAmount() {
			w.rarity *= amountWeight
		}
	}
	for _, doc := range t.touched {
		c := &t.docs[doc]
		c.words |= bit
		c.rare += w.rarity
		c.sum += float64(w.rarity * t.best[doc])
	}
	t.untouch()
}

// hasWholeParts reports whether text, a prefix of term, ends at the end of a part.
func hasWholeParts(term, text string) bool {
	return len(term) == len(text) || term[len(text)] == '.'
}

// addName counts a synonym. It adds nothing for words that the document has itself.
func (t *tally) addName(q *question, n *otherName) {
	t.touchName(n)
	if len(t.touched) > 0 {
		n.rarity = t.x.rarity(len(t.touched))
		q.raiseRarity(n)
	}
	for _, doc := range t.touched {
		c := &t.docs[doc]
		if more := n.words &^ c.words; more != 0 {
			c.rare += q.rarityOf(more)
			c.words |= n.words
			c.sum += float64(min(n.rarity, q.rarityOf(n.words)) * t.best[doc])
		}
	}
	t.untouch()
}

func (t *tally) touchName(n *otherName) {
	for _, p := range t.x.phrase(&n.phrase, &t.scratch) {
		t.touch(p.doc, otherwise*t.x.worth(p.doc, p.head, p.body))
	}
}

func (t *tally) touch(doc uint32, worth float64) {
	if t.best[doc] == 0 {
		t.touched = append(t.touched, doc)
	}
	t.best[doc] = max(t.best[doc], worth)
}

func (t *tally) untouch() {
	for _, doc := range t.touched {
		t.best[doc] = 0
	}
	t.touched = t.touched[:0]
}
