package markdown

import (
	"iter"
	"strings"
	"unicode/utf8"

	"rulestore/content/document"
)

const (
	beside     = " · " // stands between two fields in one line
	maxBeside  = 60    // letters, of a value in a line with others
	maxPhrases = 400   // letters, of all the elements of an array in one line
)

// lines are the wanted fields of an object but those that it is called by, together what
// reads well in one line.
func (w *writer) lines(n *node, c called, wanted func(*node) bool) iter.Seq[[]*node] {
	return func(yield func([]*node) bool) {
		var line []*node
		for i := range n.Kids {
			k := &n.Kids[i]
			if c.by(i) || !wanted(k) {
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

// isBeside says whether a field reads well in a line with others.
func isBeside(n *node) bool {
	return n.Short(maxBeside) || n.IsList() && (len(n.Kids) == 0 || n.Words() || isSmall(n))
}

// isSmall says whether an object is read as part of a line: a few short words.
func isSmall(n *node) bool {
	for i := range n.Kids {
		if k := &n.Kids[i]; !k.Short(maxBeside) && !k.Words() {
			return false
		}
	}
	return n.Kind == document.Object && utf8.RuneCount(n.Raw) <= 2*maxBeside
}

// fields writes fields in one line, each with its title. Neighbours that say the same
// say it once.
func (w *writer) fields(all []*node) {
	for i := 0; i < len(all); {
		if i > 0 {
			w.out = append(w.out, beside...)
		}
		same := i + 1
		for same < len(all) && sayTheSame(all[i], all[same]) {
			same++
		}
		if isEvident(all[i]) {
			w.inline(all[i], inLine)
		} else {
			w.names(all[i:same])
			w.value(all[i])
		}
		i = same
	}
}

func isEvident(n *node) bool { return n.Field != nil && n.Field.Evident }

func sayTheSame(a, b *node) bool {
	return !a.IsList() && !a.Blank() && a.Kind == b.Kind && a.Text == b.Text && a.EnumLabel() == b.EnumLabel() &&
		!isEvident(a) && !isEvident(b)
}

// names writes what fields with the same value are called.
func (w *writer) names(all []*node) {
	for i, n := range all {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		w.name(n, inHeading)
	}
	w.out = append(w.out, ':')
}

// inOneLine says whether the elements of an array are read in one line: words, and short
// phrases if what is between them is not in them.
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
