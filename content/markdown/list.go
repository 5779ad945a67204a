package markdown

import "strconv"

// items writes the parts of an object or array as a list, one line or more for
// each. Numbers are only for elements that have parts themselves: they have to
// be told apart.
func (w *writer) items(n *node) {
	scalars := n.scalars()
	for i := range n.kids {
		switch k := &n.kids[i]; {
		case n.kind == object:
			w.bullet(k)
		case scalars:
			w.item("- ", func() { w.begin(k); w.scalar(k, atStart) })
		default:
			w.item(strconv.Itoa(i+1)+". ", func() { w.begin(k); w.element(k, n.unique(), i+1) })
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
	if n.isList() && len(n.kids) > 0 && !n.words() {
		w.items(n)
		return
	}
	w.out = append(w.out, ' ')
	w.inline(n, inLine)
}

// element writes an element of an array that is not one of scalars only.
func (w *writer) element(n *node, unique string, number int) {
	switch n.kind {
	case object:
		shown := w.elementTitle(n, unique, number)
		for i := range n.kids {
			if i != shown {
				w.bullet(&n.kids[i])
			}
		}
	case array:
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
	shown := n.label(unique)
	if shown >= 0 && n.kids[shown].isCode() {
		w.scalar(&n.kids[shown], inHeading)
		return shown
	}
	w.out = append(w.out, "**"...)
	if shown < 0 {
		w.numberedTitle(n, number)
	} else {
		w.scalar(&n.kids[shown], inHeading)
	}
	w.out = append(w.out, "**"...)
	return shown
}
