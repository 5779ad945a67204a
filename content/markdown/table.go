package markdown

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
func (n *node) columns() []column {
	var found []column
	for i := range n.kids {
		row := &n.kids[i]
		if row.kind != object || !row.fits() {
			return nil
		}
		for j := range row.kids {
			if k := &row.kids[j]; indexColumn(found, k.name) < 0 {
				found = append(found, column{k.name, k})
			}
			if len(found) > maxColumns {
				return nil
			}
		}
	}
	if len(found) < 2 {
		return nil // one column is a list
	}
	return n.inOrder(found)
}

// fits says whether an object can be a row.
func (n *node) fits() bool {
	if len(n.kids) > maxColumns {
		return false
	}
	for i := range n.kids {
		k := &n.kids[i]
		limit := maxCell
		if heads(k.name) {
			limit = maxTitle
		}
		if !k.short(limit) || n.cell(k.name) != k {
			return false // too long, or said twice
		}
	}
	return true
}

// cell returns the field of that name, nil if there is none.
func (n *node) cell(name string) *node {
	for i := range n.kids {
		if n.kids[i].name == name {
			return &n.kids[i]
		}
	}
	return nil
}

// inOrder puts the columns into the order of the schema, so that a field which
// the first element lacks does not come last.
func (n *node) inOrder(found []column) []column {
	if n.field == nil || n.field.Items == nil {
		return found
	}
	ordered := make([]column, 0, len(found))
	for _, f := range n.field.Items.Fields {
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
	for i := range n.kids {
		row := &n.kids[i]
		w.row(columns, func(c column) {
			if row.begins == 0 {
				w.begin(row)
			}
			w.cell(row.cell(c.name))
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
