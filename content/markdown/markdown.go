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
//	| Поле | Значение |              what is said in one short value
//	|---|---|
//	| Версия | 1.2.0 |
//
//	## <an object>                    its fields as a list
//
//	- **Признаки ситуации:**
//	  - Пользователь спрашивает о вкладе.
//
//	## <an array of objects>
//
//	### 1. <title of the element>
//
//	- **Важность:** высокая (`high`)
//
//	## <an array of small objects>    a table, if every row fits on a line
//
// Within an object short things come first and what needs a heading of its own
// follows, otherwise the former would seem to belong to the latter. Headings go
// down to the fourth level; deeper levels are nested lists, and what lies
// deeper than [maxDepth] is JSON in backticks.
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
)

// The fields at the top level that have a place of their own. Further down they
// are fields like any other, except that the title heads an element.
const (
	titleField = "title"
	termField  = "term"        // what heads an entry of a glossary
	noteField  = "change_note" // several lines at times, so always a section
)

var leadFields = [...]string{"summary", "description"}

// Render returns the item as Markdown. The item is what is served as JSON
// without fetched_at, and schema describes all its fields, those that the
// service derives included; it may be nil.
func Render(item content.Object, schema *content.Field) []byte {
	root := parseItem(item, schema)
	return render(&root, size(item))
}

func render(root *node, size int) []byte {
	w := writer{out: make([]byte, 0, size*5/4+1024)}
	w.title(root)
	w.lead(root)
	w.facts(root)
	for i := range root.kids {
		if n := &root.kids[i]; n.isSection() {
			w.section(n, 2)
		}
	}
	w.out = append(w.out, '\n')
	return bytes.Clone(w.out) // it is kept for long: without the spare room
}

func size(item content.Object) int {
	n := 0
	for _, m := range item {
		n += len(m.Value)
	}
	return n
}

// title writes the heading of the document: the title, else what kind of thing
// it is and its code.
func (w *writer) title(root *node) {
	w.out = append(w.out, "# "...)
	i := root.label("")
	if i < 0 || root.kids[i].name != titleField {
		w.out = appendText(w.out, root.fieldTitle("Без названия"), inHeading, 0)
		if i >= 0 {
			w.out = append(w.out, ' ')
		}
	}
	if i >= 0 {
		w.begin(&root.kids[i])
		w.scalar(&root.kids[i], inHeading)
	}
}

// lead writes the paragraphs that say what the item is about.
func (w *writer) lead(root *node) {
	for i := range root.kids {
		if n := &root.kids[i]; n.isLead() {
			w.gap()
			w.line()
			w.begin(n)
			w.out = appendText(w.out, n.text, atStart, 0)
		}
	}
}

// facts writes the short values as one table.
func (w *writer) facts(root *node) {
	head := false
	for i := range root.kids {
		n := &root.kids[i]
		if !n.isFact() {
			continue
		}
		if !head {
			head = true
			w.gap()
			w.line()
			w.out = append(w.out, "| Поле | Значение |\n|---|---|"...)
		}
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

func (n *node) isTitle() bool { return heads(n.name) && n.says() }

// heads says whether a field of that name heads an element.
func heads(name string) bool { return name == titleField || name == termField }

func (n *node) isLead() bool { return slices.Contains(leadFields[:], n.name) && n.says() }

const maxFact = 200 // letters, two lines on a page

// isFact says whether a value goes into the table: it is empty or fits into a
// line or two. A section that only says «нет» would be in the reader's way.
func (n *node) isFact() bool {
	switch {
	case n.isTitle(), n.isLead():
		return false
	case n.isList():
		return len(n.kids) == 0
	case n.name == noteField:
		return n.blank()
	}
	return n.short(maxFact)
}

func (n *node) isSection() bool { return !n.isTitle() && !n.isLead() && !n.isFact() }
