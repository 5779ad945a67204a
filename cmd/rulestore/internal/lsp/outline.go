package lsp

import (
	"bytes"
	"strconv"
)

// An outline is the structure of a YAML file: fields and elements, their nesting by
// indentation, and their positions. Unlike a parser it accepts every file, because a file
// that is being edited is usually incomplete. For a valid file it agrees with the parser; a
// test checks that.
type outline struct {
	root  *node
	nodes []*node // those at the beginning of lines, in the order of the file; those in brackets are their children
}

// shape is the type of a node's value.
type shape int

const (
	empty     shape = iota // no value yet
	scalar                 // a text on one line
	multiline              // a text of several lines
	mapping                // fields
	sequence               // elements
)

// node is a field, an element of a list, or the file itself.
type node struct {
	shape
	step        string // the name of a field, the number of an element
	name        span   // without quotes; of an element its dash
	colon       spot   // after the colon; zero if there is none
	incomplete  bool   // a name without a colon
	value       span   // of a scalar without its quotes; of brackets with them
	quote       byte   // of a scalar; 0 if there is none
	column      int    // in its line, quotes included
	childColumn int    // the column of its children; -1 if unknown
	lastLine    int    // of a multi-line text
	flow        bool   // in brackets
	area        span   // of a node in brackets: from one comma to the next
	parent      *node
	children    []*node
}

func (n *node) latest() *node {
	if len(n.children) == 0 {
		return nil
	}
	return n.children[len(n.children)-1]
}

// path returns the names and numbers that lead to the node.
func (n *node) path() []string {
	if n.parent == nil {
		return nil
	}
	return append(n.parent.path(), n.step)
}

// child returns the field or element of that name, nil if there is none.
func (n *node) child(step string) *node {
	for _, c := range n.children {
		if c.step == step {
			return c
		}
	}
	return nil
}

