package page

import (
	"cmp"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/server/calc"
)

// Result is the result of a calculation.
type Result struct {
	Verdict  string
	Leading  []calc.Figure // the most important first; none if the verdict is that there is no result
	Sections []calc.Section
	From     int // the first row of the schedule on the page
	Charts   []Picture
	Curl     string // the request as a curl command
	Call     string // the request as an MCP tool call
	Receipt  []Statement
}

// Picture has the data of a chart; it is empty if there is too little data.
type Picture interface{ Draw() template.HTML }

// Main returns the main figure, nil if there is none; Beside returns at most three other
// important ones.
func (r *Result) Main() *calc.Figure {
	if len(r.Leading) == 0 {
		return nil
	}
	return &r.Leading[0]
}

func (r *Result) Beside() []calc.Figure {
	return r.Leading[min(1, len(r.Leading)):min(4, len(r.Leading))]
}

// Briefly is a title without the explanation of its values, which follows a semicolon or a colon.
func Briefly(title string) string {
	title, _, _ = strings.Cut(title, ";")
	title, _, _ = strings.Cut(title, ": ")
	return title
}

// Titled returns the title of a figure without the explanation of its values.
func Titled(f calc.Figure) string {
	title, _, _ := strings.Cut(f.Title, ";")
	if f.Type == "enum" {
		title, _, _ = strings.Cut(title, ":")
	}
	return title
}

// columnTitle is the head of a column, or of a row, of figures.
func columnTitle(f calc.Figure) string {
	f.Title = Titled(f)
	return f.Head()
}

// Shown returns a figure with its unit, formatted for people.
func Shown(f calc.Figure) string {
	if f.Parts != nil {
		return shownParts(f)
	}
	text := f.Said()
	switch {
	case f.Type == "enum" && Worded(f.Name, f.Text) != f.Text: // other texts are the caller's own
		return Worded(f.Name, f.Text)
	case f.Type == "date":
		if t, err := time.Parse(time.DateOnly, text); err == nil {
			return Day(t)
		}
	case isNumber(text):
		if f.Type == "percent" || f.Type == "ratio" {
			text = rounded(text)
		}
		return strings.TrimSuffix(grouped(text)+"\u00A0"+calc.Unit(f.Unit), "\u00A0")
	}
	return text
}

// rounded leaves out zeros at the end of a number, from its third decimal on.
func rounded(number string) string {
	dot := strings.IndexByte(number, '.')
	if dot < 0 {
		return number
	}
	return number[:min(len(number), max(dot+3, len(strings.TrimRight(number, "0"))))]
}

// shownParts returns the parts of a figure on one line: the elements of a list, or the parts of an
// object with their titles. Semicolons stand between them, as decimals follow a comma.
func shownParts(f calc.Figure) string {
	var all []string
	for _, p := range f.Parts {
		part := Shown(p)
		if f.Type != "list" {
			part = titledPart(p)
		}
		all = append(all, part)
	}
	return cmp.Or(strings.Join(all, "; "), "нет")
}

// titledPart is a part of an object with its title, which may name its unit.
func titledPart(p calc.Figure) string {
	p.Title = Briefly(p.Title)
	if p.Head() == p.Title && p.Unit != "percent" {
		p.Unit = ""
	}
	return p.Title + ": " + Shown(p)
}

// folded are the sections of an answer that are collapsed.
var folded = map[string]bool{"inputs": true, "schedule": true, "trace": true, "assumptions": true, "not_computed": true}

// Open draws the visible part of an answer, and Folded the part that is collapsed.
func (r *Result) Open() template.HTML   { return r.draw(false) }
func (r *Result) Folded() template.HTML { return r.draw(true) }

func (r *Result) draw(wanted bool) template.HTML {
	d := &drawer{}
	for _, s := range r.Sections {
		switch {
		case folded[s.ID] != wanted:
		case wanted:
			d.fold(s, r)
		default:
			d.title(s, s.ID, 2)
			d.answer(sideBySide(s, SectionOf(r.Sections, "inputs")), s.ID, 3)
		}
	}
	return d.take()
}

