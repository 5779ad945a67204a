package search

import (
	"strings"
	"testing"
)

// FuzzSearch takes any document, any names and any query.
func FuzzSearch(f *testing.F) {
	for _, seed := range [][3]string{
		{"Вклад и ставка", "вклад|депозит", "депозит"},
		{"1 400 000,50 рублей\n15.08.2024", "смс|sms", "1400000.50"},
		{"APK_INSTALLATION_REQUESTED", "", "apk_inst"},
		{"к финансовому уполномоченному", "финансовый уполномоченный|омбудсмен", "омбудсмен омбудсмен"},
		{strings.Repeat("a.", 50), "a.a|b", "a.a.a"},
		{"\xff\xd0", "\xff|\xfe", "\x00"},
		{"и\u0306 е\u0308 \u00ad", "й|е", "и\u0306"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	var fixed []*AnalysedDocument
	for _, d := range documents(f) {
		fixed = append(fixed, Analyse(d))
	}
	f.Fuzz(func(t *testing.T, text, names, query string) {
		entry := Analyse(Document{
			Kind: "fuzz", Title: query, Text: passages(strings.Split(text, "\n")...), Codes: []string{names},
		})
		for _, entries := range [][]*AnalysedDocument{{entry}, append([]*AnalysedDocument{entry}, fixed...)} {
			x := New(entries, append(synonyms[:len(synonyms):len(synonyms)], strings.Split(names, "|")))
			r := x.Search(Query{Text: query, Limit: 5})
			if r.Total < len(r.Hits) || len(r.Hits) > 5 {
				t.Errorf("%d hits of %d", len(r.Hits), r.Total)
			}
			if r.Total == 0 && len(x.ask(query).words) > 0 {
				t.Errorf("%q does not find the document that has it for a title", query)
			}
			for _, h := range r.Hits {
				keepsPromises(t, h)
			}
			_, all := x.find(&Query{Text: query}, 5)
			for i := 1; i < len(r.Hits); i++ {
				if goesUp(all[i-1], all[i]) {
					t.Errorf("hit %d: %v after %v", i, all[i], all[i-1])
				}
			}
		}
	})
}
