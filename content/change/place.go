package change

import (
	"slices"

	"rulestore/content"
)

// place is where the comparison is. What it is called is put together only for places
// that differ.
type place struct {
	parent  *place
	name    string
	field   *content.Field // nil where the schema says nothing
	element bool           // an element of a list
	depth   int
	was, is int // of an element
}

// Step is one step of a path: to a field, or to an element of a list.
type Step struct {
	Name    string // of the field; of an element its code or else its number
	Element bool
	// Was and Is are the indexes of an element in the two versions. For a removed one Is is the
	// index of the element after it; for an added one Was is -1.
	Was, Is int
}

// under returns the place of a field.
func (p *place) under(name string) *place {
	return &place{parent: p, name: name, field: p.field.Field(name), depth: p.depth + 1}
}

// at returns the place of an element that goes by the name, and where it was and is.
func (p *place) at(name string, was, is int) *place {
	var items *content.Field
	if p.field != nil {
		items = p.field.Items
	}
	return &place{p, name, items, true, p.depth + 1, was, is}
}

// way leads there, see [Field].
func (p *place) way() []Step {
	if p.parent == nil {
		return nil
	}
	return append(p.parent.way(), Step{p.name, p.element, p.was, p.is})
}

// path leads there, see [Field].
func (p *place) path() string {
	switch {
	case p.parent == nil:
		return ""
	case p.element:
		return p.parent.path() + "[" + p.name + "]"
	}
	return join(p.parent.path(), ".", p.name)
}

// title is the same for people.
func (p *place) title() string {
	if p.parent == nil {
		return ""
	}
	heading := p.name
	if !p.element && p.field != nil && p.field.Title != "" {
		heading = p.field.Title
	}
	return join(p.parent.title(), " › ", heading)
}

func join(a, separator, b string) string {
	if a == "" {
		return b
	}
	return a + separator + b
}

// names are those of the fields on the way, without elements.
func (p *place) names() []string {
	switch {
	case p.parent == nil:
		return nil
	case p.element:
		return p.parent.names()
	}
	return append(p.parent.names(), p.name)
}

// last returns the name of the field that the place is, or is in.
func (p *place) last() string {
	for ; p.element; p = p.parent {
	}
	return p.name
}

// in says whether the place lies in a field of that name.
func (p *place) in(name string) bool { return slices.Contains(p.names(), name) }
