package page

import (
	"html/template"
	"strconv"
	"strings"

	"rulestore/server/calc"
)

// Tools lists the calculations by family.
type Tools struct {
	Head
	Filters  Filters
	Families []Family
}

func (Tools) name() string { return "tools" }

// Family is a group of calculations.
type Family struct {
	ID, Title string
	Entries   []Entry
}

// Tool is a calculation: its form, the answer after that was sent, its inputs, and a request for
// programs.
type Tool struct {
	Head
	ID, Version string
	About       string
	Action      string
	Fields      []Field
	Faults      []Fault // of what was sent
	Answer      *Answer // nil before the form is sent, and if it has faults
	Referrers   []Link
	Others      int // number of further items that refer to it
}

func (Tool) name() string { return "tool" }

// The types of the fields of a form.
const (
	TextField   = "text"
	NumberField = "number"
	DateField   = "date"
	ChoiceField = "choice"
	JSONField   = "json" // a list or an object
)

// Field is a field of the form of a calculation.
type Field struct {
	Name, Title     string
	Type            string
	Value           string
	Choices         []Choice
	Optional, Wrong bool
}

// ID returns the id of the field on the page.
func (f Field) ID() string { return "i-" + f.Name }

// Answer is the answer of a calculation.
type Answer struct {
	Verdict             string
	InputsHash, Receipt string
	Sections            []calc.Section
}

// maxRows is the maximum number of rows of a table of an answer: thirty years of months are whole,
// and a page stays below 100 KB.
const maxRows = 400

// Draw draws the answer: its figures, tables and notes. The inputs are in the form, and the steps in
// the answers for programs.
func (a Answer) Draw() template.HTML {
	d := &drawer{}
	for _, s := range a.Sections {
		if s.ID != "inputs" && s.ID != "trace" {
			d.answer(s, 3)
		}
	}
	return d.take()
}

// answer draws a section of an answer with a title of a level, and those within it.
func (d *drawer) answer(s calc.Section, level int) {
	tag := "h" + strconv.Itoa(min(level, 6))
	d.wrap("<"+tag+">", s.Title, "</"+tag+">\n")
	if s.Figures != nil {
		d.raw(`<table class="figures"><tbody>` + "\n")
		for _, f := range s.Figures {
			d.wrap(`<tr><th scope="row">`, f.Title, "</th>")
			d.wrap(`<td class="num">`, shown(f, f.Unit), "</td></tr>\n")
		}
		d.raw("</tbody></table>\n")
	}
	if s.Table != nil {
		d.figureTable(s.Table)
	}
	if s.Points != nil {
		d.raw("<ul>\n")
		for _, p := range s.Points {
			d.wrap("<li>", strings.TrimSpace(p.Text+" "+p.Version)+" ", "")
			d.code(p.Code)
			d.raw("</li>\n")
		}
		d.raw("</ul>\n")
	}
	for _, within := range s.Within {
		d.answer(within, level+1)
	}
}

// figureTable draws a table. The cells of a schedule have no classes of their own, as there are thousands.
func (d *drawer) figureTable(t *calc.Table) {
	d.raw(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table`)
	if numbered(t) {
		d.raw(` class="numeric"`)
	}
	d.raw("><thead><tr>")
	for _, h := range t.Head {
		d.wrap(`<th scope="col">`, h.Head(), "</th>")
	}
	d.raw("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows[:min(maxRows, len(t.Rows))] {
		d.raw("<tr>")
		for _, f := range row {
			d.wrap("<td>", shown(f, ""), "</td>")
		}
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table></div>\n")
	if left := len(t.Rows) - maxRows; left > 0 {
		d.raw(`<p class="small">И ещё строк: `, strconv.Itoa(left), ". Все они — в ответе программе.</p>\n")
	}
}

// numbered reports whether a table is a schedule, whose rows are numbered.
func numbered(t *calc.Table) bool { return t.Head[0].Name == "no" }

// shown is a figure for people, in a unit. Semicolons stand between parts, as decimals follow a comma.
func shown(f calc.Figure, unit string) string {
	if len(f.Parts) > 0 {
		all := make([]string, len(f.Parts))
		for i, p := range f.Parts {
			if all[i] = shown(p, p.Unit); f.Type != "list" {
				all[i] = p.Title + ": " + all[i]
			}
		}
		return strings.Join(all, "; ")
	}
	text := f.Words()
	switch {
	case isNumber(text):
		return strings.TrimSuffix(grouped(text)+"\u00A0"+calc.Unit(unit), "\u00A0")
	case f.Type == "enum":
		return Worded(text)
	}
	return DayOf(text)
}
