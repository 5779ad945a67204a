package html

import (
	"html/template"
	"regexp"
	"strings"
	"time"
	"unicode"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/i18n"
)

// iso is a time for programs: a day, which is midnight in UTC, without the time of day, which it does
// not state.
func iso(t time.Time) string {
	if t.Equal(t.Truncate(24*time.Hour)) && t.Location() == time.UTC {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// timed draws a day, a dash if there is none.
func timed(t time.Time) template.HTML {
	if t.IsZero() {
		return none
	}
	return template.HTML(`<time datetime="` + iso(t) + `">` + i18n.Day(t) + "</time>")
}

// lines draws a text of several lines as paragraphs and, where lines begin with a dash as in the
// messages of tags, as lists; line draws one line.
func lines(text string, line func(string) template.HTML) template.HTML {
	var out strings.Builder
	within := "" // the element that is open
	open := func(tag string) {
		switch within {
		case "ul":
			out.WriteString("</li>\n</ul>\n")
		case "p":
			out.WriteString("</p>\n")
		}
		if within = tag; tag != "" {
			out.WriteString("<" + tag + ">")
		}
	}
	for raw := range strings.SplitSeq(toNewlines.Replace(text), "\n") {
		words := oneLine(raw)
		point, isPoint := strings.CutPrefix(words, "- ")
		switch {
		case words == "":
			open("")
		case isPoint && within == "ul":
			out.WriteString("</li>\n<li>" + string(line(strings.TrimSpace(point))))
		case isPoint:
			open("ul")
			out.WriteString("<li>" + string(line(strings.TrimSpace(point))))
		case within == "ul" && raw[0] == ' ':
			out.WriteString(" " + string(line(words)))
		case within == "p":
			out.WriteString("<br>\n" + string(line(words)))
		default:
			open("p")
			out.WriteString(string(line(words)))
		}
	}
	open("")
	return template.HTML(out.String())
}

// noted draws a note of several lines without links.
func noted(text string) template.HTML {
	return lines(text, func(line string) template.HTML { return template.HTML(template.HTMLEscapeString(line)) })
}

// sentence is a text that ends as a sentence, "" if it is empty.
func sentence(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return strings.TrimRight(text, ".") + "."
}

var address = regexp.MustCompile(`https?://[^\s<>"]*[^\s<>".,;:)]`)

// Linked splits a text at its URLs. Those below own are changed to root, so that links in a
// copy under another name stay in the copy, and those of lists are called as the lists; others remain text.
func Linked(text, own, root string) (parts []Link) {
	for text != "" {
		at := address.FindStringIndex(text)
		if at == nil {
			return append(parts, Link{Title: text})
		}
		if at[0] > 0 {
			parts = append(parts, Link{Title: text[:at[0]]})
		}
		url := text[at[0]:at[1]]
		link := Link{Title: url}
		if rest, ok := strings.CutPrefix(url, own); ok && (rest == "" || rest[0] == '/') {
			link.Href = below(root, rest)
			for _, k := range content.Kinds {
				if k.List && k.Path == rest {
					link.Title = k.Title
				}
			}
		}
		parts = append(parts, link)
		text = text[at[1]:]
	}
	return parts
}

// below is the address of a path under root. It begins with exactly one slash: browsers take two
// as the beginning of a host, a backslash as a slash, and drop tabs and line breaks (URL
// standard).
func below(root, path string) string {
	return root + "/" + strings.TrimLeftFunc(path, func(r rune) bool {
		return r == '/' || r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
}

var number = regexp.MustCompile(`^-?[0-9]{1,20}([.][0-9]{1,50})?$`)

func isNumber(s string) bool { return number.MatchString(s) }

// Grouped formats a number for people; other texts are returned unchanged.
func Grouped(s string) string {
	if !isNumber(s) {
		return s
	}
	return strings.TrimSuffix(grouped(s), ",00")
}

// grouped formats a number for people: 1 035 290,20.
func grouped(s string) string {
	whole, fraction, ok := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for i := len(whole) - 3; i > 0 && len(whole) > 4; i -= 3 {
		whole = whole[:i] + "\u00A0" + whole[i:]
	}
	if !ok {
		return sign + whole
	}
	return sign + whole + "," + fraction
}

// drawing has the options for drawing parts of a version, nil for what is not published; whole reports
// whether the page has all of it, so that links to its sections stay on it.
func (m maker) drawing(e *content.Entry, whole bool) Drawing {
	return Drawing{Own: m.URL(""), Root: m.root, Names: func(n *document.Node, word string) (Link, bool) {
		l, ok := m.named(e, n, word)
		if e != nil && !whole && strings.HasPrefix(l.Href, "#") {
			l.Href = m.root + e.Path() + l.Href
		}
		return l, ok
	}}
}

// named finds the target of a word in a value of a version, which may be nil.
func (m maker) named(e *content.Entry, n *document.Node, word string) (Link, bool) {
	p, pointer := n.Pointer()
	switch target := m.Target(n); {
	case pointer && p.Item == "":
		return Link{Href: "#" + word}, true
	case pointer:
		l, ok := m.Named(p.Item)
		l.Path += word[min(len(word), len(p.Item)):]
		return m.link(l), ok
	case word == n.Text && target != "":
		l, ok := m.Named(target)
		return m.link(l), ok
	case e != nil && (word == e.Name || word == e.ID()):
		return Link{}, false // the version itself
	}
	l, ok := m.NamedWord(word)
	if ok || n.Field == nil || !n.Field.Prose {
		return m.link(l), ok
	}
	if e != nil {
		if l := m.Sections(e)[word]; l.Path != "" {
			return m.link(l), true
		}
	}
	l, ok = m.NamedCode(word)
	return m.link(l), ok
}
