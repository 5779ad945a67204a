package html

import (
	"html/template"
	"strings"
	"time"
	"unicode"

	"rulestore/content/document"
	"rulestore/content/i18n"
)

// none is shown in place of an empty value.
const none = "—"

// inline draws a value on one line, the elements of a list side by side.
func (d *drawer) inline(n *document.Node) {
	switch {
	case !n.IsList():
		d.scalar(n)
	case len(n.Kids) == 0:
		d.raw("нет")
	default:
		between := "; "
		if n.Words() {
			between = ", "
		}
		for i := range n.Kids {
			if i > 0 {
				d.raw(between)
			}
			d.scalar(&n.Kids[i])
		}
	}
}

// scalar draws a value without parts according to its type.
func (d *drawer) scalar(n *document.Node) {
	switch n.Type() {
	case document.Nothing:
		d.raw(none)
	case document.Truth, document.Figure, document.Money, document.Percent:
		d.text(Figure(n))
	case document.Day, document.Moment:
		d.time(n.Text)
	case document.Address:
		d.link(d.href(n.Text), func() { d.text(n.Text) })
	case document.Choice:
		d.choice(n)
	case document.Name, document.Word:
		d.named(n, n.Text)
	case document.Deep:
		d.code(n.Text)
	default:
		d.prose(n, oneLine(n.Text))
	}
}

// Figure is a number with its unit, or a boolean in words.
func Figure(n *document.Node) string {
	switch t := n.Type(); {
	case t == document.Truth:
		return map[string]string{"true": "да", "false": "нет"}[n.Text]
	case !isNumber(n.Text):
		return n.Text
	case t == document.Money:
		return grouped(n.Text) + "\u00A0₽"
	case t == document.Percent:
		return grouped(n.Text) + "\u00A0%"
	case n.Unit != nil && n.Unit.Says():
		return grouped(n.Text) + "\u00A0" + unitOf(n)
	}
	return grouped(n.Text)
}

// Headline returns the value of a parameter in words, with its range and its first day; "" if
// it is not a number.
func Headline(root *document.Node) string {
	value, inclusive, from := root.Member("value"), root.Member("inclusive"), root.Member("valid_from")
	if value == nil || value.Kind != document.Number {
		return ""
	}
	words := Figure(value)
	if inclusive != nil && inclusive.Kind == document.Boolean {
		words += map[string]string{"true": ", включительно", "false": ", не включая"}[inclusive.Text]
	}
	if from != nil && from.Type() == document.Day {
		t, _ := time.Parse(time.DateOnly, from.Text)
		words += ", с\u00A0" + i18n.Day(t)
	}
	return words
}

// unitOf is the unit of a number in the matching plural form.
func unitOf(n *document.Node) string {
	forms, known := units[n.Unit.Text]
	if !known || strings.Trim(n.Text, "0123456789") != "" || len(n.Text) > 9 {
		if l := n.Unit.EnumLabel(); l != "" {
			return l
		}
		return n.Unit.Text
	}
	count := 0
	for _, c := range n.Text {
		count = count*10 + int(c-'0')
	}
	return i18n.Plural(count, forms[0], forms[1], forms[2])
}

// units are the Russian plural forms of units.
var units = map[string][3]string{
	"business_day": {"рабочий день", "рабочих дня", "рабочих дней"},
	"calendar_day": {"календарный день", "календарных дня", "календарных дней"},
	"month":        {"месяц", "месяца", "месяцев"}, "year": {"год", "года", "лет"},
}

// time draws a day or an instant for people.
func (d *drawer) time(s string) {
	d.wrap(`<time datetime="`, s, `">`)
	d.text(moment(s))
	d.raw("</time>")
}

// moment is a day or an instant for people; other texts are returned unchanged.
func moment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return i18n.DayOf(s)
	}
	words := i18n.Day(t) + ", " + t.Format("15:04") + "\u00A0UTC"
	if _, offset := t.Zone(); offset != 0 {
		words += t.Format("-07:00")
	}
	return words
}

func (d *drawer) code(word string) {
	d.wrap("<code>", oneLine(word), "</code>")
}

// id draws the code of something whose title stands before it: a switch shows these, with the space before them.
func (d *drawer) id(word string) {
	d.wrap(`<code class="id"> `, oneLine(word), "</code>")
}

// named draws an identifier as a link, after the title of its target.
func (d *drawer) named(n *document.Node, word string) {
	switch l, known := d.target(n, word); {
	case !known:
		d.code(word)
	case l.Title == "":
		d.link(l.Href, func() { d.code(word) })
	default:
		d.link(l.Href, func() { d.text(l.Title) })
		d.id(word)
	}
}

