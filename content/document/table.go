package document

import "unicode/utf8"

// Limits are the limits of a table row: the number of cells, and the letters of each cell, of
// the title, which may have more, and of all together.
type Limits struct {
	Columns, Cell, Title, Row int
	Lists                     bool // a cell may hold a list of words
}

// Column is a column of a table: a field of at least one element.
type Column struct {
	Name string
	Of   *Node // the field of any element, for its title
}

// Columns returns the columns for an array that is suitable for a table, in the order of the
// schema, else nil.
func (n *Node) Columns(most Limits) []Column {
	var found []Column
	for i := range n.Kids {
		row := &n.Kids[i]
		if row.Kind != Object || len(row.Kids) > most.Columns || !most.Fit(row) {
			return nil
		}
		for j := range row.Kids {
			if k := &row.Kids[j]; indexColumn(found, k.Name) < 0 {
				found = append(found, Column{k.Name, k})
			}
			if len(found) > most.Columns {
				return nil
			}
		}
	}
	if len(found) < 2 {
		return nil // one column is a list
	}
	return inOrder(n, found)
}

// Fit reports whether an object is short enough for a row.
func (most Limits) Fit(n *Node) bool {
	if utf8.RuneCount(n.Raw) > most.Row {
		return false
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		limit := most.Cell
		if Heads(k.Name) {
			limit = most.Title
		}
		if !k.Short(limit) && !(most.Lists && k.IsList() && (len(k.Kids) == 0 || k.Words())) || n.Member(k.Name) != k {
			return false // too long, or said twice
		}
	}
	return true
}

// inOrder puts the columns into the order of the schema, so that a field which
// the first element lacks does not come last.
func inOrder(n *Node, found []Column) []Column {
	if n.Field == nil || n.Field.Items == nil {
		return found
	}
	ordered := make([]Column, 0, len(found))
	for _, f := range n.Field.Items.Fields {
		if i := indexColumn(found, f.Name); i >= 0 {
			ordered = append(ordered, found[i])
		}
	}
	for _, c := range found {
		if indexColumn(ordered, c.Name) < 0 {
			ordered = append(ordered, c)
		}
	}
	return ordered
}

func indexColumn(columns []Column, name string) int {
	for i := range columns {
		if columns[i].Name == name {
			return i
		}
	}
	return -1
}
