package page

import (
	"bytes"
	"fmt"
)

// Finding is one problem in the content.
type Finding struct {
	Severity             string
	Message, Place, Hint string
	Excerpt              *Excerpt // nil if there is none
}

// Excerpt is a line of a file with a caret below the position.
type Excerpt struct {
	Line  int
	Text  string
	Caret int // number of characters before the position
}

// Pointed returns the line with its number, and the caret below it.
func (e *Excerpt) Pointed() string {
	return fmt.Sprintf("%5d | %s\n      | %*s", e.Line, e.Text, e.Caret+1, "^")
}

// Remark is a finding that is shown at its value.
type Remark struct {
	Finding
	ID      string   // the anchor
	Line    int      // in the file, 0 if it is about the file as a whole
	Pointer []string // path to its value: names of fields, and indexes of elements
	Placed  bool     // it was placed in the text
}

// Manuscript is a file with findings.
type Manuscript struct {
	Path, Href string // an address may be ""
	Errors     int
	Others     int       // warnings and notes
	Findings   []Finding // about files without a page of their own
}

// Source is a part of a file as it is written.
type Source struct {
	Path  string
	Lines []SourceLine
}

// SourceLine is one line; Broken marks the line with the error.
type SourceLine struct {
	Number int
	Text   string
	Broken bool
}

// execute runs a template of the parts that pages share.
func execute(name string, data any) []byte {
	var out bytes.Buffer
	if err := templates()["item"].ExecuteTemplate(&out, name, data); err != nil {
		panic(err) // a template that does not fit its data
	}
	return out.Bytes()
}
