package markdown

import (
	"strconv"
	"strings"

	"rulestore/content/document"
)

// called says what an object is called by: the indices of its title, of the code that
// stands behind it, of the text that says what it is and of the number before it, -1 for
// what it has not.
type called struct{ title, code, lead, number int }

var unnamed = called{-1, -1, -1, -1}

func (c called) by(i int) bool {
	return i == c.title || i == c.code || i == c.lead || i == c.number
}

// calledBy finds what an element of a list is called by.
func calledBy(n *node, unique string) called {
	c := called{n.Label(unique), -1, -1, -1}
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case c.title < 0 || i == c.title || !k.Says():
		case k.Name == unique:
			c.code = i
		case c.lead < 0 && k.IsLead():
			c.lead = i
		}
	}
	return c
}

// maxNumbering is at which place of an element its number may stand.
const maxNumbering = 4

// numbering is the name of the field that says of each element of a list in order its place,
// from one on; "" if there is none.
func numbering(n *node) string {
	if n.Field == nil || !n.Field.Ordered {
		return ""
	}
	first := n.Kids[0].Kids
	for i := range first[:min(len(first), maxNumbering)] {
		if isNumbering(n, first[i].Name) {
			return first[i].Name
		}
	}
	return ""
}

func isNumbering(n *node, name string) bool {
	for i := range n.Kids {
		k := n.Kids[i].Member(name)
		if k == nil || k.Kind != document.Number || k.Text != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}

// calledAt finds what a section is called by. The code that its address ends with need not
// be said again.
func calledAt(s document.Section) called {
	c := calledBy(s.Node, "")
	for i := range s.Kids {
		if k := &s.Kids[i]; k.Says() && strings.HasSuffix(s.Address, "/"+k.Text) {
			c.code = i
		}
	}
	return c
}

// code writes the code of an object behind its title.
func (w *writer) code(n *node, c called) {
	if c.code >= 0 {
		w.out = appendCode(append(w.out, ' '), n.Kids[c.code].Text, inHeading)
	}
}

// elementName writes what an element of an array is called in a heading.
func (w *writer) elementName(n *node, c called, number int) {
	if c.title < 0 {
		w.numberedTitle(n, number)
		return
	}
	if c.number >= 0 {
		w.out = append(strconv.AppendInt(w.out, int64(number), 10), ". "...)
	}
	w.scalar(&n.Kids[c.title], inHeading)
	w.code(n, c)
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
