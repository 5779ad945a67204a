package search

import (
	"slices"
	"strings"
	"testing"
)

// What is of one family is one word, whatever its form; what means the opposite is not.
func TestFamilies(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"рассмотрит", "рассматривают", true},
		{"вернуть", "возврат", true},
		{"перевели", "переводов", true},
		{"украденные", "кражей", true},
		{"праздничные", "праздников", true},
		{"пишет", "пишут", true},
		{"пишете", "писали", true},
		{"пишут", "письма", false},
		{"заблокировали", "разблокировать", false},
		{"выплатить", "оплатить", false},
		{"взять", "отдать", false},
	} {
		t.Run(tt.a, func(t *testing.T) {
			if same := stem(tt.a) == stem(tt.b); same != tt.same {
				t.Errorf("%s is %s, %s is %s", tt.a, stem(tt.a), tt.b, stem(tt.b))
			}
		})
	}
}

// No word is of two families: which one it would be is chance.
func TestOneFamilyEach(t *testing.T) {
	of := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(relatives)) {
		words := strings.Fields(line)
		for _, word := range words {
			s := ending(word)
			if first, ok := of[s]; ok && first != words[0] {
				t.Errorf("%s is of %s and of %s", word, first, words[0])
			}
			of[s] = words[0]
		}
	}
	if !slices.IsSorted(relatedWords()) {
		t.Error("the related words are in no order")
	}
}

// A slip of the finger in a word is found although the family is called otherwise.
func TestSlipsInFamilies(t *testing.T) {
	x := New([]*AnalysedDocument{
		Analyse(Document{ID: "a", Title: "Рассмотрение жалобы"}),
		Analyse(Document{ID: "b", Title: "Праздники"}),
	}, nil)
	for query, want := range map[string]string{"расмотрит": "a", "рассматривют": "a",
		"празничные": "b", "prazdnichnye": "b"} {
		t.Run(query, func(t *testing.T) {
			if r := x.Search(Query{Text: query}); r.Total != 1 || r.Hits[0].Entry.doc.ID != want {
				t.Errorf("%s finds %v, want %s", query, ids(r), want)
			}
		})
	}
}
