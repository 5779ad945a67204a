package document

import (
	"strings"
	"time"
)

// Type is the meaning of a scalar for display.
type Type uint8

// The types of values. A number is money, percent or something else, by its unit field.
const (
	Nothing Type = iota // null, or an empty text
	Prose               // a text as people write it
	Truth               // true or false
	Figure              // a number
	Money               // a number of roubles
	Percent             // a number of percents
	Day                 // a date: 2026-05-01
	Moment              // an instant: 2026-05-01T09:30:00Z
	Address             // a web address
	Choice              // a value of an enumeration that has a label
	Name                // the name of an item, or a code of a registry
	Word                // any other word for machines
	Deep                // JSON that is too deep to be read
)

// Type returns the meaning of a scalar for display.
func (n *Node) Type() Type {
	switch {
	case n.Blank():
		return Nothing
	case n.Kind == Boolean:
		return Truth
	case n.Kind == Number:
		return n.figure()
	case n.Kind != Text:
		return Deep
	case n.EnumLabel() != "":
		return Choice
	case n.Field != nil && (n.Field.Reference != "" || n.Field.Codes != ""):
		return Name
	case IsURL(n.Text):
		return Address
	case isTime(time.DateOnly, n.Text):
		return Day
	case isTime(time.RFC3339, n.Text):
		return Moment
	case !Heads(n.Name) && IsCode(n.Text) && !n.isSpoken():
		return Word
	}
	return Prose
}

// isSpoken reports whether a text that could be a code is a word of people: a plain word where
// the schema has a text for readers.
func (n *Node) isSpoken() bool {
	return n.Field != nil && n.Field.Prose && strings.Trim(n.Text, "abcdefghijklmnopqrstuvwxyz") == ""
}

// figure tells numbers apart by their unit.
func (n *Node) figure() Type {
	switch {
	case n.Unit == nil:
	case n.Unit.Text == "RUB":
		return Money
	case n.Unit.Text == "percent":
		return Percent
	}
	return Figure
}

// isTime reports whether a text is a time in a layout. Most texts are not, which the first
// letter and the length say.
func isTime(layout, s string) bool {
	if len(s) < len(time.DateOnly) || len(s) > len(layout) || !isDigit(s[0]) {
		return false
	}
	_, err := time.Parse(layout, s)
	return err == nil
}

// measure gives the values of an object the unit that stands beside them, those of its
// periods the unit of the whole unless they have their own.
func (n *Node) measure(unit *Node) {
	if own := n.Member("unit"); n.Kind == Object && own != nil && own.Says() {
		unit = own
	}
	if unit == nil {
		return
	}
	for i := range n.Kids {
		switch k := &n.Kids[i]; {
		case n.Kind == Object && k.Name == "value":
			k.Unit = unit
		case k.IsList():
			k.measure(unit)
		}
	}
}