// target is the target of a word in a value; not ok if it has none.
func (d *drawer) target(n *document.Node, word string) (l Link, ok bool) {
	if d.Names != nil {
		l, ok = d.Names(n, word)
	}
	if !ok {
		return Link{}, false
	}
	return l, true
}

// choice draws the label of a value before its code, as a link if it is the id of something.
func (d *drawer) choice(n *document.Node) {
	l, _ := d.target(n, n.Text)
	d.link(l.Href, func() { d.text(n.EnumLabel()) })
	d.id(n.Text)
}

// ownCode draws the code of a section; the title of its target is only a tooltip, since it is the
// heading.
func (d *drawer) ownCode(n *document.Node) {
	l := Link{}
	if t := n.Type(); t == document.Name || t == document.Word {
		l, _ = d.target(n, n.Text)
	}
	d.titledLink(l, func() { d.code(n.Text) })
}

// name draws the title of an element, and its code if it has no title.
func (d *drawer) name(n *document.Node, h labels, number string) {
	d.text(elementTitle(n, h, number))
	if code := h.untitled(); code != "" {
		d.raw(" ")
		d.code(code)
	}
}

// prose draws a text; identifiers in it are linked to their targets, by the titles of these. A name in brackets
// repeats in code what the words before it say, so that it is shown with the other codes only.
func (d *drawer) prose(n *document.Node, text string) {
	for word := range n.Codes() {
		l, ok := d.target(n, word)
		at := strings.Index(text, word)
		if at < 0 || !ok && (d.Names == nil || !strings.Contains(word, "_") || strings.ContainsAny(word, "./-")) {
			continue // an ordinary word, or a part of an address
		}
		before, after := text[:at], text[at+len(word):]
		if !ok && strings.HasSuffix(before, " (") && strings.HasPrefix(after, ")") {
			d.wrap("", strings.TrimSuffix(before, " ("), `<span class="id"> (`)
			d.code(word)
			d.raw(")</span>")
			text = after[1:]
			continue
		}
		d.text(before)
		if l.Title != "" {
			d.link(l.Href, func() { d.text("«" + l.Title + "»") })
			d.id(word)
		} else {
			d.link(l.Href, func() { d.code(word) })
		}
		text = after
	}
	d.text(text)
}

// paragraphs draws a text with its paragraphs and line breaks.
func (d *drawer) paragraphs(n *document.Node) {
	if n.Kind != document.Text || n.Type() != document.Prose {
		d.raw("<p>")
		d.inline(n)
		d.raw("</p>\n")
		return
	}
	d.raw(string(lines(n.Text, func(line string) template.HTML {
		start := d.out.Len()
		d.prose(n, line)
		drawn := template.HTML(d.out.Bytes()[start:])
		d.out.Truncate(start)
		return drawn
	})))
}

// toNewlines replaces all characters that are line breaks anywhere.
var toNewlines = strings.NewReplacer(
	"\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n\n",
)

// oneLine replaces line breaks in a text by spaces, and control characters by U+FFFD.
func oneLine(s string) string {
	if !odd(s) {
		return strings.Trim(s, " ")
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != '\u00A0' && r != '\u202F':
			return ' '
		case unicode.IsControl(r):
			return '\uFFFD'
		}
		return r
	}, s))
}

// odd reports whether a text may have other spaces than U+0020, or control characters, by the first bytes of their
// encodings. Most texts have none, and are looked at often.
func odd(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c == 0x7F, c == 0xC2, c == 0xE1, c == 0xE2, c == 0xE3:
			return true
		}
	}
	return false
}

// href is the address of a link, below the root if it is one of the service.
func (d *drawer) href(url string) string {
	if d.Own != "" && (url == d.Own || strings.HasPrefix(url, d.Own+"/")) {
		return below(d.Root, strings.TrimPrefix(url, d.Own))
	}
	return url
}

// link draws something as a link, if there is an address.
func (d *drawer) link(href string, what func()) { d.titledLink(Link{Href: href}, what) }

// titledLink is link with a title as a tooltip.
func (d *drawer) titledLink(l Link, what func()) {
	href := l.Href
	if href == "" {
		what()
		return
	}
	d.wrap(`<a href="`, href, `"`)
	if l.Title != "" {
		d.wrap(` title="`, l.Title, `"`)
	}
	if href[0] != '/' && href[0] != '#' {
		d.raw(` rel="external noopener nofollow"`)
	}
	d.raw(">")
	what()
	d.raw("</a>")
}
