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

	// innerPartWeight is the weight of a code that begins with the word of the query, but
	// does not have it as a whole part.
	innerPartWeight = 0.5
	// rarestOneIn limits the rarity of a word to that of one in every 32 documents. Otherwise
	// words that laws do not use («подскажите», «вечером») would outweigh the subject.
	rarestOneIn = 32
	// amountWeight is the weight of an amount relative to a word: amounts in questions seldom
	// occur in rules.
	amountWeight = 0.4
)

// A norm has the factors of an entry that do not depend on the query: the constant parts of
// the denominators of its two fields, and its weight.
type norm struct{ head, body, weight float64 }

func measure(entries []*AnalysedDocument) []norm {
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

// worth is the BM25 score of a number of occurrences of a term in a document.
func (x *Index) worth(doc uint32, head, body uint16) float64 {
	n, h, b := &x.norms[doc], float64(head), float64(body)
	return (saturation + 1) * (headWeight*h/(h+n.head) + b/(b+n.body))
}

// rarity is the inverse document frequency of a term.
func (x *Index) rarity(found int) float64 {
	n := float64(len(x.entries))
	f := max(float64(found), n/rarestOneIn)
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// minShare is the minimum share of the query that a document must have, relative to the best
// one.
const minShare = 0.2

// A Class is how many words of a query a document has.
type Coverage int

const (
	Unasked   Coverage = iota // the query has no text
	AllWords                  // every word, in some form or as a synonym
	SomeWords                 // not every word
	Similar                   // words similar to those of the query, which no document has
)

// classes has the words that determine the class.
type classes struct{ all, guessed uint64 }

func (q *question) classes() classes { return classes{q.all(), q.guessed()} }

// classOf is the class of a document with these words.
func (c classes) classOf(words uint64) Coverage {
	switch {
	case words&c.guessed != 0:
		return Similar
	case words == c.all:
		return AllWords
	}
	return SomeWords
}

// rarityOf is the sum of the rarities of words.
func (q *question) rarityOf(words uint64) (sum float64) {
	for ; words != 0; words &= words - 1 {
		sum += q.words[bits.TrailingZeros64(words)].rarity
	}
	return sum
}

// shares has the share of each word in a query, by rarity. A word that no document has counts
// 0.
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

// raiseRarity gives the words of a name that no document has the rarity of the name.
func (q *question) raiseRarity(n *otherName) {
	for i := range q.words {
		if n.words>>i&1 == 1 && q.words[i].rarity == 0 {
			q.words[i].rarity = n.rarity
		}
	}
}

// weight is the factor of the entry in the ranking.
func (e *AnalysedDocument) weight() float64 {
	if e.doc.Weight == 0 {
		return 1
	}
	return e.doc.Weight
}
