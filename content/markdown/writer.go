package markdown

import "strconv"

// maxHeading is the deepest heading in use; what lies below is a nested list,
// because nobody keeps apart headings of the fifth and sixth level.
const maxHeading = 4

// writer appends blocks. Every block begins with the line break that ends the
// one before; gap adds the blank line between the two.
type writer struct {
	out    []byte
	indent int // of the list item that is being written
}

func (w *writer) gap() { w.out = append(w.out, '\n') }

func (w *writer) line() { w.out = appendSpaces(append(w.out, '\n'), w.indent) }

func (w *writer) heading(level int) {
	w.gap()
	w.line()
	w.out = append(append(w.out, "######"[:level]...), ' ')
}

// section writes a field under a heading of its own.
func (w *writer) section(n *node, level int) {
	w.heading(level)
	w.begin(n)
	w.name(n, inHeading)
	switch {
	case n.kind == object:
		w.object(n, -1, level+1)
	case n.kind == array:
		w.array(n, level+1)
	case n.name == noteField && n.kind == text:
		w.note(n.text)
	default:
		w.gap()
		w.line()
		w.scalar(n, atStart)
	}
}

// object writes the fields of an object: first those that fit into a list, then
// those with a heading. The field at index shown has been written already.
func (w *writer) object(n *node, shown, level int) {
	first := true
	for i := range n.kids {
		if k := &n.kids[i]; i != shown && (level > maxHeading || k.flat()) {
			if first {
				w.gap()
				first = false
			}
			w.bullet(k)
		}
	}
	for i := range n.kids {
		if k := &n.kids[i]; i != shown && level <= maxHeading && !k.flat() {
			w.section(k, level)
		}
	}
}

// flat says whether the value reads well as an item of a list.
func (n *node) flat() bool { return !n.isList() || n.scalars() }

// array writes the elements of an array as a table, under headings of their
// own, or as a list.
func (w *writer) array(n *node, level int) {
	if columns := n.columns(); columns != nil {
		w.table(n, columns)
		return
	}
	if level > maxHeading || !n.objects() {
		w.gap()
		w.items(n)
		return
	}
	for i := range n.kids {
		k := &n.kids[i]
		w.heading(level)
		w.begin(k)
		shown := w.elementName(k, n.unique(), i+1)
		w.object(k, shown, level+1)
	}
}

func (n *node) objects() bool {
	for i := range n.kids {
		if n.kids[i].kind != object {
			return false
		}
	}
	return true
}

func (n *node) unique() string {
	if n.field == nil {
		return ""
	}
	return n.field.Unique
}

// elementName writes what an element of an array is called in a heading, and
// returns the index of the field that it is called by, -1 if there is none.
func (w *writer) elementName(n *node, unique string, number int) int {
	shown := n.label(unique)
	if shown < 0 {
		w.numberedTitle(n, number)
		return shown
	}
	w.out = append(strconv.AppendInt(w.out, int64(number), 10), ". "...)
	w.scalar(&n.kids[shown], inHeading)
	return shown
}

// numberedTitle writes "Источник 3".
func (w *writer) numberedTitle(n *node, number int) {
	w.out = appendText(w.out, n.fieldTitle("Элемент"), inHeading, 0)
	w.out = strconv.AppendInt(append(w.out, ' '), int64(number), 10)
}

// name writes what people call a field, else its own name.
func (w *writer) name(n *node, at place) {
	if t := n.fieldTitle(""); t != "" {
		w.out = appendText(w.out, t, at, 0)
		return
	}
	w.out = appendCode(w.out, n.name, at)
}
