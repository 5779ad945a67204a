package page

import (
	"encoding/json"
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
	"rulestore/content/redline"
	"rulestore/schemas"
	"rulestore/server/calc"
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
		put("document "+name, template.HTML(whole(d)+fmt.Sprint(d.Contents, d.Left)))
	}
	for name, r := range redlines(t) {
		put("redline "+name, r.Body+template.HTML(fmt.Sprint("\n", r.Contents, r.ChangeRange, r.Before)))
	}
	for name, r := range results() {
		put("answer "+name, r.Open()+r.Folded())
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
	address := func(of string) func(string) string {
		return func(section string) string { return strings.TrimSuffix("/"+of+"?"+section, "/cite?states") }
	}
	root := tree(t, ruleText, ruleSchema)
	odd := tree(t, `{"title":"Случаи","summary":"Про code_one и a.b.001 и first.","value":-0.5,"on":true,"off":false,
"nothing":null,"empty":[],"moment":"2026-05-01T10:20:30+03:00","utc":"2026-05-01T10:20:30Z","day":"2026-05-01",
"url":"https://r.org/a/b","foreign":"https://example.org/","list":["раз","два"],"text":"Первая строка.\n- пункт\n  ещё\n- другой\n\nАбзац\rещё",
"deep":{"a":{"b":{"c":{"d":"дно"}}}},"mixed":[1,"x",{"k":"v"},["y"]],
"rules":[{"rule_id":"r1","title":"current","stop":false,"see":[]},{"rule_id":"r2","note":{"x":"y","z":["длинный текст, который не помещается в одну строку с другими значениями"]}}],
"states":[{"state":"A","title":"Раз","allowed_next_states":["C","A"]},{"state":"B","title":"Два","allowed_next_states":["A"]},{"state":"C","title":"Три","allowed_next_states":["B"]}]}`, ruleSchema)
	return map[string]Document{
		"with all links": Draw(root, Drawing{Names: names, Cite: address("cite"), Past: address("past"), Path: "/x"}),
		"of odd values":  Draw(odd, Drawing{Names: names, Own: "https://r.org", Root: "/root"}),
		"apart": Draw(root, Drawing{Path: "/x", Apart: Apart{"rules": true, "states/A": true, "rows/1": true},
			Cite: address("cite")}),
		"in part": Draw(root, Drawing{Only: []*document.Node{root.Member("rules").Kids[1].Member("action"),
			&root.Member("rules").Kids[0]}, Level: 3}),
	}
}

