package page

import (
	"bytes"
	"cmp"
	"html/template"
	"strings"

	"rulestore/content/document"
)

// Document is an item in the parts that a page places separately.
type Document struct {
	Lead     template.HTML // the description
	Facts    []Fact        // short statements
	Body     template.HTML // the sections
	Contents []Heading     // links to them
	Left     int           // number of rows of tables that are left out
}

// Whole returns all of a document in one piece, its facts as a description list.
func (d Document) Whole() template.HTML {
	var b strings.Builder
	b.WriteString(string(d.Lead))
	if d.Facts != nil {
		b.WriteString(`<dl class="fields">`)
		for _, f := range d.Facts {
			b.WriteString(
				"<div><dt>" + template.HTMLEscapeString(f.Name) + "</dt><dd>" + string(f.Value) + "</dd></div>",
			)
		}
		b.WriteString("</dl>")
	}
	return template.HTML(b.String()) + d.Body
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
	// Path returns the path of a section's own page; nil: all sections are drawn.
	Path string
	// Apart are the sections that the page has only as links; nil: those for which it has no room.
	Apart Apart
	// Only are the parts of the tree to draw; nil: all of it.
	Only []*document.Node
	// Level is the level of their headings, 0 for the second.
	Level int
	// Bare documents have no anchors: there are several on one page.
	Bare bool
	// Remarks are the findings of a preview. Those that were placed in the text are marked.
	Remarks []Remark
}

const (
	// maxBody is the size in bytes above which the remaining sections of a page are links, so that
	// it stays below 100 KB.
	maxBody = 52 << 10
	// maxHeading is the lowest level of headings; what is below it is a nested list.
	maxHeading = 4
	// maxOthers is the maximum number of elements of a list that are links.
	maxOthers = 150
	// maxBeside is the maximum number of letters of a value on a line with others.
	maxBeside = 60
)

// drawer draws one document.
type drawer struct {
	Drawing
	doc      Document
	out      bytes.Buffer
	ids      map[*document.Node]string // the addresses of sections
	remarks  map[*document.Node][]*Remark
	contents []Heading
	left     int // rows that are not drawn
	apart    Apart
}

// full reports whether the page has reached the size of maxBody.
func (d *drawer) full() bool { return d.out.Len() > maxBody }

// linked reports whether a section is only a link, because the page is full. Of the fields of the
// item these are only long ones written by the author.
func (d *drawer) linked(n *document.Node) bool {
	id := d.ids[n]
	switch {
	case d.Path == "" || id == "":
		return false
	case d.Apart != nil:
		return d.Apart[id]
	case !d.full() || n.Name != "" && (n.Name == document.Note || len(n.Raw) <= 1<<10):
		return false
	}
	d.leave(n)
	return true
}

// Apart are the addresses of the sections of a document that its page has only as links to pages of
// their own. The sections within them are not on the page either.
type Apart map[string]bool

// Has reports whether a section is on another page.
func (a Apart) Has(address string) bool {
	for end := len(address); end > 0; end = strings.LastIndexByte(address[:end], '/') {
		if a[address[:end]] {
			return true
		}
	}
	return false
}

// Divide finds the sections for which the page of a document has no room. Whoever links to a section
// has to know them, also the page itself: it is drawn with them.
func Divide(root *document.Node, with Drawing) Apart { return draw(root, with).apart }

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
	d := draw(root, with)
	d.doc.Contents, d.doc.Left = d.contents, d.left
	return d.doc
}

func draw(root *document.Node, with Drawing) *drawer {
	d := &drawer{Drawing: with, ids: map[*document.Node]string{}, apart: Apart{}}
	for s := range root.Sections() {
		if !d.Bare {
			d.ids[s.Node] = s.Address
		}
	}
	d.place(root)
	if with.Only != nil {
		for _, n := range with.Only {
			d.part(root, n)
		}
		d.doc.Body = d.take()
		return d
	}
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsTitle() {
			d.remark(n)
		} else if n.IsLead() {
			d.open("div", n)
			d.paragraphs(n)
			d.remark(n)
			d.raw("</div>\n")
		}
	}
	d.doc.Lead = d.take()
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsFact() {
			d.open("span", n)
			d.inline(n)
			d.raw("</span>")
			d.remark(n)
			d.doc.Facts = append(d.doc.Facts, Fact{n.Title(n.Name), d.take()})
		}
	}
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsSection() {
			d.section(n, 2)
		}
	}
	d.doc.Body = d.take()
	return d
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
	switch {
	case areGroups(n):
		d.groups(n)
	case d.linked(n):
		d.sectionLinks(n)
	case n.Kind == document.Object:
		d.object(n, labels{}, level+1)
	case n.Kind == document.Array:
		d.array(n, level+1)
	default:
		d.paragraphs(n)
	}
}

// part draws a part of the tree at any depth, and reports whether it was found.
func (d *drawer) part(root, n *document.Node) bool {
	for i := range root.Kids {
		k := &root.Kids[i]
		switch {
		case k != n:
			if d.part(k, n) {
				return true
			}
			continue
		case root.Kind == document.Array:
			d.element(root, i, cmp.Or(d.Level, 2))
		default:
			d.section(n, cmp.Or(d.Level, 2))
		}
		return true
	}
	return false
}

// sectionLinks links to the page of a section, and to those of the sections within it.
func (d *drawer) sectionLinks(n *document.Node) {
	d.raw(`<p><a href="`, d.pageOf(n), `">Открыть этот раздел</a></p>`+"\n")
	if !n.Objects() || d.ids[n] == "" || n.Kind != document.Array {
		return
	}
	d.raw("<ul>\n")
	for i := range n.Kids {
		if k := &n.Kids[i]; d.ids[k] != "" {
			d.open("li", k)
			d.link(d.pageOf(k), func() { d.name(k, labelsOf(k, n.Unique()), numberOf(n, i)) })
			d.raw("</li>\n")
		}
	}
	d.raw("</ul>\n")
}

// pageOf is the address of the page of a section.
func (d *drawer) pageOf(n *document.Node) string {
	return d.Path + "?section=" + SectionQuery(d.ids[n])
}

// object draws the fields of an object: short ones on one line, then the description, then those
// that fit into a list, then those with a heading.
func (d *drawer) object(n *document.Node, h labels, level int) {
	var beside, listed, below []*document.Node
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case k == h.title || k == h.lead || k == h.grade || k == h.number:
			d.remark(k)
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

// beside draws fields on one line, the code of the element without a label.
func (d *drawer) beside(all []*document.Node, code *document.Node) {
	if len(all) == 0 {
		return
	}
	d.raw(`<p class="meta">`)
	for i, n := range all {
		if i > 0 {
			d.raw(" · ")
		}
		d.open("span", n)
		if n == code {
			d.ownCode(n)
		} else {
			d.text(n.Title(n.Name) + ": ")
			d.inline(n)
		}
		d.raw("</span>")
	}
	d.raw("</p>\n")
	for _, n := range all {
		d.remark(n)
	}
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
		d.remark(n)
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
