package search

import "math/bits"

// maxWords is the number of different words of a query that count: one bit each.
const maxWords = 64

// A question is the text of a query as the index understands it. Words are
// numbered by bits.
type question struct {
	words []word
	names []otherName
}

// A word of the query: the terms from lo up to hi match it.
type word struct {
	text   string
	prefix bool
	parts  uint32 // how many positions the match takes
	lo, hi int
	rarity float64
}

// An otherName stands for those words of the query that are one name of a group
// of synonyms: it is another one of the group.
type otherName struct {
	phrase
	words  uint64
	rarity float64
}

// all has the bits of all words.
func (q *question) all() uint64 { return 1<<len(q.words) - 1 }

// ask reads text. The result has no words if there are none.
func (x *Index) ask(text string) *question {
	words, stops := x.readQuery(text)
	q, seen := &question{}, map[string]uint64{}
	bit := make([]uint64, len(words)) // of every word, 0 for one that is ignored
	for i, w := range words {
		if stops[i] {
			continue
		}
		if seen[w.text] == 0 && len(q.words) < maxWords {
			seen[w.text] = 1 << len(q.words)
			q.words = append(q.words, w)
		}
		bit[i] = seen[w.text]
	}
	x.addNames(q, words, bit)
	return q
}

// readQuery returns the words of text, and for each whether to ignore it.
func (x *Index) readQuery(text string) (words []word, stops []bool) {
	useful := false
	for s := (scanner{src: text}); s.next(); {
		w := word{text: s.term(), parts: uint32(len(s.parts))}
		w.prefix = !s.cyrillic && len(w.text) > 1 && !s.isNumber()
		w.lo, w.hi = x.span(w.text, w.prefix)
		stop := stopWords[string(s.text)]
		useful = useful || !stop
		words, stops = append(words, w), append(stops, stop)
	}
	if !useful {
		clear(stops)
	}
	return words, stops
}

// addNames looks at every run of words that may be a name.
func (x *Index) addNames(q *question, words []word, bit []uint64) {
	known := map[string]uint64{}
	for i := range words {
		var keys []string
		var mask uint64
		for j := i; j < len(words) && j < i+longestName; j++ {
			keys, mask = append(keys, words[j].text), mask|bit[j]
			for _, p := range x.names.others(phraseKey(keys)) {
				if mask&^known[p.key] != 0 {
					known[p.key] |= mask
					q.names = append(q.names, otherName{phrase: p, words: mask})
				}
			}
		}
	}
}

// hopeless says whether some word cannot be found in any document, neither as
// it was asked for nor by another name.
func (q *question) hopeless() bool {
	var found uint64
	for i, w := range q.words {
		if w.lo < w.hi {
			found |= 1 << i
		}
	}
	for _, n := range q.names {
		found |= n.words
	}
	return bits.OnesCount64(found) < len(q.words)
}
