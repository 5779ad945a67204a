package markdown

// inline writes a value in one line: a scalar, words side by side, or that
// there is nothing in it.
func (w *writer) inline(n *node, at place) {
	switch {
	case !n.isList():
		w.scalar(n, at)
	case len(n.kids) == 0:
		w.out = append(w.out, "нет"...)
	default:
		for i := range n.kids {
			if i > 0 {
				w.out = append(w.out, ", "...)
			}
			w.scalar(&n.kids[i], at)
		}
	}
}

// scalar writes a value without parts.
func (w *writer) scalar(n *node, at place) {
	switch l := n.enumLabel(); {
	case n.kind == null:
		w.out = append(w.out, nothing...)
	case n.kind == tooDeep:
		w.out = appendCode(w.out, n.text, at)
	case l != "":
		w.out = append(appendText(w.out, l, at, w.indent), " ("...)
		w.out = append(appendCode(w.out, n.text, at), ')')
	case n.kind == boolean:
		w.out = append(w.out, yesNo[n.text]...)
	case n.kind == text && isURL(n.text):
		w.out = append(append(append(w.out, '<'), n.text...), '>')
	case n.isCode():
		w.out = appendCode(w.out, n.text, at)
	default:
		w.out = appendText(w.out, n.text, at, w.indent)
	}
}

var yesNo = map[string]string{"true": "да", "false": "нет"}

// isCode says whether the value is shown in backticks. A title never is: it is
// a word for people, even if that word is HTTPS.
func (n *node) isCode() bool {
	return n.kind == text && !heads(n.name) && n.enumLabel() == "" && isCode(n.text) && !isURL(n.text)
}
