package page

import (
	"bytes"
	"html/template"
	"strconv"
	"strings"

	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/redline"
)

// Redlined is a part of two versions of an item as one text.
type Redlined struct {
	Body     template.HTML
	Contents []Heading // links to the changes of all parts
	ChangeRange
	Before int // the first change of the part before it
}

// Showing has the options for drawing a redline.
type Showing struct {
	Drawing
	Sides bool                      // both versions side by side instead of one text
	Class func(change.Class) Status // returns the title of a class
	Why   func(*redline.Change) (why, advice string)
	What  func(change.Verb) string
	Shows func(*redline.Change) bool // selects changes; others are drawn as unchanged
	From  int                        // number of shown changes before the first
	Link  func(from int) string      // the address of the part that begins with a change, from the others
}

const (
	// maxRedline is the maximum size of the text in bytes: all changes that fit, or one that does
	// not, then as much of the unchanged text around them as fits.
	maxRedline = 60 << 10
	// maxContext is the maximum size of the unchanged fields beside a change that are not
	// collapsed, and maxSame that of an unchanged stretch on the page, in bytes of JSON.
	maxContext, maxSame = 1 << 10, 8 << 10
	// maxSide is the maximum size of both sides of a change that is drawn.
	maxSide = 64 << 10
	// maxNamed is the maximum number of titles of a stretch.
	maxNamed = 3
)

// redliner draws a part of a redline.
type redliner struct {
	*drawer
	*sheet
	effort *change.Effort
	pieces []piece
	size   int
	part   ChangeRange // that is requested
	fit    bool        // it ends where there is no more room
	passed int         // number of changes before the first that is shown
	shown  int
	ended  bool   // there is no room for more changes
	said   string // the caption of the change just drawn, if it is an element without a title
}

// piece is a part of the page: HTML, or an unchanged stretch.
type piece struct {
	html  string
	same  []*redline.Node
	list  *redline.Node // that contains the stretch
	aside bool          // the stretch is beside a change
}

// Redline draws the part with the requested change of two versions as one text, which is safe
// for any content. Each change has its address as its anchor.
func Redline(line *redline.Redline, with Showing) Redlined {
	s := newSheet(line, with)
	headings, r := s.cut()
	own, part := s.partWith(with.From), ChangeRange{with.From, with.From}
	before := s.parts[len(s.parts)-1].From
	if own >= 0 {
		part, before = s.parts[own], s.parts[max(0, own-1)].From
	}
	if len(s.parts) > 1 || with.From > 0 {
		r = s.draw(part, false)
	}
	return Redlined{Body: r.body(), Contents: s.jumps(own, headings), ChangeRange: part, Before: before}
}

// body is the drawn part.
func (r *redliner) body() template.HTML {
	var out bytes.Buffer
	room := maxRedline - r.size
	for _, p := range r.pieces {
		if p.same == nil {
			out.WriteString(p.html)
			continue
		}
		html := r.same(p, room > 0)
		room -= max(0, len(html)-sizeOfSame)
		out.WriteString(html)
	}
	return template.HTML(out.String())
}

// put adds to the page what was drawn since the last call.
func (r *redliner) put() {
	html := string(r.take())
	r.size += len(html)
	r.pieces = append(r.pieces, piece{html: html})
}

// sizeOfHeading is the approximate size of a link to a heading without its texts.
const sizeOfHeading = 40

// sizeOfSame is the approximate size of a line for an unchanged stretch, for which there is room in any case.
const sizeOfSame = 200

// kids draws the parts of a value: changes, and unchanged stretches.
func (r *redliner) kids(n *redline.Node, level int) {
	var same []*redline.Node
	flush := func() {
		if len(same) > 0 {
			r.pieces = append(r.pieces, piece{same: same, list: n, aside: level > 3})
			same, r.said = nil, ""
			r.size += sizeOfSame
		}
	}
	for _, k := range n.Kids {
		if n := r.counts[k]; n == 0 || r.ended || r.passed+n <= r.part.From {
			r.passed += n
			if k.Differs || !k.IsTitle() { // a title is in the heading
				same = append(same, k)
			}
			continue
		}
		unchanged, state := same, r.state()
		flush()
		if r.node(n, k, level); r.shown == state.shown { // all its changes were skipped, or did not fit
			r.undo(state)
			same = append(unchanged, k)
		}
	}
	flush()
}

