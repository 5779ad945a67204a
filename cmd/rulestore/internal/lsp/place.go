package lsp

import (
	"bytes"
	"slices"
	"strconv"
)

// role is what may stand at a place.
type role int

const (
	nowhere role = iota // inside of a comment, between a name and its colon …
	aName               // the name of a field
	aValue              // a value on the line of its name or dash
	belowIt             // a value on lines of its own, deeper than its name or dash
	aDash               // one more element of a list, whose dash is not there yet
	inText              // a word of a text over several lines
)

// place is what an outline knows of the cursor.
type place struct {
	role
	path   []string // to the value; of a name, to the value that has the field
	step   string   // the name that is there, if it is one
	word   span     // what stands there, without quotes
	quote  byte     // what it stands in; 0: nothing
	named  bool     // a colon follows the name already
	others []string // the names of the other fields there
	flow   bool     // it is inside of brackets
	tight  bool     // there is no space behind the colon or dash
}

// place finds out what is at a spot.
func (o *outline) place(t *text, at spot) place {
	line := t.line(at.line)
	at.column = min(at.column, len(line))
	n := o.before(at)
	if b := n.brackets(at); b != nil {
		return b.inBrackets(t, at)
	}
	switch {
	case isComment(line, at, n):
		return place{}
	case n.shape == passage && at.line > n.name.start.line && at.line <= n.last:
		return place{role: inText, path: n.path()}
	case n.value.start.line == at.line && n.shape == scalar && n.value.start.line > n.name.start.line:
		p := n.onValue(line, at)
		if p.role == aValue {
			p.role = belowIt
		}
		return p
	case at.line == n.name.start.line && n.parent != nil:
		return n.onLine(line, at)
	case skip(line, 0) < at.column:
		return place{}
	}
	return o.onBlank(n, at)
}

// before returns the last node that begins at a spot or before it.
func (o *outline) before(at spot) *node {
	i, _ := slices.BinarySearchFunc(o.nodes, at, func(n *node, at spot) int {
		if at.before(spot{n.name.start.line, n.column}) {
			return 1
		}
		return -1
	})
	if i == 0 {
		return o.root
	}
	return o.nodes[i-1]
}

// isComment reports whether a spot is in a comment: at or behind a sign # that no text
// holds.
func isComment(line []byte, at spot, n *node) bool {
	from := 0
	if n.value.end.line == at.line {
		from = min(n.value.end.column, len(line))
	}
	i := bytes.IndexByte(line[from:], '#')
	if i < 0 || at.column <= from+i || n.shape == passage && at.line > n.name.start.line && at.line <= n.last {
		return false
	}
	return from+i == 0 || line[from+i-1] == ' ' || line[from+i-1] == '\t'
}

// onLine is about the line that a node begins in.
func (n *node) onLine(line []byte, at spot) place {
	switch {
	case n.parent.shape == mapping && n.name.holds(at):
		return n.onName()
	case n.unfinish || at.before(n.colon):
		return place{}
	case n.shape == scalar || n.shape == passage && n.value != (span{}):
		return n.onValue(line, at)
	case n.shape != nothing && n.name.start.line == at.line && skip(line, n.colon.column) < len(line):
		return place{} // | or >, or brackets
	}
	return place{role: aValue, path: n.path(), word: span{at, at}, tight: at == n.colon}
}

// onName is about the name of a field.
func (n *node) onName() place {
	return place{
		role: aName, path: n.parent.path(), step: n.step, word: n.name, named: !n.unfinish,
		others: n.parent.fields(n), flow: n.flow,
	}
}

// onValue is about a text: the word, if the spot is in it.
func (n *node) onValue(line []byte, at spot) place {
	if n.shape == passage {
		return place{role: inText, path: n.path()}
	}
	if !n.value.holds(at) {
		return place{}
	}
	return place{role: aValue, path: n.path(), word: n.value, quote: n.quote, flow: n.flow}
}

// onBlank is about a line with nothing before the spot, below a node.
func (o *outline) onBlank(n *node, at spot) place {
	switch {
	case n.parent != nil && at.column > n.column && n.shape == nothing && !n.unfinish:
		return place{role: belowIt, path: n.path(), word: span{at, at}}
	case n.parent != nil && at.column > n.column && n.shape == passage:
		return place{role: inText, path: n.path()}
	}
	list := (*node)(nil)
	for in := n; in != nil; in = in.parent {
		if in.shape == mapping && in.inside == at.column && !in.flow {
			return place{role: aName, path: in.path(), word: span{at, at}, others: in.fields(nil)}
		}
		if in.shape == sequence && in.inside == at.column && !in.flow {
			list = in
		}
	}
	if list != nil {
		return place{role: aDash, path: append(list.path(), "0"), word: span{at, at}}
	}
	if len(o.nodes) == 0 {
		return place{role: aName, word: span{at, at}}
	}
	return place{}
}

// fields lists the names of the fields of a node, but for one of them.
func (n *node) fields(but *node) (names []string) {
	for _, c := range n.children {
		if c != but && c.step != "" {
			names = append(names, c.step)
		}
	}
	return names
}

// brackets returns the innermost pair of brackets around a spot that belongs to the
// value of a node, nil if there is none.
func (n *node) brackets(at spot) *node {
	if !n.flow || n.shape != mapping && n.shape != sequence || !n.value.start.before(at) || !at.before(n.value.end) {
		return nil
	}
	for _, c := range n.children {
		if b := c.brackets(at); b != nil {
			return b
		}
	}
	return n
}

// inBrackets is about a spot in a pair of brackets.
func (n *node) inBrackets(t *text, at spot) place {
	var c *node
	for _, child := range n.children {
		if child.area.holds(at) {
			c = child
		}
	}
	switch {
	case c == nil && n.shape == sequence:
		next := strconv.Itoa(len(n.children))
		return place{role: aValue, path: append(n.path(), next), word: span{at, at}, flow: true}
	case c == nil:
		return place{role: aName, path: n.path(), word: span{at, at}, others: n.fields(nil), flow: true}
	case n.shape == mapping && c.name.holds(at):
		return c.onName()
	case c.shape == scalar:
		return c.onValue(t.line(at.line), at)
	case c.shape != nothing || c.unfinish || at.before(c.colon):
		return place{}
	}
	tight := n.shape == mapping && at == c.colon
	return place{role: aValue, path: c.path(), word: span{at, at}, flow: true, tight: tight}
}
