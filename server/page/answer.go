package page

import (
	"html/template"
	"strings"

	"rulestore/server/calc"
)

// Result is what was calculated.
type Result struct {
	Verdict  string
	Sections []calc.Section
	Charts   []Chart
	Request  string // as JSON, for who wants to send it again
	Receipt  []Statement
}

// folded are the parts of an answer that a reader opens.
var folded = map[string]bool{"inputs": true, "schedule": true, "trace": true, "assumptions": true, "not_computed": true}

// Open draws what everybody reads of an answer, and Folded what a reader opens.
func (r *Result) Open() template.HTML   { return r.draw(false) }
func (r *Result) Folded() template.HTML { return r.draw(true) }

func (r *Result) draw(wanted bool) template.HTML {
	d := &drawer{}
	for _, s := range r.Sections {
		switch {
		case folded[s.ID] != wanted:
		case wanted:
			d.raw(`<details class="folded" id="`, s.ID, `"><summary><h2>`)
			d.text(s.Title)
			d.raw("</h2></summary>\n")
			d.answer(s, 3)
			d.raw("</details>\n")
		default:
			d.title(s, 2)
			d.answer(s, 3)
		}
	}
	return d.take()
}

func (d *drawer) title(s calc.Section, level int) {
	tag := "h" + string(rune('0'+min(level, 6)))
	d.raw("<", tag, ` id="`)
	d.text(s.ID)
	d.raw(`">`)
	d.text(s.Title)
	d.raw("</", tag, ">\n")
}

// answer draws a part of an answer under its title; level is that of the next ones.
func (d *drawer) answer(s calc.Section, level int) {
	switch {
	case len(s.Figures) == 1 && s.Figures[0].Name == s.ID:
		d.raw("<p>")
		d.text(s.Figures[0].Words())
		d.raw("</p>\n")
	case s.Figures != nil:
		d.figures(s.Figures)
	}
	if s.Table != nil {
		d.figureTable(s.Table)
	}
	if s.Points != nil {
		d.raw("<ul>\n")
		for _, p := range s.Points {
			d.point(p)
		}
		d.raw("</ul>\n")
	}
	for _, within := range s.Within {
		d.title(within, level)
		d.answer(within, level+1)
	}
}

// figures draws values below each other, each with its unit.
func (d *drawer) figures(all []calc.Figure) {
	d.raw(`<table class="figures"><tbody>` + "\n")
	for _, f := range all {
		d.raw(`<tr><th scope="row">`)
		d.text(f.Title)
		d.raw("</th>")
		d.figure(f, true)
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table>\n")
}

// figure draws a cell, numbers below each other.
func (d *drawer) figure(f calc.Figure, unit bool) {
	text := f.Words()
	if isNumber(text) {
		text = grouped(text)
		if u := calc.Unit(f.Unit); unit && u != "" {
			text += "\u00A0" + u
		}
		d.raw(`<td class="num">`)
	} else {
		d.raw("<td>")
	}
	if f.Type == calc.CodeType {
		d.code(text)
	} else {
		d.text(text)
	}
	d.raw("</td>")
}

func (d *drawer) figureTable(t *calc.Table) {
	d.raw(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table>` + "\n<thead><tr>")
	for _, h := range t.Head {
		d.raw(`<th scope="col">`)
		d.text(h.Head())
		d.raw("</th>")
	}
	d.raw("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		d.raw("<tr>")
		for _, f := range row {
			d.figure(f, false)
		}
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table></div>\n")
}

func (d *drawer) point(p calc.Point) {
	d.raw("<li>")
	d.code(p.Code)
	d.text(" " + strings.TrimSpace(p.Version+" "+p.Text))
	if p.Checksum != "" {
		d.raw(" ")
		d.code(p.Checksum)
	}
	d.raw("</li>\n")
}
