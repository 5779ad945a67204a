package search

import "testing"

// A number beside a word for acts names one, and counts as a word does; elsewhere it says how
// much. English words are found in the forms that names do not have.
func TestActsAndEnglish(t *testing.T) {
	x := New([]*AnalysedDocument{
		Analyse(Document{Kind: "parameter", ID: "phone", Title: "Номер телефона",
			Text: passages("Номер закона о связи, а не номер телефона.")}),
		Analyse(Document{Kind: "parameter", ID: "law", Title: "Предел ставки",
			Text: passages("Федеральный закон № 353-ФЗ о кредите.")}),
		Analyse(Document{Kind: "parameter", ID: "other", Title: "Звонки",
			Text: passages("Федеральный закон № 230-ФЗ о долгах.")}),
		Analyse(Document{Kind: "parameter", ID: "insured", Title: "Застрахованные вклады",
			Text: passages("Вклад застрахован.")}),
		Analyse(Document{Kind: "parameter", ID: "ban", Title: "Запрет займов",
			Text: passages("Запрет выдавать займы.")}),
	}, [][]string{{"вклад", "deposit"}, {"застрахован", "insure"}, {"запрет", "ban"}, {"займ", "bank loan", "loan"}})
	for query, want := range map[string]string{
		"353-фз": "law", "353": "law", "фз 353": "law", "закон номер 353": "law",
		"закон № 230": "other", "230 закон": "other",
		"353-FZ": "law", "fz 353": "law",
		"are deposits insured": "insured", "deposit's insuring": "insured", "banned bank loans": "ban", "loans": "ban",
	} {
		t.Run(query, func(t *testing.T) {
			hits := x.Search(Query{Text: query}).Hits
			if len(hits) == 0 || hits[0].Entry.Document().ID != want {
				t.Errorf("%q: the first is %v, expected %s", query, hits, want)
			}
		})
	}
}

// Words that only end like English ones, and those of one letter, stay what they are.
func TestNoEnglishForm(t *testing.T) {
	x := New(nil, [][]string{{"автобус", "bus"}, {"код", "code"}})
	for _, word := range []string{"bus", "s", "es", "ing", "sses", "codex", "2s", "apk.codes"} {
		s := scanner{src: word}
		s.next()
		if form := x.englishForm(&s.lexeme); form != "" {
			t.Errorf("%q is taken for %q", word, form)
		}
	}
}
