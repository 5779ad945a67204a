package search

import (
	"fmt"
	"strings"
	"testing"
)

// Of very many words that stand everywhere, those count that tell the most, and what a
// search counts is bounded.
func TestFrequentWords(t *testing.T) {
	var everywhere []string
	for i := range 40 {
		everywhere = append(everywhere, fmt.Sprintf("everywhere%c%c", 'a'+i/20, 'a'+i%20))
	}
	var entries []*AnalysedDocument
	const n = 1500
	for i := range n {
		text := strings.Join(everywhere, " ")
		if i == n/2 {
			text += " needle"
		}
		entries = append(entries, Analyse(Document{ID: fmt.Sprint("d", i), Title: "x", Text: passages(text)}))
	}
	x := New(entries, nil)
	q := x.ask(strings.Join(everywhere, " ") + " needle")
	places := 0
	for i := range q.words {
		places += x.postingCount(&q.words[i])
	}
	if most := maxPlaces + placesPerEntry*n; places > most || len(q.words) < 10 {
		t.Errorf("%d places of %d words are counted, at most %d", places, len(q.words), most)
	}
	if r := x.Search(Query{Text: strings.Join(everywhere, " ") + " needle"}); len(r.Hits) == 0 ||
		r.Hits[0].Entry != entries[n/2] {
		t.Errorf("%d are found, the one with the rare word is not the first", r.Total)
	}
	few := x.ask(strings.Join(everywhere[:4], " "))
	if len(few.words) != 4 {
		t.Errorf("%d of four words count", len(few.words))
	}
}
