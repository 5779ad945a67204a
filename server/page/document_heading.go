package page

import (
	"net/url"
	"strconv"
	"strings"

	"rulestore/content/document"
)

// heading draws a heading that leads to itself, with the grade of what is below it and,
// where nothing else tells it from others, its code.
func (d *drawer) heading(n *document.Node, level int, title string, h heads) {
	tag, grade := "h"+strconv.Itoa(level), h.grade
	d.open(tag, n)
	d.text(title)
	if code := h.untitled(); code != "" {
		d.raw(" ")
		d.code(code)
		title = opening(n, title+" "+code)
	}
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
	d.raw("\u00A0", `<a class="here" href="#`) // never alone on a line
	d.text(fragment(id))
	d.raw(`" title="Ссылка на этот раздел">¶</a>`)
}

// mark leads to an element of a list that has no heading.
func (d *drawer) mark(n *document.Node) {
	if id := d.ids[n]; id != "" && !d.full() {
		d.here(id)
	}
}

// cite leads to the citation of a section, and to its history.
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

// heads is what an element of a list is called by, nil for what it has not; number says the
// place of an element that its heading says, too.
type heads struct{ title, code, lead, grade, number *document.Node }

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

// numberOf is the number of an element, where their order says something.
func numberOf(n *document.Node, i int) string {
	if n.Field != nil && n.Field.Ordered {
		return strconv.Itoa(i+1) + ". "
	}
	return ""
}

// untitled is the code of what has that and no title, "" of all else.
func (h heads) untitled() string {
	if h.title == nil || document.Heads(h.title.Name) || h.title.EnumLabel() != "" || !document.IsCode(h.title.Text) {
		return ""
	}
	return h.title.Text
}

// maxOpening is how many letters stand for a text that has no title.
const maxOpening = 56

// opening is how the text of an element begins, in words; otherwise if it has no text.
func opening(n *document.Node, otherwise string) string {
	for i := range n.Kids {
		if k := &n.Kids[i]; k.Kind == document.Text && k.Type() == document.Prose {
			text := []rune(oneLine(k.Text))
			if len(text) <= maxOpening {
				return string(text)
			}
			cut := string(text[:maxOpening])
			return strings.TrimRight(cut[:max(strings.LastIndexByte(cut, ' '), 1)], " ,;:—") + "…"
		}
	}
	return otherwise
}

// called is what an element is called by: its title, else what kind of thing it is.
func called(n *document.Node, h heads, number string) string {
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
