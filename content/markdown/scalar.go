package markdown

import "rulestore/content/document"

// inline writes a value in one line: a scalar, words side by side, or that
// there is nothing in it.
func (w *writer) inline(n *node, at place) {
	switch {
	case !n.IsList():
		w.scalar(n, at)
	case len(n.Kids) == 0:
		w.out = append(w.out, "нет"...)
	default:
		for i := range n.Kids {
			if i > 0 {
				w.out = append(w.out, ", "...)
			}
			w.scalar(&n.Kids[i], at)
		}
	}
}

// scalar writes a value without parts.
func (w *writer) scalar(n *node, at place) {
	switch l := n.EnumLabel(); {
	case n.Kind == document.Null:
		w.out = append(w.out, nothing...)
	case n.Kind == document.TooDeep:
		w.out = appendCode(w.out, n.Text, at)
	case l != "":
		w.out = append(appendText(w.out, l, at, w.indent), " ("...)
		w.out = append(appendCode(w.out, n.Text, at), ')')
	case n.Kind == document.Boolean:
		w.out = append(w.out, yesNo[n.Text]...)
	case n.Kind == document.Text && document.IsURL(n.Text):
		w.out = append(append(append(w.out, '<'), n.Text...), '>')
	case inBackticks(n):
		w.out = appendCode(w.out, n.Text, at)
	default:
		w.out = appendText(w.out, n.Text, at, w.indent)
	}
}

var yesNo = map[string]string{"true": "да", "false": "нет"}

// isCode says whether the value is shown in backticks. A title never is: it is
// a word for people, even if that word is HTTPS.
func inBackticks(n *node) bool {
	return n.Kind == document.Text && !document.Heads(n.Name) && n.EnumLabel() == "" && document.IsCode(n.Text) && !document.IsURL(n.Text)
}
