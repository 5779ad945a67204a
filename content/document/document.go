// Package document makes a tree of sections from an item: its values in the order in
// which they are served, each with its schema and its address. Everything that reads an item in
// parts (Markdown, pages, search, partial answers) uses this tree, so that all of them address
// a part in the same way.
//
// # Addresses
//
// An address is the path from the item to a value, separated by slashes: the
// names of fields, and for elements of a list the code that identifies them (the field named by
// x-unique in the schema).
//
//	applicability/triggers            a field of an object
//	rules/keep_for_next_steps         an element of a list, by its rule_id
//	evidence/missing_check/keys/date  and so on, at any depth
//
// No path element is an index, so an address is stable when elements are inserted. An
// element without a code has no address of its own; the list that contains it has one.
//
// # Pointers
//
// An object may name other texts to read: sections of an item by these addresses, or
// the whole item ([Node.Pointer]), as steps of instructions do. If the service has the target,
// [Pointer.Path] is its address.
//
// # Sections
//
// Every value with an address can be read ([Node.At]). The sections of an item
// ([Node.Sections]) are the self-contained ones among them: the fields of the item
// and of the objects in it, and the elements that have a code. A value within an
// element is part of the element, unless it is in a list whose own elements have codes.
package document

import (
	"iter"
	"strings"
)

// A Section is a self-contained part of an item.
type Section struct {
	Address string
	Within  string // the address of the containing section, "" for the item itself
	Level   int    // 1: a field of the item
	*Node
}

// Child returns the value at one step of an address, nil if there is none.
func (n *Node) Child(step string) *Node {
	for i := range n.Kids {
		if k := &n.Kids[i]; n.step(k) == step {
			return k
		}
	}
	return nil
}

// step is the part of an address for a part of the value, "" if there is none.
func (n *Node) step(k *Node) string {
	if n.Kind == Object {
		return k.Name
	}
	unique := n.Unique()
	if n.Kind != Array || unique == "" || k.Kind != Object {
		return ""
	}
	if code := k.Member(unique); code != nil && code.Kind == Text {
		return code.Text
	}
	return ""
}

// At returns the value at an address, nil if there is none. A step may contain slashes: the
// longest one that matches is used.
func (n *Node) At(address string) *Node {
	for end := len(address); end > 0; end = strings.LastIndexByte(address[:end], '/') {
		k := n.Child(address[:end])
		if k != nil && end < len(address) {
			k = k.At(address[end+1:])
		}
		if k != nil {
			return k
		}
	}
	return nil
}

// Sections lists the sections of an item, each before those in it.
func (n *Node) Sections() iter.Seq[Section] {
	return func(yield func(Section) bool) { n.sections(Section{}, "", false, yield) }
}

// sections yields the sections within a value, at path, that is or is in a section, and reports
// whether to go on, like yield. within: the value is in an element of a list.
func (n *Node) sections(around Section, path string, within bool, yield func(Section) bool) bool {
	for i := range n.Kids {
		k := &n.Kids[i]
		step := n.step(k)
		if step == "" {
			continue
		}
		own, at := join(path, step), around
		if n.Kind == Array || !within {
			at = Section{own, around.Address, around.Level + 1, k}
			if !yield(at) {
				return false
			}
		}
		if !k.sections(at, own, within || n.Kind == Array, yield) {
			return false
		}
	}
	return true
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "/" + step
}

// Passages lists the texts of an item, in order, each with the address of its innermost
// section. Names of fields of objects are included: they may be codes, such as money_theft in
// routing_rules.
func (n *Node) Passages() iter.Seq2[string, string] {
	return func(yield func(address, text string) bool) {
		n.passages("", "", false, func(address, text string, _ *Node) bool { return yield(address, text) })
	}
}

// Texts lists the text values, in order, each with the address of its innermost section.
func (n *Node) Texts() iter.Seq2[string, *Node] {
	return func(yield func(address string, text *Node) bool) {
		n.passages("", "", false, func(address, _ string, of *Node) bool { return of == nil || yield(address, of) })
	}
}

// passages yields texts, those of names without a value, and reports whether to go on, like
// yield.
func (n *Node) passages(path, section string, within bool, yield func(address, text string, of *Node) bool) bool {
	if n.Kind == Text {
		return yield(section, n.Text, n)
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		own, in := path, section
		if step := n.step(k); step != "" {
			own = join(path, step)
			if n.Kind == Array || !within {
				in = own
			}
		}
		if n.Kind == Object && !within && path != "" && !yield(in, k.Name, nil) {
			return false
		}
		if !k.passages(own, in, within || n.Kind == Array, yield) {
			return false
		}
	}
	return true
}
