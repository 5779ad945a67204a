package search

import (
	"slices"
	"testing"
)

// What is called as the query says comes before what only has its words, the title before
// another name, and the more of a name is asked for, the more it counts.
func TestLikeness(t *testing.T) {
	x := New([]*AnalysedDocument{
		Analyse(Document{ID: "long", Title: "Срок ответа на жалобу, его продление и последствия пропуска"}),
		Analyse(Document{ID: "named", Title: "Порядок", Codes: []string{"named", "срок ответа"}}),
		Analyse(Document{ID: "called", Title: "Срок ответа"}),
		Analyse(Document{ID: "text", Title: "Прочее", Text: []Passage{{Text: "Срок ответа не назван."}}}),
	}, nil)
	want := []string{"called", "named", "long", "text"}
	for _, query := range []string{"срок ответа", "сроки ответов", "какой срок ответа"} {
		if got := ids(x.Search(Query{Text: query})); !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", query, got, want)
		}
	}
}

// Words of the query that are in different names are not together: a document with many names has nearly
// every word in some of them.
func TestWordsOfOneName(t *testing.T) {
	x := New([]*AnalysedDocument{
		Analyse(Document{ID: "scattered", Title: "Прочее", Codes: []string{
			"scattered", "вернуть страховку", "перевод",
			"вернуть", "перевод маме",
		}}),
		Analyse(Document{ID: "together", Title: "Ошибка", Codes: []string{
			"together",
			"вернуть деньги за ошибочный перевод по номеру",
		}}),
	}, nil)
	r := x.Search(Query{Text: "вернуть перевод"})
	if got := ids(r); !slices.Equal(got, []string{"together", "scattered"}) || r.Hits[1].Class != SomeWords {
		t.Errorf("finds %v, the last with %v", got, r.Hits[len(r.Hits)-1].Words)
	}
}

// Names of one word are as rare as what has any of them: a rare one tells no more than
// the one that everybody uses.
func TestNamesAreRareTogether(t *testing.T) {
	var entries []*AnalysedDocument
	for _, id := range []string{"a", "b", "c", "d"} {
		entries = append(entries, Analyse(Document{ID: id, Title: "Банк", Text: []Passage{{Text: "вклад"}}}))
	}
	entries = append(entries, Analyse(Document{ID: "sber", Title: "Сбер"}),
		Analyse(Document{ID: "froze", Title: "Банк приостановил перевод"}))
	x := New(entries, [][]string{{"банк", "сбер"}, {"приостановить", "заморозить"}})
	r := x.Search(Query{Text: "сбер заморозил перевод"})
	if got := ids(r); got[0] != "froze" || r.Hits[0].Class != AllWords {
		t.Errorf("finds %v, the first with %v", got, r.Hits[0].Words)
	}
}

// Two words that were typed as one are found as two.
func TestGluedWords(t *testing.T) {
	x := New([]*AnalysedDocument{
		Analyse(Document{ID: "early", Title: "Досрочное погашение"}),
		Analyse(Document{ID: "other", Title: "Погашение"}),
	}, nil)
	r := x.Search(Query{Text: "досрочноепогашение"})
	if got := ids(r); len(got) == 0 || got[0] != "early" || r.Hits[0].Class != Similar ||
		!slices.Equal(r.Hits[0].Words, []string{"досрочноепогашение"}) {
		t.Errorf("finds %v, the first with %v", got, r.Hits)
	}
}