func redlines(t *testing.T) map[string]Redlined {
	body := func(text string) (o content.Object) {
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	const rest = `,"schema_version":"1.0","guideline_id":"a.b.001","owner":"Редакция",` +
		`"sources":[{"title":"Закон","url":"https://example.org/","checked_on":"2026-01-28"}]}`
	was := body(`{"title":"Вклад","summary":"О вкладе и о счёте.","valid_from":"2026-01-01",
"applicability":{"triggers":["Раз","Два","Три"],"exclusions":[]},"guardrails":[{"guardrail_id":"g","type":"must","text":"Молчать."}],
"rules":[{"rule_id":"a","title":"Первое","action":"Сделать это.","severity":"info"},{"rule_id":"b","title":"Второе","action":"Ждать."},
{"rule_id":"gone","title":"Лишнее","action":"Уйти.","severity":"critical"},{"rule_id":"old_code","title":"Тёзка","action":"Стоять."}]` + rest)
	now := body(`{"title":"Вклад и счёт","summary":"О вкладе, а не о счёте.","valid_from":"2026-02-01",
"applicability":{"triggers":["Три","Раз","Четыре","Пять"],"exclusions":["Обман"]},"guardrails":[{"guardrail_id":"g","type":"must","text":"Молчать."}],
"rules":[{"rule_id":"b","title":"Второе","action":"Ждать.","explanation":"Так надо."},{"rule_id":"a","title":"Первое","action":"Сделать то.","severity":"high"},
{"rule_id":"new_code","title":"Тёзка","action":"Стоять."},{"rule_id":"new","title":"Новое","action":"Прийти.","severity":"info"}]` + rest)
	as := Showing{
		Drawing: Drawing{Path: "/x"}, Shows: func(*redline.Change) bool { return true },
		Class: func(c change.Class) Status { return Status{c.String(), "класс " + c.String()} },
		What:  func(v change.Verb) string { return "стало " + string(v) },
		Why: func(c *redline.Change) (string, string) {
			return "потому", strings.Repeat("Обновите.", strings.Count(c.ID, "gone"))
		},
		Link: func(from int) string { return fmt.Sprint("/x?from=", from) },
	}
	draw := func(change func(*Showing), was, now content.Object) Redlined {
		as := as
		change(&as)
		return Redline(redline.Of(schemas.Embedded(), content.Guidelines, "a.b.001", was, now), as)
	}
	return map[string]Redlined{
		"as one text": draw(func(*Showing) {}, was, now),
		"side by side of some": draw(func(s *Showing) {
			s.Sides, s.Shows = true, func(c *redline.Change) bool { return c.What != change.Changed }
		}, was, now),
		"from the fifth": draw(func(s *Showing) { s.From = 5 }, was, now),
		"of nothing":     draw(func(*Showing) {}, was, was),
	}
}

func results() map[string]*Result {
	money := func(name, title, text string) calc.Figure {
		return calc.Figure{Name: name, Title: title, Text: text, Unit: "RUB", Type: "money"}
	}
	word := func(name, title, text string) calc.Figure { return calc.Figure{Name: name, Title: title, Text: text} }
	row := func(id, sum, rate string) []calc.Figure {
		return []calc.Figure{word("id", "Вариант", id), money("sum", "Сумма; с копейками", sum),
			{Name: "rate", Title: "Ставка", Text: rate, Unit: "percent", Type: "percent"}, word("note", "Примечание", "да")}
	}
	table := func(rows ...[]calc.Figure) *calc.Table { return &calc.Table{Head: rows[0], Rows: rows} }
	figures := []calc.Figure{money("sum", "Сумма: всего", "1035290.20"), word("w", "Слово", "x"),
		{Name: "day", Title: "День", Type: "date", Text: "2026-05-01"},
		{Name: "code", Title: "Код", Type: calc.CodeType, Text: "C_1"},
		{Name: "list", Title: "Список", Type: "list", Parts: []calc.Figure{word("", "", "раз"), word("", "", "два")}},
		{Name: "rows", Title: "Ряды", Type: "list", Parts: []calc.Figure{{Parts: []calc.Figure{word("a", "А", "1.250")}},
			{Parts: []calc.Figure{money("b", "Б", "2.00")}}}},
		{Name: "rate", Title: "Ставка", Type: "percent", Unit: "percent", Text: "12.500"},
		{Name: "none", Title: "Пусто", Type: "list", Parts: []calc.Figure{}}}
	long := &calc.Table{Head: []calc.Figure{word("n", "№", ""), money("rest", "Остаток", "")}}
	for i := range 2*maxSchedule + 1 {
		long.Rows = append(long.Rows, []calc.Figure{{Text: fmt.Sprint(i + 1)}, money("rest", "", "5.00")})
	}
	short := &calc.Table{Head: long.Head, Rows: long.Rows[:maxRows+1]}
	last := &Result{From: 2*maxSchedule + 1, Sections: []calc.Section{{ID: scheduleID, Title: "График", Table: long}}}
	steps := &calc.Table{}
	for i := range maxSteps + 2 {
		steps.Rows = append(steps.Rows, []calc.Figure{{Title: fmt.Sprint("Шаг ", i)}, {Text: "a * 2.50"}, {}, {Text: "5"}})
	}
	return map[string]*Result{
		"of figures": {Sections: []calc.Section{{ID: "outputs", Title: "Итог; подробно", Figures: figures,
			Within: []calc.Section{{ID: "more", Title: "Ещё", Figures: figures[:1], Points: []calc.Point{
				{Code: "P", Text: "До 2026-05-01 сумма -1500.5 ₽ и 7 %, 12 шагов", Version: "1.0.0", Checksum: "sha256:1"}, {Code: "Q"}}}}},
			{ID: "warning", Title: "Одно", Figures: []calc.Figure{word("warning", "Одно", "слово")}},
			{ID: "trace", Title: "Шаги", Table: steps, Points: []calc.Point{{Code: "T"}}}, {ID: "inputs", Title: "Дано", Figures: figures[:2]}}},
		"of variants": {Sections: []calc.Section{
			{ID: "outputs", Within: []calc.Section{{ID: "all", Title: "Все", Table: table(row("a", "1", "7.5"), row("b", "2", "8"))},
				{ID: "one", Title: "Один: первый", Figures: figures[:3], Within: []calc.Section{{ID: "in", Title: "Внутри", Figures: figures[:1]}}},
				{ID: "two", Title: "Два", Figures: figures[:4]}, {ID: "three", Title: "Три", Figures: figures[:1]}}},
			{ID: "inputs", Within: []calc.Section{{ID: "all", Table: &calc.Table{
				Head: []calc.Figure{word("id", "Вариант", ""), word("term", "Срок", "")},
				Rows: [][]calc.Figure{{{Text: "a"}, {Text: "12"}}, {{Text: "b"}, {Text: "24"}}}}}}}}},
		"of many rows":   {Sections: []calc.Section{{ID: "outputs", Table: short}}},
		"of a last part": {Sections: []calc.Section{{ID: scheduleID, Table: &calc.Table{Head: long.Head, Rows: long.Rows[:2]}}}},
		"of a schedule":  {Sections: last.Sections, From: last.From},
	}
}

func pictures() map[string]Picture {
	day := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	line := func(n int, by float64) (all []float64) {
		for i := range n {
			all = append(all, float64(i)*by)
		}
		return all
	}
	var days []time.Time
	for i := range 9 {
		days = append(days, day(2026, i+1, 1))
	}
	leaf := func(name string, more int, leaves ...Leaf) Leaf {
		return Leaf{Title: "Лист " + name, Code: name, Href: "/" + name, More: more, Leaves: leaves}
	}
	return map[string]Picture{
		"bars of years": Chart{Title: "Вклад", X: "месяцы", Unit: "₽", Year: 12, First: 1,
			Bars: []Series{{"Тело", line(25, 1000)}, {"Проценты", line(25, 700)}, {"Мало", line(3, 1)}}},
		"lines of days": Chart{Title: "Долг", Unit: "₽", Days: days, Lines: []Series{{"Первый", line(9, 150)},
			{"Второй", line(9, -20)}, {"Третий", line(5, 151)}}},
		"numbers": Chart{Title: "Ряд", X: "шаги", First: 3, Lines: []Series{{"Один", []float64{0.004, 0.5, 0.25, 0}}}},
		"thinned": Chart{Title: "Много", X: "дни", First: 1, Lines: []Series{{"Один", line(400, 1)}}},
		"ranked":  Ranked{Title: "По убыванию", Bars: []RankedBar{{"a", 5, calc.Figure{Text: "5.00", Unit: "RUB"}}, {"b", -2, calc.Figure{Text: "-2"}}}},
		"steps": Steps{Title: "Ставка", Unit: "%", Steps: []Step{{day(2015, 3, 1), day(2018, 5, 31), 7}, {day(2018, 6, 1), day(2020, 1, 31), 8},
			{day(2020, 6, 1), time.Time{}, 5.5}}},
		"steps that end": Steps{Title: "Ставка", Unit: "%", Steps: []Step{{day(2025, 1, 1), day(2025, 5, 31), 7}, {day(2025, 6, 1), day(2026, 1, 1), 8}}},
		"graph": Graph{ID: "g", Title: "Схема", Root: leaf("root", 3, leaf("a", 0, leaf("b", 0), leaf("c", 0), leaf("root", 0)),
			leaf(strings.Repeat("b", 60), 1, leaf("c", 0), leaf("d", 0)), leaf("b", 0))},
		"graph of users":         Graph{ID: "g", Up: true, Root: leaf("root", 0, leaf("a", 0))},
		"one state and too many": Graph{ID: "g"},
	}
}
