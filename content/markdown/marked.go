package markdown

import (
	"strings"
	"unicode"

	"rulestore/content/document"
)

// A Stretch is a part of a text with a tag for its change: ins, del or none.
type MarkedText struct{ Text, Tag string }

// Marked writes a text in one paragraph with its changes. They are HTML tags, which work
// anywhere in Markdown: its own markers do not work before some letters.
func (p *Plain) Marked(all []MarkedText) {
	p.paragraph()
	for _, s := range all {
		text := strings.TrimSpace(s.Text)
		before, after, _ := strings.Cut(s.Text, text)
		if text == "" {
			before, after = s.Text, ""
		}
		p.blank(before)
		switch {
		case text == "":
		case s.Tag == "":
			p.w.out = appendText(p.w.out, text, inHeading, 0)
		default:
			p.w.out = append(p.w.out, "<"+s.Tag+">"...)
			p.w.out = append(appendText(p.w.out, text, inHeading, 0), "</"+s.Tag+">"...)
		}
		p.blank(after)
	}
	p.w.out = []byte(strings.TrimRightFunc(string(p.w.out), unicode.IsSpace))
}

// blank writes one space for any number of them.
func (p *Plain) blank(s string) {
	if n := len(p.w.out); s != "" && n > 0 && p.w.out[n-1] != ' ' && p.w.out[n-1] != '\n' {
		p.w.out = append(p.w.out, ' ')
	}
}

// Value writes a value after a title, as a paragraph or, if it has parts, as its parts.
func (p *Plain) Value(title string, n *document.Node, unique string) {
	p.paragraph()
	p.w.out = append(appendText(p.w.out, title, atStart, 0), ':')
	switch {
	case n == nil:
		p.w.out = append(p.w.out, ' ')
		p.w.out = append(p.w.out, nothing...)
	case n.Kind == document.Object:
		p.w.object(n, labelsOf(n, unique), 4)
	default:
		p.w.value(n)
	}
}
