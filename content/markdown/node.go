package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
)

// maxDepth is how many objects and arrays may lie within each other. Nobody
// reads further; it also bounds the indentation and our recursion.
const maxDepth = 10

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	object
	array
	tooDeep // JSON that is shown as it is
)

// node is a JSON value together with what the schema says of it. It is our own
// tree, read in one pass: decoding level by level would read the innermost
// values once for each level around them.
type node struct {
	name  string // of a member
	kind  kind
	text  string // what a scalar says: a text decoded, everything else as it is spelt
	kids  []node
	field *content.Field // nil if the schema does not know it

	begins int // where its text begins, counted from 1; 0 if it has none of its own
}

// isList says whether the value has parts.
func (n *node) isList() bool { return n.kind == object || n.kind == array }

// blank says whether a scalar says nothing.
func (n *node) blank() bool {
	return n.kind == null || n.kind == text && strings.TrimFunc(n.text, unicode.IsSpace) == ""
}

// says says whether the value is a text with something in it.
func (n *node) says() bool { return n.kind == text && !n.blank() }

// short says whether the value is a scalar of at most limit letters in a single
// line. An address counts as short, because it reads as one word.
func (n *node) short(limit int) bool {
	switch n.kind {
	case object, array, tooDeep:
		return false
	case text:
		return isURL(n.text) || len(n.text) <= limit*utf8.UTFMax &&
			utf8.RuneCountInString(n.text) <= limit && isOneLine(n.text)
	}
	return true
}

// scalars says whether all parts are scalars.
func (n *node) scalars() bool {
	for i := range n.kids {
		if n.kids[i].isList() {
			return false
		}
	}
	return true
}

// words says whether the value is an array of machine's words, numbers and the
// like, which read well in one line.
func (n *node) words() bool {
	if n.kind != array {
		return false
	}
	for i := range n.kids {
		k := &n.kids[i]
		if k.isList() || k.kind == tooDeep || k.kind == text && !k.isWord() {
			return false
		}
	}
	return true
}

func (n *node) isWord() bool {
	return n.enumLabel() != "" || isCode(n.text) && !isURL(n.text) || isFigure(n.text)
}

// enumLabel returns what people call this value of an enumeration.
func (n *node) enumLabel() string {
	if n.field == nil || n.isList() {
		return ""
	}
	return n.field.Labels[n.text]
}

// fieldTitle returns what people call the field.
func (n *node) fieldTitle(otherwise string) string {
	if n.field == nil || strings.TrimSpace(n.field.Title) == "" {
		return otherwise
	}
	return n.field.Title
}

// label returns the index of the part that names an object: its title, else the
// field by which the schema tells such objects apart, else its code. It is -1
// if there is none.
func (n *node) label(unique string) int {
	best, at := 0, -1
	for i := range n.kids {
		if rank := n.kids[i].names(unique); rank > best {
			best, at = rank, i
		}
	}
	return at
}

// names says how well a member names the object it is in.
func (n *node) names(unique string) int {
	switch {
	case !n.says():
		return 0
	case heads(n.name):
		return 3
	case n.name == unique:
		return 2
	case isCode(n.text) && (n.name == "code" || strings.HasSuffix(n.name, "_id") || strings.HasSuffix(n.name, "_code")):
		return 1
	}
	return 0
}
