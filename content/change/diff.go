package change

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"rulestore/content"
)

// Verb is the operation at a place.
type Verb string

// The operations.
const (
	Added   Verb = "added"
	Removed Verb = "removed"
	Changed Verb = "changed"
	Moved   Verb = "moved" // the same elements in another order
)

// Field is one place that differs between two versions of an item.
type Field struct {
	// Path is the path of the place: rules[fees].action. An element is named by its code, or
	// without one by its number, counted from 1: sources[2].url; a removed one by its old
	// number.
	Path string `json:"path"`
	// Title is the path for people, with the headings of the schema.
	Title string `json:"title"`
	What  Verb   `json:"what"`
	Class Class  `json:"class"`
	Why   Reason `json:"why"` // the reason for the class
	// Look is what a person has to review in the change, because no program can judge it; in JSON
	// it is one line.
	Look Look            `json:"look,omitzero"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
	// Way is the path in both versions.
	Way []Step `json:"-"`
	// Upkeep means that the place differs because of a routine review or a newer format: it is
	// not relevant to readers of the changes.
	Upkeep bool `json:"-"`
	// Code is the code of a record that was removed from a registry and may still be used by other items; "" for
	// other places. Elements removed from other lists were used there, not defined.
	Code string `json:"-"`
}

// Prose reports whether both values are texts, which can be compared word by word.
func (f Field) Prose() bool {
	return f.What == Changed && bytes.HasPrefix(f.Old, []byte(`"`)) && bytes.HasPrefix(f.New, []byte(`"`))
}

// fields compares two bodies of an item, as [content.Publication] has them, and returns the
// places that differ in the order of the schema. root describes the fields of the newer one;
// unknown fields are compared as plain JSON. Values that are too expensive to compare in detail
// are compared as a whole: the class is then the highest, and Why is the reason.
func fields(e *effort, k *content.Kind, root *content.Field, before, after content.Object) []Field {
	d := differ{kind: k, effort: e}
	was, is := d.differing(before, after)
	d.objects(&place{field: root}, was, is)
	return d.found
}

// ClassOf returns the highest class of the changes.
func ClassOf(fields []Field) Class {
	c := None
	for _, f := range fields {
		c = max(c, f.Class)
	}
	return c
}

// Of compares two versions and returns the fields that differ and their class: an item that is
// new as a whole is an addition.
func Of(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) ([]Field, Class) {
	return of(newEffort(), schemas, k, name, before, after)
}

// Count compares as Of does, and returns the number of the fields and their class. It does not look for
// what a person has to review, which takes most of the time.
func Count(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) (int, Class) {
	e := newEffort()
	e.counting = true
	all, class := of(e, schemas, k, name, before, after)
	return len(all), class
}

func of(
	e *effort, schemas content.Schemas, k *content.Kind, name string, before, after content.Object,
) ([]Field, Class) {
	if before == nil {
		return nil, Addition
	}
	all := fields(e, k, describe(schemas, k, name, before, after), before, after)
	return all, ClassOf(all)
}

// describe returns the schema of the newer version or, if it is unknown, of the older one.
func describe(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) *content.Field {
	folder := content.FormatsOf(schemas, k, name)
	for _, o := range []content.Object{after, before} {
		if s := schemas.Schema(folder, o.Text(k.Format)); s != nil {
			return s.Root()
		}
	}
	return nil
}

// whole is a value that is not decomposed.
type whole json.RawMessage

// differing returns the fields of two objects whose JSON differs, as plain values: maps, slices,
// strings, json.Number, bool and nil.
func (d *differ) differing(before, after content.Object) (was, is map[string]any) {
	was, is = map[string]any{}, map[string]any{}
	old, next := byName(before), byName(after)
	for _, m := range before {
		if other, ok := next[m.Name]; !ok || !bytes.Equal(m.Value, other) {
			was[m.Name] = d.value(m.Value)
		}
	}
	for _, m := range after {
		if other, ok := old[m.Name]; !ok || !bytes.Equal(m.Value, other) {
			is[m.Name] = d.value(m.Value)
		}
	}
	return was, is
}

// byName returns the fields of an object by their names.
func byName(o content.Object) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage, len(o))
	for _, member := range o {
		m[member.Name] = member.Value
	}
	return m
}

func (d *differ) value(text json.RawMessage) (v any) {
	if !d.take(text) {
		return whole(text)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil {
		return whole(text)
	}
	return v
}

// differ collects the differences.
type differ struct {
	*effort
	kind   *content.Kind
	found  []Field
	listed int // size of found in bytes, without the values
}

func (d *differ) add(p *place, what Verb, before, after any) {
	if d.full() {
		return
	}
	f := Field{Path: p.path(), Title: p.title(), Way: p.way(), What: what, Old: raw(before), New: raw(after)}
	f.Class, f.Why = d.meaning(p, what, before, after)
	f.Look = d.look(p, what, before, after)
	f.Upkeep = f.Class < Breaking && (upkeep[p.last()] || p.last() == d.kind.Format)
	d.list(f)
}

// whole adds a value that is not compared in detail.
func (d *differ) whole(p *place, before, after any) {
	d.list(Field{
		Path: p.path(), Title: p.title(), Way: p.way(), What: Changed, Class: Breaking, Old: raw(before),
		New: raw(after),
		Why: "it is too much to be compared in detail: as a whole, it is another",
	})
}

// maxListed is the maximum size of the listed places in bytes, without the values.
const maxListed = 2 << 20

// sizeOfField is the approximate size of a place without its texts.
const sizeOfField = 256

// sizeOfStep is that of a step of its path.
const sizeOfStep = 40

func (d *differ) full() bool { return d.listed > maxListed }

// list adds a place that differs. The last one within the limit stands for the rest.
func (d *differ) list(f Field) {
	if d.full() {
		return
	}
	if d.listed += sizeOfField + len(f.Path) + len(f.Title) + sizeOfStep*len(f.Way); d.full() {
		f = Field{
			Path: f.Path, Title: f.Title, Way: f.Way, What: f.What, Class: Breaking,
			Why: "more differs from here on than can be listed",
		}
	}
	d.found = append(d.found, f)
}

func raw(v any) json.RawMessage {
	switch v := v.(type) {
	case nil:
		return nil
	case whole:
		return json.RawMessage(v)
	case string:
		return content.String(v)
	case json.Number:
		return json.RawMessage(v)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil // what was decoded from JSON can be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// values compares the values of two versions at a place.
func (d *differ) values(p *place, before, after any) {
	switch a := after.(type) {
	case whole:
		d.whole(p, before, after)
		return
	case map[string]any:
		if b, ok := before.(map[string]any); ok {
			d.inside(p, before, after, func() bool { return len(b)+len(a) <= maxNames && d.objects(p, b, a) })
			return
		}
	case []any:
		if b, ok := before.([]any); ok {
			if reflect.DeepEqual(b, a) {
				return // as most lists are, and faster than matching elements
			}
			d.inside(p, before, after, func() bool { return d.lists(p, b, a) })
			return
		}
	}
	if _, isWhole := before.(whole); isWhole {
		d.whole(p, before, after)
		return
	}
	d.add(p, Changed, before, after)
}

// same reports whether two values are equal scalars.
func same(before, after any) bool {
	switch before.(type) {
	case map[string]any, []any, whole:
		return false
	}
	return before == after
}

// inside compares the parts of two values, or the values as a whole if that exceeds the budget.
func (d *differ) inside(p *place, before, after any, compare func() bool) {
	if p.depth < maxDepth && !d.spent() && compare() {
		return
	}
	if !reflect.DeepEqual(before, after) {
		d.whole(p, before, after)
	}
}

func (d *differ) objects(p *place, before, after map[string]any) (ok bool) {
	for _, name := range names(p.field, before, after) {
		b, was := before[name]
		a, is := after[name]
		switch {
		case was && is && same(b, a):
		case was && is:
			d.values(p.under(name), b, a)
		case is:
			d.add(p.under(name), Added, nil, a)
		default:
			d.add(p.under(name), Removed, b, nil)
		}
	}
	return true
}

// names lists the fields of two objects, those of the schema first.
func names(f *content.Field, before, after map[string]any) []string {
	rest := maps.Clone(before)
	maps.Copy(rest, after)
	var all []string
	if f != nil {
		for _, g := range f.Fields {
			if _, ok := rest[g.Name]; ok {
				all = append(all, g.Name)
				delete(rest, g.Name)
			}
		}
	}
	return append(all, slices.Sorted(maps.Keys(rest))...)
}

// lists compares the elements of two lists, and reports whether they can be matched.
func (d *differ) lists(p *place, before, after []any) (ok bool) {
	m, ok := match(d.effort, p.field, before, after, narrows(p))
	if !ok {
		return false
	}
	next := 0 // the newer element that follows a removed one
	for i, b := range before {
		if m.after[i] >= 0 {
			next = m.after[i] + 1
		} else {
			d.add(p.at(m.nameOf(b, i), i, next), Removed, b, nil)
			if d.kind == content.Registries && !d.full() {
				d.found[len(d.found)-1].Code = m.code(b)
			}
		}
	}
	for j, a := range after {
		if i := m.before[j]; i >= 0 {
			if same(before[i], a) {
				continue
			}
			d.values(p.at(m.nameOf(a, j), i, j), before[i], a)
		} else {
			d.add(p.at(m.nameOf(a, j), -1, j), Added, nil, a)
		}
	}
	order := slices.DeleteFunc(slices.Clone(m.after), func(j int) bool { return j < 0 })
	if !slices.IsSorted(order) || m.renumbered(before, after) {
		d.add(p, Moved, nil, nil)
	}
	return true
}

// number is the name of an element without a code.
func number(i int) string { return fmt.Sprint(i + 1) }