// state is the length of the page, to which undo can return.
type state struct{ pieces, size, shown, contents, within int }

func (r *redliner) state() state {
	s := state{len(r.pieces), r.size, r.shown, len(r.contents), 0}
	if s.contents > 0 {
		s.within = len(r.contents[s.contents-1].Within)
	}
	return s
}

// undo removes what was drawn since a state.
func (r *redliner) undo(s state) {
	r.pieces, r.size, r.contents, r.said = r.pieces[:s.pieces], s.size, r.contents[:s.contents], ""
	if s.contents > 0 {
		last := &r.contents[s.contents-1]
		last.Within = last.Within[:s.within]
	}
}

// node draws a value with changes.
func (r *redliner) node(list, n *redline.Node, level int) {
	drawn := n.Change != nil && r.as.Shows(n.Change) && r.change(list, n, level)
	if len(n.Kids) == 0 {
		return
	}
	if !drawn {
		r.head(list, n, level)
	}
	r.kids(n, level+1)
}

// head draws the heading of a value with changes.
func (r *redliner) head(list, n *redline.Node, level int) {
	r.said = ""
	r.ids[n.Node] = n.Address
	r.heading(n.Node, min(level, maxHeading), r.title(list, n), labels{})
	r.size += len(n.Address) + len(n.Text) + sizeOfHeading
	r.put()
}

func (r *redliner) title(list, n *redline.Node) string {
	if n.Element {
		return redline.Called(list.Node, n.Node)
	}
	return n.Title(n.Name)
}

// change draws a change, and reports whether it did: not if the change is before the first
// requested one, or there is no room.
func (r *redliner) change(list, n *redline.Node, level int) (drawn bool) {
	if r.passed < r.part.From {
		r.passed++
		return false
	}
	r.ended = r.ended || r.fit && r.size > maxRedline || r.shown == r.part.To-r.part.From
	if r.ended {
		return false
	}
	start := r.state()
	r.shown++
	c := n.Change
	href := "#" + fragment(c.ID)
	r.wrap(`<div class="change `+c.Class.String()+` `+string(c.What)+`" id="`, c.ID, `">`+"\n")
	title := r.title(list, n)
	switch {
	case level == 2 || n.Element && n.Kind == document.Object && level <= maxHeading:
		tag := "h" + strconv.Itoa(level)
		r.wrap("<"+tag+">", title, "</"+tag+">\n")
		r.addHeading(level, Heading{ID: href, Text: title})
		r.size += len(href) + len(title) + sizeOfHeading
		title, r.said = "", ""
	case n.Element && !n.IsList():
		title = ""
	}
	r.caption(c, title, href)
	r.sides(list, n)
	r.raw("</div>\n")
	if r.put(); r.fit && r.size > maxRedline && r.shown > 1 { // it is in the next part
		r.undo(start)
		r.shown, r.ended = start.shown, true
	}
	return !r.ended
}

// caption draws the title, the class and the kind of a change. Of elements that changed alike one
// after the other only the first has a caption.
func (r *redliner) caption(c *redline.Change, title, href string) {
	why, advice := r.as.Why(c)
	said := r.drawn(func() { r.kind(c, why) })
	simple := title == "" && c.Twin == "" && advice == ""
	if simple && said == r.said {
		r.here(href)
		return
	}
	r.said = ""
	if simple {
		r.said = said
	}
	r.raw(`<p class="meta">`)
	if title != "" {
		r.wrap("<strong>", title, "</strong> ")
	}
	r.raw(said, " ")
	r.here(href)
	r.raw("</p>\n")
	if c.Twin != "" {
		words := "То же название было у элемента с другим кодом: "
		if c.What == change.Removed {
			words = "То же название теперь у элемента с другим кодом: "
		}
		r.raw(`<p class="meta">`)
		r.text(words)
		if _, shown := r.number[c.Twin]; shown {
			r.link(r.linkTo(c.Twin), func() { r.code(c.Twin) })
		} else {
			r.code(c.Twin)
		}
		r.raw("</p>\n")
	}
	if advice != "" {
		r.wrap(`<p class="look">`, advice, "</p>\n")
	}
}

