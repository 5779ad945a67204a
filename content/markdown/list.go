package markdown

import (
	"strconv"

	"rulestore/content/document"
)

// items writes the parts of an object or array as a list, one line or more for
// each. Numbers are only for elements that have parts themselves: they have to
// be told apart.
func (w *writer) items(n *node) {
	scalars := n.Scalars()
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case n.Kind == document.Object:
			w.bullet(k)
		case scalars:
			w.item("- ", func() { w.begin(k); w.scalar(k, atStart) })
		default:
			w.item(strconv.Itoa(i+1)+". ", func() { w.begin(k); w.element(k, n.Unique(), i+1) })
		}
	}
}

// item writes one item of a list. The lines that body begins belong to it.
func (w *writer) item(marker string, body func()) {
	w.line()
	w.out = append(w.out, marker...)
	w.indent += len(marker)
	body()
	w.indent -= len(marker)
}

// bullet writes a field as an item: its title and its value.
func (w *writer) bullet(n *node) {
	w.item("- ", func() {
		w.begin(n)
		w.out = append(w.out, "**"...)
		w.name(n, inHeading)
		w.out = append(w.out, ":**"...)
		w.value(n)
	})
}

// value writes a value behind its title: in the same line if it reads well
// there, else as a list below.
func (w *writer) value(n *node) {
	if n.IsList() && len(n.Kids) > 0 && !n.Words() {
		w.items(n)
		return
	}
	w.out = append(w.out, ' ')
	w.inline(n, inLine)
}

// element writes an element of an array that is not one of scalars only.
func (w *writer) element(n *node, unique string, number int) {
	switch n.Kind {
	case document.Object:
		shown := w.elementTitle(n, unique, number)
		for i := range n.Kids {
			if i != shown {
				w.bullet(&n.Kids[i])
			}
		}
	case document.Array:
		w.out = append(w.out, "**"...)
		w.numberedTitle(n, number)
		w.out = append(w.out, ":**"...)
		w.value(n)
	default:
		w.scalar(n, atStart)
	}
}

// elementTitle writes the first line of an element that is an object: a title
// in bold, a code in backticks.
func (w *writer) elementTitle(n *node, unique string, number int) int {
	shown := n.Label(unique)
	if shown >= 0 && inBackticks(&n.Kids[shown]) {
		w.scalar(&n.Kids[shown], inHeading)
		return shown
	}
	w.out = append(w.out, "**"...)
	if shown < 0 {
		w.numberedTitle(n, number)
	} else {
		w.scalar(&n.Kids[shown], inHeading)
	}
	w.out = append(w.out, "**"...)
	return shown
}
