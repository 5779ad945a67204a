package markdown

import "rulestore/content/document"

// items writes the parts of an object or array as a list.
func (w *writer) items(n *node) {
	if n.Kind == document.Object {
		w.bullets(n, unnamed, false, everything)
		return
	}
	scalars := n.Scalars()
	for i := range n.Kids {
		if k := &n.Kids[i]; scalars {
			w.item("- ", func() { w.scalar(k, atStart) })
		} else {
			w.element(k, n.Unique(), i+1)
		}
	}
}

// item writes an item of a list. The lines that body begins are indented.
func (w *writer) item(marker string, body func()) {
	w.line()
	w.out = append(w.out, marker...)
	w.indent += len(marker)
	body()
	w.indent -= len(marker)
}

func everything(*node) bool { return true }

// bullets writes the wanted fields of an object, without its labels, as items. With line, the
// first ones go on the line before the list if they are short.
func (w *writer) bullets(n *node, c labels, line bool, wanted func(*node) bool) {
	for fields := range w.lines(n, c, wanted) {
		if line && isBeside(fields[0]) {
			w.out = append(w.out, beside...)
			w.fields(fields)
		} else {
			w.item("- ", func() { w.fields(fields) })
		}
		line = false
	}
}

// value writes a value after its title: on the same line if it is short, else as a list below.
func (w *writer) value(n *node) {
	switch {
	case n.Pointers():
		w.pointers(n)
	case !n.IsList() || len(n.Kids) == 0 || inOneLine(n):
		w.out = append(w.out, ' ')
		w.inline(n, inLine)
	case isBeside(n):
		w.out = append(w.out, " ("...)
		for fields := range w.lines(n, unnamed, everything) {
			w.fields(fields)
		}
		w.out = append(w.out, ')')
	default:
		w.items(n)
	}
}

// element writes an element of an array that is not one of scalars only.
func (w *writer) element(n *node, unique string, number int) {
	w.item("- ", func() {
		switch n.Kind {
		case document.Object:
			c := labelsOf(n, unique)
			w.elementTitle(n, c, number)
			w.bullets(n, c, true, everything)
		case document.Array:
			w.numberedTitle(n, number)
			w.out = append(w.out, ':')
			w.value(n)
		default:
			w.scalar(n, atStart)
		}
	})
}

// elementTitle writes the first line of an element that is an object: its title, or its code in
// backticks.
func (w *writer) elementTitle(n *node, c labels, number int) {
	switch {
	case c.title < 0:
		w.numberedTitle(n, number)
	case inBackticks(&n.Kids[c.title]):
		w.scalar(&n.Kids[c.title], inHeading)
	default:
		w.scalar(&n.Kids[c.title], atStart)
	}
	w.code(n, c)
	if c.lead >= 0 {
		w.out = appendText(append(w.out, ": "...), n.Kids[c.lead].Text, inLine, w.indent)
	}
}
