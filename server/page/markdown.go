package page

import (
	"bytes"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Document is a Markdown text in the parts that a page shows in different
// places.
type Document struct {
	Lead     template.HTML // what stands before the facts
	Facts    []Fact        // of the table before the first section
	Body     template.HTML // everything else, without the title
	Rest     template.HTML // what follows the first section that is folded, if any is
	Contents []Heading     // the sections
	Cut      bool          // the text was too long to show all of it
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

// Heading is a section of a document.
type Heading struct {
	ID, Text string
}

// Reading says what a document is read with.
type Reading struct {
	// Codes are the addresses of what is named in backticks.
	Codes map[string]string
	// Own is what absolute addresses of the service begin with, and Root what is
	// put in its place, so that a copy under another name leads to itself.
	Own, Root string
	// Bare headings have no anchors: the text is one of several on a page.
	Bare bool
	// Numbers are written as people do, with spaces between thousands.
	Numbers bool
	// Folded are sections that a reader opens; "График" stands for all headings
	// that begin so.
	Folded []string
	// Remarks are what a preview says in the text. Those that found their place are
	// marked as such.
	Remarks []Remark
	// Anchors are what leads to the document and to each of its headings, in their order,
	// the first for the heading itself; nil: anchors are made of the headings' texts.
	Anchors [][]string
	// Machines are machines of states, drawn under the heading of that text.
	Machines map[string][]State
}

// maxMarkdown is how much of a text a page shows: more than anybody reads, and
// little enough for a phone.
const maxMarkdown = 256 << 10

// markdown parses what content/markdown writes. Raw HTML is not parsed, so that
// it is seen as the text that it is.
var markdown = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	),
	parser.WithParagraphTransformers(
		util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200),
	),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// Read turns Markdown into HTML that is safe whatever the Markdown says.
func Read(source []byte, with Reading) Document {
	source, cut := shorten(source)
	root := markdown.Parse(text.NewReader(source))
	r := &reader{Reading: with, source: source, ids: map[string]int{}}
	r.out = renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(html.NewRenderer(), 1000),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(r, 100),
	))
	r.place(root)
	return r.document(root, cut)
}

// shorten cuts a text that is too long before a section, else before a line.
func shorten(source []byte) ([]byte, bool) {
	if len(source) <= maxMarkdown {
		return source, false
	}
	source = source[:maxMarkdown]
	if i := bytes.LastIndex(source, []byte("\n#")); i > 0 {
		return source[:i+1], true
	}
	return source[:bytes.LastIndexByte(source, '\n')+1], true
}

// reader takes one document apart.
type reader struct {
	Reading
	source []byte
	out    renderer.Renderer
	ids    map[string]int // how often an anchor was wanted
	passed int            // how many headings have been given their anchors
}

func (r *reader) document(root ast.Node, cut bool) Document {
	d := Document{Cut: cut}
	p := parts{}
	p.to = &p.lead
	r.anchors(p.to)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, isHeading := n.(*ast.Heading)
		switch {
		case isHeading && h.Level == 1: // the page has its own
		case isHeading:
			d.Contents = r.heading(h, d.Contents)
			r.section(&p, h)
			r.anchors(p.to)
		case p.to == &p.lead && d.Facts == nil && r.isFacts(n):
			d.Facts = r.facts(n)
		default:
			r.fields(n)
			r.render(p.to, n)
		}
	}
	p.unfold()
	d.Lead, d.Body, d.Rest = template.HTML(p.lead.String()), template.HTML(p.body.String()), template.HTML(p.rest.String())
	return d
}

// parts are where the blocks of a document go.
type parts struct {
	lead, body, rest bytes.Buffer
	to               *bytes.Buffer // the part that the next block goes to
	folded           bool          // it goes into a section that the reader opens
}

// unfold ends a section that the reader opens.
func (p *parts) unfold() {
	if p.folded {
		p.to.WriteString("</details>\n")
	}
	p.folded = false
}

// section begins what stands under a heading.
func (r *reader) section(p *parts, h *ast.Heading) {
	if p.to == &p.lead {
		p.to = &p.body
	}
	if h.Level == 2 {
		p.unfold()
	}
	if p.folded = p.folded || h.Level == 2 && r.folds(h); p.folded && h.Level == 2 {
		p.to = &p.rest
		p.to.WriteString(`<details class="folded"><summary>`)
		r.render(p.to, h)
		p.to.WriteString("</summary>\n")
		return
	}
	r.render(p.to, h)
	title := r.plain(h)
	p.to.WriteString(string(diagram(title, r.Machines[title])))
}

