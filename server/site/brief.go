package site

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/markdown"
)

// The limits of a brief, in bytes: of the whole, of its summary, and of its first actions.
const (
	maxBrief   = 4096
	maxSummary = 800
	maxFirst   = 1700
)

// A brief is a short description of a version, to be read first: its purpose, the first
// actions, and its sections.
type brief struct {
	summary  string
	first    []firstStep
	sections []sectionSize
	left     int // number of sections that did not fit
}

// A firstStep is an action, with its address and what to read for it.
type firstStep struct {
	section, title, text string
	read                 []document.Pointer
}

// A sectionSize is the size of a section: the bytes of its JSON. Parts are the elements of a
// list, by the last step of their address.
type sectionSize struct {
	address, title string
	size           int
	total          int // of the elements of a list
	parts          []partSize
}

type partSize struct {
	step string
	size int
}

// brief makes the brief of a version, in as much detail as fits.
func (c Config) brief(e *content.Entry, root *document.Node) *brief {
	b := &brief{
		summary: Shorten(About(e), maxSummary), first: firstSteps(root, maxFirst), sections: sectionSizes(root),
	}
	for _, less := range []func(){
		func() {}, b.withoutFlags, func() { b.withParts(maxParts) }, func() { b.withParts(0) }, b.withoutTitles,
		func() { b.first = firstSteps(root, maxFirst*2/3) },
		func() { b.first = firstSteps(root, maxFirst/3) },
	} {
		less()
		if b.fits(c, e) {
			return b
		}
	}
	for !b.fits(c, e) && len(b.sections) > 0 {
		b.sections, b.left = b.sections[:len(b.sections)-1], b.left+1
	}
	return b
}

func (b *brief) fits(c Config, e *content.Entry) bool {
	return max(len(b.json(c, e).Bytes), len(b.markdown(c, e))) <= maxBrief
}

// maxParts is the maximum number of elements of a list that are named if the full brief does not
// fit.
const maxParts = 12

// maxFlag is the size of values that are too short to be read separately, such as true or a
// day, in bytes.
const maxFlag = 32

func (b *brief) withoutFlags() {
	b.sections = slices.DeleteFunc(b.sections, func(s sectionSize) bool { return s.size <= maxFlag && s.total == 0 })
}

// withParts keeps the parts of sections that have at most so many.
func (b *brief) withParts(most int) {
	for i := range b.sections {
		if len(b.sections[i].parts) > most {
			b.sections[i].parts = nil
		}
	}
}

func (b *brief) withoutTitles() {
	for i := range b.sections {
		b.sections[i].title = ""
	}
}

