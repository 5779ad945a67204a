package site

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
)

// Difference is one place at which two versions of an item differ.
type Difference struct {
	change.Field
	// ID is the address of the place: rules/full_cost/action. An element without a code is addressed
	// by a hash of its content, sources/~5be1c0a2, so that an address never contains an index.
	ID      string
	Section string         // the address of its section in the item
	Titles  []string       // of the fields and elements on the way to it
	Was, Is *document.Node // nil in the version that does not have it
	Unique  string         // the field that identifies it in its list

	order  []int // its place in the text
	within bool  // it is in an element of a list: its fields are no sections
	lost   bool  // it is in an element without a code, where no section is
}

// differences are the places at which two versions differ, in the order of the text. What differs in
// every version, such as days of verification and the number of the format, is apart.
type differences struct {
	All, Upkeep []*Difference
	Class       change.Class
}

// differencesOf compares two bodies of an item, each by its own format.
func differencesOf(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) differences {
	fields, class := change.Of(schemas, k, name, before, after)
	read := func(body content.Object) *document.Node {
		var root *content.Field
		if s := schemas.Schema(content.FormatsOf(schemas, k, name), body.Text(k.Format)); s != nil {
			root = s.Root()
		}
		return document.Read(body, root)
	}
	was, is := read(before), read(after)
	found, known := differences{Class: class}, map[string]*Difference{}
	for _, f := range fields {
		d := locate(f, was, is)
		switch other := known[d.ID]; {
		case other == nil:
		case d.Was == other.Was && d.Is == other.Is: // of a value that is too deep to be taken apart
			if d.Class > other.Class {
				other.Class, other.Why = d.Class, d.Why
			}
			continue
		default:
			for n := 2; known[d.ID] != nil; n++ {
				d.ID = fmt.Sprint(other.ID, "~", n)
			}
		}
		known[d.ID] = d
		if f.Upkeep {
			found.Upkeep = append(found.Upkeep, d)
		} else {
			found.All = append(found.All, d)
		}
	}
	slices.SortStableFunc(found.All, func(a, b *Difference) int { return slices.Compare(a.order, b.order) })
	return found
}

// locate follows the path of a field in both versions. Of one that leads into a value that is too deep
// to be taken apart, that value differs as a whole.
func locate(f change.Field, was, is *document.Node) *Difference {
	d := &Difference{Field: f, Was: was, Is: is}
	for _, s := range f.Way {
		if !d.enter(s) {
			d.What, d.Old, d.New = change.Changed, rawOf(d.Was), rawOf(d.Is)
			break
		}
	}
	return d
}

// enter goes one step into the value, and reports whether it could.
func (d *Difference) enter(s change.Step) bool {
	list, was, is := d.Is, kidOf(d.Was, s, s.Was), kidOf(d.Is, s, s.Is)
	if list == nil {
		list = d.Was
	}
	if s.Element && d.What == change.Removed && s == d.Way[len(d.Way)-1] {
		is = nil // Is is the element after it
	}
	n := is
	if n == nil {
		n = was
	}
	if n == nil {
		return false
	}
	if s.Element {
		d.order = append(d.order, 0, 2*s.Is, s.Was)
		if is != nil {
			d.order[len(d.order)-2]++ // after what went before it
		}
		d.element(list, n)
	} else {
		d.order = append(d.order, placeOf(d.Was, d.Is, n, len(d.order) == 0)...)
		d.field(n)
	}
	d.Was, d.Is = was, is
	return true
}

// kidOf is the field or the element of a value, nil if it has none.
func kidOf(n *document.Node, s change.Step, i int) *document.Node {
	switch {
	case n == nil:
		return nil
	case !s.Element:
		return n.Member(s.Name)
	case n.Kind != document.Array || i < 0 || i >= len(n.Kids):
		return nil
	}
	return &n.Kids[i]
}

// field makes the difference one in a field.
func (d *Difference) field(n *document.Node) {
	d.ID, d.Titles, d.Unique = inPath(d.ID, n.Name), append(d.Titles, n.Title(n.Name)), ""
	if !d.within {
		d.Section = d.ID
	}
}

// element makes the difference one in an element of a list.
func (d *Difference) element(list, n *document.Node) {
	d.Titles, d.Unique, d.within = append(d.Titles, document.Called(list, n)), list.Unique(), true
	code := ""
	if d.Unique != "" && n.Kind == document.Object {
		if c := n.Member(d.Unique); c != nil && c.Kind == document.Text {
			code = c.Text
		}
	}
	if code == "" {
		h := fnv.New32a()
		h.Write(n.Raw) // never fails
		d.ID, d.lost = inPath(d.ID, fmt.Sprintf("~%08x", h.Sum32())), true
		return
	}
	if d.ID = inPath(d.ID, code); !d.lost {
		d.Section = d.ID
	}
}

// placeOf is the place of a field in the text: of the item's own fields first the title and what it is
// about, then the sections, then the short statements; a field that is gone comes after the one that it
// followed.
func placeOf(was, is, n *document.Node, own bool) []int {
	group := 1
	switch {
	case own && (n.IsTitle() || n.IsLead()):
		group = 0
	case own && n.IsFact():
		group = 2
	}
	index := func(in *document.Node, name string) int {
		if in == nil {
			return -1
		}
		return slices.IndexFunc(in.Kids, func(k document.Node) bool { return k.Name == name })
	}
	if at := index(is, n.Name); at >= 0 {
		return []int{group, 2*at + 1, 0}
	}
	old := index(was, n.Name)
	for i := old - 1; i >= 0; i-- {
		if at := index(is, was.Kids[i].Name); at >= 0 {
			return []int{group, 2*at + 2, old}
		}
	}
	return []int{group, 0, old}
}

func rawOf(n *document.Node) json.RawMessage {
	if n == nil {
		return nil
	}
	return n.Raw
}

func inPath(path, step string) string {
	if path == "" {
		return step
	}
	return path + "/" + step
}