// at follows a pointer as far as possible.
func (o *outline) at(pointer []string) *node {
	n := o.root
	for _, step := range pointer {
		next := n.child(step)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// outliner makes an outline, line by line.
type outliner struct {
	*outline
	open  []*node // nodes that can get more children, outermost first
	text  *node   // a multi-line text that may continue
	block bool    // the text began with | or >
	quote byte    // the quote that ends the text; 0 if its indentation ends it
	flow  []*frame
}

func outlineOf(t *text) *outline {
	root := &node{childColumn: -1, column: -1}
	p := &outliner{outline: &outline{root: root}, open: []*node{root}}
	for n := range t.lines {
		p.line(t.line(n), n)
	}
	p.abandon(t.end())
	return p.outline
}

// bom is a byte order mark, which columns do not count.
const bom = "\uFEFF"

// line reads one line.
func (p *outliner) line(line []byte, n int) {
	if rest, ok := bytes.CutPrefix(line, []byte(bom)); ok && n == 0 {
		if c := skip(rest, 0); c < len(rest) && rest[c] != '#' {
			p.structure(line, n, len(bom)+c)
			p.shift(len(bom))
		}
		return
	}
	c := skip(line, 0)
	switch {
	case c == len(line):
		return
	case p.continueValue(line, n, c):
		return
	case line[c] == '#', c == 0 && isMarker(line):
		return
	case len(p.flow) > 0:
		p.brackets(line, n, c)
		return
	}
	p.structure(line, n, c)
}

// shift moves all columns to the left.
func (p *outliner) shift(by int) {
	for _, n := range append(p.nodes, p.root) {
		n.column -= by
		n.childColumn = max(n.childColumn-by, -1)
	}
}

// continueValue reads a line that continues the value before it. It reports whether the line
// is read; if not, the value has ended.
func (p *outliner) continueValue(line []byte, n, indent int) bool {
	if len(p.flow) > 0 {
		if top := p.flow[0].node; indent <= top.column && !bytes.ContainsAny(line[:min(len(line), indent+1)], "]}") {
			p.abandon(spot{n, 0})
		}
		return false
	}
	if p.text == nil {
		return false
	}
	if indent <= p.text.column || p.quote == 0 && !p.block && !isPlain(line, indent) {
		p.text = nil
		return false
	}
	p.text.shape, p.text.lastLine = multiline, n
	if p.quote != 0 && closing(line, 0, p.quote) < len(line) {
		p.text = nil
	}
	return true
}

// isPlain reports whether a line can be part of a text without quotes: it has no comment and
// no name with a colon.
func isPlain(line []byte, c int) bool {
	_, _, _, ok := nameAt(line, c)
	return !ok && line[c] != '#'
}

// structure reads a line that begins with a field or an element.
func (p *outliner) structure(line []byte, n, c int) {
	for isDash(line[c:]) {
		p.element(n, c)
		c = skip(line, c+1)
		if c == len(line) || line[c] == '#' {
			return
		}
	}
	if start, end, colon, ok := nameAt(line, c); ok {
		f := p.field(n, c, span{spot{n, start}, spot{n, end}}, string(line[start:end]), colon)
		p.value(f, line, n, skip(line, colon))
		return
	}
	p.other(line, n, c)
}

// nameAt finds the name of a field at a column: the span of the name without quotes, and the
// column after the colon.
func nameAt(line []byte, c int) (start, end, colon int, ok bool) {
	switch q := line[c]; {
	case q == '"' || q == '\'':
		start, end = c+1, closing(line, c+1, q)
		colon = skip(line, min(end+1, len(line)))
		ok = isColon(line, colon)
	case bytes.IndexByte([]byte("#,[]{}&*!|>%@`"), q) < 0:
		start = c
		for colon = c; colon < len(line) && !isColon(line, colon); colon++ {
			if line[colon] == '#' && line[colon-1] == ' ' {
				return 0, 0, 0, false
			}
		}
		end = c + len(bytes.TrimRight(line[c:colon], " \t"))
		ok = colon < len(line) && end > start
	}
	return start, end, colon + 1, ok
}

// isColon reports whether there is a colon that ends a name.
func isColon(line []byte, c int) bool {
	return c < len(line) && line[c] == ':' && (c+1 == len(line) || line[c+1] == ' ' || line[c+1] == '\t')
}

// field adds a field that begins at a column.
func (p *outliner) field(n, c int, name span, step string, colon int) *node {
	in := p.collection(c, mapping)
	f := &node{step: step, column: c, childColumn: -1, parent: in, name: name, colon: spot{n, colon}}
	p.add(in, f)
	return f
}

// element adds an element whose dash is at a column.
func (p *outliner) element(n, c int) {
	in := p.collection(c, sequence)
	e := &node{step: strconv.Itoa(len(in.children)), column: c, childColumn: -1, parent: in}
	e.name = span{spot{n, c}, spot{n, c + 1}}
	e.colon = spot{n, c + 1}
	p.add(in, e)
}

func (p *outliner) add(in, child *node) {
	in.children = append(in.children, child)
	p.nodes = append(p.nodes, child)
	p.text = nil
}

// collection returns the parent of a field or element that begins at a column: the open node
// at that column, else the node before it that is less indented.
func (p *outliner) collection(c int, want shape) *node {
	top := p.closeTo(c, want)
	if top.shape == want && top.childColumn == c {
		return top
	}
	if last := top.latest(); last != nil {
		top = last
	}
	if top.shape == scalar && want == mapping { // an incomplete name
		p.add(
			top, &node{name: top.value, column: top.value.start.column, childColumn: -1, incomplete: true, parent: top},
		)
	}
	top.shape, top.childColumn = want, c
	p.open = append(p.open, top)
	return top
}

// closeTo removes the nodes that end before a line with this indentation, and returns the
// innermost that is left. The dashes of a list may be directly below the name of its field.
func (p *outliner) closeTo(c int, want shape) *node {
	for len(p.open) > 1 {
		top := p.open[len(p.open)-1]
		if top.childColumn < c || top.childColumn == c && (top.shape == want || want == sequence) {
			break
		}
		p.open = p.open[:len(p.open)-1]
	}
	return p.open[len(p.open)-1]
}

// value reads the text after a colon or a dash.
func (p *outliner) value(f *node, line []byte, n, c int) {
	if c >= len(line) || line[c] == '#' {
		return
	}
	switch line[c] {
	case '|', '>':
		f.shape, f.lastLine, p.text, p.block, p.quote = multiline, n, f, true, 0
	case '"', '\'':
		p.quoted(f, line, n, c)
	case '[', '{':
		p.brackets(line, n, c, f)
	default:
		end := plainEnd(line, c)
		f.shape, f.value = scalar, span{spot{n, c}, spot{n, end}}
		p.text, p.block, p.quote = f, false, 0
	}
}

// quoted reads a text in quotes, which may continue on the next line.
func (p *outliner) quoted(f *node, line []byte, n, c int) {
	end := closing(line, c+1, line[c])
	f.shape, f.quote, f.lastLine, f.value = scalar, line[c], n, span{spot{n, c + 1}, spot{n, end}}
	if end == len(line) {
		p.text, p.block, p.quote = f, false, line[c]
	}
}

// other reads a line that is neither a field nor an element: a value, or the beginning of a
// name.
func (p *outliner) other(line []byte, n, c int) {
	top := p.closeTo(c, mapping)
	last := top.latest()
	switch {
	case top.shape == mapping && top.childColumn == c, top == p.root && last == nil:
		if top.shape == empty {
			top.shape, top.childColumn = mapping, c
		}
		name := span{spot{n, c}, spot{n, plainEnd(line, c)}}
		p.add(top, &node{column: c, childColumn: -1, incomplete: true, parent: top, name: name})
	case last != nil && last.shape == empty:
		p.value(last, line, n, c)
	}
}

// skip returns the column of the next character that is not a space.
func skip(line []byte, c int) int {
	for c < len(line) && (line[c] == ' ' || line[c] == '\t') {
		c++
	}
	return c
}

func isDash(rest []byte) bool {
	return len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '\t')
}

// isMarker reports whether a line separates documents.
func isMarker(line []byte) bool {
	word, _, _ := bytes.Cut(line, []byte(" "))
	return string(word) == "---" || string(word) == "..."
}

// closing returns the column of the closing quote, or the end of the line.
func closing(line []byte, c int, quote byte) int {
	for ; c < len(line); c++ {
		switch {
		case quote == '"' && line[c] == '\\':
			c++
		case line[c] == quote && quote == '\'' && c+1 < len(line) && line[c+1] == '\'':
			c++
		case line[c] == quote:
			return c
		}
	}
	return len(line)
}

// plainEnd returns the end of a text without quotes: before a comment and trailing spaces.
func plainEnd(line []byte, c int) int {
	rest := line[c:]
	if i := bytes.Index(rest, []byte(" #")); i >= 0 {
		rest = rest[:i]
	}
	return c + len(bytes.TrimRight(rest, " \t"))
}
