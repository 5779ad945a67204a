package search

import "slices"

// Limits on the postings that a query evaluates, whatever its words: those that take a
// millisecond or two, and some for every entry, so that a few words are evaluated completely
// whatever their frequency.
const (
	maxPlaces      = 8_000
	placesPerEntry = 4
)

// ignoreFrequent has the words ignored that stand in the most places, if it would take
// long to count them all: of many words these tell the least.
func (x *Index) ignoreFrequent(words []word, stops []bool) {
	places := make([]int, len(words))
	seen := map[string]bool{}
	var order []int
	for i := range words {
		if !stops[i] && !seen[words[i].text] {
			seen[words[i].text] = true
			places[i] = x.places(&words[i])
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return places[a] - places[b] })
	room := maxPlaces + placesPerEntry*len(x.entries)
	for n, i := range order {
		if room -= places[i]; room < 0 && n > 0 {
			ignore(words, stops, words[i].text)
		}
	}
}

func ignore(words []word, stops []bool, text string) {
	for i := range words {
		stops[i] = stops[i] || words[i].text == text
	}
}

// places is in how many places the readings of a word stand.
func (x *Index) places(w *word) (n int) {
	for _, r := range w.readings {
		for i := r.lo; i < r.hi; i++ {
			n += len(x.list(i))
		}
	}
	return n
}
