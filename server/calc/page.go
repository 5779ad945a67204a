package calc

import (
	"cmp"
	"fmt"
	"slices"
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

func unit(f *Field) string {
	if u, ok := units[f.Unit]; ok {
		return u.short
	}
	return f.Unit
}

// column is the head of a column: the title, with the unit unless it says so.
func column(f *Field) string {
	u := unit(f)
	if u == "" || strings.Contains(f.Title, units[f.Unit].word) {
		return escaped(f.Title)
	}
	return escaped(f.Title + ", " + u)
}

// values writes an object: what is short as one table, then each list and each
// object under a heading of its own.
func (p *page) values(level int, fields []Field, n node) {
	var rows [][]string
	var long []Field
	for _, f := range fields {
		v := n.member(f.Name)
		switch {
		case v == nil:
		case v.short():
			rows = append(rows, []string{escaped(f.Title), v.printed(), unit(&f)})
		default:
			long = append(long, f)
		}
	}
	if rows != nil {
		p.table([]string{"Показатель", "Значение", "Единица"}, rows)
	}
	for _, f := range long {
		p.heading(level, f.Title)
		p.value(level+1, &f, *n.member(f.Name))
	}
}

// value writes a list or an object.
func (p *page) value(level int, f *Field, n node) {
	switch {
	case f.kind == objectKind:
		p.values(level, f.fields, n)
	case f.kind == mapKind:
		var rows [][]string
		for _, m := range n.members {
			rows = append(rows, []string{escaped(m.name), m.value.printed(), unit(f.item)})
		}
		p.table([]string{"Показатель", "Значение", "Единица"}, rows)
	case f.item.kind == objectKind:
		p.records(f.item.fields, n.items)
	}
}

// records writes a list of objects as a table of the columns that have anything
// in them.
func (p *page) records(fields []Field, items []node) {
	fields = slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
		return !slices.ContainsFunc(items, func(n node) bool { v := n.member(f.Name); return v != nil && v.kind != nullNode })
	})
	var head []string
	for i := range fields {
		head = append(head, column(&fields[i]))
	}
	var rows [][]string
	for _, n := range items {
		var row []string
		for _, f := range fields {
			row = append(row, n.member(f.Name).printed())
		}
		rows = append(rows, row)
	}
	p.table(head, rows)
}

// member is a value of an object, nil if there is none.
func (n *node) member(name string) *node {
	i := slices.IndexFunc(n.members, func(m member) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &n.members[i].value
}

// short says whether the value fits into a cell.
func (n *node) short() bool {
	switch n.kind {
	case objectNode:
		return len(n.members) == 0
	case listNode:
		return !slices.ContainsFunc(n.items, func(item node) bool { return item.kind == objectNode || item.kind == listNode })
	}
	return true
}

// printed is the value as it stands in a cell: what has parts in one line.
func (n *node) printed() string {
	var parts []string
	switch {
	case n == nil || n.kind == nullNode:
		return "—"
	case n.kind == boolNode:
		return map[string]string{"true": "да", "false": "нет"}[n.text]
	case n.kind == listNode:
		for i := range n.items {
			parts = append(parts, n.items[i].printed())
		}
	case n.kind == objectNode:
		for _, m := range n.members {
			parts = append(parts, escaped(m.name)+": "+m.value.printed())
		}
	default:
		return cmp.Or(escaped(n.text), "—")
	}
	return cmp.Or(strings.Join(parts, ", "), "нет")
}
