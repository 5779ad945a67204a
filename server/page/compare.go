package page

import "html/template"

// Compare shows two versions of an item side by side.
type Compare struct {
	Head
	ID          string
	From, To    Version
	Choices     []Version // that can be compared, newest first
	Class       Status
	Summary     string
	Counts      []Status // how many differences there are of each class, the gravest first
	Differences []Difference
	Pager       Pager
}

func (Compare) name() string { return "compare" }

// Difference is one place at which the versions differ.
type Difference struct {
	ID, Title, Path string
	What            string // what happened, in words
	Class           Status
	Why, Look       string
	Note            string // why not all of it is shown, or compared as closely as elsewhere
	Old, New        Side
}

// Side is what one version says: a text in words, or anything else as HTML.
type Side struct {
	Words []Word
	Title string // of an element that is there as a whole
	HTML  template.HTML
	None  bool // the version says nothing here
}

// Word is a piece of a text that is only in this version, or in both.
type Word struct {
	Text string
	Own  bool
}
