package markdown

import "rulestore/content/document"

// A row fits on a line if there are at most maxColumns of them and no cell is
// long. The title may be: sources have long names and little else.
const (
	maxColumns = 6
	maxCell    = 60
	maxTitle   = 160
)

// column is a column of a table: a field that some element has.
type column struct {
	name  string
	title *node // any element's, for what people call it
}

// columns returns the columns of an array that reads well as a table, in the
// order of the schema, nil if it does not.
func columns(n *node) []column {
	var found []column
	for i := range n.Kids {
		row := &n.Kids[i]
		if row.Kind != document.Object || !fits(row) {
			return nil
		}
		for j := range row.Kids {
			if k := &row.Kids[j]; indexColumn(found, k.Name) < 0 {
				found = append(found, column{k.Name, k})
			}
			if len(found) > maxColumns {
				return nil
			}
		}
	}
	if len(found) < 2 {
		return nil // one column is a list
	}
	return inOrder(n, found)
}

// fits says whether an object can be a row.
func fits(n *node) bool {
	if len(n.Kids) > maxColumns {
		return false
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		limit := maxCell
		if document.Heads(k.Name) {
			limit = maxTitle
		}
		if !k.Short(limit) || n.Member(k.Name) != k {
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
			w.cell(row.Member(c.name))
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
