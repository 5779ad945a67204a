package page

import (
	"html/template"

	"rulestore/content/change"
	"rulestore/content/document"
)

// Compare lists what differs between two versions of an item, in the order of the text.
type Compare struct {
	Head
	ID          string
	From, To    Version
	Pair        Filters  // selects the two versions
	Days        []string // what was published and applied on a requested day, and what applies today
	Class       Status
	Summary     string
	Step        string // remark on the increment of the version
	Section     string // the section to show; "": all
	Differences []Difference
	Upkeep      []Difference // what differs in every version
	Pager       Pager
}

func (Compare) name() string { return "compare" }

// Difference is one place that differs.
type Difference struct {
	ID, Title string
	Class     Status
	What      string        // what was done, as the class of a style
	Why       string        // what was done, and the reason for the class
	Look      string        // what to review, "" for nothing
	Note      string        // what of it is not shown, "" for nothing
	HTML      template.HTML // both values
}

// Anchor is the link of a place to itself.
func (d Difference) Anchor() string { return "#" + fragment(d.ID) }

// Values are the two values of a place that differs.
type Values struct {
	Was, Is *document.Node // nil in the version that does not have it
	Unique  string         // the field that identifies it in its list
}

// Both draws the old and the new value as one text, with the words that differ marked. grain is that by
// which texts were compared.
func Both(with Drawing, effort *change.Effort, s Values) (html template.HTML, grain change.Grain) {
	with.Bare = true
	d := &drawer{Drawing: with}
	switch {
	case isText(s.Was) && isText(s.Is):
		grain = d.marked(effort, s.Was.Text, s.Is.Text)
	case s.Was != nil && s.Is != nil && !s.Was.IsList() && !s.Is.IsList():
		return "<p>" + Pair(with, s) + "</p>\n", grain
	default:
		d.block("del", s.Unique, s.Was)
		d.block("ins", s.Unique, s.Is)
	}
	return d.take(), grain
}

// Pair draws the old and the new value of a place in one line.
func Pair(with Drawing, s Values) template.HTML {
	d := &drawer{Drawing: with}
	for _, side := range []struct {
		tag string
		n   *document.Node
	}{{"del", s.Was}, {"ins", s.Is}} {
		if side.n != nil {
			d.raw("<", side.tag, ">")
			d.inline(side.n)
			d.raw("</", side.tag, "> ")
		}
	}
	return d.take()
}

func isText(n *document.Node) bool {
	return n != nil && n.Kind == document.Text && (n.Type() == document.Prose || n.Blank())
}

// marked draws two texts as one, with the words that differ marked.
func (d *drawer) marked(effort *change.Effort, was, is string) change.Grain {
	segments, grain := effort.Phrases(was, is)
	d.raw(`<p class="lines">`)
	for _, s := range segments {
		tag := map[change.Verb]string{change.Added: "ins", change.Removed: "del"}[s.What]
		if tag == "" {
			d.text(s.Text)
			continue
		}
		d.wrap("<"+tag+">", s.Text, "</"+tag+">")
	}
	d.raw("</p>\n")
	return grain
}

// maxWords is the maximum number of words of a list that are drawn on one line.
const maxWords = 3

// block draws a value that only one version has.
func (d *drawer) block(tag, unique string, n *document.Node) {
	switch {
	case n == nil:
	case n.Kind == document.Object:
		d.raw("<", tag, ` class="block">`+"\n")
		h := labels{}
		if unique != "" {
			h = labelsOf(n, unique)
		}
		if h.grade != nil {
			d.raw(`<p class="meta">`)
			d.text(h.grade.Title(h.grade.Name) + ": ")
			d.inline(h.grade)
			d.raw("</p>\n")
		}
		d.object(n, h, maxHeading+1)
		d.raw("</", tag, ">\n")
	case n.Kind == document.Array && (!n.Words() && len(n.Kids) > 0 || len(n.Kids) > maxWords):
		d.raw("<", tag, ` class="block">`+"\n")
		d.items(n)
		d.raw("</", tag, ">\n")
	case isText(n):
		d.raw(`<p class="lines"><`, tag, ">")
		d.prose(n, n.Text)
		d.raw("</", tag, "></p>\n")
	default:
		d.raw("<p><", tag, ">")
		d.inline(n)
		d.raw("</", tag, "></p>\n")
	}
}
