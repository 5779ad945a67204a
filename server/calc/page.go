package calc

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A page is a Markdown document. Its tables are padded, so that they are readable in a
// terminal.
type page struct{ strings.Builder }

func (p *page) heading(level int, text string) {
	if !strings.HasSuffix(p.String(), "\n\n") {
		p.WriteByte('\n')
	}
	fmt.Fprintf(p, "%s %s\n\n", strings.Repeat("#", level), escaped(text))
}

// table writes a table; there is always a row.
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

// escaped escapes text for Markdown, table cells included.
func escaped(s string) string { return marks.Replace(s) }

var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`, "\n", " ")

func code(s string) string { return "`" + s + "`" }

// Unit returns the Russian abbreviation of a unit.
func Unit(name string) string {
	if u, ok := words().Units[name]; ok {
		return u.Short
	}
	return name
}

// Head is the heading of a column: the title, with the unit unless the title names it.
func (f Figure) Head() string {
	u := Unit(f.Unit)
	if u == "" || strings.Contains(strings.ToLower(f.Title), words().Units[f.Unit].Word) {
		return f.Title
	}
	return f.Title + ", " + u
}

// section writes a section of an answer: its figures as one table, then its table and
// points, then the sections within it.
func (p *page) section(level int, s Section) {
	p.heading(level, s.Title)
	switch {
	case len(s.Figures) == 1 && s.Figures[0].Name == s.ID:
		p.WriteString(s.Figures[0].printed() + "\n")
	case s.Figures != nil:
		rows := each(
			s.Figures, func(f Figure) []string { return []string{escaped(f.Title), f.printed(), Unit(f.Unit)} },
		)
		p.table([]string{"Показатель", "Значение", "Единица"}, rows)
	}
	if s.Table != nil {
		p.table(
			each(s.Table.Head, func(f Figure) string { return escaped(f.Head()) }),
			each(s.Table.Rows, func(row []Figure) []string { return each(row, Figure.printed) }),
		)
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

// printed is the value as Markdown, in a table cell.
func (f Figure) printed() string {
	if f.Type == CodeType {
		return code(f.Text)
	}
	return escaped(f.Words())
}

// Words is the value in one line, its parts included; a dash if there is none. Codes are
// translated and follow in brackets.
func (f Figure) Words() string {
	label := cmp.Or(f.Label, words().States[f.Text])
	switch {
	case f.Type == kinds[boolKind].name && f.Text != "":
		return map[string]string{"true": "да", "false": "нет"}[f.Text]
	case f.Type == UnitType:
		return f.Text
	case f.Parts == nil && label != "":
		return label + " (" + f.Text + ")"
	case f.Parts == nil:
		return cmp.Or(f.Text, "—")
	}
	parts := each(f.Parts, func(p Figure) string {
		if f.Type != kinds[listKind].name {
			return p.Title + ": " + p.Words()
		}
		return p.Words()
	})
	return cmp.Or(strings.Join(parts, ", "), "нет")
}
