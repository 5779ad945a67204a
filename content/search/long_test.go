package search

import (
	"strings"
	"testing"
)

// In a question of more words than count, those that matter count, wherever they are.
func TestLongQuestion(t *testing.T) {
	c := newCorpus(t)
	entries := c.entries(200)
	x := New(entries, synonyms)
	wanted := entries[17].Document()
	around := strings.Join(c.frequent(40), " ") + " "
	for i := range maxWords { // words that no document has
		around += string([]rune{'щ', 'ы', 'ж', 'э', 'а' + rune(i%32), 'ъ', 'ю', 'а' + rune(i/32)}) + " "
	}
	for _, text := range []string{around + wanted.Title, wanted.Title + " " + around} {
		hits := x.Search(Query{Text: text, Limit: 1}).Hits
		if len(hits) == 0 || hits[0].Entry.Document().ID != wanted.ID {
			t.Errorf("%.40q… finds %v, not %s", text, hits, wanted.ID)
		}
	}
}

// What is longer than anything that people type is not repeated with each hit.
func TestLongWord(t *testing.T) {
	for _, between := range []string{"-", ".", "/", ","} {
		text := strings.TrimSuffix(strings.Repeat("ljvjajy"+between, 250), between)
		for _, hit := range testIndex(t).Search(Query{Text: text, Limit: 5}).Hits {
			if said := strings.Join(hit.Words, ""); len(said) > maxPiece {
				t.Errorf("%q: a hit repeats %d bytes of the question", between, len(said))
			}
		}
	}
}
