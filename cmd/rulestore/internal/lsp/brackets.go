package lsp

import (
	"bytes"
	"strconv"
)

// frame is an open pair of brackets.
type frame struct {
	node  *node
	slot  *node // the node after the last comma; nil if there is none yet
	begun spot  // the position of that comma, or of the bracket
}

// brackets reads a list or fields in brackets, [a, b] and {a: b}: the value of a node, or the
// continuation of brackets from the line before.
func (p *outliner) brackets(line []byte, n, c int, of ...*node) {
	for c < len(line) && (len(p.flow) > 0 || len(of) > 0) {
		at := spot{n, c}
		switch line[c] {
		case ' ', '\t':
		case '#':
			if c == 0 || line[c-1] == ' ' {
				return
			}
		case '[', '{':
			f := p.slot(at)
			if len(of) > 0 {
				f, of = of[0], nil
			}
			p.push(f, at, line[c])
		case ']', '}':
			p.pop(spot{n, c + 1})
		case ',':
			p.endSlot(at)
		case ':':
			if s := p.slot(at); s.colon == (spot{}) {
				s.colon = spot{n, c + 1}
			}
		default:
			c = p.word(line, n, c)
			continue
		}
		c++
	}
}

func (p *outliner) top() *frame { return p.flow[len(p.flow)-1] }

// slot returns the node after the last comma, which it creates if there is none.
func (p *outliner) slot(at spot) *node {
	if len(p.flow) == 0 {
		return nil
	}
	f := p.top()
	if f.slot == nil {
		f.slot = &node{flow: true, parent: f.node, childColumn: -1, column: f.node.column, name: span{at, at}}
		f.slot.area.start = f.begun
		if f.node.shape == sequence {
			f.slot.step = strconv.Itoa(len(f.node.children))
			f.slot.colon = at
		}
		f.node.children = append(f.node.children, f.slot)
	}
	return f.slot
}

func (p *outliner) push(n *node, at spot, bracket byte) {
	n.shape, n.value, n.lastLine = sequence, span{at, at}, at.line
	if bracket == '{' {
		n.shape = mapping
	}
	n.flow = true
	p.flow = append(p.flow, &frame{node: n, begun: spot{at.line, at.column + 1}})
}

func (p *outliner) endSlot(at spot) {
	f := p.top()
	if f.slot != nil {
		f.slot.area.end = at
		f.slot.incomplete = f.node.shape == mapping && f.slot.colon == (spot{})
	}
	f.slot, f.begun = nil, spot{at.line, at.column + 1}
}

func (p *outliner) pop(at spot) {
	p.endSlot(spot{at.line, at.column - 1})
	p.top().node.value.end = at
	p.flow = p.flow[:len(p.flow)-1]
}

// abandon ends brackets that were not closed.
func (p *outliner) abandon(at spot) {
	for len(p.flow) > 0 {
		p.endSlot(at)
		p.top().node.value.end = spot{at.line, at.column + 1}
		p.flow = p.flow[:len(p.flow)-1]
	}
}

// word reads a name or a value in brackets, and returns the column after it.
func (p *outliner) word(line []byte, n, c int) int {
	s, quote, start, end := p.slot(spot{n, c}), byte(0), c, 0
	if quote = line[c]; quote == '"' || quote == '\'' {
		start, end = c+1, closing(line, c+1, quote)
		c = min(end+1, len(line))
	} else {
		quote, end = 0, wordEnd(line, c)
		c = end
	}
	at := span{spot{n, start}, spot{n, end}}
	switch {
	case s.parent.shape == mapping && s.colon == (spot{}):
		if s.step == "" {
			s.name = at
		}
		s.name.end, s.step = at.end, string(line[s.name.start.column:end])
	case s.shape == empty:
		s.shape, s.value, s.quote, s.lastLine = scalar, at, quote, n
	default:
		s.value.end, s.lastLine = at.end, n // several words
	}
	return c
}

// wordEnd returns the end of a text without quotes in brackets.
func wordEnd(line []byte, c int) int {
	start := c
	for ; c < len(line); c++ {
		if bytes.IndexByte([]byte(",[]{}"), line[c]) >= 0 || line[c] == '#' && c > 0 && line[c-1] == ' ' ||
			line[c] == ':' && (c+1 == len(line) || bytes.IndexByte([]byte(" ,[]{}"), line[c+1]) >= 0) {
			break
		}
	}
	return max(start+len(bytes.TrimRight(line[start:c], " \t")), start+1)
}
