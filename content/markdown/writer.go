package markdown

import (
	"strconv"

	"rulestore/content/document"
)

// maxHeading is the deepest heading in use; what lies below is a nested list,
// because nobody keeps apart headings of the fifth and sixth level.
const maxHeading = 4

// writer appends blocks. Every block begins with the line break that ends the
// one before; gap adds the blank line between the two.
type writer struct {
	out    []byte
	indent int // of the list item that is being written

	begins   map[*node]int // where the text of a value begins; nil: nobody asks
	headings []*node       // what the headings below the title are of
}

func newWriter(root *node) *writer { return &writer{out: make([]byte, 0, size(root)*5/4+1024)} }

func (w *writer) gap() { w.out = append(w.out, '\n') }

func (w *writer) line() { w.out = appendSpaces(append(w.out, '\n'), w.indent) }

func (w *writer) heading(n *node, level int) {
	w.headings = append(w.headings, n)
	w.gap()
	w.line()
	w.out = append(append(w.out, "######"[:level]...), ' ')
}

// section writes a field under a heading of its own.
func (w *writer) section(n *node, level int) {
	w.heading(n, level)
	w.begin(n)
	w.name(n, inHeading)
	w.body(n, -1, level+1)
}

// body writes a value under its heading; the field at index shown is in the heading.
func (w *writer) body(n *node, shown, level int) {
	switch {
	case n.Kind == document.Object:
		w.object(n, shown, level)
	case n.Kind == document.Array:
		w.array(n, level)
	case n.Name == noteField && n.Kind == document.Text:
		w.note(n.Text)
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
	for i := range n.Kids {
		if k := &n.Kids[i]; i != shown && (level > maxHeading || flat(k)) {
			if first {
				w.gap()
				first = false
			}
			w.bullet(k)
		}
	}
	for i := range n.Kids {
		if k := &n.Kids[i]; i != shown && level <= maxHeading && !flat(k) {
			w.section(k, level)
		}
	}
}

// flat says whether the value reads well as an item of a list.
func flat(n *node) bool { return !n.IsList() || n.Scalars() }

// array writes the elements of an array as a table, under headings of their
// own, or as a list.
func (w *writer) array(n *node, level int) {
	if columns := columns(n); columns != nil {
		w.table(n, columns)
		return
	}
	if level > maxHeading || !objects(n) {
		w.gap()
		w.items(n)
		return
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		w.heading(k, level)
		w.begin(k)
		shown := w.elementName(k, n.Unique(), i+1)
		w.object(k, shown, level+1)
	}
}

func objects(n *node) bool {
	for i := range n.Kids {
		if n.Kids[i].Kind != document.Object {
			return false
		}
	}
	return true
}

// elementName writes what an element of an array is called in a heading, and
// returns the index of the field that it is called by, -1 if there is none.
func (w *writer) elementName(n *node, unique string, number int) int {
	shown := n.Label(unique)
	if shown < 0 {
		w.numberedTitle(n, number)
		return shown
	}
	w.out = append(strconv.AppendInt(w.out, int64(number), 10), ". "...)
	w.scalar(&n.Kids[shown], inHeading)
	return shown
}

// numberedTitle writes "Источник 3".
func (w *writer) numberedTitle(n *node, number int) {
	w.out = appendText(w.out, n.Title("Элемент"), inHeading, 0)
	w.out = strconv.AppendInt(append(w.out, ' '), int64(number), 10)
}

// name writes what people call a field, else its own name.
func (w *writer) name(n *node, at place) {
	if t := n.Title(""); t != "" {
		w.out = appendText(w.out, t, at, 0)
		return
	}
	w.out = appendCode(w.out, n.Name, at)
}