// SectionOf returns the section of that id, an empty one if there is none.
func SectionOf(all []calc.Section, id string) calc.Section {
	i := slices.IndexFunc(all, func(s calc.Section) bool { return s.ID == id })
	if i < 0 {
		return calc.Section{}
	}
	return all[i]
}

// fold draws a collapsed section.
func (d *drawer) fold(s calc.Section, r *Result) {
	d.raw(`<details class="folded" id="`, s.ID)
	if s.ID == scheduleID && r.From > 1 {
		d.raw(`" open><summary autofocus><h2>`)
	} else {
		d.raw(`"><summary><h2>`)
	}
	d.text(s.Title)
	d.raw("</h2></summary>\n")
	switch s.ID {
	case "trace":
		d.steps(s.Table)
		d.points(s.Points)
	case scheduleID:
		d.schedule(s.Table, r)
	default:
		d.answer(s, s.ID, 3)
	}
	d.raw("</details>\n")
}

const (
	scheduleID = "schedule"
	// maxSchedule is the maximum number of rows of a schedule on a page, so that it stays below
	// 100 KB, maxRows that of rows of other tables, and maxSteps that of steps.
	maxSchedule = 400
	maxRows     = 50
	maxSteps    = 40
)

// schedule draws rows of a schedule from one on, with buttons for the others.
func (d *drawer) schedule(t *calc.Table, r *Result) {
	from := max(1, min(r.From, len(t.Rows)))
	to := min(from+maxSchedule-1, len(t.Rows))
	d.figureTable(&calc.Table{Head: t.Head, Rows: t.Rows[from-1 : to]}, maxSchedule)
	for first := 1; len(t.Rows) > maxSchedule && first <= len(t.Rows); first += maxSchedule {
		if first != from {
			d.raw(`<p><button class="quiet" type="submit" form="calculation" name="`, FromRow, `" value="`,
				strconv.Itoa(first), `">Строки `, strconv.Itoa(first), "–",
				strconv.Itoa(min(first+maxSchedule-1, len(t.Rows))), "</button></p>\n")
		}
	}
}

// FromRow is the button of an answer that shows the rows of its schedule from a number on.
const FromRow = "from"

// title draws the title of a section with its address.
func (d *drawer) title(s calc.Section, address string, level int) {
	tag := "h" + string(rune('0'+min(level, 6)))
	d.wrap("<"+tag+` id="`, address, `">`)
	d.text(Titled(calc.Figure{Title: s.Title}))
	d.raw("</", tag, ">\n")
}

// answer draws a section of an answer below its title; level is that of the titles in it, whose
// addresses begin with that of the section: inputs and outputs may have the same names.
func (d *drawer) answer(s calc.Section, address string, level int) {
	switch {
	case len(s.Figures) == 1 && s.Figures[0].Name == s.ID:
		d.wrap("<p>", Shown(s.Figures[0]), "</p>\n")
	case s.Figures != nil:
		d.figures(s.Figures)
	}
	if s.Table != nil {
		d.figureTable(s.Table, maxRows)
	}
	d.points(s.Points)
	for _, within := range s.Within {
		d.title(within, address+"/"+within.ID, level)
		d.answer(within, address+"/"+within.ID, level+1)
	}
}

func (d *drawer) points(all []calc.Point) {
	if all == nil {
		return
	}
	d.raw("<ul>\n")
	for _, p := range all {
		d.point(p)
	}
	d.raw("</ul>\n")
}

