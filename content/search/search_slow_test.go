//go:build slow

package search

import (
	"testing"
)

// Scores and classes go down, over all pages, however many are found.
func TestScoresGoDown(t *testing.T) {
	entries := newCorpus(t).entries(300)
	x := New(entries, synonyms)
	for _, text := range []string{"банк", "банк вклада", "банк вклада абракадабра",
		"депозит банк", "product.dep банк"} {
		_, hits := x.find(&Query{Text: text}, 500)
		if len(hits) < rerankCount {
			t.Fatalf("%s: %d hits", text, len(hits))
		}
		for i := 1; i < len(hits); i++ {
			if a, b := hits[i-1], hits[i]; goesUp(a, b) {
				t.Errorf("%s: hit %d: %v %v after %v %v", text, i, b.class, b.score, a.class, a.score)
			}
		}
	}
}
