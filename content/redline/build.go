package redline

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content/change"
	"rulestore/content/document"
)

// way is a step to places that differ.
type way struct {
	change.Step
	field *change.Field // what differs at its end; nil if only something behind it does
	kids  []*way
}

// add adds a place. Places come in the order of the text, so the way to one goes along
// the last one or leaves it.
func (w *way) add(f *change.Field) {
	for _, s := range f.Way {
		if n := len(w.kids); n == 0 || w.kids[n-1].Step != s {
			w.kids = append(w.kids, &way{Step: s})
		}
		w = w.kids[len(w.kids)-1]
	}
	w.field = f
}

// position is the position of a value.
type position struct {
	address, section string
	called           []string
	unique           string // of the list that it is an element of
	element          bool
	within           bool // it is in an element of a list: its fields are no sections
	lost             bool // it is in an element without a code, where no section is
}

type builder struct {
	*Redline
	ids map[string]int // how often an address was given
}

// merge lays a value of two versions over each other, in which something differs; either
// may be nil.
func (b *builder) merge(w *way, before, after *document.Node, at position) *Node {
	n := &Node{Node: after, Old: before, Address: at.address, Element: at.element, Differs: true}
	if after == nil {
		n.Node = before
	}
	inside := len(w.kids) > 0
	if inside && (before == nil || after == nil || before.Kind != after.Kind || !after.IsList()) {
		w.field, inside = whole(w, before, after), false
	}
	if f := w.field; f != nil {
		n.Change = &Change{
			Field: *f, ID: b.unique(at.address), Section: at.section, Way: at.called, Was: before, Is: after,
			Unique: at.unique,
		}
		n.Address = n.Change.ID
	}
	switch {
	case !inside:
	case after.Kind == document.Object:
		n.Kids = b.fields(w, before, after, at)
	default:
		n.Kids = b.elements(w, before, after, at)
	}
	return n
}

// whole is what differs in a value that is too deep to be taken apart.
func whole(w *way, before, after *document.Node) *change.Field {
	f := change.Field{What: change.Changed}
	var look func(w *way)
	look = func(w *way) {
		if w.field != nil && w.field.Class >= f.Class {
			f.Class, f.Why, f.Path, f.Title = w.field.Class, w.field.Why, w.field.Path, w.field.Title
		}
		for _, k := range w.kids {
			look(k)
		}
	}
	look(w)
	f.Old, f.New = rawOf(before), rawOf(after)
	return &f
}

func rawOf(n *document.Node) json.RawMessage {
	if n == nil {
		return nil
	}
	return n.Raw
}

// fields are those of an object: as the newer version has them, each that is gone after
// the one that it followed.
func (b *builder) fields(w *way, before, after *document.Node, at position) (kids []*Node) {
	ways := map[string]*way{}
	for _, k := range w.kids {
		ways[k.Name] = k
	}
	old, gone, last := map[string]*document.Node{}, map[string][]*document.Node{}, ""
	for i := range before.Kids {
		k := &before.Kids[i]
		old[k.Name] = k
		if f := ways[k.Name]; f != nil && f.field != nil && f.field.What == change.Removed {
			gone[last] = append(gone[last], k)
		} else {
			last = k.Name
		}
	}
	went := func(after string) {
		for _, k := range gone[after] {
			kids = append(kids, b.merge(ways[k.Name], k, nil, at.field(k)))
		}
		delete(gone, after)
	}
	went("")
	for i := range after.Kids {
		k := &after.Kids[i]
		if f := ways[k.Name]; f != nil {
			kids = append(kids, b.merge(f, old[k.Name], k, at.field(k)))
		} else {
			same := &Node{Node: k, Old: old[k.Name]}
			if !at.lost {
				same.Address = join(at.address, k.Name)
			}
			kids = append(kids, same)
		}
		went(k.Name)
	}
	return kids
}

// elements are those of a list: as the newer version has them, each that is gone where
// it stood.
func (b *builder) elements(w *way, before, after *document.Node, at position) (kids []*Node) {
	is, gone := map[int]*way{}, map[int][]*way{}
	for _, k := range w.kids {
		if k.field != nil && k.field.What == change.Removed {
			gone[k.Is] = append(gone[k.Is], k)
		} else {
			is[k.Is] = k
		}
	}
	for i := 0; i <= len(after.Kids); i++ {
		for _, k := range gone[i] {
			if old := kidOf(before, k.Was); old != nil {
				kids = append(kids, b.merge(k, old, nil, at.of(before, old)))
			}
		}
		if i == len(after.Kids) {
			break
		}
		own := &after.Kids[i]
		if k := is[i]; k != nil {
			kids = append(kids, b.merge(k, kidOf(before, k.Was), own, at.of(after, own)))
		} else {
			same := &Node{Node: own, Element: true}
			if code := codeOf(after, own); code != "" && !at.lost {
				same.Address = join(at.address, code)
			}
			kids = append(kids, same)
		}
	}
	pairTwins(kids, after.Unique())
	return kids
}

func kidOf(list *document.Node, i int) *document.Node {
	if i < 0 || i >= len(list.Kids) {
		return nil
	}
	return &list.Kids[i]
}

