package markdown

import (
	"bytes"
	"strings"

	"rulestore/content/document"
)

// Sections returns some sections of an item as Markdown, after the title of the item and a line
// of facts about it.
func Sections(title string, facts []string, sections []document.Section) []byte {
	p := NewPlain(title, facts)
	for _, s := range sections {
		p.w.part(s)
	}
	return p.Bytes()
}

// part writes a section under a heading with its address.
func (w *writer) part(s document.Section) {
	n := s.Node
	w.heading(2)
	c := sectionLabels(s)
	switch {
	case n.Name != "" || n.Kind != document.Object:
		w.name(n, inHeading)
		c = unnamed
	case c.title < 0:
		w.out = appendText(w.out, n.Title("Элемент"), inHeading, 0)
	case c.title != c.code:
		w.scalar(&n.Kids[c.title], inHeading)
	}
	if c.title < 0 || c.title != c.code {
		w.out = append(w.out, ' ')
	}
	w.out = appendCode(w.out, s.Address, inHeading)
	w.body(n, c, 3)
}

// Plain writes Markdown about an item: texts, headings and lists.
type Plain struct{ w writer }

// NewPlain starts with a title and a line of facts, which is Markdown already.
func NewPlain(title string, facts []string) *Plain {
	p := &Plain{}
	p.w.out = append(p.w.out, "# "...)
	p.w.out = appendText(p.w.out, title, inHeading, 0)
	p.w.gap()
	p.w.line()
	p.w.out = append(p.w.out, strings.Join(facts, beside)...)
	return p
}

// Object writes the fields of a record, except its title and code.
func (p *Plain) Object(n *document.Node, unique string) { p.w.object(n, labelsOf(n, unique), 2) }

// Text writes a paragraph, unless it is empty.
func (p *Plain) Text(text string) {
	if text != "" {
		p.paragraph()
		p.w.out = appendText(p.w.out, text, atStart, 0)
	}
}

// Link writes a paragraph with a code that links to an address.
func (p *Plain) Link(code, address string) {
	p.paragraph()
	p.w.out = append(p.w.out, '[')
	p.w.out = appendCode(p.w.out, code, inLine)
	p.w.out = append(append(append(p.w.out, "](<"...), address...), ">)"...)
}

// paragraph begins a paragraph, also after a heading, which has ended its line.
func (p *Plain) paragraph() {
	if !bytes.HasSuffix(p.w.out, []byte("\n")) {
		p.w.gap()
	}
	p.w.line()
}

// Heading starts a section.
func (p *Plain) Heading(text string) {
	p.w.heading(2)
	p.w.out = appendText(p.w.out, text, inHeading, 0)
	p.w.gap()
}

// Item writes a list item: a title, a text and a code, each of which may be empty.
func (p *Plain) Item(title, text, code string) {
	p.w.line()
	p.w.out = append(p.w.out, "- "...)
	if title != "" {
		p.w.out = appendText(p.w.out, plainLine(title), atStart, 0)
		if text != "" {
			p.w.out = append(p.w.out, ':')
		}
		p.w.out = append(p.w.out, ' ')
	}
	if text != "" {
		p.w.out = append(appendText(p.w.out, text, inHeading, 0), ' ')
	}
	p.w.out = appendCode(p.w.out, code, inLine)
}

// Entry writes a list item that links to what it lists: a title, codes and a text, which may be empty.
func (p *Plain) Entry(title, address, text string, codes ...string) {
	p.w.line()
	p.w.out = append(p.w.out, "- ["...)
	p.w.out = appendText(p.w.out, plainLine(title), inHeading, 0)
	p.w.out = append(append(append(p.w.out, "](<"...), address...), ">)"...)
	for _, code := range codes {
		p.w.out = appendCode(append(p.w.out, ' '), code, inLine)
	}
	if text != "" {
		p.w.out = appendText(append(p.w.out, ": "...), plainLine(text), inHeading, 0)
	}
}

// Within continues a list item: a title, which may be empty, and a code.
func (p *Plain) Within(title, code string) {
	if p.w.out = append(p.w.out, beside...); title != "" {
		p.w.out = append(appendText(p.w.out, title, inLine, 0), ": "...)
	}
	p.w.out = appendCode(p.w.out, code, inLine)
}

// Bytes returns the Markdown.
func (p *Plain) Bytes() []byte { return bytes.Clone(append(p.w.out, '\n')) }
