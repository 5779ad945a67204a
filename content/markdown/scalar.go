package markdown

import "rulestore/content/document"

// inline writes a value on one line, the elements of a list side by side.
func (w *writer) inline(n *node, at place) {
	switch {
	case !n.IsList():
		w.scalar(n, at)
	case len(n.Kids) == 0:
		w.out = append(w.out, "нет"...)
	default:
		between := "; "
		if n.Words() {
			between = ", "
		}
		for i := range n.Kids {
			if i > 0 {
				w.out, at = append(w.out, between...), max(at, inLine)
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
	case l != "" && w.explain(l, n.Text):
		w.out = append(appendText(w.out, l, at, w.indent), " ("...)
		w.out = append(appendCode(w.out, n.Text, at), ')')
	case l != "":
		w.out = appendCode(w.out, n.Text, at)
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

// explained is a code of an enumeration with its label.
type explained struct{ label, code string }

// explain reports whether a code is to be written with its label: at its first occurrence.
func (w *writer) explain(label, code string) bool {
	e := explained{label, code}
	if w.explained == nil {
		w.explained = map[explained]bool{}
	}
	known := w.explained[e]
	w.explained[e] = true
	return !known
}

var yesNo = map[string]string{"true": "да", "false": "нет"}

// inBackticks reports whether a value is in backticks. A title never is: it is a word for people,
// even if that word is HTTPS.
func inBackticks(n *node) bool {
	return n.Kind == document.Text && !document.Heads(n.Name) && n.EnumLabel() == "" && document.IsCode(n.Text) &&
		!document.IsURL(n.Text)
}
