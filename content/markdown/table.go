package markdown

import (
	"unicode/utf8"

	"rulestore/content/document"
)

// limits say what a row of a table may be: of how many cells, and of how many letters each
// of them and, which may have more, the title. Sources have long names and little else.
type limits struct {
	columns, cell, title, row int
	words                     bool
}

var (
	ofPages = limits{6, 60, 160, 1 << 20, false}
	ofText  = limits{8, 200, 200, 400, true}
)

func (w *writer) limits() limits {
	if w.paged {
		return ofPages
	}
	return ofText
}

// column is a column of a table: a field that some element has.
type column struct {
	name  string
	title *node // any element's, for what people call it
}

// columns returns the columns of an array that reads well as a table, in the
// order of the schema, nil if it does not.
func (w *writer) columns(n *node) []column {
	most := w.limits()
	var found []column
	for i := range n.Kids {
		row := &n.Kids[i]
		if row.Kind != document.Object || len(row.Kids) > most.columns || !most.fit(row) {
			return nil
		}
		for j := range row.Kids {
			if k := &row.Kids[j]; indexColumn(found, k.Name) < 0 {
				found = append(found, column{k.Name, k})
			}
			if len(found) > most.columns {
				return nil
			}
		}
	}
	if len(found) < 2 || !w.paged && len(n.Kids) < 2 {
		return nil // one column is a list, and one row a line
	}
	return inOrder(n, found)
}

// fit says whether an object can be a row.
func (most limits) fit(n *node) bool {
	if utf8.RuneCount(n.Raw) > most.row {
		return false
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		limit := most.cell
		if document.Heads(k.Name) {
			limit = most.title
		}
		if !k.Short(limit) && !(most.words && k.IsList() && (len(k.Kids) == 0 || k.Words())) || n.Member(k.Name) != k {
			return false // too long, or said twice
		}
	}
	return true
}

// inOrder puts the columns into the order of the schema, so that a field which
// the first element lacks does not come last.
func inOrder(n *node, found []column) []column {
	if n.Field == nil || n.Field.Items == nil {
		return found
	}
	ordered := make([]column, 0, len(found))
	for _, f := range n.Field.Items.Fields {
		if i := indexColumn(found, f.Name); i >= 0 {
			ordered = append(ordered, found[i])
		}
	}
	for _, c := range found {
		if indexColumn(ordered, c.name) < 0 {
			ordered = append(ordered, c)
		}
	}
	return ordered
}

func indexColumn(columns []column, name string) int {
	for i := range columns {
		if columns[i].name == name {
			return i
		}
	}
	return -1
}

func (w *writer) table(n *node, columns []column) {
	w.gap()
	w.row(columns, func(c column) { w.name(c.title, inCell) })
	w.line()
	for range columns {
		w.out = append(w.out, "|---"...)
	}
	w.out = append(w.out, '|')
	for i := range n.Kids {
		row := &n.Kids[i]
		w.row(columns, func(c column) {
			if _, begun := w.begins[row]; !begun {
				w.begin(row)
			}
			k := row.Member(c.name)
			if !w.paged && c.name == n.Unique() && k != nil && k.EnumLabel() != "" {
				w.out = appendCode(w.out, k.Text, inCell) // the other cells say what it is
			} else {
				w.cell(k)
			}
		})
	}
}

func (w *writer) row(columns []column, cell func(column)) {
	w.line()
	w.out = append(w.out, '|')
	for _, c := range columns {
		w.out = append(w.out, ' ')
		cell(c)
		w.out = append(w.out, " |"...)
	}
}

// cell writes a value, which an element need not have.
func (w *writer) cell(n *node) {
	if n == nil {
		n = &node{}
	}
	w.begin(n)
	w.inline(n, inCell)
}
