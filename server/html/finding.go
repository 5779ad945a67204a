package html

import "fmt"

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
