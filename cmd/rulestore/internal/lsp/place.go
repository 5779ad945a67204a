package lsp

import (
	"bytes"
	"slices"
	"strconv"
)

// role is what the cursor is on.
type role int

const (
	noRole          role = iota // in a comment, between a name and its colon …
	nameRole                    // the name of a field
	valueRole                   // a value on the line of its name or dash
	nestedValueRole             // a value on lines of its own, indented below its name or dash
	dashRole                    // an element of a list, before its dash is typed
	textRole                    // a word of a multi-line text
)

// place describes the cursor in an outline.
type place struct {
	role
	path          []string // to the value; of a name, to the value that has the field
	step          string   // the name at the cursor, if it is one
	word          span     // the text at the cursor, without quotes
	quote         byte     // around the text; 0 if there is none
	hasColon      bool     // after the name
	siblingFields []string // the names of the other fields of the object
	flow          bool     // in brackets
	needsSpace    bool     // there is no space after the colon or dash
}

// place describes a spot.
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
	case n.shape == multiline && at.line > n.name.start.line && at.line <= n.lastLine:
		return place{role: textRole, path: n.path()}
	case n.value.start.line == at.line && n.shape == scalar && n.value.start.line > n.name.start.line:
		p := n.onValue(at)
		if p.role == valueRole {
			p.role = nestedValueRole
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

// isComment reports whether a spot is in a comment: at or after a # that is not part of a
// text.
func isComment(line []byte, at spot, n *node) bool {
	from := 0
	if n.value.end.line == at.line {
		from = min(n.value.end.column, len(line))
	}
	i := bytes.IndexByte(line[from:], '#')
	if i < 0 || at.column <= from+i || n.shape == multiline && at.line > n.name.start.line && at.line <= n.lastLine {
		return false
	}
	return from+i == 0 || line[from+i-1] == ' ' || line[from+i-1] == '\t'
}

// onLine describes a spot in the first line of a node.
func (n *node) onLine(line []byte, at spot) place {
	switch {
	case n.parent.shape == mapping && n.name.contains(at):
		return n.onName()
	case n.incomplete || at.before(n.colon):
		return place{}
	case n.shape == scalar || n.shape == multiline && n.value != (span{}):
		return n.onValue(at)
	case n.shape != empty && n.name.start.line == at.line && skip(line, n.colon.column) < len(line):
		return place{} // | or >, or brackets
	}
	return place{role: valueRole, path: n.path(), word: span{at, at}, needsSpace: at == n.colon}
}

// onName describes a spot in the name of a field.
func (n *node) onName() place {
	return place{
		role: nameRole, path: n.parent.path(), step: n.step, word: n.name, hasColon: !n.incomplete,
		siblingFields: n.parent.fields(n), flow: n.flow,
	}
}

// onValue describes a spot in or after a text.
func (n *node) onValue(at spot) place {
	if n.shape == multiline {
		return place{role: textRole, path: n.path()}
	}
	if !n.value.contains(at) {
		return place{}
	}
	return place{role: valueRole, path: n.path(), word: n.value, quote: n.quote, flow: n.flow}
}

// onBlank describes a spot with only spaces before it in its line, below a node.
func (o *outline) onBlank(n *node, at spot) place {
	switch {
	case n.parent != nil && at.column > n.column && n.shape == empty && !n.incomplete:
		return place{role: nestedValueRole, path: n.path(), word: span{at, at}}
	case n.parent != nil && at.column > n.column && n.shape == multiline:
		return place{role: textRole, path: n.path()}
	}
	list := (*node)(nil)
	for in := n; in != nil; in = in.parent {
		if in.shape == mapping && in.childColumn == at.column && !in.flow {
			return place{role: nameRole, path: in.path(), word: span{at, at}, siblingFields: in.fields(nil)}
		}
		if in.shape == sequence && in.childColumn == at.column && !in.flow {
			list = in
		}
	}
	if list != nil {
		return place{role: dashRole, path: append(list.path(), "0"), word: span{at, at}}
	}
	if len(o.nodes) == 0 {
		return place{role: nameRole, word: span{at, at}}
	}
	return place{}
}

// fields lists the names of the fields of a node except one.
func (n *node) fields(but *node) (names []string) {
	for _, c := range n.children {
		if c != but && c.step != "" {
			names = append(names, c.step)
		}
	}
	return names
}

// brackets returns the innermost pair of brackets around a spot in the value of a node, nil
// if there is none.
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

// inBrackets describes a spot in a pair of brackets.
func (n *node) inBrackets(t *text, at spot) place {
	var c *node
	for _, child := range n.children {
		if child.area.contains(at) {
			c = child
		}
	}
	switch {
	case c == nil && n.shape == sequence:
		next := strconv.Itoa(len(n.children))
		return place{role: valueRole, path: append(n.path(), next), word: span{at, at}, flow: true}
	case c == nil:
		return place{role: nameRole, path: n.path(), word: span{at, at}, siblingFields: n.fields(nil), flow: true}
	case n.shape == mapping && c.name.contains(at):
		return c.onName()
	case c.shape == scalar:
		return c.onValue(at)
	case c.shape != empty || c.incomplete || at.before(c.colon):
		return place{}
	}
	tight := n.shape == mapping && at == c.colon
	return place{role: valueRole, path: c.path(), word: span{at, at}, flow: true, needsSpace: tight}
}
