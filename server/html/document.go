package html

import (
	"bytes"
	"html/template"
	"strconv"
	"strings"

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

// text draws a text, which seldom has anything to escape.
func (d *drawer) text(s string) {
	if strings.ContainsAny(s, "\"'&<>\x00") {
		s = template.HTMLEscapeString(s)
	}
	d.out.WriteString(s)
}

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

// heading draws a heading with a link to itself, with the grade of its element and, if that has no
// title, its code.
func (d *drawer) heading(n *document.Node, level int, title string, h labels) {
	tag, grade := "h"+strconv.Itoa(level), h.grade
	d.open(tag, n)
	d.text(title)
	if code := h.untitled(); code != "" {
		if target := d.referenced(h.title); target != "" {
			d.raw(": ")
			d.named(h.title, code)
			title += ": " + target
		} else {
			d.raw(" ")
			d.code(code)
			if title += " " + code; h.called != code {
				title = h.called
			}
		}
	}
	if grade != nil {
		d.wrap(` <span class="status grade-`, grade.Text, `">`)
		d.text(grade.EnumLabel())
		d.raw("</span>")
	}
	if id := d.ids[n]; id != "" {
		d.anchorLink(id)
		href := "#" + fragment(id)
		d.addHeading(level, Heading{ID: href, Text: title})
	}
	d.raw("</", tag, ">\n")
}

// addHeading adds a heading to the contents of the page.
func (d *drawer) addHeading(level int, h Heading) {
	switch last := len(d.contents) - 1; {
	case level == 2:
		d.contents = append(d.contents, h)
	case level == 3 && last >= 0:
		d.contents[last].Within = append(d.contents[last].Within, h)
	}
}

// anchorLink draws a link to a section itself.
func (d *drawer) anchorLink(id string) {
	d.raw("\u00A0", `<a class="here" href="#`) // no line break before it
	d.text(fragment(id))
	d.raw(`" title="Ссылка на этот раздел">¶</a>`)
}

// mark draws the link to an element of a list without a heading.
func (d *drawer) mark(n *document.Node) {
	if id := d.ids[n]; id != "" {
		d.anchorLink(id)
	}
}

// labels are the fields that identify and describe an element of a list, nil if it does not have
// them; number is a field with its position, which its heading has as well. Without a title it is called by
// its text in the contents.
type labels struct {
	title, code, lead, grade, number *document.Node

	called string
}

// labelsOf finds the labels of an element; unique is the name of the field that identifies it.
func labelsOf(n *document.Node, unique string) (h labels) {
	if i := n.Label(unique); i >= 0 {
		h.title = &n.Kids[i]
	}
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case k == h.title || !k.Says():
		case k.Name == unique:
			h.code = k
		case h.lead == nil && k.IsLead():
			h.lead = k
		case h.grade == nil && document.Grades(k.Name) && k.EnumLabel() != "":
			h.grade = k
		}
	}
	return h
}

// numberOf is the number of an element of an ordered list, else "".
func numberOf(n *document.Node, i int) string {
	if n.Field != nil && n.Field.Ordered {
		return strconv.Itoa(i+1) + ". "
	}
	return ""
}

// untitled is the code of an element that has no title, else "".
func (h labels) untitled() string {
	if h.title == nil || document.Heads(h.title.Name) || h.title.EnumLabel() != "" || !document.IsCode(h.title.Text) {
		return ""
	}
	return h.title.Text
}

// referenced is the title of the item that a code in place of a title refers to, else "".
func (d *drawer) referenced(label *document.Node) string {
	if label.Field == nil || label.Field.Reference == "" {
		return ""
	}
	l, _ := d.target(label, label.Text)
	return l.Title
}

// elementTitle is the title of an element or, if it has none, that of its type.
func elementTitle(n *document.Node, h labels, number string) string {
	switch {
	case h.title == nil, h.untitled() != "":
		return number + n.Title("Элемент")
	case h.title.EnumLabel() != "":
		return number + h.title.EnumLabel()
	}
	return number + strings.Join(strings.Fields(h.title.Text), " ")
}

