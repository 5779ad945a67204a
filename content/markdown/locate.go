package markdown

import (
	"strconv"

	"rulestore/content"
)

// Locate is [Render] that also says where values stand: for each pointer, the
// steps from the item to a value, the offset in the Markdown at which the text of
// that value begins, or of the innermost value around it that has a text of its
// own; -1 if there is none.
func Locate(item content.Object, schema *content.Field, pointers [][]string) (text []byte, offsets []int) {
	root := parseItem(item, schema)
	text = render(&root, size(item))
	for _, p := range pointers {
		offsets = append(offsets, root.find(p)-1)
	}
	return text, offsets
}

// begin takes note that the text of a value begins here.
func (w *writer) begin(n *node) { n.begins = len(w.out) + 1 }

// find follows a pointer as far as it leads to what has a text of its own.
func (n *node) find(pointer []string) (begins int) {
	for _, step := range pointer {
		if n = n.child(step); n == nil {
			break
		}
		if n.begins > 0 {
			begins = n.begins
		}
	}
	return begins
}

// child returns a field or an element, nil if there is none.
func (n *node) child(step string) *node {
	switch n.kind {
	case object:
		return n.cell(step)
	case array:
		if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < len(n.kids) {
			return &n.kids[i]
		}
	}
	return nil
}
