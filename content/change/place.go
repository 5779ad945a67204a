package change

import (
	"slices"

	"rulestore/content"
)

// place is a position in the comparison. Its path is composed only if it differs.
type place struct {
	parent  *place
	name    string
	field   *content.Field // nil if it is not in the schema
	element bool           // an element of a list
	depth   int
	was, is int // indexes of an element in both versions
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

// at returns the place of an element, with its name and its indexes in both versions.
func (p *place) at(name string, was, is int) *place {
	var items *content.Field
	if p.field != nil {
		items = p.field.Items
	}
	return &place{p, name, items, true, p.depth + 1, was, is}
}

// way is the path as steps, see [Field].
func (p *place) way() []Step {
	if p.parent == nil {
		return nil
	}
	return append(p.parent.way(), Step{p.name, p.element, p.was, p.is})
}

// path is the path as text, see [Field].
func (p *place) path() string {
	switch {
	case p.parent == nil:
		return ""
	case p.element:
		return p.parent.path() + "[" + p.name + "]"
	}
	return join(p.parent.path(), ".", p.name)
}

// title is the path for people.
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

// names lists the fields on the path, without elements.
func (p *place) names() []string {
	switch {
	case p.parent == nil:
		return nil
	case p.element:
		return p.parent.names()
	}
	return append(p.parent.names(), p.name)
}

// last returns the innermost field of the path.
func (p *place) last() string {
	for ; p.element; p = p.parent {
	}
	return p.name
}

// in reports whether the place is in a field with the name.
func (p *place) in(name string) bool { return slices.Contains(p.names(), name) }
