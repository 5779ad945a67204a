package markdown

import (
	"strconv"
	"strings"

	"rulestore/content/document"
)

// labels are the indexes of the fields that identify an object: its title, its code, its
// description and its number, -1 if it has none.
type labels struct{ title, code, lead, number int }

var unnamed = labels{-1, -1, -1, -1}

func (c labels) has(i int) bool {
	return i == c.title || i == c.code || i == c.lead || i == c.number
}

// labelsOf finds the labels of an element of a list.
func labelsOf(n *node, unique string) labels {
	c := labels{n.Label(unique), -1, -1, -1}
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

// maxNumbering is the number of first fields of an element among which its number is searched.
const maxNumbering = 4

// numbering is the name of the field with the position of each element of an ordered list, counted
// from one; "" if there is none.
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

// sectionLabels finds the labels of a section. A code at the end of its address is not repeated.
func sectionLabels(s document.Section) labels {
	c := labelsOf(s.Node, "")
	for i := range s.Kids {
		if k := &s.Kids[i]; k.Says() && strings.HasSuffix(s.Address, "/"+k.Text) {
			c.code = i
		}
	}
	return c
}

// code writes the code of an object after its title.
func (w *writer) code(n *node, c labels) {
	if c.code >= 0 {
		w.out = appendCode(append(w.out, ' '), n.Kids[c.code].Text, inHeading)
	}
}

// elementName writes the title of an element of an array in a heading.
func (w *writer) elementName(n *node, c labels, number int) {
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

// name writes the title of a field or, if it has none, its name.
func (w *writer) name(n *node, at place) {
	if t := n.Title(""); t != "" {
		w.out = appendText(w.out, t, at, 0)
		return
	}
	w.out = appendCode(w.out, n.Name, at)
}
