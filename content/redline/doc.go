// Package redline merges two versions of an item into one tree in document order,
// with additions, removals and changes in place.
//
// Which places differ, the class of each change and which elements correspond is decided by
// [change.Of] alone; this package maps the result to the tree of content/document,
// which pages, Markdown and JSON then render. So all of them show the same changes in the
// same order.
//
// # Addresses
//
// A change has the address of its place ([document.Node]): rules/full_cost/action. It
// does not depend on what precedes it. An element without a code is addressed by a hash of its
// content, sources/~5be1c0a2, so that an address never contains an index.
//
// # Upkeep
//
// Dates of verification, checksums and the format number differ in every
// version. They are listed separately, and the text around them counts as unchanged.
//
// Everything here is a function of its arguments, and is bounded by the budget of
// [change.Of]: time and memory are proportional to the size of both versions.
package redline

import (
	"encoding/json"
	"slices"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
)

// Redline is two versions of an item in one document.
type Redline struct {
	Root    *Node
	Changes []*Change // in document order
	Upkeep  []*Change
	Class   change.Class // of all changes
}

// A Node is a value that differs, contains a difference, or is a sibling of one that does.
type Node struct {
	*document.Node                // in the newer version; of a removed value, in the older
	Old            *document.Node // in the older version; nil if it is new
	Change         *Change        // of the value itself; nil if only its content differs
	Kids           []*Node        // of a value that contains a difference, all its content
	Address        string         // "" if it has none and is equal in both
	Element        bool           // of a list
	Differs        bool           // it or something in it
}

// A Change is one place at which the versions differ.
type Change struct {
	change.Field
	ID      string         // its address
	Section string         // address of its section in the item
	Way     []string       // the titles of the path, for display
	Was, Is *document.Node // the value itself, nil in the version that does not have it
	Unique  string         // the field that identifies it in its list
	Twin    string         // of a removed element: the added one with the same name; and vice versa
}

// New compares two versions. The trees are those of the complete bodies; fields are their
// differences.
func New(before, after *document.Node, fields []change.Field) *Redline {
	b := &builder{Redline: &Redline{Class: change.ClassOf(fields)}, ids: map[string]int{}}
	root := &way{}
	for i := range fields {
		if fields[i].Upkeep {
			b.upkeep(before, after, &fields[i])
		} else {
			root.add(&fields[i])
		}
	}
	b.Root = b.merge(root, before, after, position{})
	b.Root.Kids = inOrder(b.Root.Kids)
	b.collect(b.Root)
	return b.Redline
}

// Of compares two bodies of an item, each by its own format.
func Of(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) *Redline {
	fields, _ := change.Of(schemas, k, name, before, after)
	whole := map[string]bool{}
	for _, f := range fields {
		if len(f.Way) == 1 && f.What == change.Changed && len(f.Old)+len(f.New) > maxRead {
			whole[f.Way[0].Name] = true
		}
	}
	read := func(body content.Object) *document.Node {
		var root *content.Field
		if s := schemas.Schema(content.FormatsOf(schemas, k, name), body.Text(k.Format)); s != nil {
			root = s.Root()
		}
		return read(body, root, whole)
	}
	return New(read(before), read(after), fields)
}

// maxRead is how long the two values of a field are that are not taken apart although
// they differ as a whole, in bytes.
const maxRead = 64 << 10

// read is the tree of a body; the fields that are too long to be taken apart are JSON there.
func read(body content.Object, root *content.Field, whole map[string]bool) *document.Node {
	short := slices.Clone(body)
	for i, m := range short {
		if whole[m.Name] {
			short[i].Value = json.RawMessage("null")
		}
	}
	n := document.Read(short, root)
	for i, m := range body {
		if whole[m.Name] {
			n.Kids[i].Kind, n.Kids[i].Raw = document.TooDeep, m.Value
		}
	}
	return n
}

// Count returns the number of changes of a class.
func (r *Redline) Count(c change.Class) (n int) {
	for _, each := range r.Changes {
		if each.Class == c {
			n++
		}
	}
	return n
}

// inOrder puts the fields of an item as its page has them: its title and what it is about,
// the sections, and the short statements about it.
func inOrder(kids []*Node) []*Node {
	var heads, sections, facts []*Node
	for _, k := range kids {
		switch {
		case k.IsTitle() || k.IsLead():
			heads = append(heads, k)
		case k.IsFact():
			facts = append(facts, k)
		default:
			sections = append(sections, k)
		}
	}
	return append(append(heads, sections...), facts...)
}
