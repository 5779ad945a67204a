package markdown

import (
	"bytes"
	"strconv"

	"rulestore/content"
	"rulestore/content/document"
)

// A Layout is Markdown with where things stand in it.
type Layout struct {
	Text []byte
	// Offsets are, for each pointer asked for, where the text of that value begins, or of
	// the innermost value around it that has a text of its own; -1 if there is none.
	Offsets []int
	// Headings are where the sections are: under the heading of the document, and under
	// each of the others, in their order.
	Headings []Heading
}

// A Heading is of a section, and has those under it that have no heading of their own.
type Heading struct {
	Address string // "" for what has none
	Within  []string
}

// Locate is [Render] for a page. It also says where values stand, given by pointers, the
// steps from the item to a value, and what the headings are of.
func Locate(item content.Object, schema *content.Field, pointers [][]string) (l Layout) {
	root := document.Read(item, schema)
	w := newWriter(root, true)
	w.begins = map[*node]int{}
	w.document(root)
	l.Text = bytes.Clone(w.out)
	for _, p := range pointers {
		l.Offsets = append(l.Offsets, w.find(root, p))
	}
	l.Headings = w.addressed(root)
	return l
}

// addressed says which sections are under each heading.
func (w *writer) addressed(root *node) []Heading {
	of := map[*node]int{}
	for i, n := range w.headings {
		of[n] = i + 1
	}
	all, under := make([]Heading, len(w.headings)+1), map[string]int{}
	for s := range root.Sections() {
		i, own := of[s.Node]
		if own {
			all[i].Address = s.Address
		} else {
			i = under[s.Within]
			all[i].Within = append(all[i].Within, s.Address)
		}
		under[s.Address] = i
	}
	return all
}

// begin takes note that the text of a value begins here.
func (w *writer) begin(n *node) {
	if w.begins != nil {
		w.begins[n] = len(w.out)
	}
}

// find follows a pointer as far as it leads to what has a text of its own.
func (w *writer) find(n *node, pointer []string) int {
	begins := -1
	for _, step := range pointer {
		if n = child(n, step); n == nil {
			break
		}
		if at, ok := w.begins[n]; ok {
			begins = at
		}
	}
	return begins
}

// child returns a field or an element, nil if there is none.
func child(n *node, step string) *node {
	switch n.Kind {
	case document.Object:
		return n.Member(step)
	case document.Array:
		if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < len(n.Kids) {
			return &n.Kids[i]
		}
	}
	return nil
}
