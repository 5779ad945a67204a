package document

import "slices"

// Note is the field of a change note: it may have several lines, so it is always a section.
const Note = "change_note"

// leads are the fields that say what an object is about.
var leads = [...]string{"summary", "description", "definition"}

// Of the fields at the top level each is exactly one of title, lead, fact and section. A
// title or a lead that is not a text is a field like any other. Further down titles head
// elements, and leads follow the heading.

// IsTitle reports whether a field is the title of its object.
func (n *Node) IsTitle() bool { return Heads(n.Name) && n.Says() }

// IsLead reports whether a field is the description of its object.
func (n *Node) IsLead() bool { return slices.Contains(leads[:], n.Name) && n.Says() }

const maxFact = 200 // letters, two lines on a page

// IsFact reports whether a field of an item is a short statement about it: it is empty or fits
// on a line or two. A section that only says that there is nothing would be in the reader's
// way.
func (n *Node) IsFact() bool {
	switch {
	case n.IsTitle(), n.IsLead():
		return false
	case n.IsList():
		return len(n.Kids) == 0
	case n.Name == Note:
		return n.Blank()
	}
	return n.Short(maxFact)
}

// IsSection reports whether a field of an item has a heading of its own.
func (n *Node) IsSection() bool { return !n.IsTitle() && !n.IsLead() && !n.IsFact() }

// Flat reports whether a value can be written as an item of a list.
func (n *Node) Flat() bool { return !n.IsList() || n.Scalars() || n.Pointers() }

// Objects reports whether all parts are objects.
func (n *Node) Objects() bool {
	return !slices.ContainsFunc(n.Kids, func(k Node) bool { return k.Kind != Object })
}