// kind draws the class of a change, what was done, and why it is of that class.
func (r *redliner) kind(c *redline.Change, why string) {
	class := r.as.Class(c.Class)
	r.wrap(`<span class="status `, class.Code, `">`)
	r.text(class.Title)
	r.raw("</span> ")
	r.text(r.as.What(c.What))
	if why != "" {
		r.text(": " + why)
	}
}

// here draws the link of a change to itself.
func (r *redliner) here(href string) {
	r.wrap(`<a class="here" href="`, href, `" title="Ссылка на это изменение">¶</a>`)
}

// sides draws a change as one text, or as two, of which narrow pages show one.
func (r *redliner) sides(list, n *redline.Node) {
	c := n.Change
	if len(c.Old)+len(c.New) > maxSide {
		r.raw(`<p class="notice">Слишком длинно, чтобы показать рядом. Прочтите это в самих версиях.</p>` + "\n")
		return
	}
	html := r.drawn(func() { r.both(list, n) })
	if !r.as.Sides {
		r.raw(html)
		return
	}
	none := `<p class="muted">нет</p>`
	old, now := html, html
	switch c.What {
	case change.Added:
		old = none
	case change.Removed:
		now = none
	}
	r.raw(`<div class="sides">`+"\n"+`<div class="old">`, old, "</div>\n"+`<div class="new">`, now, "</div>\n</div>\n")
}

// drawn returns what a function draws.
func (r *redliner) drawn(draw func()) string {
	pending := r.take()
	draw()
	html := string(r.take())
	r.raw(string(pending))
	return html
}

// both draws the old and the new value as one text.
func (r *redliner) both(list, n *redline.Node) {
	switch c := n.Change; {
	case c.What == change.Moved:
		r.order("del", n.Old, n.Node)
		r.order("ins", n.Node, n.Old)
	case c.What == change.Changed && isText(n.Old) && isText(n.Node):
		r.words(n.Old.Text, n.Node.Text)
	case c.What == change.Changed && n.Old != nil && !n.Old.IsList() && !n.IsList():
		r.raw("<p><del>")
		r.inline(n.Old)
		r.raw("</del> <ins>")
		r.inline(n.Node)
		r.raw("</ins></p>\n")
	case c.What == change.Changed:
		r.block("del", list, n.Old)
		r.block("ins", list, n.Node)
	case c.What == change.Removed:
		r.block("del", list, n.Node)
	default:
		r.block("ins", list, n.Node)
	}
}

func isText(n *document.Node) bool {
	return n != nil && n.Kind == document.Text && (n.Type() == document.Prose || n.Blank())
}

// words draws two texts as one, with the words that differ marked.
func (r *redliner) words(was, is string) {
	segments, grain := redline.Words(r.effort, was, is)
	switch grain {
	case change.ByLine:
		r.raw(`<p class="notice">Текст слишком длинный, чтобы сравнить его по словам: сравнены строки.</p>` + "\n")
	case change.AsAWhole:
		r.raw(`<p class="notice">Текст слишком длинный, чтобы сравнить его по словам: ` +
			`отмечено всё между одинаковыми началом и концом.</p>` + "\n")
	}
	r.raw(`<p class="lines">`)
	for _, s := range segments {
		tag := map[change.Verb]string{change.Added: "ins", change.Removed: "del"}[s.What]
		if tag == "" {
			r.text(s.Text)
			continue
		}
		r.wrap("<"+tag+">", s.Text, "</"+tag+">")
	}
	r.raw("</p>\n")
}

// block draws a value that only one version has.
func (r *redliner) block(tag string, list *redline.Node, n *document.Node) {
	switch {
	case n == nil:
	case n.Kind == document.Object:
		r.raw("<", tag, ` class="block">`+"\n")
		h := labels{}
		if list.Kind == document.Array {
			h = labelsOf(n, list.Unique())
		}
		if h.grade != nil {
			r.raw(`<p class="meta">`)
			r.text(h.grade.Title(h.grade.Name) + ": ")
			r.inline(h.grade)
			r.raw("</p>\n")
		}
		r.object(n, h, maxHeading+1)
		r.raw("</", tag, ">\n")
	case n.Kind == document.Array && (!n.Words() && len(n.Kids) > 0 || len(n.Kids) > maxNamed):
		r.raw("<", tag, ` class="block">`+"\n")
		r.items(n)
		r.raw("</", tag, ">\n")
	case isText(n):
		r.raw(`<p class="lines"><`, tag, ">")
		r.prose(n, n.Text)
		r.raw("</", tag, "></p>\n")
	default:
		r.raw("<p><", tag, ">")
		r.inline(n)
		r.raw("</", tag, "></p>\n")
	}
}

