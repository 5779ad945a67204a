package markdown

import "rulestore/content/document"

// pointers writes items and sections to read on one line, as requests.
func (w *writer) pointers(n *node) {
	before := " "
	for i := range n.Kids {
		p, _ := n.Kids[i].Pointer()
		for _, word := range pointerWords(p) {
			w.out = appendCode(append(w.out, before...), word, inLine)
			before = ", "
		}
		if p.When != "" {
			w.out = append(appendText(append(w.out, " ("...), p.When, inLine, w.indent), ')')
		}
		before = "; "
	}
}

// pointerWords lists the words for the targets of a pointer.
func pointerWords(p document.Pointer) []string {
	if path := p.Path(); path != "" {
		return []string{"GET " + path}
	}
	return p.Names()
}
