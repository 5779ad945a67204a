package search

import "math"

// The constants of BM25. The title and the codes count as a field of their own,
// which weighs more than a word that the text repeats without end, and whose
// length matters less.
const (
	saturation = 1.2
	bodyLength = 0.75
	headLength = 0.4
	headWeight = 2.5

	// inner is what a code weighs that begins with the word that was asked for
	// but does not have it as a whole part.
	inner = 0.5
)

// A norm is the denominator's constant part for the two fields of an entry.
type norm struct{ head, body float64 }

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
	n, f := float64(len(x.entries)), float64(found)
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// score is the share of the words that were found as they were asked for, plus
// the sum of BM25 squeezed below what one more such word is worth. It is
// rounded, so that machines which add up differently agree on the order.
func score(literal, words int, sum float64) float64 {
	s := (float64(literal) + sum/(sum+1)) / float64(words+1)
	return math.Round(s*1e6) / 1e6
}
