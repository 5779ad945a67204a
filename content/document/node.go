package document

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
)

// maxDepth is the maximum depth of nested objects and arrays. It limits the indentation and the
// recursion; deeper content is not readable.
const maxDepth = 10

// Kind is the JSON type of a value.
type Kind uint8

// The kinds of values. Values that are too deep to be read are raw JSON.
const (
	Null Kind = iota
	Boolean
	Number
	Text
	Object
	Array
	TooDeep
)

// A Node is a JSON value together with its schema. It is a tree of our own, parsed in one pass:
// decoding level by level would read the innermost values once per level.
type Node struct {
	Name  string // of a member
	Kind  Kind
	Text  string          // of a scalar: a string decoded, everything else as written
	Raw   json.RawMessage // as written
	Kids  []Node
	Field *content.Field // nil if the schema does not define it
	Unit  *Node          // of a number: the sibling field with its unit
}

// IsList reports whether the value has parts.
func (n *Node) IsList() bool { return n.Kind == Object || n.Kind == Array }

// Blank reports whether a scalar is empty.
func (n *Node) Blank() bool {
	return n.Kind == Null || n.Kind == Text && strings.TrimFunc(n.Text, unicode.IsSpace) == ""
}

// Says reports whether the value is a non-empty text.
func (n *Node) Says() bool { return n.Kind == Text && !n.Blank() }

// Short reports whether the value is a scalar of at most limit letters in a single line. A URL
// counts as short, because it reads as one word.
func (n *Node) Short(limit int) bool {
	switch n.Kind {
	case Object, Array, TooDeep:
		return false
	case Text:
		return IsURL(n.Text) || len(n.Text) <= limit*utf8.UTFMax &&
			utf8.RuneCountInString(n.Text) <= limit && IsOneLine(n.Text)
	}
	return true
}

// Scalars reports whether all parts are scalars.
func (n *Node) Scalars() bool {
	for i := range n.Kids {
		if n.Kids[i].IsList() {
			return false
		}
	}
	return true
}

// Words reports whether the value is an array of codes, numbers and the like, which fits on one
// line.
func (n *Node) Words() bool {
	if n.Kind != Array {
		return false
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		if k.IsList() || k.Kind == TooDeep || k.Kind == Text && !k.isWord() {
			return false
		}
	}
	return true
}

func (n *Node) isWord() bool {
	return n.EnumLabel() != "" || IsCode(n.Text) && !IsURL(n.Text) || isFigure(n.Text)
}

// EnumLabel returns the label of a value of an enumeration.
func (n *Node) EnumLabel() string {
	if n.Field == nil || n.IsList() {
		return ""
	}
	return n.Field.Labels[n.Text]
}

// Title returns the title of the field.
func (n *Node) Title(otherwise string) string {
	if n.Field == nil || strings.TrimSpace(n.Field.Title) == "" {
		return otherwise
	}
	return n.Field.Title
}

// Unique returns the field that identifies an element of a list.
func (n *Node) Unique() string {
	if n.Field == nil {
		return ""
	}
	return n.Field.Unique
}

// Member returns the field of that name, nil if there is none.
func (n *Node) Member(name string) *Node {
	for i := range n.Kids {
		if n.Kids[i].Name == name {
			return &n.Kids[i]
		}
	}
	return nil
}

// Label returns the index of the child that names an object: its title, else the field by which
// the schema identifies such objects, else its code. It is -1 if there is none.
func (n *Node) Label(unique string) int {
	best, at := 0, -1
	for i := range n.Kids {
		if rank := n.Kids[i].names(unique); rank > best {
			best, at = rank, i
		}
	}
	return at
}

// Heads reports whether a field with that name is the heading of an element: its title or, in a
// glossary, its term.
func Heads(name string) bool { return name == "title" || name == "term" }

// Grades reports whether a field with that name is the severity or urgency of an element.
func Grades(name string) bool { return name == "severity" || name == "urgency" }

// names says how well a member names the object it is in.
func (n *Node) names(unique string) int {
	switch {
	case !n.Says():
		return 0
	case Heads(n.Name):
		return 3
	case n.Name == unique:
		return 2
	case IsCode(n.Text) && (n.Name == "code" || strings.HasSuffix(n.Name, "_id") || strings.HasSuffix(n.Name, "_code")):
		return 1
	}
	return 0
}
