package page

import (
	"bytes"
	"cmp"
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"rulestore/content/document"
)

// Document is an item in the parts that a page shows in different places.
type Document struct {
	Lead     template.HTML // what it is about
	Facts    []Fact        // short statements
	Body     template.HTML // the sections
	Contents []Heading     // what leads to them
	Left     int           // rows of tables that are not shown, because there are too many
}

// Whole is all of a document in one piece, its facts as a description list.
func (d Document) Whole() template.HTML {
	var b strings.Builder
	b.WriteString(string(d.Lead))
	if d.Facts != nil {
		b.WriteString(`<dl class="fields">`)
		for _, f := range d.Facts {
			b.WriteString("<div><dt>" + template.HTMLEscapeString(f.Name) + "</dt><dd>" + string(f.Value) + "</dd></div>")
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

// Heading leads to a section, and to those within it that have headings.
type Heading struct {
	ID, Text string
	Within   []Heading
}

// Drawing says what a document is drawn with.
type Drawing struct {
	// Own is what absolute addresses of the service begin with, and Root what is
	// put in its place, so that a copy under another name leads to itself.
	Own, Root string
	// Names finds what a word names, which is in a value or, of a thing to read, the name
	// of a section; nil: nothing.
	Names func(n *document.Node, word string) (Link, bool)
	// Path is where a section can be read alone; without it, all are drawn.
	Path string
	// Cite is where a section is cited; "" if nowhere. nil: none is.
	Cite func(section string) string
	// Past is where it is told what became of a section; nil: nowhere.
	Past func(section string) string
	// Only are the parts of the tree that are drawn; nil: all of it.
	Only []*document.Node
	// Level is that of the headings of these, 0 for the second.
	Level int
	// Bare documents have no anchors: there are several on a page.
	Bare bool
	// Remarks are what a preview says in the text. Those that found their place are
	// marked as such.
	Remarks []Remark
}

const (
	// maxBody is how many bytes of sections a page shows before the others are links, so
	// that with all else it stays below 100 KB.
	maxBody = 54 << 10
	// maxHeading is the deepest heading; what lies below is a nested list.
	maxHeading = 4
	// maxOthers is how many elements of a list are links at most.
	maxOthers = 150
	// maxBeside is how many letters a value in a line with others may have.
	maxBeside = 60
)

// drawer draws one document.
type drawer struct {
	Drawing
	out      bytes.Buffer
	ids      map[*document.Node]string // the addresses of sections
	remarks  map[*document.Node][]*Remark
	contents []Heading
	left     int // rows that are not drawn
}

// full reports whether there is as much on the page as it should have.
func (d *drawer) full() bool { return d.out.Len() > maxBody }

// far reports whether a section is no more than a link on a page that is full: of those of
// the item itself a long one, which the author wrote.
func (d *drawer) far(n *document.Node) bool {
	return d.full() && d.Path != "" && d.ids[n] != "" && (n.Name == "" || n.Name != document.Note && len(n.Raw) > 1<<10)
}

// Draw makes HTML of the tree of an item, safe whatever the item says. Whatever has an
// address has it as its anchor.
func Draw(root *document.Node, with Drawing) (made Document) {
	d := &drawer{Drawing: with, ids: map[*document.Node]string{}}
	for s := range root.Sections() {
		if !d.Bare {
			d.ids[s.Node] = s.Address
		}
	}
	d.place(root)
	if with.Only != nil {
		for _, n := range with.Only {
			d.alone(root, n)
		}
		made.Body, made.Contents, made.Left = d.take(), d.contents, d.left
		return made
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
	made.Lead = d.take()
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsFact() {
			d.open("span", n)
			d.inline(n)
			d.raw("</span>")
			d.remark(n)
			made.Facts = append(made.Facts, Fact{n.Title(n.Name), d.take()})
		}
	}
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsSection() {
			d.section(n, 2)
		}
	}
	made.Body, made.Contents, made.Left = d.take(), d.contents, d.left
	return made
}

// take returns what was drawn since it was last asked.
func (d *drawer) take() template.HTML {
	made := template.HTML(d.out.String())
	d.out.Reset()
	return made
}

func (d *drawer) raw(parts ...string) {
	for _, p := range parts {
		d.out.WriteString(p)
	}
}

func (d *drawer) text(s string) { template.HTMLEscape(&d.out, []byte(s)) }

// open begins an element, with the anchor of a value.
func (d *drawer) open(tag string, n *document.Node) {
	d.raw("<", tag)
	if id := d.ids[n]; id != "" {
		d.raw(` id="`)
		d.text(id)
		d.raw(`"`)
	}
	d.raw(">")
}

// section draws a field under a heading of its own.
func (d *drawer) section(n *document.Node, level int) {
	d.heading(n, level, n.Title(n.Name), nil)
	switch {
	case areGroups(n):
		d.groups(n)
	case d.far(n):
		d.apart(n)
	case n.Kind == document.Object:
		d.object(n, heads{}, level+1)
	case n.Kind == document.Array:
		d.array(n, level+1)
	case n.Name == document.Note:
		d.raw(`<p class="note">`)
		d.text(n.Text)
		d.raw("</p>\n")
	default:
		d.paragraphs(n)
	}
}

// alone draws a part that is wherever in the tree, and reports whether it was there.
func (d *drawer) alone(root, n *document.Node) bool {
	for i := range root.Kids {
		k := &root.Kids[i]
		switch {
		case k != n:
			if d.alone(k, n) {
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

// apart leads to a section that has a page of its own, and to those within it.
func (d *drawer) apart(n *document.Node) {
	href := func(n *document.Node) string {
		return d.Path + "?section=" + sectionQuery(d.ids[n])
	}
	d.raw(`<p><a href="`, href(n), `">Открыть этот раздел</a></p>`+"\n")
	if !n.Objects() || d.ids[n] == "" || n.Kind != document.Array {
		return
	}
	d.raw("<ul>\n")
	for i := range n.Kids {
		if k := &n.Kids[i]; d.ids[k] != "" {
			d.open("li", k)
			d.link(d.pageOf(k), func() { d.text(called(k, headsOf(k, n.Unique()), numberOf(n, i))) })
			d.raw("</li>\n")
		}
	}
	d.raw("</ul>\n")
}

// pageOf is the address of a section by itself.
func (d *drawer) pageOf(n *document.Node) string {
	return d.Path + "?section=" + strings.ReplaceAll(url.QueryEscape(d.ids[n]), "%2F", "/")
}

// heading draws a heading that leads to itself, with the grade of what is below it.
func (d *drawer) heading(n *document.Node, level int, title string, grade *document.Node) {
	tag := "h" + strconv.Itoa(level)
	d.open(tag, n)
	d.text(title)
	if grade != nil {
		d.raw(` <span class="status grade-`)
		d.text(grade.Text)
		d.raw(`">`)
		d.text(grade.EnumLabel())
		d.raw("</span>")
	}
	if id := d.ids[n]; id != "" {
		d.here(id)
		d.cite(id)
		href := "#" + fragment(id)
		switch h := (Heading{ID: href, Text: title}); {
		case level == 2:
			d.contents = append(d.contents, h)
		case level == 3 && len(d.contents) > 0:
			last := &d.contents[len(d.contents)-1]
			last.Within = append(last.Within, h)
		}
	}
	d.raw("</", tag, ">\n")
	d.remark(n)
}

// here leads to where it stands.
func (d *drawer) here(id string) {
	d.raw(` <a class="here" href="#`)
	d.text(fragment(id))
	d.raw(`" title="Ссылка на этот раздел">¶</a>`)
}

// mark leads to an element of a list that has no heading.
func (d *drawer) mark(n *document.Node) {
	if id := d.ids[n]; id != "" && !d.full() {
		d.here(id)
	}
}

// cite leads to the citation of a section, and to what became of it.
func (d *drawer) cite(id string) {
	if d.Cite == nil || d.full() { // what is only a link here is cited where that leads
		return
	}
	href := d.Cite(id)
	if href == "" {
		return
	}
	d.quote(href, "цитата")
	if d.Past != nil {
		d.quote(d.Past(id), "история")
	}
}

func (d *drawer) quote(href, text string) {
	d.raw(` <a class="quote" rel="nofollow" href="`)
	d.text(href)
	d.raw(`">`, text, `</a>`)
}

// sectionQuery is the address of a section as a query has it.
func sectionQuery(id string) string { return strings.ReplaceAll(url.QueryEscape(id), "%2F", "/") }

// heads is what an element of a list is called by, nil for what it has not.
type heads struct{ title, code, lead, grade *document.Node }

// headsOf finds what an element is called by; unique is the field that tells it apart.
func headsOf(n *document.Node, unique string) (h heads) {
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

// array draws the elements of an array as a table, under headings of their own, or as a
// list.
func (d *drawer) array(n *document.Node, level int) {
	if !d.Bare {
		d.raw(string(diagram(n.Title(n.Name), states(n))))
	}
	switch columns := n.Columns(rows); {
	case columns != nil:
		d.table(n, columns)
	case level > maxHeading || !n.Objects():
		d.items(n)
	default:
		for i := range n.Kids {
			if d.far(&n.Kids[i]) {
				d.others(n, i)
				break
			}
			d.element(n, i, level)
		}
	}
}

// others leads to the elements of a list for which there is no room, from one on.
func (d *drawer) others(n *document.Node, from int) {
	d.raw("<ul>\n")
	for i := from; i < len(n.Kids); i++ {
		k := &n.Kids[i]
		if i-from == maxOthers {
			d.left += len(n.Kids) - i
			break
		}
		d.open("li", k)
		d.link(d.pageOf(k), func() { d.text(called(k, headsOf(k, n.Unique()), numberOf(n, i))) })
		d.raw("</li>\n")
	}
	d.raw("</ul>\n")
}

// element draws an element of a list under a heading of its own.
func (d *drawer) element(list *document.Node, i, level int) {
	n := &list.Kids[i]
	h := headsOf(n, list.Unique())
	d.heading(n, level, called(n, h, numberOf(list, i)), h.grade)
	switch {
	case d.far(n):
		d.apart(n)
	case n.Kind == document.Object:
		d.object(n, h, level+1)
	default:
		d.value(n)
	}
}

// numberOf is the number of an element, where their order says something.
func numberOf(n *document.Node, i int) string {
	if n.Field != nil && n.Field.Ordered {
		return strconv.Itoa(i+1) + ". "
	}
	return ""
}

// called is what an element is called by: its title, else what kind of thing it is.
func called(n *document.Node, h heads, number string) string {
	switch {
	case h.title == nil:
		return number + n.Title("Элемент")
	case h.title.EnumLabel() != "":
		return number + h.title.EnumLabel()
	}
	return number + strings.Join(strings.Fields(h.title.Text), " ")
}

// object draws the fields of an object: first in one line what is short, then what it is
// about, then what fits into a list, then what has a heading.
func (d *drawer) object(n *document.Node, h heads, level int) {
	var beside, listed, below []*document.Node
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case k == h.title || k == h.lead || k == h.grade:
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

// isBeside says whether a value reads well in a line with others: what is no sentence.
func isBeside(n *document.Node) bool {
	if n.IsList() {
		return n.Kind == document.Array && n.Words() && !n.Pointers() && len(n.Raw) <= 4*maxBeside
	}
	t := n.Type()
	return n.Short(maxBeside) && t != document.Prose && t != document.Address
}

// beside draws fields in one line, the code that something is called by without a label.
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
		if n != code {
			d.text(n.Title(n.Name) + ": ")
		}
		d.inline(n)
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
		d.raw("<dt>")
		d.text(n.Title(n.Name))
		d.raw("</dt><dd>")
		d.value(n)
		d.remark(n)
		d.raw("</dd></div>\n")
	}
	d.raw("</dl>\n")
}

// value draws a value beside its title.
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

// items draws the parts of an object or array as a list.
func (d *drawer) items(n *document.Node) {
	if n.Kind == document.Object {
		d.object(n, heads{}, maxHeading+1)
		return
	}
	if columns := n.Columns(rows); columns != nil {
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
			h := headsOf(k, n.Unique())
			d.raw("<strong>")
			d.text(called(k, h, ""))
			d.raw("</strong>")
			d.mark(k)
			d.raw("\n")
			d.object(k, h, maxHeading+1)
		} else {
			d.value(k)
		}
		d.remark(k)
		d.raw("</li>\n")
	}
	d.raw("</", tag, ">\n")
}

// rows are what a table can hold that is read on a screen.
var rows = document.Limits{Columns: 6, Cell: 60, Title: 160, Row: 1 << 20}

// table draws a table that scrolls where it is too wide, by keyboard too.
func (d *drawer) table(n *document.Node, columns []document.Column) {
	d.raw(`<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table>` + "\n<thead><tr>")
	for _, c := range columns {
		d.raw(`<th scope="col">`)
		d.text(c.Of.Title(c.Name))
		d.raw("</th>")
	}
	d.raw("</tr></thead>\n<tbody>\n")
	for i := range n.Kids {
		if d.full() {
			d.left += len(n.Kids) - i
			break
		}
		row := &n.Kids[i]
		d.open("tr", row)
		for j, c := range columns {
			d.cell(row, row.Member(c.Name), j == 0)
		}
		d.raw("</tr>\n")
	}
	d.raw("</tbody></table></div>\n")
}

// cell draws a value of a row, which need not have it.
func (d *drawer) cell(row, n *document.Node, first bool) {
	if n == nil {
		n = &document.Node{}
	}
	switch n.Type() {
	case document.Figure, document.Money, document.Percent:
		d.raw(`<td class="num">`)
	default:
		d.raw("<td>")
	}
	d.inline(n)
	if first {
		d.mark(row)
		d.remark(row)
	}
	d.remark(n)
	d.raw("</td>")
}

// pointers draws what is to be read: items and sections, each with its condition.
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

// fragment is an address of a section as the end of a link.
func fragment(id string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", "`", "%60").Replace(id)
}

// place finds what remarks are about: the innermost value that their pointers lead to.
func (d *drawer) place(root *document.Node) {
	d.remarks = map[*document.Node][]*Remark{}
	for i := range d.Remarks {
		m := &d.Remarks[i]
		if n := root.Follow(m.Pointer); n != root {
			d.remarks[n] = append(d.remarks[n], m)
		}
	}
}

// remark draws what is to be said of a value, once.
func (d *drawer) remark(n *document.Node) {
	for _, m := range d.remarks[n] {
		m.Placed = true
		d.raw(string(execute("remark", m)))
	}
	delete(d.remarks, n)
}
