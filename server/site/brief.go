package site

import (
	"cmp"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/markdown"
)

// The limits of a brief, in bytes: of the whole, of its summary, and of what is to be done
// first.
const (
	maxBrief   = 4096
	maxSummary = 800
	maxFirst   = 1400
)

// A brief is what a version is about, in so few words that it is read before anything
// else: what it is for, what is to be done first, and which sections there are.
type brief struct {
	summary  string
	first    []firstStep
	sections []sectionSize
	left     int // sections that there was no room for
}

// A firstStep is one thing to be done, and where it is said.
type firstStep struct{ section, title, text string }

// A sectionSize says how much there is to read: the bytes of its JSON. Parts are the
// elements of a list, by the last step of their address.
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

// brief makes the brief of a version, in as much detail as there is room for.
func (c Config) brief(e *content.Entry, root *document.Node) *brief {
	b := &brief{}
	b.summary = shorten(cmp.Or(e.Body().Text("summary"), e.Body().Text("description")), maxSummary)
	b.first = firstSteps(root, maxFirst)
	b.sections = sectionSizes(root)
	for _, less := range []func(*brief){
		func(*brief) {}, (*brief).withoutLongLists, (*brief).withoutParts, (*brief).withoutTitles,
		func(b *brief) { b.first = firstSteps(root, maxFirst/3) },
	} {
		less(b)
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

// maxParts is how many elements of a list are named where there is little room.
const maxParts = 12

func (b *brief) withoutLongLists() {
	for i := range b.sections {
		if len(b.sections[i].parts) > maxParts {
			b.sections[i].parts = nil
		}
	}
}

func (b *brief) withoutParts() {
	for i := range b.sections {
		b.sections[i].parts = nil
	}
}

func (b *brief) withoutTitles() {
	for i := range b.sections {
		b.sections[i].title = ""
	}
}

// shorten cuts a text to so many bytes, between words.
func shorten(text string, most int) string {
	text = line(text)
	if len(text) <= most {
		return text
	}
	cut := strings.ToValidUTF8(text[:most-len("…")], "")
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

// firstSteps lists what the schema says is to be done first: with its text as long as
// there is room, then by its title alone.
func firstSteps(root *document.Node, room int) (all []firstStep) {
	bare := false
	for s := range root.Sections() {
		if s.Field == nil || s.Field.First == "" {
			continue
		}
		for _, step := range stepsOf(s) {
			if bare = bare || step.size() > room; bare {
				step.text = ""
			}
			if step.size() > room || step.title+step.text == "" {
				return all
			}
			all, room = append(all, step), room-step.size()
		}
	}
	return all
}

// size is about how many bytes a step has as JSON.
func (f firstStep) size() int {
	return len(f.section) + len(f.title) + len(f.text) + len(`{"section":"","title":"","text":""},`)
}

// stepsOf are the steps of a section: of a list its elements, of which the schema names
// the field that says what to do, else the section itself.
func stepsOf(s document.Section) (all []firstStep) {
	if s.Kind != document.Array {
		return []firstStep{{s.Address, s.Title(""), saidBy(s.Node)}}
	}
	for i := range s.Kids {
		k := &s.Kids[i]
		if k.Kind != document.Object {
			all = append(all, firstStep{section: s.Address, text: saidBy(k)})
			continue
		}
		f := firstStep{section: s.Address, text: saidBy(k.Member(s.Field.First))}
		if code := k.Member(s.Unique()); code != nil {
			f.section += "/" + code.Text
		}
		if title := k.Member("title"); title != nil {
			f.title = title.Text
		}
		all = append(all, f)
	}
	return all
}

// saidBy is what a value says: a list one text after the other. It may be called on nil.
func saidBy(n *document.Node) string {
	switch {
	case n == nil, n.Kind == document.Object:
		return ""
	case n.Kind == document.Array:
		var all []string
		for i := range n.Kids {
			all = append(all, saidBy(&n.Kids[i]))
		}
		return strings.Join(all, " ")
	}
	return line(cmp.Or(n.EnumLabel(), n.Text))
}

// sectionSizes lists the sections with what there is in them.
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

// inBrief are the sections that a brief has itself.
var inBrief = map[string]bool{"title": true, "summary": true, "description": true, "language": true}

func (b *brief) json(c Config, e *content.Entry) Body {
	var o object
	c.identify(&o, e)
	o.text("view", "brief")
	o.optional("summary", b.summary)
	var first, sections []Body
	for _, f := range b.first {
		var step object
		step.text("section", f.section)
		step.optional("title", f.title)
		step.optional("text", f.text)
		first = append(first, step.end())
	}
	for _, s := range b.sections {
		sections = append(sections, s.json())
	}
	if first != nil {
		o.array("first", first)
	}
	o.array("sections", sections)
	if b.left > 0 {
		o.value("sections_left", b.left)
	}
	c.provenance(&o, e)
	return o.end()
}

func (s sectionSize) json() Body {
	var o object
	o.text("section", s.address)
	o.optional("title", s.title)
	o.value("size", s.size)
	if s.total > 0 {
		o.value("elements", s.total)
	}
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
	}
	w.Heading("Разделы, байт")
	for _, s := range b.sections {
		w.Item(s.title, s.said(), s.address)
	}
	if b.left > 0 {
		w.Text("И ещё разделов: " + strconv.Itoa(b.left))
	}
	return w.Bytes()
}

// said is the size of a section, and what is in it.
func (s sectionSize) said() string {
	all := []string{strconv.Itoa(s.size)}
	for _, p := range s.parts {
		all = append(all, p.step+" "+strconv.Itoa(p.size))
	}
	return strings.Join(all, ", ")
}
