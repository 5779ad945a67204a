package calc

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A page is Markdown for people. Its tables are padded, so that a terminal shows
// them as tables too.
type page struct{ strings.Builder }

func (p *page) heading(level int, text string) {
	if !strings.HasSuffix(p.String(), "\n\n") {
		p.WriteByte('\n')
	}
	fmt.Fprintf(p, "%s %s\n\n", strings.Repeat("#", level), escaped(text))
}

// table writes rows of cells; there is always a row.
func (p *page) table(head []string, rows [][]string) {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	p.row(head, widths)
	for _, w := range widths {
		p.WriteString("|" + strings.Repeat("-", w+2))
	}
	p.WriteString("|\n")
	for _, row := range rows {
		p.row(row, widths)
	}
}

func (p *page) row(cells []string, widths []int) {
	for i, cell := range cells {
		p.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
	}
	p.WriteString("|\n")
}

// escaped is text that Markdown shows as it is, in a cell too.
func escaped(s string) string { return marks.Replace(s) }

var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`, "\n", " ")

func code(s string) string { return "`" + s + "`" }

// units are how people write the units, each with the beginning of the word by
// which a title says it already. What is not here is written as it is.
var units = map[string]struct{ short, word string }{
	"RUB": {"₽", "руб"}, "percent": {"%", "роцент"}, "ratio": {"", ""}, "RUB|percent": {"₽ или %", "руб"},
	"months": {"мес.", "есяц"}, month: {"мес.", "есяц"}, "days": {"дн.", "дн"}, calendarDay: {"кал. дн.", "дн"},
	businessDay: {"раб. дн.", "абочих"}, year: {"лет", "лет"}, businessDays: {"раб. дн.", "абочих"}, "years": {"лет", "лет"},
	"payments": {"шт.", "латеж"}, "rows": {"шт.", "трок"}, "periods": {"шт.", "ериод"}, "postings": {"шт.", "ачислен"},
	"day_of_month": {"", ""},
}

// Unit is how people write a unit behind a number.
func Unit(name string) string {
	if u, ok := units[name]; ok {
		return u.short
	}
	return name
}

// Head is the head of a column: the title, with the unit unless it says so.
func (f Figure) Head() string {
	u := Unit(f.Unit)
	if u == "" || strings.Contains(f.Title, units[f.Unit].word) {
		return f.Title
	}
	return f.Title + ", " + u
}

// section writes a part of an answer: what is short as one table, then what is long, each
// under a heading of its own.
func (p *page) section(level int, s Section) {
	p.heading(level, s.Title)
	switch {
	case len(s.Figures) == 1 && s.Figures[0].Name == s.ID:
		p.WriteString(s.Figures[0].printed() + "\n")
	case s.Figures != nil:
		rows := each(s.Figures, func(f Figure) []string { return []string{escaped(f.Title), f.printed(), Unit(f.Unit)} })
		p.table([]string{"Показатель", "Значение", "Единица"}, rows)
	}
	if s.Table != nil {
		p.table(each(s.Table.Head, func(f Figure) string { return escaped(f.Head()) }), each(s.Table.Rows, func(row []Figure) []string { return each(row, Figure.printed) }))
	}
	for _, point := range s.Points {
		p.WriteString("- " + point.printed() + "\n")
	}
	for _, within := range s.Within {
		p.section(level+1, within)
	}
}

func (p Point) printed() string {
	switch {
	case p.Version != "":
		return code(p.Code) + " " + p.Version + ", " + code(p.Checksum) + ", " + escaped(p.Text)
	case p.Text != "":
		return code(p.Code) + ": " + escaped(p.Text)
	}
	return code(p.Code)
}

// printed is the value as it stands in a cell of Markdown.
func (f Figure) printed() string {
	if f.Type == CodeType {
		return code(f.Text)
	}
	return escaped(f.Words())
}

// Words are the value in one line, words for codes with the codes: what has parts too, and a
// dash for none.
func (f Figure) Words() string {
	return f.words(func(code string) string { return stateWords[code] + " (" + code + ")" })
}

// Said is what [Figure.Words] is without codes.
func (f Figure) Said() string {
	return f.words(func(code string) string { return stateWords[code] })
}

func (f Figure) words(state func(code string) string) string {
	switch {
	case f.Type == kindNames[boolKind] && f.Text != "":
		return map[string]string{"true": "да", "false": "нет"}[f.Text]
	case f.Type == UnitType:
		return f.Text
	case f.Parts == nil && stateWords[f.Text] != "":
		return state(f.Text)
	case f.Parts == nil:
		return cmp.Or(f.Text, "—")
	}
	parts := each(f.Parts, func(p Figure) string {
		if f.Type != kindNames[listKind] {
			return p.Name + ": " + p.words(state)
		}
		return p.words(state)
	})
	return cmp.Or(strings.Join(parts, ", "), "нет")
}
