package markdown

import "rulestore/content/document"

// pointers writes what is to be read, in one line, as requests.
func (w *writer) pointers(n *node) {
	before := " "
	for i := range n.Kids {
		p, _ := n.Kids[i].Pointer()
		for _, word := range pointed(p) {
			w.out = appendCode(append(w.out, before...), word, inLine)
			before = ", "
		}
		if p.When != "" {
			w.out = append(appendText(append(w.out, " ("...), p.When, inLine, w.indent), ')')
		}
		before = "; "
	}
}

// pointed lists the words for what a pointer names.
func pointed(p document.Pointer) []string {
	if path := p.Path(); path != "" {
		return []string{"GET " + path}
	}
	return p.Names()
}