// figures draws figures below each other, each with its unit.
func (d *drawer) figures(all []calc.Figure) {
	d.raw(`<table class="figures"><tbody>` + "\n")
	for _, f := range all {
		d.wrap(`<tr><th scope="row">`, Titled(f), "</th>")
		d.figure(f, true)
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table>\n")
}

// steps draws the steps of a computation: of each its title, the formula, the formula with
// numbers, and the result.
func (d *drawer) steps(t *calc.Table) {
	d.raw(`<ol class="steps">` + "\n")
	for _, row := range t.Rows[:min(maxSteps, len(t.Rows))] {
		d.wrap("<li><p><strong>", cmp.Or(row[0].Title, row[0].Text), "</strong></p>\n")
		for i, class := range []string{"formula", "numbers", "value"} {
			if f := row[i+1]; f.Text != "" {
				d.raw(`<p class="`, class, `">`)
				if f.Phrase == nil {
					d.text(decimal.ReplaceAllStringFunc(f.Text, Grouped))
				} else {
					d.text("= " + f.Phrase.Words(listed.Replace, operand))
				}
				d.raw("</p>\n")
			}
		}
		d.raw("</li>\n")
	}
	d.raw("</ol>\n")
	d.beyond(len(t.Rows) - maxSteps)
}

// decimal matches the numbers of a formula that people write differently.
var decimal = regexp.MustCompile(`\d+\.\d+`)

// listed separates the numbers of a formula by semicolons, since their fractions follow a comma.
var listed = strings.NewReplacer(", ", "; ")

// operand writes a number of a formula; a negative one after an operator is in brackets.
func operand(number string, after bool) string {
	if after && isNumber(number) && number[0] == '-' {
		return "(" + Grouped(number) + ")"
	}
	return Grouped(number)
}

// figure draws a cell of a table.
func (d *drawer) figure(f calc.Figure, unit bool) {
	if !unit {
		f.Unit = ""
	}
	if isNumber(f.Words()) {
		d.raw(`<td class="num">`)
	} else {
		d.raw("<td>")
	}
	switch {
	case f.Type == calc.CodeType:
		d.code(f.Text)
	case f.Type == "list" && len(f.Parts) > 1 && f.Parts[0].Parts != nil:
		d.raw("<ul>")
		for _, p := range f.Parts {
			d.wrap("<li>", Shown(p), "</li>")
		}
		d.raw("</ul>")
	default:
		d.text(Shown(f))
	}
	d.raw("</td>")
}

// numeric reports whether a table has only numbers and dates.
func numeric(t *calc.Table) bool {
	for _, row := range t.Rows {
		for _, f := range row {
			if f.Type != "date" && f.Text != "" && !isNumber(f.Words()) {
				return false
			}
		}
	}
	return true
}

// figureTable draws a table with a limited number of rows.
func (d *drawer) figureTable(t *calc.Table, limit int) {
	class := ""
	if t.Head[0].Name == variantID && len(t.Rows) <= maxVariants && len(t.Head) > 3 {
		t, class = transposed(t), ` class="variants"`
	} else if numeric(t) {
		class = ` class="numeric"`
	}
	d.raw(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table`, class, ">\n<thead><tr>")
	for _, h := range t.Head {
		d.wrap(`<th scope="col">`, columnTitle(h), "</th>")
	}
	d.raw("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows[:min(limit, len(t.Rows))] {
		d.raw("<tr>")
		for i, f := range row {
			switch {
			case class == ` class="numeric"`: // cells without classes, as these tables are long
				d.raw("<td>")
				f.Unit = ""
				d.text(Shown(f))
				d.raw("</td>")
			case i == 0 && class != "":
				d.wrap(`<th scope="row">`, f.Text, "</th>")
			default:
				d.figure(f, false)
			}
		}
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table></div>\n")
	d.beyond(len(t.Rows) - limit)
}

// beyond states the number of rows that are not shown.
func (d *drawer) beyond(n int) {
	if n > 0 {
		d.raw(`<p class="small">И ещё строк: `, strconv.Itoa(n), ". Все они — в ответе программе.</p>\n")
	}
}

func (d *drawer) point(p calc.Point) {
	d.raw("<li>")
	d.text(strings.TrimSpace(valuesInside(p.Text)+" "+p.Version) + " ")
	d.code(p.Code)
	if p.Checksum != "" {
		d.raw(" ")
		d.code(p.Checksum)
	}
	d.raw("</li>\n")
}

var valueInside = regexp.MustCompile(`\d{4}-\d\d-\d\d|-?\d+(\.\d+)?( [₽%])`)

// valuesInside writes the days and the values of a sentence for programs as people do.
func valuesInside(sentence string) string {
	return valueInside.ReplaceAllStringFunc(sentence, func(value string) string {
		if number, unit, ok := strings.Cut(value, " "); ok {
			return Grouped(number) + "\u00A0" + unit
		}
		return DayOf(value)
	})
}