// pairTwins finds elements that went while one came that is called the same: their codes
// differ, so they are two, and a reader wants to see both.
func pairTwins(kids []*Node, unique string) {
	went := map[string]*Change{}
	each := func(what change.Verb, found func(title string, c *Change)) {
		for _, k := range kids {
			if i := k.Label(unique); k.Change != nil && k.Change.What == what && k.Kind == document.Object && i >= 0 &&
				document.Heads(k.Node.Kids[i].Name) {
				found(k.Node.Kids[i].Text, k.Change)
			}
		}
	}
	each(change.Removed, func(title string, c *Change) { went[title] = c })
	each(change.Added, func(title string, c *Change) {
		if other := went[title]; other != nil && other.Twin == "" {
			c.Twin, other.Twin = other.ID, c.ID
		}
	})
}

// field is the position of a field of the value.
func (p position) field(k *document.Node) position {
	next := position{
		address: join(p.address, k.Name), section: p.section, called: append(slices.Clip(p.called), k.Title(k.Name)),
		within: p.within, lost: p.lost,
	}
	if !p.within {
		next.section = next.address
	}
	return next
}

// of is the position of an element of the list.
func (p position) of(list, k *document.Node) position {
	next := position{
		section: p.section, called: append(slices.Clip(p.called), Called(list, k)), unique: list.Unique(),
		element: true, within: true,
	}
	code := codeOf(list, k)
	if code == "" {
		next.address, next.lost = join(p.address, "~"+digest(k.Raw)), true
		return next
	}
	next.address, next.lost = join(p.address, code), p.lost
	if !p.lost {
		next.section = next.address
	}
	return next
}

// codeOf is what tells an element of the list apart, "" if nothing does.
func codeOf(list, k *document.Node) string {
	if unique := list.Unique(); unique != "" && k.Kind == document.Object {
		if c := k.Member(unique); c != nil && c.Kind == document.Text {
			return c.Text
		}
	}
	return ""
}

// digest names what an element says.
func digest(raw []byte) string {
	h := fnv.New32a()
	h.Write(raw) // never fails
	return fmt.Sprintf("%08x", h.Sum32())
}

// maxCalled is the maximum number of characters of a text in place of a title.
const maxCalled = 60

// Called returns the display name of an element of a list: its title or, without one, the
// beginning of its text, or its code if it has neither.
func Called(list, k *document.Node) string {
	if i := k.Label(list.Unique()); i >= 0 {
		if label := k.Kids[i].EnumLabel(); label != "" {
			return label
		}
		if document.Heads(k.Kids[i].Name) {
			return short(k.Kids[i].Text)
		}
		if text := prose(k); text != nil {
			return short(text.Text)
		}
		return short(k.Kids[i].Text)
	}
	for i := range k.Kids {
		if k.Kids[i].Says() {
			return short(k.Kids[i].Text)
		}
	}
	if k.IsList() || k.Blank() {
		return k.Title("Элемент")
	}
	if label := k.EnumLabel(); label != "" {
		return label
	}
	return short(k.Text)
}

// prose is the first text for people of an element or, without one, of its lists; nil if it has none.
func prose(k *document.Node) *document.Node {
	for i := range k.Kids {
		if text := &k.Kids[i]; text.Kind == document.Text && text.Type() == document.Prose && !text.Blank() {
			return text
		}
	}
	for i := range k.Kids {
		if list := &k.Kids[i]; list.Kind == document.Array {
			if text := prose(list); text != nil {
				return text
			}
		}
	}
	return nil
}

// short is a text on one line, shortened if it is long.
func short(s string) string {
	if len(s) > maxCalled*utf8.UTFMax*2 {
		s = strings.ToValidUTF8(s[:maxCalled*utf8.UTFMax*2], "")
	}
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= maxCalled {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:maxCalled])) + "…"
}

// unique is an address that no other change has.
func (b *builder) unique(address string) string {
	if b.ids[address]++; b.ids[address] > 1 {
		return fmt.Sprint(address, "~", b.ids[address])
	}
	return address
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "/" + step
}

// collect lists the changes in the order of the text.
func (b *builder) collect(n *Node) {
	if n.Change != nil {
		b.Changes = append(b.Changes, n.Change)
	}
	for _, k := range n.Kids {
		b.collect(k)
	}
}

// upkeep lists a place of which readers miss nothing.
func (b *builder) upkeep(before, after *document.Node, f *change.Field) {
	at := position{}
	for _, s := range f.Way {
		list := after
		switch {
		case s.Element && s.Is >= 0:
			before, after = kidIn(before, s.Was), kidIn(after, s.Is)
		case s.Element:
			before, after = kidIn(before, s.Was), nil
		default:
			before, after = memberOf(before, s.Name), memberOf(after, s.Name)
		}
		n := after
		if n == nil {
			n = before
		}
		if n == nil {
			break
		}
		if s.Element && list != nil {
			at = at.of(list, n)
		} else {
			at = at.field(n)
		}
	}
	b.Upkeep = append(b.Upkeep, &Change{
		Field: *f, ID: b.unique(at.address), Section: at.section, Way: at.called, Was: before, Is: after,
	})
}

func kidIn(list *document.Node, i int) *document.Node {
	if list == nil {
		return nil
	}
	return kidOf(list, i)
}

func memberOf(n *document.Node, name string) *document.Node {
	if n == nil {
		return nil
	}
	return n.Member(name)
}
