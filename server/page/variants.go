package page

import (
	"slices"

	"rulestore/server/calc"
)

// maxVariants is the maximum number of variants compared as columns.
const maxVariants = 10

// variantID is the field with the name of a variant in a list.
const variantID = "id"

// transposed swaps the rows and columns of a table; the first figures of the rows are the new
// head.
func transposed(t *calc.Table) *calc.Table {
	to := &calc.Table{Head: []calc.Figure{{Title: t.Head[0].Title}}}
	for _, row := range t.Rows {
		to.Head = append(to.Head, calc.Figure{Title: Shown(row[0])})
	}
	for i, h := range t.Head[1:] {
		row := []calc.Figure{{Text: columnTitle(h)}}
		for _, of := range t.Rows {
			row = append(row, of[i+1])
		}
		to.Rows = append(to.Rows, row)
	}
	return to
}

// sideBySide compares variants in tables: sections with figures of the same names become one
// table, and a table of variants also has their inputs.
func sideBySide(s, inputs calc.Section) calc.Section {
	within := slices.Clone(s.Within)
	for i, w := range within {
		if given := variantsOf(inputs, w); given != nil {
			within[i].Table = joined(given, w.Table)
		}
	}
	for i := 0; i < len(within); i++ {
		n := i + 1
		for n < len(within) && shareFigures(within[i], within[n]) {
			n++
		}
		if n > i+1 {
			within = slices.Replace(
				within, i, n, calc.Section{ID: within[i].ID, Title: "Сравнение", Table: columns(within[i:n])},
			)
		}
	}
	s.Within = within
	return s
}

// variantsOf is the list of inputs with the variants of a table, nil if there is none.
func variantsOf(inputs, w calc.Section) *calc.Table {
	if w.Table == nil || w.Table.Head[0].Name != variantID {
		return nil
	}
	for _, given := range inputs.Within {
		if given.Table != nil && given.ID == w.ID && given.Table.Head[0].Name == variantID &&
			len(given.Table.Rows) == len(w.Table.Rows) {
			return given.Table
		}
	}
	return nil
}

// joined has the inputs of each variant, then the computed figures that are no inputs.
func joined(given, computed *calc.Table) *calc.Table {
	t := &calc.Table{Head: slices.Clone(given.Head), Rows: make([][]calc.Figure, len(computed.Rows))}
	for j := range t.Rows {
		t.Rows[j] = slices.Clone(given.Rows[j])
	}
	for i, h := range computed.Head {
		if slices.ContainsFunc(given.Head, func(known calc.Figure) bool { return known.Name == h.Name }) {
			continue
		}
		t.Head = append(t.Head, h)
		for j := range t.Rows {
			t.Rows[j] = append(t.Rows[j], computed.Rows[j][i])
		}
	}
	return t
}

// shareFigures reports whether two sections have at least two figures of the same names.
func shareFigures(a, b calc.Section) bool {
	same := 0
	for _, f := range a.Figures {
		if slices.ContainsFunc(b.Figures, func(g calc.Figure) bool { return g.Name == f.Name }) {
			same++
		}
	}
	return same > 1 && a.Table == nil && b.Table == nil
}

// columns makes a table with a row for each section, which is transposed when it is drawn.
func columns(parts []calc.Section) *calc.Table {
	t := &calc.Table{Head: []calc.Figure{{Name: variantID, Title: "Показатель"}}}
	rows := make([][]calc.Figure, len(parts))
	for i, p := range parts {
		rows[i] = p.Figures
		for _, w := range p.Within {
			rows[i] = append(
				slices.Clip(rows[i]), calc.Figure{Name: w.ID, Title: w.Title, Type: "map", Parts: w.Figures},
			)
		}
		for _, f := range rows[i] {
			if !slices.ContainsFunc(t.Head, func(h calc.Figure) bool { return h.Name == f.Name }) {
				t.Head = append(t.Head, calc.Figure{Name: f.Name, Title: f.Title, Unit: f.Unit, Type: f.Type})
			}
		}
	}
	for i, p := range parts {
		row := []calc.Figure{{Text: Titled(calc.Figure{Title: p.Title})}}
		for _, h := range t.Head[1:] {
			f := calc.Figure{}
			if k := slices.IndexFunc(rows[i], func(f calc.Figure) bool { return f.Name == h.Name }); k >= 0 {
				f = rows[i][k]
			}
			row = append(row, f)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
