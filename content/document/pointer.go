package document

import (
	"net/url"
	"strconv"
	"strings"

	"rulestore/content"
)

// A Pointer is an object of an item that names further reading: an item, or some sections of
// one.
type Pointer struct {
	When     string   // its condition; "" always
	Item     string   // folder and name; "" for the item that contains the object
	Sections []string // their addresses; none: the whole item
}

// Pointer returns the pointer of an object. It is one if the schema says so, by a field with
// addresses of sections.
func (n *Node) Pointer() (p Pointer, ok bool) {
	addresses, item := n.Field.Pointing()
	if n.Kind != Object || addresses == nil {
		return p, false
	}
	if k := n.Member(item.Name); k != nil && k.Kind == Text {
		p.Item = item.Names(k.Text)
	}
	if k := n.Member("when"); k != nil {
		p.When = k.Text
	}
	if k := n.Member(addresses.Name); k != nil {
		for i := range k.Kids {
			p.Sections = append(p.Sections, k.Kids[i].Text)
		}
	}
	return p, true
}

// Pointers reports whether the value is a list of pointers.
func (n *Node) Pointers() bool {
	if n.Kind != Array || n.Field == nil || len(n.Kids) == 0 {
		return false
	}
	addresses, _ := n.Field.Items.Pointing()
	return addresses != nil
}

// Path returns the path of a pointer's target in the service; "" if it is in the item itself,
// or not a known kind.
func (p Pointer) Path() string {
	folder, name, _ := strings.Cut(p.Item, "/")
	k := content.KindOf(folder)
	if k == nil {
		return ""
	}
	path, before := k.ItemPath(name), "?section="
	for _, s := range p.Sections {
		path += before + strings.ReplaceAll(url.QueryEscape(s), "%2F", "/")
		before = "&section="
	}
	return path
}

// Names returns the targets of a pointer for display: guidelines/product.common.001, for each
// section guidelines/product.common.001#rules/full_cost, in the item itself rules/plain.
func (p Pointer) Names() (all []string) {
	for _, s := range p.Sections {
		all = append(all, strings.TrimPrefix(p.Item+"#"+s, "#"))
	}
	if all == nil {
		all = []string{p.Item}
	}
	return all
}

// Follow returns the innermost existing value on a path of names of fields and indexes of
// elements.
func (n *Node) Follow(steps []string) *Node {
	for _, step := range steps {
		next := n.Member(step)
		if n.Kind == Array {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(n.Kids) {
				return n
			}
			next = &n.Kids[i]
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}
