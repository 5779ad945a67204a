package page

import (
	"fmt"
	"strings"
	"testing"
)

// A remark stands behind what its offset is in, whatever that is, and changes
// nothing else of the text.
func TestRemarks(t *testing.T) {
	const source = "# Заголовок\n\nНачало.\n\n| Поле | Значение |\n|---|---|\n| Версия | 1.0.0 |\n\n## Раздел\n\n- **Имя:** значение\n- **Точки:**\n  - Первая точка.\n  - Вторая точка.\n\n### 1. Шаг\n\nТекст шага.\n\n| `A` | `B` |\n|---|---|\n| раз | два |\n"
	const mark = `<div class="remark error" role="note" id="f">`
	plain := Read([]byte(source), Reading{})
	for at, want := range map[string]string{
		"Заголовок":     mark + "%s<p>Начало.</p>",
		"Начало":        "<p>Начало.</p>\n" + mark,
		"1.0.0":         "1.0.0" + mark,
		"Раздел":        `<h2 id="t-раздел">Раздел</h2>` + "\n" + mark,
		"**Имя":         "<dd>значение\n" + mark,
		"Вторая":        "Вторая точка.\n" + mark + "%s</li>",
		"1. Шаг":        `<h3 id="t-1-шаг">1. Шаг</h3>` + "\n" + mark,
		"Текст":         "<p>Текст шага.</p>\n" + mark,
		"два":           "два" + mark + "%s</td>",
		"| раз | два |": "раз" + mark + "%s</td>",
	} {
		remarks := []Remark{{ID: "f", Finding: Finding{Severity: "error", Message: evil}, Offset: strings.Index(source, at)}, {ID: "g", Offset: -1}, {ID: "h", Offset: len(source) + 5}}
		d := Read([]byte(source), Reading{Remarks: remarks})
		got := whole(d)
		shown := oneLine(string(execute("remark", remarks[0])))
		want = oneLine(strings.Replace(want, "%s", strings.TrimPrefix(shown, mark), 1))
		if !strings.Contains(got, want) || strings.Contains(got, "<script>") || strings.Replace(got, shown, "", 1) != whole(plain) {
			t.Errorf("%s: no %s in\n%s", at, want, got)
		}
		if !remarks[0].Placed || remarks[1].Placed || remarks[2].Placed {
			t.Errorf("%s: placed are %v %v %v", at, remarks[0].Placed, remarks[1].Placed, remarks[2].Placed)
		}
	}
}

// whole is all of a document, its facts included, without the line ends that a
// remark may move.
func whole(d Document) string {
	facts := ""
	for _, f := range d.Facts {
		facts += fmt.Sprintf("<dt>%s<dd>%s", f.Name, f.Value)
	}
	return oneLine(string(d.Lead) + facts + string(d.Body))
}

func oneLine(html string) string { return strings.ReplaceAll(html, "\n", "") }

// Several remarks about one thing come in their order.
func TestRemarksInOrder(t *testing.T) {
	html := string(Read([]byte("Текст.\n"), Reading{Remarks: []Remark{{ID: "a"}, {ID: "b"}, {ID: "c"}}}).Lead)
	a, b, c := strings.Index(html, `id="a"`), strings.Index(html, `id="b"`), strings.Index(html, `id="c"`)
	if a < 0 || b < a || c < b {
		t.Errorf("%d %d %d in %s", a, b, c, html)
	}
}

func TestPointed(t *testing.T) {
	if got := (&Excerpt{Line: 7, Text: "a: b", Caret: 3}).Pointed(); got != "    7 | a: b\n      |    ^" {
		t.Errorf("%q", got)
	}
}
