package markdown

import "rulestore/content/document"

// limits are those of the rows of a table. Sources have long names and little else.
var limits = document.Limits{Columns: 8, Cell: 200, Title: 200, Row: 400, Lists: true}

func (w *writer) table(n *node, columns []document.Column) {
	w.gap()
	w.row(columns, func(c document.Column) { w.name(c.Of, inCell) })
	w.line()
	for range columns {
		w.out = append(w.out, "|---"...)
	}
	w.out = append(w.out, '|')
	for i := range n.Kids {
		row := &n.Kids[i]
		w.row(columns, func(c document.Column) {
			k := row.Member(c.Name)
			if c.Name == n.Unique() && k != nil && k.EnumLabel() != "" {
				w.out = appendCode(w.out, k.Text, inCell) // the other cells describe it
			} else {
				w.cell(k)
			}
		})
	}
}

func (w *writer) row(columns []document.Column, cell func(document.Column)) {
	w.line()
	w.out = append(w.out, '|')
	for _, c := range columns {
		w.out = append(w.out, ' ')
		cell(c)
		w.out = append(w.out, " |"...)
	}
}

// cell writes a value, which an element may not have.
func (w *writer) cell(n *node) {
	if n == nil {
		n = &node{}
	}
	w.inline(n, inCell)
}