// maxOrder is the maximum number of elements listed in an order.
const maxOrder = 40

// order lists the elements of a list that another version of it has, too, in their order.
func (r *redliner) order(tag string, list, other *document.Node) {
	if list == nil || other == nil {
		return
	}
	others := map[string]bool{}
	for i := range other.Kids {
		others[redline.Called(other, &other.Kids[i])] = true
	}
	r.raw("<", tag, ` class="block"><ol>`+"\n")
	named := 0
	for i := range list.Kids {
		name := redline.Called(list, &list.Kids[i])
		if !others[name] {
			continue
		}
		if named++; named > maxOrder {
			r.raw("<li>…</li>\n")
			break
		}
		r.wrap("<li>", name, "</li>\n")
	}
	r.raw("</ol></", tag, ">\n")
}

// same draws an unchanged stretch: as it is if it is short and beside a change, else collapsed or,
// if there is no room, as a link.
func (r *redliner) same(p piece, room bool) string {
	size := 0
	for _, n := range p.same {
		size += len(n.Raw)
	}
	open := p.aside && size <= maxContext
	switch {
	case room && open:
		return r.drawn(func() { r.stretch(p) })
	case room && size <= maxSame:
		return r.drawn(func() {
			r.wrap(`<details class="same"><summary>`, r.names(p), "</summary>\n")
			r.stretch(p)
			r.raw("</details>\n")
		})
	}
	return r.drawn(func() {
		r.raw(`<p class="same">`)
		r.text(r.names(p))
		href := r.Path
		if len(p.same) == 1 && p.same[0].Address != "" && !p.same[0].Differs {
			href += "?section=" + SectionQuery(p.same[0].Address)
		}
		r.wrap(` <a href="`, href, `">Прочесть в версии</a></p>`+"\n")
	})
}

// names describes a stretch by the titles of its values.
func (r *redliner) names(p piece) string {
	differs := 0
	var names []string
	for i, n := range p.same {
		if i < maxNamed {
			names = append(names, r.title(p.list, n))
		}
		if n.Differs {
			differs++
		}
	}
	words := "Без изменений: "
	if differs > 0 {
		words = "Не показано: "
	}
	words += strings.Join(names, "; ")
	if others := len(p.same) - maxNamed; others > 0 {
		words += " и ещё " + strconv.Itoa(others)
	}
	return words
}

// stretch draws values that are unchanged, or not shown as changed.
func (r *redliner) stretch(p piece) {
	if p.list.Kind != document.Array {
		all := &document.Node{Kind: document.Object}
		for _, n := range p.same {
			all.Kids = append(all.Kids, *n.Node)
		}
		r.object(all, labels{}, maxHeading+1)
		return
	}
	r.raw("<ul>\n") // unordered, as numbers would be those within the stretch
	for _, n := range p.same {
		r.raw("<li>")
		if n.Kind == document.Object {
			h := labelsOf(n.Node, p.list.Unique())
			r.raw("<strong>")
			r.name(n.Node, h, "")
			r.raw("</strong>\n")
			r.object(n.Node, h, maxHeading+1)
		} else {
			r.value(n.Node)
		}
		r.raw("</li>\n")
	}
	r.raw("</ul>\n")
}

// Pair draws the old and the new value of a place in one line.
func Pair(with Drawing, c *redline.Change) template.HTML {
	d := &drawer{Drawing: with}
	for _, side := range []struct {
		tag string
		n   *document.Node
	}{{"del", c.Was}, {"ins", c.Is}} {
		if side.n != nil {
			d.raw("<", side.tag, ">")
			d.inline(side.n)
			d.raw("</", side.tag, "> ")
		}
	}
	return d.take()
}
