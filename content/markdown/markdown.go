// Package markdown turns an item's JSON into Markdown that a person wants to
// read. There is one renderer for every kind of item: what it knows of a kind
// is the [content.Field] that it is handed, and what that does not know is
// shown under its own name in backticks, so nothing is ever left out.
//
// # Form
//
//	# <title>
//
//	<summary, description: the lead>
//
//	<id> · <version> · Срок: 20        what is said in one short value
//
//	## <an object>                     its fields as paragraphs
//
//	Признаки ситуации:
//	- Пользователь спрашивает о вкладе.
//
//	## <an array of objects>
//
//	### <title of the element> <its code>
//
//	<its description>
//
//	Важность: высокая (`high`) · Код остановки: `CRITICAL_STOP`
//
//	## <an array of small objects>     a table, if every row fits on a line
//
// It is read as it is, by models above all, so it is shorter than the JSON: what is short
// stands side by side, neighbours that say the same say it once, and what a code means is
// said where the code comes first.
//
// Within an object short things come first and what needs a heading of its own
// follows, otherwise the former would seem to belong to the latter. Headings go
// down to the fourth level; deeper levels are nested lists, and what lies
// deeper than [document.Read] goes is JSON in backticks.
//
// A page of a site is made of another form of the same tree, [Locate]: there each field
// has a line and a label in bold, the facts are a table with the head "Поле | Значение",
// and elements have numbers, for people find their way by looking.
//
// # Values
//
// true and false are да and нет, null and empty texts are —, empty objects and
// arrays are нет. The values of an enumeration are their label with the code
// behind it. An address is an autolink, a machine's word (an id, a code, a
// checksum) is in backticks, and a number, a version or a date stays as it is
// written.
//
// # Text
//
// Authors write plain text, and a reader of the rendered Markdown sees exactly
// that text: whatever CommonMark or GFM would interpret is escaped, and nothing
// else, because people and models read the source too. Paragraphs and line
// breaks are kept; spaces at the edges of lines are not. The change note alone is
// a git message, in which a line that begins with "- " is an item of a list.
//
// # Promises
//
// The output is valid UTF-8, a function of the arguments, ends with exactly one
// newline, and has no trailing spaces and no two blank lines in a row. Nothing
// panics, whatever the JSON.
package markdown

import (
	"bytes"
	"slices"

	"rulestore/content"
	"rulestore/content/document"
)

// The fields at the top level that have a place of their own. Further down they
// are fields like any other, except that the title heads an element.
const (
	titleField = "title"
	noteField  = "change_note" // several lines at times, so always a section
)

var leadFields = [...]string{"summary", "description", "definition"}

// node is a value of the tree that is rendered.
type node = document.Node

// Render returns the item as Markdown. The item is what is served as JSON
// without fetched_at, and schema describes all its fields, those that the
// service derives included; it may be nil.
func Render(item content.Object, schema *content.Field) []byte {
	return Document(document.Read(item, schema))
}

// Document returns the tree of an item as Markdown.
func Document(root *document.Node) []byte {
	w := newWriter(root, false)
	w.document(root)
	return bytes.Clone(w.out) // it is kept for long: without the spare room
}

func (w *writer) document(root *node) {
	w.title(root)
	w.lead(root)
	w.facts(root)
	for i := range root.Kids {
		if n := &root.Kids[i]; isSection(n) {
			w.section(n, 2)
		}
	}
	w.out = append(w.out, '\n')
}

func size(root *node) (n int) {
	for i := range root.Kids {
		n += len(root.Kids[i].Raw)
	}
	return n
}

// title writes the heading of the document: the title, else what kind of thing
// it is and its code.
func (w *writer) title(root *node) {
	w.out = append(w.out, "# "...)
	i := root.Label("")
	if i < 0 || root.Kids[i].Name != titleField {
		w.out = appendText(w.out, root.Title("Без названия"), inHeading, 0)
		if i >= 0 {
			w.out = append(w.out, ' ')
		}
	}
	if i >= 0 {
		w.begin(&root.Kids[i])
		w.scalar(&root.Kids[i], inHeading)
	}
}

// lead writes the paragraphs that say what the item is about.
func (w *writer) lead(root *node) {
	for i := range root.Kids {
		if n := &root.Kids[i]; isLead(n) {
			w.gap()
			w.line()
			w.begin(n)
			w.out = appendText(w.out, n.Text, atStart, 0)
		}
	}
}

// facts writes the short values in one line, for a page as one table.
func (w *writer) facts(root *node) {
	var facts []*node
	for i := range root.Kids {
		if n := &root.Kids[i]; isFact(n) {
			facts = append(facts, n)
		}
	}
	switch {
	case len(facts) == 0:
	case w.paged:
		w.gap()
		w.factTable(facts)
	default:
		w.gap()
		w.line()
		w.fields(facts)
	}
}

func (w *writer) factTable(facts []*node) {
	w.line()
	w.out = append(w.out, "| Поле | Значение |\n|---|---|"...)
	for _, n := range facts {
		w.line()
		w.out = append(w.out, "| "...)
		w.name(n, inCell)
		w.out = append(w.out, " | "...)
		w.begin(n)
		w.inline(n, inCell)
		w.out = append(w.out, " |"...)
	}
}

// Of the fields at the top level each is exactly one of title, lead, fact and
// section. A title or a lead that is not a text is a field like any other.

func isTitle(n *node) bool { return document.Heads(n.Name) && n.Says() }

func isLead(n *node) bool { return slices.Contains(leadFields[:], n.Name) && n.Says() }

const maxFact = 200 // letters, two lines on a page

// isFact reports whether a value goes into the table: it is empty or fits into a
// line or two. A section that only says «нет» would be in the reader's way.
func isFact(n *node) bool {
	switch {
	case isTitle(n), isLead(n):
		return false
	case n.IsList():
		return len(n.Kids) == 0
	case n.Name == noteField:
		return n.Blank()
	}
	return n.Short(maxFact)
}

func isSection(n *node) bool { return !isTitle(n) && !isLead(n) && !isFact(n) }
