package html

import (
	"strconv"
	"strings"

	"rulestore/content/document"
)

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
			title = opening(n, title+" "+code)
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
// them; number is a field with its position, which its heading has as well.
type labels struct{ title, code, lead, grade, number *document.Node }

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
	if label.Field == nil || label.Field.Reference == "" || d.Names == nil {
		return ""
	}
	l, _ := d.Names(label, label.Text)
	return l.Title
}

// maxOpening is the maximum number of letters of a text in place of a title.
const maxOpening = 56

// opening is the beginning of the text of an element, otherwise if it has none.
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
