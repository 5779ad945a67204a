package search

import (
	"fmt"
	"strings"
	"testing"
)

// What nothing has is told with what it may have been: near words, however far they
// are if nothing else is known, and what has them in its title.
func TestSuggest(t *testing.T) {
	x := testIndex(t)
	for _, tt := range []struct{ query, meant, title string }{
		{"омбутсмен", "омбудсмен", "financial_ombudsman"},
		{"дамофон", "домофон", "fraud.intercom-code-government-portal.001"},
		{"bgjntrf", "ипотека", ""},
		{"крелитнаяя карта", "кредитная", "product.credit-card.analysis.001"},
		{"ипооотека", "ипотечного", ""},
		{"вклад абракадабра", "", "product.deposit.analysis.001"}, // one word is known: no guess at the other
		{"кваква", "", ""}, // not «как»
		{"«»", "", ""},
	} {
		t.Run(tt.query, func(t *testing.T) {
			var s Suggestion
			if r := x.Search(Query{Text: tt.query}); r.Suggestion != nil {
				s = *r.Suggestion
			}
			meant := ""
			if len(s.Words) > 0 {
				meant = stem(strings.ToLower(s.Words[0].Meant))
			}
			if meant != stem(tt.meant) {
				t.Errorf("%+v, want %s", s.Words, tt.meant)
			}
			found := tt.title == "" || len(s.Titles) > maxTitles
			for _, e := range s.Titles {
				found = found || e.doc.ID == tt.title
			}
			if !found {
				t.Errorf("%d titles, none is %s", len(s.Titles), tt.title)
			}
		})
	}
}

// A guess is the form most like what was asked, whichever form the first document has.
func TestNearestForm(t *testing.T) {
	docs := []*AnalysedDocument{}
	for i, form := range []string{"ипотеке", "ипотекой", "ипотека", "ипотеку"} {
		docs = append(docs, Analyse(Document{Kind: "guideline", ID: fmt.Sprint(i), Title: "Об этом: " + form}))
	}
	x := New(docs, nil)
	for asked, want := range map[string]string{
		"ипотика": "ипотека", "ипотику": "ипотеку", "ипотикой": "ипотекой", "ипотике": "ипотеке",
	} {
		s := x.Search(Query{Text: asked}).Suggestion
		if s == nil || len(s.Words) != 1 || s.Words[0].Meant != want {
			t.Errorf("%s: %+v, want %s", asked, s, want)
		}
	}
}

// A word that shares no more than half of its letters with the question is no guess.
func TestFarWord(t *testing.T) {
	one := Analyse(Document{Kind: "guideline", ID: "a", Title: "Статус квал: как получить"})
	x := New([]*AnalysedDocument{one}, nil)
	for asked, want := range map[string]int{"кваква": 0, "стаутсс": 1} {
		if s := x.Search(Query{Text: asked}).Suggestion; s == nil || len(s.Words) != want {
			t.Errorf("%s: %+v, want %d words", asked, s, want)
		}
	}
}

// What no document answers is told, with the words that none has; a correction corrects all words at once.
func TestUnfit(t *testing.T) {
	x := testIndex(t)
	for query, want := range map[string]struct {
		unfit          bool
		unknown, means string
	}{
		"ипотека": {}, "вклад": {}, "крелитнаяя карта": {means: "кредитную карта"},
		"как приготовить борщ": {unfit: true, unknown: "приготовить борщ"},
		"вклад абракадабра":    {unfit: true, unknown: "абракадабра"},
		"дамофон крелитная":    {means: "домофона кредитную"},
	} {
		t.Run(query, func(t *testing.T) {
			r, means := x.Search(Query{Text: query}), ""
			if r.Suggestion != nil {
				means = r.Suggestion.Text
			}
			if r.Unfit != want.unfit || strings.Join(r.Unknown, " ") != want.unknown || want.means != "" && means != want.means {
				t.Errorf("unfit %t, unknown %q, means %q", r.Unfit, r.Unknown, means)
			}
		})
	}
}

// Where a filter leaves nothing, that says nothing of the question.
func TestFilteredIsNotUnfit(t *testing.T) {
	if r := testIndex(t).Search(Query{Text: "ипотека", Kinds: []string{"none"}}); r.Unfit || r.Total > 0 {
		t.Errorf("%+v", r)
	}
}

// A guess says what was typed, also where the keys of the other layout were.
func TestSuggestionsQuoteTheQuery(t *testing.T) {
	x := testIndex(t)
	for _, query := range []string{"ljvjajy", "дамофон", "«дамофон»"} {
		t.Run(query, func(t *testing.T) {
			for _, guess := range x.Search(Query{Text: query}).Suggestion.Words {
				if !strings.Contains(query, guess.Asked) || guess.Meant != "домофона" {
					t.Errorf("%+v", guess)
				}
			}
		})
	}
}

