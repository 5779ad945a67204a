package markdown

import (
	"slices"

	"rulestore/content/document"
)

// maxHeading is the lowest level of headings in use; what is below it is a nested list, as lower
// levels are hard to distinguish.
const maxHeading = 4

// writer appends blocks. A block begins with the line break that ends the previous one; gap adds
// the blank line between them.
type writer struct {
	out    []byte
	indent int // of the list item that is being written

	explained map[explained]bool // codes that were written with their labels
}

func newWriter(root *node) *writer {
	return &writer{out: make([]byte, 0, size(root)*5/4+1024)}
}

func (w *writer) gap() { w.out = append(w.out, '\n') }

func (w *writer) line() { w.out = appendSpaces(append(w.out, '\n'), w.indent) }

func (w *writer) heading(level int) {
	w.gap()
	w.line()
	w.out = append(append(w.out, "######"[:level]...), ' ')
}

// section writes a field below its heading.
func (w *writer) section(n *node, level int) {
	w.heading(level)
	w.name(n, inHeading)
	w.body(n, unnamed, level+1)
}

// body writes a value below a heading that has its labels.
func (w *writer) body(n *node, c labels, level int) {
	switch {
	case n.Kind == document.Object:
		w.object(n, c, level)
	case n.Kind == document.Array:
		w.array(n, level)
	case n.Name == document.Note && n.Kind == document.Text:
		w.note(n.Text)
	default:
		w.gap()
		w.line()
		w.scalar(n, atStart)
	}
}

// object writes the fields of an object: first those that fit into a list, then those with a
// heading. Its title and code have been written.
func (w *writer) object(n *node, c labels, level int) {
	if c.lead >= 0 {
		w.gap()
		w.line()
		w.out = appendText(w.out, n.Kids[c.lead].Text, atStart, 0)
	}
	below := func(k *node) bool { return level <= maxHeading && !k.Flat() && !isBeside(k) }
	listed := func(k *node) bool { return !below(k) }
	for i := range n.Kids {
		if k := &n.Kids[i]; !c.has(i) && listed(k) {
			w.blocks(n, c, listed)
			break
		}
	}
	for i := range n.Kids {
		if k := &n.Kids[i]; !c.has(i) && below(k) {
			w.section(k, level)
		}
	}
}

// blocks writes fields as paragraphs. A text with several paragraphs is a list item, which keeps
// them together; its marker differs from that of a list before it.
func (w *writer) blocks(n *node, c labels, wanted func(*node) bool) {
	for fields := range w.lines(n, c, wanted) {
		w.gap()
		if document.IsOneLine(fields[0].Text) {
			w.line()
			w.fields(fields)
		} else {
			w.item("* ", func() { w.fields(fields) })
		}
	}
}

// array writes the elements of an array as a table, below headings, or as a list.
func (w *writer) array(n *node, level int) {
	if columns := n.Columns(limits); columns != nil && len(n.Kids) > 1 { // one row is a line
		w.table(n, columns)
		return
	}
	if inOneLine(n) {
		w.gap()
		w.line()
		w.inline(n, atStart)
		return
	}
	if level > maxHeading || !n.Objects() || small(n) {
		w.gap()
		w.items(n)
		return
	}
	field := numbering(n)
	for i := range n.Kids {
		k := &n.Kids[i]
		w.heading(level)
		c := labelsOf(k, n.Unique())
		if c.title >= 0 && field != "" {
			c.number = slices.IndexFunc(k.Kids, func(f node) bool { return f.Name == field })
		}
		w.elementName(k, c, i+1)
		w.object(k, c, level+1)
	}
}

// small reports whether each element fits on a line of a list.
func small(n *node) bool {
	return !slices.ContainsFunc(n.Kids, func(k node) bool { return !limits.Fit(&k) })
}
