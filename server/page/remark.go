package page

import (
	"bytes"
	"fmt"
)

// Finding is one thing wrong with content.
type Finding struct {
	Severity             string
	Message, Place, Hint string
	Excerpt              *Excerpt // nil if there is none
}

// Excerpt is a line of a file with a caret below what is meant.
type Excerpt struct {
	Line  int
	Text  string
	Caret int // how many characters stand before
}

// Pointed returns the line with its number, and the caret below it.
func (e *Excerpt) Pointed() string {
	return fmt.Sprintf("%5d | %s\n      | %*s", e.Line, e.Text, e.Caret+1, "^")
}

// Remark is a finding that is shown at what it is about.
type Remark struct {
	Finding
	ID      string   // the anchor
	Line    int      // in the file, 0 if it is about the file as a whole
	Pointer []string // the way to the value that it is about: names of fields, and numbers of elements
	Placed  bool     // it stands in the text
}

// Manuscript is a file that there is something to say about.
type Manuscript struct {
	Path, Href string // an address may be ""
	Errors     int
	Others     int       // warnings and notes
	Findings   []Finding // of what has no page of its own
}

// Source is a part of a file as it is written.
type Source struct {
	Path  string
	Lines []SourceLine
}

// SourceLine is a line of it; Broken is the one to look at.
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
