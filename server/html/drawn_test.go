package html

import (
	"flag"
	"fmt"
	"html/template"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/server/calc"
	"rulestore/server/site"
)

var update = flag.Bool("update", false, "write what is drawn anew")

// TestDrawn compares what is drawn of small things with testdata/drawn.txtar, a part for each;
// -update writes it anew.
func TestDrawn(t *testing.T) {
	const file = "testdata/drawn.txtar"
	all := drawn(t)
	if *update {
		a := &txtar.Archive{}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(all[name])})
		}
		if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if got := all[f.Name]; got != string(f.Data) {
			t.Errorf("%s (-update writes it anew): got\n%s\nwant\n%s", f.Name, got, f.Data)
		}
		delete(all, f.Name)
	}
	for name := range all {
		t.Errorf("%s is not in %s", name, file)
	}
}

// drawn is what is drawn, by the name of what, with a line for each element.
func drawn(t *testing.T) map[string]string {
	all := map[string]string{}
	put := func(name string, html template.HTML) {
		all[name] = strings.TrimSpace(strings.ReplaceAll(string(html), "><", ">\n<")) + "\n"
	}
	for name, d := range documents(t) {
		put("document "+name, template.HTML(whole(d)+fmt.Sprint(d.Contents)))
	}
	for name, v := range differences(t) {
		html, _ := Both(Drawing{}, change.NewEffort(), v)
		put("difference "+name, html)
	}
	for name, p := range pictures() {
		put("picture "+name, p.Draw())
	}
	return all
}

func documents(t *testing.T) map[string]Document {
	names := func(_ *document.Node, word string) (Link, bool) {
		return Link{Href: "/items/" + word, Title: strings.TrimPrefix("Имя "+word, "Имя first")},
			word == "a.b.001" || word == "first" || word == "current"
	}
	root := tree(t, ruleText, ruleSchema)
	odd := tree(t, `{"title":"Случаи","summary":"Про code_one и a.b.001 и first.","value":-0.5,"on":true,"off":false,
"nothing":null,"empty":[],"moment":"2026-05-01T10:20:30+03:00","utc":"2026-05-01T10:20:30Z","day":"2026-05-01",
"url":"https://r.org/a/b","foreign":"https://example.org/","list":["раз","два"],"text":"Первая строка.\n- пункт\n  ещё\n- другой\n\nАбзац\rещё",
"deep":{"a":{"b":{"c":{"d":"дно"}}}},"mixed":[1,"x",{"k":"v"},["y"]],
"rules":[{"rule_id":"r1","title":"current","stop":false,"see":[]},{"rule_id":"r2","note":{"x":"y","z":["длинный текст, который не помещается в одну строку с другими значениями"]}}],
"states":[{"state":"A","title":"Раз","allowed_next_states":["C","A"]},{"state":"B","title":"Два","allowed_next_states":["A"]},{"state":"C","title":"Три","allowed_next_states":["B"]}]}`, ruleSchema)
	guides := &content.Field{Fields: []*content.Field{{Name: "more", Fields: []*content.Field{
		{Name: "read", Title: "Прочесть", Items: &content.Field{Fields: []*content.Field{
			{Name: "item", Reference: "guidelines"}, {Name: "when"},
			{Name: "sections", Items: &content.Field{SectionOf: "item"}},
		}}},
	}}}}
	return map[string]Document{
		"of pointers": Draw(tree(t, `{"more":{"read":[{"item":"a.b.001","sections":["rules/x","title"],"when":"Если так."},{"item":"other.001"}]}}`,
			guides), Drawing{Names: names}),
		"with all links": Draw(root, Drawing{Names: names}),
		"of odd values":  Draw(odd, Drawing{Names: names, Own: "https://r.org", Root: "/root"}),
	}
}

// differences are the two values of places that differ.
func differences(t *testing.T) map[string]*site.Difference {
	schema := &content.Field{Fields: []*content.Field{
		{Name: "text", Title: "Текст", Prose: true}, {Name: "limit"},
		{Name: "rules", Items: &content.Field{Fields: []*content.Field{{Name: "rule_id"}, {Name: "title"},
			{Name: "action", Prose: true}, {Name: "severity", Title: "Важность", Labels: map[string]string{"high": "высокая"}}}},
			Unique: "rule_id"},
		{Name: "list", Items: &content.Field{}},
	}}
	at := func(text, field string) *document.Node { return tree(t, text, schema).Member(field) }
	const rules = `{"rules":[{"rule_id":"a","title":"Первое","action":"Ждать.","severity":"high"},{"rule_id":"b","title":"Второе"}]}`
	one := at(rules, "rules")
	return map[string]*site.Difference{
		"of a text":     {Was: at(`{"text":"Ждать 30 дней и <ответа>."}`, "text"), Is: at(`{"text":"Ждать 15 дней и <ответа>."}`, "text")},
		"of a number":   {Was: at(`{"limit":5}`, "limit"), Is: at(`{"limit":7}`, "limit")},
		"that came":     {Is: &one.Kids[0], Unique: "rule_id"},
		"that went":     {Was: &one.Kids[1], Unique: "rule_id"},
		"of lists":      {Was: at(`{"list":["a","b"]}`, "list"), Is: at(`{"list":["раз","два","три","четыре"]}`, "list")},
		"of a new text": {Is: at(`{"text":"Новый."}`, "text")},
	}
}

