package search

import "math/bits"

// A tally is what one search knows of every document. An index keeps used ones,
// because clearing one is cheaper than making one.
type tally struct {
	x    *Index
	docs []count

	// The best occurrence of the word at hand, and the documents that have one.
	best    []float64
	touched []uint32

	scratch [2][]uint32
}

// A count has the bits of the words that were found as they were asked for and
// of those found by another name, and the sum of what they are worth.
type count struct {
	literal, named uint64
	sum            float64
}

// found is a document that has all words.
type found struct {
	doc   uint32
	score float64
}

func (x *Index) tally() *tally {
	if t, ok := x.tallies.Get().(*tally); ok {
		clear(t.docs)
		return t
	}
	return &tally{x: x, docs: make([]count, len(x.entries)), best: make([]float64, len(x.entries))}
}

// count answers q: the documents that have all words, in no order of interest.
func (x *Index) count(q *question, pass func(*Entry) bool) []found {
	t := x.tally()
	for i := range q.words {
		t.addWord(&q.words[i], 1<<i)
	}
	for i := range q.names {
		t.addName(&q.names[i])
	}
	var all []found
	for doc, c := range t.docs {
		if c.literal|c.named == q.all() && pass(x.entries[doc]) {
			s := score(bits.OnesCount64(c.literal), len(q.words), c.sum)
			all = append(all, found{uint32(doc), s})
		}
	}
	x.tallies.Put(t)
	return all
}

// addWord counts a word where it stands as it was asked for.
func (t *tally) addWord(w *word, bit uint64) {
	for i := w.lo; i < w.hi; i++ {
		weight := 1.0
		if !whole(t.x.terms[i], w.text) {
			weight = inner
		}
		for _, p := range t.x.list(i) {
			t.touch(p.doc, weight*t.x.worth(p.doc, p.head, p.body))
		}
	}
	w.rarity = t.x.rarity(len(t.touched))
	for _, doc := range t.touched {
		c := &t.docs[doc]
		c.literal |= bit
		c.sum += float64(w.rarity * t.best[doc])
	}
	t.untouch()
}

// whole says whether term, which begins with text, has it as whole parts.
func whole(term, text string) bool {
	return len(term) == len(text) || term[len(text)] == '.'
}

// addName counts another name. A word that the document has anyway gains
// nothing from it.
func (t *tally) addName(n *otherName) {
	for _, p := range t.x.phrase(&n.phrase, &t.scratch) {
		t.touch(p.doc, t.x.worth(p.doc, p.head, p.body))
	}
	n.rarity = t.x.rarity(len(t.touched))
	for _, doc := range t.touched {
		c := &t.docs[doc]
		if n.words&^(c.literal|c.named) != 0 {
			c.named |= n.words &^ c.literal
			c.sum += float64(n.rarity * t.best[doc])
		}
	}
	t.untouch()
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
