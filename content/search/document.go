package search

import (
	"slices"
	"strings"
	"unique"
)

// A Document is one item of the index. Kind and ID identify it.
type Document struct {
	Kind  string
	ID    string
	Title string
	Text  []Passage // a snippet never spans two passages

	// Codes are names of it besides the title: its id, its signals, the synonyms of a term.
	// They are searched like the title, and no snippet is taken from them.
	Codes []string

	Scenarios    []string
	ProductTypes []string
	Signals      []string

	// Weight is its factor in the ranking; 0 is 1.
	Weight float64
}

// A Passage is plain text, with the address of its section of the document, "" if it has none.
type Passage struct{ Section, Text string }

// clone copies what a caller could still change, and makes snippets valid UTF-8
// by making valid what they are cut from.
func (d Document) clone() Document {
	d.Title = strings.ToValidUTF8(d.Title, "\uFFFD")
	d.Text = slices.Clone(d.Text)
	for i, passage := range d.Text {
		d.Text[i].Text = strings.ToValidUTF8(passage.Text, "\uFFFD")
	}
	d.Codes = slices.Clone(d.Codes)
	d.Scenarios = slices.Clone(d.Scenarios)
	d.ProductTypes = slices.Clone(d.ProductTypes)
	d.Signals = slices.Clone(d.Signals)
	return d
}

// An Entry is an analysed document. It is immutable, so any number of indexes may share it.
type Entry struct {
	doc Document

	terms  []unique.Handle[string] // in the order of their text
	uses   []use                   // of the same length
	places []byte                  // where the terms are, see use.end
	marks  []mark

	head, body uint32 // lengths in words: title and codes, text
	bodyStart  uint32 // the first position of the text

	names []nameSpan // the title and the codes, where each is and how many words it has
}

// A nameSpan is where a name of a document begins, and how many of its words say something.
type nameSpan struct{ start, words uint32 }

// A use says how often a term is in the head and in the body. Its positions are
// the varints in places up to end, each the distance from the one before.
type use struct {
	head, body uint16
	end        uint32
}

// A mark says where in the text a position is.
type mark struct {
	position uint32
	passage  uint32
	offset   uint32
}

// Document returns the document of the entry. Its slices are shared and must not be changed.
func (e *Entry) Document() Document { return e.doc }

// In returns the entry with other scenarios. The scenarios of an item may be defined elsewhere,
// and may then change although the item does not: the entry is not analysed again.
func (e *Entry) In(scenarios []string) *Entry {
	if slices.Equal(scenarios, e.doc.Scenarios) {
		return e
	}
	other := *e
	other.doc.Scenarios = slices.Clone(scenarios)
	return &other
}

// Weighing returns the entry with its weight multiplied.
func (e *Entry) Weighing(by float64) *Entry {
	other := *e
	other.doc.Weight *= by
	return &other
}

// span returns which of the entry's terms are text or begin with it.
func (e *Entry) span(text string, prefix bool) (lo, hi int) {
	return span(len(e.terms), func(i int) string { return e.terms[i].Value() }, text, prefix)
}
