package search

import (
	"math"
	"math/bits"
)

// The constants of BM25. The title and the codes are a separate field, which has more weight
// than a word that the text repeats. Its length has little effect, because a document is not
// less relevant for having more names.
const (
	saturation = 1.6
	bodyLength = 0.5
	headLength = 0.2
	headWeight = 3.0

	// inner is what a code weighs that begins with the word that was asked for
	// but does not have it as a whole part.
	inner = 0.5
	// commonest is how rare a word can be at most: as one that so many documents have one of.
	// What the law has no use for («подскажите», «вечером») stands nowhere by chance, and
	// would else tell more than what the question is about.
	commonest = 32
	// ofAmount is what a number weighs beside a word: people say how much it was, and rules
	// seldom speak of just that sum.
	ofAmount = 0.4
)

// A norm is what of an entry no query changes: the denominator's constant part for its two
// fields, and what it is worth beside others.
type norm struct{ head, body, weight float64 }

func measure(entries []*Entry) []norm {
	var head, body float64
	for _, e := range entries {
		head, body = head+float64(e.head), body+float64(e.body)
	}
	n := max(1, float64(len(entries)))
	head, body = max(1, head/n), max(1, body/n)
	norms := make([]norm, len(entries))
	for i, e := range entries {
		norms[i].head = saturation * (1 - headLength + headLength*float64(e.head)/head)
		norms[i].weight = e.weight()
		norms[i].body = saturation * (1 - bodyLength + bodyLength*float64(e.body)/body)
	}
	return norms
}

// worth is what so many occurrences of a term in a document are worth.
func (x *Index) worth(doc uint32, head, body uint16) float64 {
	n, h, b := &x.norms[doc], float64(head), float64(body)
	return (saturation + 1) * (headWeight*h/(h+n.head) + b/(b+n.body))
}

// rarity is the inverse document frequency: what is found in few documents says
// more.
func (x *Index) rarity(found int) float64 {
	n := float64(len(x.entries))
	f := max(float64(found), n/commonest)
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// enough is what share of the best one's words a document must have to be found.
const enough = 0.2

// A Class says how many words of a query a document has.
type Class int

const (
	Unasked   Class = iota // the query has no text
	AllWords               // every word, in some form or as a synonym
	SomeWords              // not every word
	Similar                // words similar to those of the query, which no document has
)

// classes are the words by which classes are told apart.
type classes struct{ all, guessed uint64 }

func (q *question) classes() classes { return classes{q.all(), q.guessed()} }

// of says how much of the query the words are.
func (c classes) of(words uint64) Class {
	switch {
	case words&c.guessed != 0:
		return Similar
	case words == c.all:
		return AllWords
	}
	return SomeWords
}

// rarityOf adds up how rare words are.
func (q *question) rarityOf(words uint64) (sum float64) {
	for ; words != 0; words &= words - 1 {
		sum += q.words[bits.TrailingZeros64(words)].rarity
	}
	return sum
}

// shares say how much of a query each of its words is: the rarer, the more. A word
// that nothing has is none of it.
type shares struct {
	of1 [maxWords]float64
	all float64
}

func newShares(q *question) *shares {
	s := &shares{}
	for i := range q.words {
		s.of1[i] = q.words[i].rarity
		s.all += q.words[i].rarity
	}
	return s
}

func (s *shares) of(words uint64) (sum float64) {
	for ; words != 0; words &= words - 1 {
		sum += s.of1[bits.TrailingZeros64(words)]
	}
	return sum / s.all
}

// named lets the words of a name that are nowhere themselves be as rare as the name.
func (q *question) named(n *otherName) {
	for i := range q.words {
		if n.words>>i&1 == 1 && q.words[i].rarity == 0 {
			q.words[i].rarity = n.rarity
		}
	}
}

// shown is the score of a hit: above a half if it has all words, and the more the
// better it has them. It is rounded, so that machines which add up differently agree.
func (f found) shown() float64 {
	s := rounded(f.score) / (rounded(f.score) + 10)
	if f.class == AllWords {
		s++
	}
	return rounded(s / 2)
}

// weight is what the entry is worth beside others.
func (e *Entry) weight() float64 {
	if e.doc.Weight == 0 {
		return 1
	}
	return e.doc.Weight
}
