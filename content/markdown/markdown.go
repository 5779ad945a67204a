// Package markdown renders an item's JSON as readable Markdown. There is one renderer
// for every kind of item: it knows a kind only by the [content.Field] passed to it, and
// fields unknown to that are shown under their own names in backticks, so nothing is ever
// left out.
//
// # Form
//
//	# <title>
//
//	<summary, description: the lead>
//
//	<id> · <version> · Срок: 20        fields with one short value
//
//	## <an object>                     its fields as paragraphs
//
//	Признаки ситуации:
//	- Пользователь спрашивает о вкладе.
//
//	## <an array of objects>
//
//	### <its number>. <title of the element> <its code>
//
//	<its description>
//
//	Важность: высокая (`high`) · Код остановки: `critical_stop`
//
//	## <an array of small objects>     a table, if every row fits on a line
//
// The Markdown is read as source, mostly by models, so it is shorter than the JSON: short values
// share a line, a value that is equal in neighbouring elements is written once, and a code is
// explained at its first occurrence.
//
// In an object short values come first and values that need a heading of their own
// follow, otherwise the former would appear to belong to the latter. Headings go
// down to the fourth level; deeper levels are nested lists, and values
// deeper than [document.Read] goes are JSON in backticks.
//
// Pages are another renderer of the same tree, and are not made from Markdown.
//
// # Values
//
// true and false are да and нет, null and empty texts are —, empty objects and
// arrays are нет. The values of an enumeration are their label followed by the
// code. An address is an autolink; ids, codes and checksums are in backticks; numbers, versions
// and dates are unchanged.
//
// # Text
//
// Authors write plain text, and the rendered Markdown shows exactly that text: whatever
// CommonMark or GFM would interpret is escaped, and nothing
// else, because people and models read the source too. Paragraphs and line
// breaks are kept; spaces at the edges of lines are not. Only the change note is
// a git message, in which a line that begins with "- " is a list item.
//
// # Guarantees
//
// The output is valid UTF-8, a function of the arguments, ends with exactly one
// newline, and has no trailing spaces and no two blank lines in a row. Nothing
// panics, whatever the JSON.
package markdown

import (
	"bytes"

	"rulestore/content"
	"rulestore/content/document"
)

// node is a value of the tree that is rendered.
type node = document.Node

// Render returns the item as Markdown. The item is the served JSON without fetched_at, and
// schema describes all its fields, including derived ones; it may be nil.
func Render(item content.Object, schema *content.Field) []byte {
	return Document(document.Read(item, schema))
}

// Document returns the tree of an item as Markdown.
func Document(root *document.Node) []byte {
	w := newWriter(root)
	w.document(root)
	return bytes.Clone(w.out) // without spare capacity, as it is kept for long
}

func (w *writer) document(root *node) {
	w.title(root)
	w.lead(root)
	w.facts(root)
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsSection() {
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

// title writes the heading of the document: its title, else its type and its code.
func (w *writer) title(root *node) {
	w.out = append(w.out, "# "...)
	i := root.Label("")
	if i < 0 || root.Kids[i].Name != "title" {
		w.out = appendText(w.out, root.Title("Без названия"), inHeading, 0)
		if i >= 0 {
			w.out = append(w.out, ' ')
		}
	}
	if i >= 0 {
		w.scalar(&root.Kids[i], inHeading)
	}
}

// lead writes the paragraphs of the description.
func (w *writer) lead(root *node) {
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsLead() {
			w.gap()
			w.line()
			w.out = appendText(w.out, n.Text, atStart, 0)
		}
	}
}

// facts writes the short values on one line.
func (w *writer) facts(root *node) {
	var facts []*node
	for i := range root.Kids {
		if n := &root.Kids[i]; n.IsFact() {
			facts = append(facts, n)
		}
	}
	if len(facts) > 0 {
		w.gap()
		w.line()
		w.fields(facts)
	}
}
