package markdown

import (
	"iter"
	"strings"
	"unicode/utf8"

	"rulestore/content/document"
)

const (
	beside     = " · " // between two fields on one line
	maxBeside  = 60    // letters of a value on a line with others
	maxPhrases = 400   // letters of all elements of an array on one line
)

// lines groups the wanted fields of an object, without its labels, by line: short ones share one.
func (w *writer) lines(n *node, c labels, wanted func(*node) bool) iter.Seq[[]*node] {
	return func(yield func([]*node) bool) {
		var line []*node
		for i := range n.Kids {
			k := &n.Kids[i]
			if c.has(i) || !wanted(k) {
				continue
			}
			if len(line) > 0 && !(isBeside(line[0]) && isBeside(k)) {
				if !yield(line) {
					return
				}
				line = nil
			}
			line = append(line, k)
		}
		if len(line) > 0 {
			yield(line)
		}
	}
}

// isBeside reports whether a field can be on a line with others.
func isBeside(n *node) bool {
	return n.Short(maxBeside) || n.IsList() && (len(n.Kids) == 0 || n.Words() || isSmall(n))
}

// isSmall reports whether an object can be a part of a line: it has only a few short words.
func isSmall(n *node) bool {
	for i := range n.Kids {
		if k := &n.Kids[i]; !k.Short(maxBeside) && !k.Words() {
			return false
		}
	}
	return n.Kind == document.Object && utf8.RuneCount(n.Raw) <= 2*maxBeside
}

// fields writes fields on one line, each with its title. Equal values of neighbours are written
// once.
func (w *writer) fields(all []*node) {
	for i := 0; i < len(all); {
		if i > 0 {
			w.out = append(w.out, beside...)
		}
		end := i + 1
		for end < len(all) && equalValues(all[i], all[end]) {
			end++
		}
		if isEvident(all[i]) {
			w.inline(all[i], inLine)
		} else {
			w.names(all[i:end])
			w.value(all[i])
		}
		i = end
	}
}

func isEvident(n *node) bool { return n.Field != nil && n.Field.Evident }

func equalValues(a, b *node) bool {
	return !a.IsList() && !a.Blank() && a.Kind == b.Kind && a.Text == b.Text && a.EnumLabel() == b.EnumLabel() &&
		!isEvident(a) && !isEvident(b)
}

// names writes the titles of fields with the same value.
func (w *writer) names(all []*node) {
	for i, n := range all {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		w.name(n, inHeading)
	}
	w.out = append(w.out, ':')
}

// inOneLine reports whether the elements of an array can be on one line: words, and short phrases
// without the separator.
func inOneLine(n *node) bool {
	if n.Words() {
		return true
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		if !k.Says() || !k.Short(maxBeside) || strings.Contains(k.Text, ";") || strings.HasSuffix(k.Text, ".") {
			return false
		}
	}
	return n.Kind == document.Array && utf8.RuneCount(n.Raw) <= maxPhrases
}
