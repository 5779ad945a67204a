package search

import (
	"cmp"
	"slices"
)

// Limits on the postings that a query evaluates, whatever its words: those that take a
// millisecond or two, and some for every entry, so that a few words are evaluated completely
// whatever their frequency.
const (
	maxPlaces      = 8_000
	placesPerEntry = 4
)

// ignoreFrequent ignores the most frequent words of a query with too many postings or too many
// words: they are the least significant. Words that no document has matter less than all others.
func (x *Index) ignoreFrequent(words []word, stops []bool) {
	places := make([]int, len(words))
	seen := map[string]bool{}
	var order []int
	for i := range words {
		if !stops[i] && !seen[words[i].text] {
			seen[words[i].text] = true
			places[i] = x.postingCount(&words[i])
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(min(places[b], 1)-min(places[a], 1), places[a]-places[b])
	})
	room := maxPlaces + placesPerEntry*len(x.entries)
	for n, i := range order {
		if room -= places[i]; n >= maxWords || room < 0 && places[i] > 0 && n > 0 {
			ignore(words, stops, words[i].text)
		}
	}
}

func ignore(words []word, stops []bool, text string) {
	for i := range words {
		stops[i] = stops[i] || words[i].text == text
	}
}

// postingCount is the number of postings of a word's readings.
func (x *Index) postingCount(w *word) (n int) {
	for _, r := range w.readings {
		for i := r.lo; i < r.hi; i++ {
			n += len(x.list(i))
		}
	}
	return n
}