// fragment returns the address of a section as the end of a link.
func fragment(id string) string { return fragmentEscapes.Replace(id) }

var fragmentEscapes = strings.NewReplacer("%", "%25", " ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", "`", "%60")

// array draws the elements of an array as a table, below headings, or as a list.
func (d *drawer) array(n *document.Node, level int) {
	switch columns := n.Columns(tableLimits); {
	case columns != nil:
		d.table(n, columns)
	case level > maxHeading || !n.Objects():
		d.items(n)
	default:
		for i := range n.Kids {
			d.element(n, i, level)
		}
	}
}

// element draws an element of a list below its heading.
func (d *drawer) element(list *document.Node, i, level int) {
	n := &list.Kids[i]
	h, number := labelsOf(n, list.Unique()), numberOf(list, i)
	h.called = document.Called(list, n)
	for j := range n.Kids {
		if k := &n.Kids[j]; k.Kind == document.Number && k.Text+". " == number {
			h.number = k
			break
		}
	}
	d.heading(n, level, elementTitle(n, h, number), h)
	if n.Kind == document.Object {
		d.object(n, h, level+1)
	} else {
		d.value(n)
	}
}

// items draws the parts of an object or array as a list.
func (d *drawer) items(n *document.Node) {
	if n.Kind == document.Object {
		d.object(n, labels{}, maxHeading+1)
		return
	}
	if columns := n.Columns(tableLimits); columns != nil {
		d.table(n, columns)
		return
	}
	tag := "ul"
	if n.Field != nil && n.Field.Ordered {
		tag = "ol"
	}
	d.raw("<", tag, ">\n")
	for i := range n.Kids {
		k := &n.Kids[i]
		d.open("li", k)
		if k.Kind == document.Object {
			h := labelsOf(k, n.Unique())
			d.raw("<strong>")
			d.name(k, h, "")
			d.raw("</strong>")
			d.mark(k)
			d.raw("\n")
			d.object(k, h, maxHeading+1)
		} else {
			d.value(k)
		}
		d.raw("</li>\n")
	}
	d.raw("</", tag, ">\n")
}

// tableLimits are the limits of a table that can be read on a screen.
var tableLimits = document.Limits{Columns: 6, Cell: 60, Title: 160, Row: 1 << 20}

// table draws a table, which scrolls if it is too wide, by keyboard too.
func (d *drawer) table(n *document.Node, columns []document.Column) {
	d.raw(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table class="stacked">` + "\n<thead><tr>")
	for _, c := range columns {
		d.wrap(`<th scope="col">`, c.Of.Title(c.Name), "</th>")
	}
	d.raw("</tr></thead>\n<tbody>\n")
	for i := range n.Kids {
		row := &n.Kids[i]
		d.open("tr", row)
		for j, c := range columns {
			d.cell(row, row.Member(c.Name), c.Of.Title(c.Name), j == 0)
		}
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table></div>\n")
}

// cell draws a value of a row, which may be missing, with the title that narrow screens show in
// place of columns.
func (d *drawer) cell(row, n *document.Node, title string, first bool) {
	if n == nil {
		n = &document.Node{}
	}
	switch n.Type() {
	case document.Figure, document.Money, document.Percent:
		d.raw(`<td class="num"`)
	default:
		d.raw("<td")
	}
	d.wrap(` data-title="`, title, `">`)
	d.inline(n)
	if first {
		d.mark(row)
	}
	d.raw("</td>")
}

// pointers draws items and sections to read, each with its condition.
func (d *drawer) pointers(n *document.Node) {
	d.raw("<ul>\n")
	for i := range n.Kids {
		k := &n.Kids[i]
		p, _ := k.Pointer()
		d.open("li", k)
		for j, name := range p.Names() {
			if j > 0 {
				d.raw(", ")
			}
			d.named(k, name)
		}
		if p.When != "" {
			d.text(" (" + p.When + ")")
		}
		d.raw("</li>\n")
	}
	d.raw("</ul>\n")
}
