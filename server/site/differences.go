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

// difference is one place at which two versions of an item differ.
type difference struct {
	change.Field
	// id is the address of the place: rules/full_cost/action. An element without a code is addressed
	// by a hash of its content, sources/~5be1c0a2, so that an address never contains an index.
	id      string
	section string         // the address of its section in the item
	titles  []string       // of the fields and elements on the way to it
	was, is *document.Node // nil in the version that does not have it
	unique  string         // the field that identifies it in its list

	order  []int // its place in the text
	within bool  // it is in an element of a list: its fields are no sections
	lost   bool  // it is in an element without a code, where no section is
}

// differences are the places at which two versions differ, in the order of the text. What differs in
// every version, such as days of verification and the number of the format, is apart.
type differences struct {
	all, upkeep []*difference
	class       change.Class
}

// differencesOf compares two bodies of an item, each by its own format.
func differencesOf(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) differences {
	fields, class := change.Of(schemas, k, name, before, after)
	read := func(body content.Object) *document.Node {
		var root *content.Field
		if s := schemas.Schema(content.FormatsOf(schemas, k, name), body.Text(k.Format)); s != nil {
			root = s.Root()
		}
		return readShort(body, root, fields)
	}
	was, is := read(before), read(after)
	found, known := differences{class: class}, map[string]*difference{}
	for _, f := range fields {
		d := locate(f, was, is)
		switch other := known[d.id]; {
		case other == nil:
		case d.was == other.was && d.is == other.is: // of a value that is too deep to be taken apart
			if d.Class > other.Class {
				other.Class, other.Why = d.Class, d.Why
			}
			continue
		default:
			for n := 2; known[d.id] != nil; n++ {
				d.id = fmt.Sprint(other.id, "~", n)
			}
		}
		known[d.id] = d
		if f.Upkeep {
			found.upkeep = append(found.upkeep, d)
		} else {
			found.all = append(found.all, d)
		}
	}
	slices.SortStableFunc(found.all, func(a, b *difference) int { return slices.Compare(a.order, b.order) })
	return found
}

// maxRead is how long the two values of a field are that are not taken apart although they differ as a
// whole, in bytes.
const maxRead = 64 << 10

// readShort reads the tree of a body; the fields that are too long to be taken apart are JSON there.
func readShort(body content.Object, root *content.Field, fields []change.Field) *document.Node {
	long := map[string]bool{}
	for _, f := range fields {
		if len(f.Way) == 1 && f.What == change.Changed && len(f.Old)+len(f.New) > maxRead {
			long[f.Way[0].Name] = true
		}
	}
	short := slices.Clone(body)
	for i, m := range short {
		if long[m.Name] {
			short[i].Value = json.RawMessage("null")
		}
	}
	n := document.Read(short, root)
	for i, m := range body {
		if long[m.Name] {
			n.Kids[i].Kind, n.Kids[i].Raw = document.TooDeep, m.Value
		}
	}
	return n
}

// locate follows the path of a field in both versions. Of one that leads into a value that is too deep
// to be taken apart, that value differs as a whole.
func locate(f change.Field, was, is *document.Node) *difference {
	d := &difference{Field: f, was: was, is: is}
	for _, s := range f.Way {
		if !d.enter(s) {
			d.What, d.Old, d.New = change.Changed, rawOf(d.was), rawOf(d.is)
			break
		}
	}
	return d
}

// enter goes one step into the value, and reports whether it could.
func (d *difference) enter(s change.Step) bool {
	list, was, is := d.is, kidOf(d.was, s, s.Was), kidOf(d.is, s, s.Is)
	if list == nil {
		list = d.was
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
		d.order = append(d.order, placeOf(d.was, d.is, n, len(d.order) == 0)...)
		d.field(n)
	}
	d.was, d.is = was, is
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
func (d *difference) field(n *document.Node) {
	d.id, d.titles, d.unique = inPath(d.id, n.Name), append(d.titles, n.Title(n.Name)), ""
	if !d.within {
		d.section = d.id
	}
}

// element makes the difference one in an element of a list.
func (d *difference) element(list, n *document.Node) {
	d.titles, d.unique, d.within = append(d.titles, document.Called(list, n)), list.Unique(), true
	code := ""
	if d.unique != "" && n.Kind == document.Object {
		if c := n.Member(d.unique); c != nil && c.Kind == document.Text {
			code = c.Text
		}
	}
	if code == "" {
		h := fnv.New32a()
		h.Write(n.Raw) // never fails
		d.id, d.lost = inPath(d.id, fmt.Sprintf("~%08x", h.Sum32())), true
		return
	}
	if d.id = inPath(d.id, code); !d.lost {
		d.section = d.id
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