// Where filters leave nothing, it is said which kinds have something.
func TestSuggestKinds(t *testing.T) {
	x := testIndex(t)
	plain := x.Search(Query{Text: "домофон"})
	filtered := x.Search(Query{Text: "домофон", Signal: "NO_SUCH"})
	if plain.Suggestion != nil || filtered.Suggestion == nil || filtered.Total != 0 {
		t.Fatalf("%+v, %+v", plain, filtered)
	}
	total := 0
	for _, c := range filtered.Suggestion.Kinds {
		total += c.Total
	}
	if total != plain.Total || total == 0 {
		t.Errorf("%+v, want %d in all", filtered.Suggestion.Kinds, plain.Total)
	}
}

// A slip is a letter too many, too few, wrong, or two in the wrong order.
func TestDistance(t *testing.T) {
	for i, tt := range []struct {
		a, b string
		want int
	}{
		{"вклад", "вклад", 0}, {"вклад", "клад", 1}, {"вклад", "вкклад", 1},
		{"вклад", "вклат", 1}, {"вклад", "вкалд", 1},
		{"вклад", "квлда", 2}, {"вклад", "квлит", 3}, {"вклад", "вкалдд", 2}, {"ипотека", "апотика", 2},
		{"", "", 0}, {"a", "", 1},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var m matrix
			if got := m.distance([]rune(tt.a), tt.b, 2); got != tt.want {
				t.Errorf("%s and %s: %d, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

// An amount is read in the same order by every replica, so that scores add up alike.
func TestAmountsInOrder(t *testing.T) {
	x := testIndex(t)
	want := x.ask("1400000 2500000").names
	for range 50 {
		for i, n := range x.ask("1400000 2500000").names {
			if n.key != want[i].key {
				t.Fatalf("name %d is %q and %q", i, n.key, want[i].key)
			}
		}
	}
}

// A number is found as it is spoken, and the other way round.
func TestAmounts(t *testing.T) {
	for _, tt := range []struct {
		query, text string
		want        bool
	}{
		{"1,4 млн", "не более 1 400 000 рублей", true},
		{"1400000", "не более 1,4 млн рублей", true},
		{"500 тысяч", "500 000 ₽", true},
		{"500000", "500 тыс. руб.", true},
		{"2 миллиарда", "2 000 000 000", true},
		{"1,4 млн", "1 400 рублей", false},
		{"150к", "150 000 рублей", true},
		{"1,5К", "1500 ₽", true},
		{"платежи 150", "150 к платежам", true},
		{"150к", "150 к платежам", false},
		{"40%", "40 процентов в месяц", true},
		{"40 процентов", "до 40 % годовых", true},
		{"40%", "140 %", false},
	} {
		t.Run(tt.query, func(t *testing.T) {
			if got := hasAll(tt.query, nil, [2]string{"", tt.text}); got != tt.want {
				t.Errorf("%v in %q", got, tt.text)
			}
		})
	}
}

// What a sum is counted in says nothing of the subject, unless nothing else is asked.
func TestCurrenciesBesideAmounts(t *testing.T) {
	x := New([]*AnalysedDocument{
		Analyse(Document{
			ID: "money", Title: "Цифровой рубль", Text: []Passage{{Text: "Перевод рублей"}},
		}),
		Analyse(Document{ID: "wrong", Title: "Перевод не тому человеку"}),
	}, nil)
	for query, want := range map[string]string{
		"перевёл 15 000 рублей":      "wrong",
		"перевод 15к ₽":              "wrong",
		"перевод на 1,5 млн руб":     "wrong",
		"перевод 3 тысячи рублей":    "wrong",
		"перевод рублей":             "money",
		"100 рублей":                 "money",
		"цифровой рубль, 100 рублей": "money",
	} {
		t.Run(query, func(t *testing.T) {
			if r := x.Search(Query{Text: query}); r.Total == 0 || r.Hits[0].Entry.doc.ID != want {
				t.Errorf("%v, want %s first", ids(r), want)
			}
		})
	}
}

// A question that is like nothing is told of what kinds there is something.
func TestSuggestionsForNonsense(t *testing.T) {
	x := testIndex(t)
	for _, query := range []string{"xqzwv", "щщщщщщщ", "123456789012345", "«»", "?!"} {
		r := x.Search(Query{Text: query})
		if r.Suggestion == nil || r.Total > 0 || len(r.Suggestion.Kinds)+len(r.Suggestion.Titles)+
			len(r.Suggestion.Words) == 0 {
			t.Errorf("%q: %d found, %+v", query, r.Total, r.Suggestion)
		}
	}
}

// In the other layout a Russian word may be two short beginnings of codes, with a comma between
// them: it is no misspelling of these.
func TestNoGuessOfShortCodes(t *testing.T) {
	x := New([]*AnalysedDocument{Analyse(Document{Kind: "k", ID: "a", Title: "PFM skip"})}, nil)
	r := x.Search(Query{Text: "забыл"}) // the keys of "pf,sk"
	if r.Total > 0 || r.Suggestion != nil && len(r.Suggestion.Words) > 0 {
		t.Errorf("%+v, %+v", r.Hits, r.Suggestion)
	}
}
