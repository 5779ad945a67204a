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

// clone copies the document, so that the caller cannot change it, and makes its texts valid
// UTF-8.
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
type AnalysedDocument struct {
	doc Document

	terms  []unique.Handle[string] // sorted
	uses   []use                   // of the same length
	places []byte                  // positions of the terms, see use.end
	marks  []mark

	head, body uint32 // lengths in words: title and codes, text
	bodyStart  uint32 // the first position of the text

	names []nameSpan // of the title and the codes
}

// A nameSpan is the beginning of a name of a document, and the number of its words without
// stop words.
type nameSpan struct{ start, words uint32 }

// A use has the numbers of occurrences of a term in the head and in the body. Its positions
// are the varints in places up to end, each the difference from the one before.
type use struct {
	head, body uint16
	end        uint32
}

// A mark is a position and its place in the text.
type mark struct {
	position uint32
	passage  uint32
	offset   uint32
}

// Document returns the document of the entry. Its slices are shared and must not be changed.
func (e *AnalysedDocument) Document() Document { return e.doc }

// In returns the entry with other scenarios. The scenarios of an item may be defined elsewhere,
// and may then change although the item does not: the entry is not analysed again.
func (e *AnalysedDocument) In(scenarios []string) *AnalysedDocument {
	if slices.Equal(scenarios, e.doc.Scenarios) {
		return e
	}
	other := *e
	other.doc.Scenarios = slices.Clone(scenarios)
	return &other
}

// span returns the range of the entry's terms that are text or, if prefix is set, begin with
// it.
func (e *AnalysedDocument) span(text string, prefix bool) (lo, hi int) {
	return span(len(e.terms), func(i int) string { return e.terms[i].Value() }, text, prefix)
}