// folds says whether a section is opened by the reader.
func (r *reader) folds(h *ast.Heading) bool {
	title := r.plain(h)
	return slices.ContainsFunc(r.Folded, func(f string) bool { return strings.HasPrefix(title, f) })
}

func (r *reader) render(to *bytes.Buffer, n ast.Node) {
	if err := r.out.Render(to, r.source, n); err != nil {
		panic(err) // a buffer takes everything
	}
}

// heading gives a heading its anchor, and lists it if it opens a section.
func (r *reader) heading(h *ast.Heading, contents []Heading) []Heading {
	if r.Bare {
		return contents
	}
	title := r.plain(h)
	id := r.anchor(title)
	h.SetAttributeString("id", []byte(id))
	if h.Level == 2 {
		contents = append(contents, Heading{ID: id, Text: title})
	}
	return contents
}

// anchor is what leads to the next heading, of that title.
func (r *reader) anchor(title string) string {
	r.passed++
	if r.passed < len(r.Anchors) && r.Anchors[r.passed][0] != "" {
		return r.Anchors[r.passed][0]
	}
	id := slug(title)
	for r.ids[id] > 0 {
		r.ids[id]++
		id += "-" + strconv.Itoa(r.ids[id])
	}
	r.ids[id] = 1
	return id
}

// anchors writes what else leads to the heading that was written last.
func (r *reader) anchors(to *bytes.Buffer) {
	if r.Bare || r.passed >= len(r.Anchors) {
		return
	}
	for _, id := range r.Anchors[r.passed][1:] {
		to.WriteString(`<a id="` + template.HTMLEscapeString(id) + `"></a>`)
	}
}

// slug makes an anchor of a heading: letters and digits with hyphens between.
func slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return "t-" + strings.Join(words, "-")
}

// isFacts says whether a block is the table of an item's short statements.
func (r *reader) isFacts(n ast.Node) bool {
	head := n.FirstChild()
	return n.Kind() == extast.KindTable && head != nil && head.ChildCount() == 2 && r.plain(head.FirstChild()) == "Поле"
}

func (r *reader) facts(table ast.Node) (all []Fact) {
	for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		var value bytes.Buffer
		for n := row.LastChild().FirstChild(); n != nil; n = n.NextSibling() {
			r.render(&value, n)
		}
		all = append(all, Fact{Name: r.plain(row.FirstChild()), Value: template.HTML(value.String())})
	}
	return all
}

// plain is the text of a node without its marks.
func (r *reader) plain(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(util.UnescapePunctuations(n.Segment.Value(r.source)))
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(r.source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// label is the attribute of a list item that says what the field is called.
const label = "label"

// fields finds the lists in which every item begins with a name in bold: they
// are fields and their values.
func (r *reader) fields(block ast.Node) {
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		if list, ok := n.(*ast.List); ok && entering && !list.IsOrdered() && r.allNamed(list) {
			for item := list.FirstChild(); item != nil; item = item.NextSibling() {
				r.take(item)
			}
		}
		return ast.WalkContinue, nil
	})
}

func (r *reader) allNamed(list *ast.List) bool {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		name := nameOf(item)
		if name == nil || !strings.HasSuffix(r.plain(name), ":") {
			return false
		}
	}
	return true
}

// nameOf returns the bold words that an item begins with, nil if it does not.
func nameOf(item ast.Node) *ast.Emphasis {
	if item.FirstChild() == nil {
		return nil
	}
	e, _ := item.FirstChild().FirstChild().(*ast.Emphasis)
	if e == nil || e.Level != 2 {
		return nil
	}
	return e
}

// take moves the name of a field from the text of an item to its attribute.
func (r *reader) take(item ast.Node) {
	name, first := nameOf(item), item.FirstChild()
	item.SetAttributeString(label, strings.TrimSuffix(r.plain(name), ":"))
	if next, ok := name.NextSibling().(*ast.Text); ok {
		next.Segment = next.Segment.TrimLeftSpace(r.source)
	}
	first.RemoveChild(first, name)
	if first.FirstChild() == nil {
		item.RemoveChild(item, first)
	}
}
