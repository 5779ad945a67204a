package html

import "rulestore/content/document"

// array draws the elements of an array as a table, below headings, or as a list.
func (d *drawer) array(n *document.Node, level int) {
	switch columns := n.Columns(tableLimits); {
	case columns != nil:
		d.table(n, columns)
	case level > maxHeading || !n.Objects():
		d.items(n)
	default:
		for i := range n.Kids {
			d.element(n, i, level)
		}
	}
}

// element draws an element of a list below its heading.
func (d *drawer) element(list *document.Node, i, level int) {
	n := &list.Kids[i]
	h, number := labelsOf(n, list.Unique()), numberOf(list, i)
	for j := range n.Kids {
		if k := &n.Kids[j]; k.Kind == document.Number && k.Text+". " == number {
			h.number = k
			break
		}
	}
	d.heading(n, level, elementTitle(n, h, number), h)
	if n.Kind == document.Object {
		d.object(n, h, level+1)
	} else {
		d.value(n)
	}
}

// items draws the parts of an object or array as a list.
func (d *drawer) items(n *document.Node) {
	if n.Kind == document.Object {
		d.object(n, labels{}, maxHeading+1)
		return
	}
	if columns := n.Columns(tableLimits); columns != nil {
		d.table(n, columns)
		return
	}
	tag := "ul"
	if n.Field != nil && n.Field.Ordered {
		tag = "ol"
	}
	d.raw("<", tag, ">\n")
	for i := range n.Kids {
		k := &n.Kids[i]
		d.open("li", k)
		if k.Kind == document.Object {
			h := labelsOf(k, n.Unique())
			d.raw("<strong>")
			d.name(k, h, "")
			d.raw("</strong>")
			d.mark(k)
			d.raw("\n")
			d.object(k, h, maxHeading+1)
		} else {
			d.value(k)
		}
		d.raw("</li>\n")
	}
	d.raw("</", tag, ">\n")
}

// tableLimits are the limits of a table that can be read on a screen.
var tableLimits = document.Limits{Columns: 6, Cell: 60, Title: 160, Row: 1 << 20}

// table draws a table, which scrolls if it is too wide, by keyboard too.
func (d *drawer) table(n *document.Node, columns []document.Column) {
	d.raw(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table class="stacked">` + "\n<thead><tr>")
	for _, c := range columns {
		d.wrap(`<th scope="col">`, c.Of.Title(c.Name), "</th>")
	}
	d.raw("</tr></thead>\n<tbody>\n")
	for i := range n.Kids {
		row := &n.Kids[i]
		d.open("tr", row)
		for j, c := range columns {
			d.cell(row, row.Member(c.Name), c.Of.Title(c.Name), j == 0)
		}
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table></div>\n")
}

// cell draws a value of a row, which may be missing, with the title that narrow screens show in
// place of columns.
func (d *drawer) cell(row, n *document.Node, title string, first bool) {
	if n == nil {
		n = &document.Node{}
	}
	switch n.Type() {
	case document.Figure, document.Money, document.Percent:
		d.raw(`<td class="num"`)
	default:
		d.raw("<td")
	}
	d.wrap(` data-title="`, title, `">`)
	d.inline(n)
	if first {
		d.mark(row)
	}
	d.raw("</td>")
}

// pointers draws items and sections to read, each with its condition.
func (d *drawer) pointers(n *document.Node) {
	d.raw("<ul>\n")
	for i := range n.Kids {
		k := &n.Kids[i]
		p, _ := k.Pointer()
		d.open("li", k)
		for j, name := range p.Names() {
			if j > 0 {
				d.raw(", ")
			}
			d.named(k, name)
		}
		if p.When != "" {
			d.text(" (" + p.When + ")")
		}
		d.raw("</li>\n")
	}
	d.raw("</ul>\n")
}