func pictures() map[string]interface{ Draw() template.HTML } {
	day := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	return map[string]interface{ Draw() template.HTML }{
		"steps": Steps{Title: "Ставка", Unit: "%", Today: day(2026, 11, 30), Steps: []Step{
			{day(2015, 3, 1), day(2018, 5, 31), 7}, {day(2018, 6, 1), day(2020, 1, 31), 8},
			{day(2020, 6, 1), time.Time{}, 5.5}, {day(2027, 1, 1), time.Time{}, 9}}},
		"steps that end": Steps{Title: "Ставка", Unit: "%", Today: day(2026, 11, 30), Steps: []Step{
			{day(2025, 1, 1), day(2025, 5, 31), 7}, {day(2025, 6, 1), day(2026, 1, 1), 8}}},
		"one step": Steps{Title: "Ставка", Unit: "%", Today: day(2026, 11, 30), Steps: []Step{
			{day(2025, 1, 1), time.Time{}, 7}}},
	}
}

// What says that there is no value today, and what the navigation marks.
func TestNow(t *testing.T) {
	day := func(month, day int) time.Time { return time.Date(2026, time.Month(month), day, 0, 0, 0, 0, time.UTC) }
	for want, steps := range map[string][]Step{
		"": {{day(1, 1), day(3, 1), 1}, {day(6, 1), time.Time{}, 2}},
		"Сегодня значения нет: последнее действовало по 1 марта 2026.": {{day(1, 1), day(3, 1), 1}},
		"Сегодня значения нет: следующее начнёт действовать 1 декабря 2026.": {
			{day(1, 1), day(3, 1), 1}, {day(12, 1), time.Time{}, 2}},
	} {
		got := strings.ReplaceAll(Steps{Today: day(11, 30), Steps: steps}.Now(), "\u00A0", " ")
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	h := Head{Path: "/d/x", Crumbs: []Link{{"d", "/d"}}}
	if got := h.Current("/d/x") + h.Current("/d") + h.Current("/"); got != "pagetrue" {
		t.Errorf("current is %s", got)
	}
}

// Small texts of pages, each with what it is made of.
func TestTexts(t *testing.T) {
	text := func(f calc.Figure) string { return shown(f, f.Unit) }
	parts := calc.Figure{Type: "map", Parts: []calc.Figure{{Title: "Сумма", Text: "1", Unit: "RUB"},
		{Title: "Ставка", Text: "2", Unit: "percent"}, {Title: "Срок, месяцев: всего", Text: "3", Unit: "months"}}}
	for want, got := range map[string]string{
		"1 мая 2026":                    i18n.DayOf("2026-05-01"),
		"1 мая 2026, 10:20:30 (+03:00)": i18n.DayOf("2026-05-01T10:20:30+03:00"),
		"когда-то":                      i18n.DayOf("когда-то"),
		"/x/a":                          below("/x", "/\\\t/a"),
		"12 345,60 ₽":                   text(calc.Figure{Text: "12345.60", Unit: "RUB"}),
		"7,5 %":                         text(calc.Figure{Text: "7.5", Unit: "percent", Type: "percent"}),
		"Сумма: 1 ₽; Ставка: 2 %; Срок, месяцев: всего: 3 мес.": text(parts),
		"2 мая 2026":    text(calc.Figure{Text: "2026-05-02", Type: "date"}),
		"2026-5-02":     text(calc.Figure{Text: "2026-5-02", Type: "date"}),
		"перенесён":     text(calc.Figure{Text: "moved", Type: "enum"}),
		"своё":          text(calc.Figure{Text: "своё", Type: "enum"}),
		"1000":          Grouped("1000.00"),
		"1234":          grouped("1234"),
		"12 345":        grouped("12345"),
		"−1 234 567,80": grouped("-1234567.80"),
		"версий":        i18n.Plural(111, "версия", "версии", "версий"),
		"версия":        i18n.Plural(21, "версия", "версии", "версий"),
		"версии":        i18n.Plural(102, "версия", "версии", "версий"),
		"2026-11-19":    iso(time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)),
		// An instant is stated as one, midnight elsewhere too.
		"2026-11-19T09:30:00Z":      iso(time.Date(2026, 11, 19, 9, 30, 0, 0, time.UTC)),
		"2026-11-19T00:00:00+03:00": iso(time.Date(2026, 11, 19, 0, 0, 0, 0, time.FixedZone("", 3*60*60))),
		"1.2.3":                     Grouped("1.2.3"),
		"x":                         calc.Worded("x"),
		"не переносить":             calc.Worded("none"),
		"<p>a<br>\nb</p>\n<ul><li>c d</li>\n<li>e</li>\n</ul>\n<p>f</p>\n": string(noted("a\r\nb\n- c\n  d\n- e\n\nf")),
		"<p>&lt;b&gt;<br>\n-x<br>\n-</p>\n":                                string(noted("<b>\n-x\r\n- ")),
		"[U+202E]x":                                                        string(showDirection([]byte("\u202Ex"))),
		"[U+200B][U+200F][U+061C][U+FEFF]":                                 string(showDirection([]byte("\u200B\u200F\u061C\uFEFF"))),
	} {
		if got = strings.ReplaceAll(got, "\u00A0", " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
