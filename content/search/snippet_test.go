package search

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// marked writes matches in square brackets, and … where the passage goes on.
func marked(s Snippet) string {
	var b strings.Builder
	if s.Before {
		b.WriteString("…")
	}
	for _, segment := range s.Segments {
		if segment.Match {
			b.WriteString("[" + segment.Text + "]")
		} else {
			b.WriteString(segment.Text)
		}
	}
	if s.After {
		b.WriteString("…")
	}
	return b.String()
}

func plain(s Snippet) string {
	var b strings.Builder
	for _, segment := range s.Segments {
		b.WriteString(segment.Text)
	}
	return b.String()
}

func TestSnippet(t *testing.T) {
	long := "Банк отвечает письменно. " + strings.Repeat("Слово за словом идёт дальше. ", 12) +
		"Затем досрочный возврат вклада считают по ставке до востребования, если договор не говорит иного. " +
		strings.Repeat("Слово за словом идёт дальше. ", 12) + "Вклад."
	for i, tt := range []struct {
		query string
		text  []string
		want  string
	}{
		{"вклад", []string{"Ставка по Вкла\u0301дам."}, "Ставка по [Вкла\u0301дам]."},
		{"ВКЛАД", []string{"Первый абзац.", "О «вкладе»!"}, "О «[вкладе]»!"},
		{"банк", []string{" \t", "Первый абзац.", "Второй абзац."}, "Первый абзац."}, // only the title has it
		{"", []string{"  Первый  абзац. "}, "Первый  абзац."},
		{"ставка вклада", []string{"Вклад вклад вклад.", "Ставка.", "Ставка этого вклада."},
			"[Ставка] этого [вклада]."},
		{"apk", []string{"Просят APK_INSTALLATION_REQUESTED."}, "Просят [APK]_INSTALLATION_REQUESTED."},
		{"apk_inst", []string{"Просят APK_INSTALLATION_REQUESTED."}, "Просят [APK_INSTALLATION]_REQUESTED."},
		{"deepfake", []string{"(fraud.ai-deepfake-impersonation.001)"}, "(fraud.ai-[deepfake]-impersonation.001)"},
		{"1400000", []string{"Не более 1 400 000 рублей."}, "Не более [1 400 000] рублей."},
		{"омбудсмен", []string{"К финансовому уполномоченному. Финансовый рынок."},
			"К [финансовому уполномоченному]. Финансовый рынок."},
		{"финансовый омбудсмен", []string{"Финансовые омбудсмены."}, "[Финансовые омбудсмены]."},
		{"как ставка", []string{"Как растёт ставка"}, "Как растёт [ставка]"},
		{"вклад ставка", []string{long},
			"…Слово за словом идёт дальше. Затем досрочный возврат [вклада] считают по [ставке] до востребования, " +
				"если договор не говорит иного. Слово за словом идёт дальше. Слово за словом идёт дальше. Слово за " +
				"словом…"},
		{"отвечает", []string{long},
			"Банк [отвечает] письменно. Слово за словом идёт дальше. Слово за словом идёт дальше. Слово за словом " +
				"идёт дальше. Слово за словом идёт дальше. Слово за словом идёт дальше. Слово за словом идёт дальше.…"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			x := New([]*AnalysedDocument{Analyse(Document{Title: "Банк", Text: passages(tt.text...)})}, synonyms)
			r := x.Search(Query{Text: tt.query})
			if r.Total != 1 {
				t.Errorf("%q: not found in %q", tt.query, tt.text)
			} else if got := marked(r.Hits[0].Snippet); got != tt.want {
				t.Errorf("%q:\n got %s\nwant %s", tt.query, got, tt.want)
			}
		})
	}
}

// The end of a passage is shown in full length.
func TestSnippetAtTheEnd(t *testing.T) {
	text := strings.Repeat("слово за словом ", 50) + "вклад."
	r := New([]*AnalysedDocument{Analyse(Document{Text: passages(text)})}, nil).Search(Query{Text: "вклад"})
	s := r.Hits[0].Snippet
	if n := utf8.RuneCountInString(plain(s)); n < 180 || n > snippetRunes || s.After || !s.Before {
		t.Errorf("%d runes: %s", n, marked(s))
	}
}

// Whatever the document, the snippets keep what they promise.
func TestSnippetPromises(t *testing.T) {
	texts := []string{
		strings.Repeat("вклад ", 500),
		strings.Repeat("вклад", 500) + " ставка",
		"ставка" + strings.Repeat("_x", 3000) + " вклад",
		strings.Repeat("\u00a0ставка", 500),
		strings.Repeat("ставка, ", 63) + "вклад " + strings.Repeat("ставка, ", 63),
		strings.Repeat("очень-длинное-слово-", 40) + "вклад" + strings.Repeat("-очень-длинное-слово", 40),
		strings.Repeat("😀", 300) + "вклад" + strings.Repeat("😀", 300),
		strings.Repeat("е\u0308", 300) + " вклад",
		"вклад\xd0 ставка\xff",
	}
	for _, text := range texts {
		entry := Analyse(Document{Text: passages(text)})
		x := New([]*AnalysedDocument{entry}, nil)
		for _, query := range []string{"", "вклад", "ставка", "x", "x_x", "длинное"} {
			for _, h := range x.Search(Query{Text: query}).Hits {
				keepsPromises(t, h)
			}
		}
	}
}

func keepsPromises(t *testing.T, h Hit) {
	t.Helper()
	s, whole := plain(h.Snippet), false
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > snippetRunes {
		t.Errorf("%q is not valid, or too long", s)
	}
	for _, passage := range h.Entry.doc.Text {
		i := strings.Index(passage.Text, s)
		whole = whole || i >= 0 && h.Snippet.Before == (strings.TrimSpace(passage.Text[:i]) != "")
	}
	if !whole && len(h.Entry.doc.Text) > 0 {
		t.Errorf("%q is not in %q", s, h.Entry.doc.Text)
	}
	for i, segment := range h.Snippet.Segments {
		if segment.Text == "" {
			t.Errorf("segment %d of %q is empty", i, s)
		}
		if i > 0 && !segment.Match && !h.Snippet.Segments[i-1].Match {
			t.Errorf("segments %d and %d of %q should be one", i-1, i, s)
		}
	}
}
