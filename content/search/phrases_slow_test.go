//go:build slow

package search

import (
	"reflect"
	"testing"
)

// Where a name is, is found out once, and kept within a limit; what is found is the
// same.
func TestPhrasesAreKept(t *testing.T) {
	entries := newCorpus(t).entries(200)
	for _, text := range []string{"омбудсмен депозит пск", "пск", "беспроцентный период", "полная стоимость кредита"} {
		want := New(entries, synonyms).Search(Query{Text: text})
		for _, full := range []bool{false, true} {
			x := New(entries, synonyms)
			if full {
				x.phrases.size.Store(maxCachedPostings)
			}
			for range 3 {
				if got := x.Search(Query{Text: text}); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v, expected %v", text, got, want)
				}
			}
			kept := 0
			x.phrases.cached.Range(func(_, found any) bool { kept += len(found.([]posting)); return true })
			if full && kept > 0 {
				t.Errorf("%s: %d postings are kept beyond the limit", text, kept)
			}
			if !full && text == "пск" && kept == 0 {
				t.Errorf("%s: nothing is kept", text)
			}
		}
	}
}
