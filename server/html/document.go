package html

import (
	"bytes"
	"html/template"

	"rulestore/content/document"
)

// Document is an item in the parts that a page places separately.
type Document struct {
	Lead     template.HTML // the description
	Facts    []Fact        // short statements
	Body     template.HTML // the sections
	Contents []Heading     // links to them
}

// Fact is a short statement about an item.
type Fact struct {
	Name  string
	Value template.HTML
}

// Heading is a link to a section, with links to the sections in it that have headings.
type Heading struct {
	ID, Text string
	Within   []Heading
}

// Drawing has the options for drawing a document.
type Drawing struct {
	// Own is the prefix of the service's absolute URLs, and Root its replacement, so that links
	// in a copy under another name stay in the copy.
	Own, Root string
	// Names finds the target of a word, in a value or in a pointer to sections; nil: no
	// targets.
	Names func(n *document.Node, word string) (Link, bool)
	// Bare documents have no anchors: there are several on one page.
	Bare bool
}

const (
	// maxHeading is the lowest level of headings; what is below it is a nested list.
	maxHeading = 4
	// maxBeside is the maximum number of letters of a value on a line with others.
	maxBeside = 60
)

// drawer draws one document.
type drawer struct {
	Drawing
	doc      Document
	out      bytes.Buffer
	ids      map[*document.Node]string // the addresses of sections
	contents []Heading
}

// HTML is a part of a page that is drawn already.
type HTML = template.HTML

// Inline draws a value on one line, as within a document.
func Inline(n *document.Node, with Drawing) HTML {
	d := &drawer{Drawing: with}
	d.inline(n)
	return d.take()
}

// Draw renders the tree of an item as HTML, which is safe for any content. Every part with an
// address has it as its anchor.
func Draw(root *document.Node, with Drawing) Document {
	d := &drawer{Drawing: with, ids: map[*document.Node]string{}}
	for s := range root.Sections() {
		if !d.Bare {
			d.ids[s.Node] = s.Address
		}
	}
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsLead() {
			d.open("div", n)
			d.paragraphs(n)
			d.raw("</div>\n")
		}
	}
	d.doc.Lead = d.take()
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsFact() {
			d.open("span", n)
			d.inline(n)
			d.raw("</span>")
			d.doc.Facts = append(d.doc.Facts, Fact{n.Title(n.Name), d.take()})
		}
	}
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsSection() {
			d.section(n, 2)
		}
	}
	d.doc.Body, d.doc.Contents = d.take(), d.contents
	return d.doc
}

// take returns what was drawn since the last call.
func (d *drawer) take() template.HTML {
	html := template.HTML(d.out.String())
	d.out.Reset()
	return html
}

func (d *drawer) raw(parts ...string) {
	for _, p := range parts {
		d.out.WriteString(p)
	}
}

func (d *drawer) text(s string) { template.HTMLEscape(&d.out, []byte(s)) }

// wrap draws a text between two parts of HTML.
func (d *drawer) wrap(before, text, after string) {
	d.raw(before)
	d.text(text)
	d.raw(after)
}

// open begins an element with the anchor of a value.
func (d *drawer) open(tag string, n *document.Node) {
	d.raw("<", tag)
	if id := d.ids[n]; id != "" {
		d.wrap(` id="`, id, `"`)
	}
	d.raw(">")
}

// section draws a field below its heading.
func (d *drawer) section(n *document.Node, level int) {
	d.heading(n, level, n.Title(n.Name), labels{})
	switch n.Kind {
	case document.Object:
		d.object(n, labels{}, level+1)
	case document.Array:
		d.array(n, level+1)
	default:
		d.paragraphs(n)
	}
}

// object draws the fields of an object: short ones on one line, then the description, then those
// that fit into a list, then those with a heading.
func (d *drawer) object(n *document.Node, h labels, level int) {
	var beside, listed, below []*document.Node
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case k == h.title || k == h.lead || k == h.grade || k == h.number:
		case k == h.code || isBeside(k):
			beside = append(beside, k)
		case level > maxHeading || k.Flat():
			listed = append(listed, k)
		default:
			below = append(below, k)
		}
	}
	d.beside(beside, h.code)
	if h.lead != nil {
		d.paragraphs(h.lead)
	}
	d.fields(listed)
	for _, k := range below {
		d.section(k, level)
	}
}

// isBeside reports whether a value can be on a line with others: it is short, and no sentence.
func isBeside(n *document.Node) bool {
	if n.IsList() {
		return n.Kind == document.Array && n.Words() && !n.Pointers() && len(n.Raw) <= 4*maxBeside
	}
	t := n.Type()
	return n.Short(maxBeside) && t != document.Prose && t != document.Address
}

// beside draws fields on one line, the code of the element, which a switch shows, without a label.
func (d *drawer) beside(all []*document.Node, code *document.Node) {
	if len(all) == 0 {
		return
	}
	d.raw(`<p class="meta`, map[bool]string{true: " id"}[len(all) == 1 && all[0] == code], `">`)
	for i, n := range all {
		between := map[bool]string{true: " · "}[i+1 < len(all)]
		if n == code {
			d.raw(`<span class="id">`)
			d.ownCode(n)
			d.raw(between, "</span>")
			continue
		}
		d.open("span", n)
		d.text(n.Title(n.Name) + ": ")
		d.inline(n)
		d.raw("</span>", between)
	}
	d.raw("</p>\n")
}

// fields draws fields as a description list.
func (d *drawer) fields(all []*document.Node) {
	if len(all) == 0 {
		return
	}
	d.raw(`<dl class="fields">` + "\n")
	for _, n := range all {
		d.open("div", n)
		d.wrap("<dt>", n.Title(n.Name), "</dt><dd>")
		d.value(n)
		d.raw("</dd></div>\n")
	}
	d.raw("</dl>\n")
}

// value draws a value next to its title.
func (d *drawer) value(n *document.Node) {
	switch {
	case n.Pointers():
		d.pointers(n)
	case n.IsList() && len(n.Kids) > 0 && !n.Words():
		d.items(n)
	case n.Kind == document.Text && !document.IsOneLine(n.Text):
		d.paragraphs(n)
	default:
		d.inline(n)
	}
}