// Shorten cuts a text between words to a maximum size in bytes.
func Shorten(text string, most int) string {
	text = Line(text)
	if len(text) <= most || most < len("…") {
		return text
	}
	cut := strings.ToValidUTF8(text[:most-len("…")], "")
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

// detailedSteps is the maximum number of steps that a brief describes in detail.
const detailedSteps = 3

// firstSteps lists the steps that come first by the schema: the first of them with their
// texts, shortened if necessary, and with what to read for them, the others by their titles.
func firstSteps(root *document.Node, room int) []firstStep {
	var all []firstStep
	for s := range root.Sections() {
		if s.Field != nil && s.Field.First != "" {
			all = append(all, stepsOf(s)...)
		}
	}
	var shown []firstStep
	for _, most := range []int{room, room / 2, room / 3, room / 5} {
		n := 0
		if shown, n = detailed(all, most, room); n >= min(detailedSteps, len(all)) {
			break
		}
	}
	return shown
}

// detailed returns the steps whose texts fit into a number of bytes; n is the number of those in
// detail.
func detailed(all []firstStep, most, room int) (shown []firstStep, n int) {
	for _, f := range all {
		shown = append(shown, firstStep{section: f.section, title: f.title})
	}
	shown = slices.DeleteFunc(shown, func(f firstStep) bool { return f.title == "" })
	for sizeOf(shown) > room {
		shown = shown[:len(shown)-1]
	}
	for n < len(all) {
		f, rest := all[n], shown[min(n, len(shown)):]
		if f.title != "" && len(rest) > 0 {
			rest = rest[1:]
		}
		f.text = Shorten(f.text, most)
		more := slices.Concat(shown[:min(n, len(shown))], []firstStep{f}, rest)
		for n == 0 && sizeOf(more) > room && len(more) > 1 { // at least one step in detail
			more = more[:len(more)-1]
		}
		if sizeOf(more) > room {
			break
		}
		shown, n = more, n+1
	}
	return shown, n
}

func sizeOf(all []firstStep) (size int) {
	for _, f := range all {
		size += f.size()
	}
	return size
}

// size is the approximate size of a step as JSON, in bytes.
func (f firstStep) size() int {
	n := len(f.section) + len(f.title) + len(f.text) + len(`{"section":"","title":"","text":""},`)
	for _, p := range f.read {
		n += len(`{"when":"","url":"https://rules.example.org"},`) + len(p.When) + len(p.Path())
	}
	return n
}

// stepsOf returns the steps of a section: the elements of a list, whose action is in a field
// marked by the schema, else the section itself.
func stepsOf(s document.Section) (all []firstStep) {
	if s.Kind != document.Array {
		return []firstStep{{section: s.Address, title: s.Title(""), text: valueText(s.Node)}}
	}
	for i := range s.Kids {
		k := &s.Kids[i]
		if k.Kind != document.Object {
			all = append(all, firstStep{section: s.Address, text: valueText(k)})
			continue
		}
		f := firstStep{section: s.Address, text: valueText(k.Member(s.Field.First))}
		if code := k.Member(s.Unique()); code != nil {
			f.section += "/" + code.Text
		}
		if title := k.Member("title"); title != nil {
			f.title = title.Text
		}
		f.read = pointersIn(k)
		all = append(all, f)
	}
	return all
}

// pointersIn lists what to read for a step.
func pointersIn(step *document.Node) (all []document.Pointer) {
	for i := range step.Kids {
		list := &step.Kids[i]
		for j := range list.Kids {
			if p, ok := list.Kids[j].Pointer(); ok {
				all = append(all, p)
			}
		}
	}
	return all
}

// valueText is the text of a value, of a list the texts of its elements. n may be nil.
func valueText(n *document.Node) string {
	switch {
	case n == nil, n.Kind == document.Object:
		return ""
	case n.Kind == document.Array:
		var all []string
		for i := range n.Kids {
			all = append(all, valueText(&n.Kids[i]))
		}
		return strings.Join(all, " ")
	}
	return Line(cmp.Or(n.EnumLabel(), n.Text))
}

// sectionSizes lists the sections with their sizes.
func sectionSizes(root *document.Node) (all []sectionSize) {
	for s := range root.Sections() {
		switch {
		case s.Level == 1 && inBrief[s.Address]:
		case s.Level == 1:
			all = append(all, sectionSize{address: s.Address, title: s.Title(""), size: len(s.Raw)})
			if s.Kind == document.Array {
				all[len(all)-1].total = len(s.Kids)
			}
		case s.Level == 2 && len(all) > 0 && s.Within == all[len(all)-1].address:
			around := &all[len(all)-1]
			around.parts = append(around.parts, partSize{strings.TrimPrefix(s.Address, s.Within+"/"), len(s.Raw)})
		}
	}
	return all
}

// inBrief are the sections that a brief contains.
var inBrief = map[string]bool{"title": true, "summary": true, "description": true, "language": true}

func (b *brief) json(c Config, e *content.Entry) Body {
	o := identified(e)
	o.text("view", "brief")
	o.optional("summary", b.summary)
	first := bodies(b.first, func(f firstStep) Body {
		var step object
		step.text("section", f.section)
		step.optional("title", f.title)
		step.optional("text", f.text)
		if f.read != nil {
			step.array("read", bodies(f.read, func(p document.Pointer) Body { return c.pointer(e, p) }))
		}
		return step.end()
	})
	if len(first) > 0 {
		o.array("first", first)
	}
	o.array("sections", bodies(b.sections, sectionSize.json))
	o.count("sections_left", b.left)
	c.provenance(o, e)
	return o.end()
}

// pointer is what to read, with its address.
func (c Config) pointer(e *content.Entry, p document.Pointer) Body {
	var o object
	o.optional("when", p.When)
	o.text("url", c.URL(withItem(e, p).Path()))
	return o.end()
}

// withItem adds the item to a pointer that has none.
func withItem(e *content.Entry, p document.Pointer) document.Pointer {
	p.Item = cmp.Or(p.Item, e.Item())
	return p
}

func (s sectionSize) json() Body {
	var o object
	o.text("section", s.address)
	o.optional("title", s.title)
	o.value("size", s.size)
	o.count("elements", s.total)
	if s.parts != nil {
		var parts object
		for _, p := range s.parts {
			parts.value(p.step, p.size)
		}
		o.raw("parts", parts.end().Bytes)
	}
	return o.end()
}

func (b *brief) markdown(c Config, e *content.Entry) []byte {
	w := markdown.NewPlain(e.Body().Text("title"), c.facts(e))
	w.Text(b.summary)
	if b.first != nil {
		w.Heading("С чего начать")
	}
	for _, f := range b.first {
		w.Item(f.title, f.text, f.section)
		for _, p := range f.read {
			w.Within(p.When, "GET "+withItem(e, p).Path())
		}
	}
	w.Heading("Разделы, байт")
	for _, s := range b.sections {
		w.Item(s.title, s.describe(), s.address)
	}
	if b.left > 0 {
		w.Text("И ещё разделов: " + strconv.Itoa(b.left))
	}
	return w.Bytes()
}

// describe is the size of a section, and its parts.
func (s sectionSize) describe() string {
	all := []string{strconv.Itoa(s.size)}
	for _, p := range s.parts {
		all = append(all, p.step+" "+strconv.Itoa(p.size))
	}
	return strings.Join(all, ", ")
}
