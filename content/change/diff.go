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

// Verb says what happened to a place.
type Verb string

// What can happen.
const (
	Added   Verb = "added"
	Removed Verb = "removed"
	Changed Verb = "changed"
	Moved   Verb = "moved" // the same elements in another order
)

// Field is one place at which two versions of an item differ.
type Field struct {
	// Path leads there: rules[fees].action. An element is named by its code, or
	// by its number, counted from 1, where it has none: sources[2].url; a removed
	// one by the number that it had.
	Path string `json:"path"`
	// Title is the same for people, by the headings of the schema.
	Title string `json:"title"`
	What  Verb   `json:"what"`
	Class Class  `json:"class"`
	Why   string `json:"why"` // why it is of this class
	// Look says what a person should look at, because no program can tell what it
	// means; empty if there is nothing.
	Look string          `json:"look,omitempty"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`

	code string
}

// Prose says whether both values are texts, which can be compared word by word.
func (f Field) Prose() bool {
	return f.What == Changed && bytes.HasPrefix(f.Old, []byte(`"`)) && bytes.HasPrefix(f.New, []byte(`"`))
}

// Code returns the code of a record that a registry has lost, which others may still
// name: "" if the place is none. What other lists lose was named there, not defined.
func (f Field) Code() string { return f.code }

// Fields compares two bodies of an item, as [content.Publication] has them, and
// returns the places that differ in the order of the schema. root describes the
// fields of the newer one; what it does not know is compared as plain JSON.
func Fields(k *content.Kind, root *content.Field, before, after content.Object) []Field {
	d := differ{kind: k}
	d.objects(place{field: root}, value(before), value(after))
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

// Of compares two versions and returns the fields that differ and what they come
// to: the whole of an item that was not there before is an addition.
func Of(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) ([]Field, Class) {
	if before == nil {
		return nil, Addition
	}
	fields := Fields(k, describe(schemas, k, name, before, after), before, after)
	return fields, ClassOf(fields)
}

// describe finds the schema of the newer version, or of the older.
func describe(schemas content.Schemas, k *content.Kind, name string, before, after content.Object) *content.Field {
	folder := content.FormatsOf(schemas, k, name)
	for _, o := range []content.Object{after, before} {
		if s := schemas.Schema(folder, o.Text(k.Format)); s != nil {
			return s.Root()
		}
	}
	return nil
}

// value reads an object as plain values: maps, slices, strings, json.Number,
// bool and nil.
func value(o content.Object) map[string]any {
	m := map[string]any{}
	for _, member := range o {
		d := json.NewDecoder(bytes.NewReader(member.Value))
		d.UseNumber()
		var v any
		if d.Decode(&v) == nil {
			m[member.Name] = v
		}
	}
	return m
}

// place is where the comparison is.
type place struct {
	path, title string
	names       []string       // of the fields on the way, without elements
	field       *content.Field // nil where the schema says nothing
	element     bool           // an element of a list
}

// under returns the place of a field.
func (p place) under(name string) place {
	f := p.field.Field(name)
	heading := name
	if f != nil && f.Title != "" {
		heading = f.Title
	}
	return place{join(p.path, ".", name), join(p.title, " › ", heading), append(slices.Clone(p.names), name), f, false}
}

// at returns the place of an element that goes by the name.
func (p place) at(name string) place {
	var items *content.Field
	if p.field != nil {
		items = p.field.Items
	}
	return place{p.path + "[" + name + "]", p.title + " › " + name, p.names, items, true}
}

func join(a, separator, b string) string {
	if a == "" {
		return b
	}
	return a + separator + b
}

// last returns the name of the field that the place is, or is in.
func (p place) last() string {
	if len(p.names) == 0 {
		return ""
	}
	return p.names[len(p.names)-1]
}

// in says whether the place lies in a field of that name.
func (p place) in(name string) bool { return slices.Contains(p.names, name) }

// differ collects what differs.
type differ struct {
	kind  *content.Kind
	found []Field
}

func (d *differ) add(p place, what Verb, before, after any) {
	f := Field{Path: p.path, Title: p.title, What: what, Old: raw(before), New: raw(after)}
	f.Class, f.Why = d.meaning(p, what, before, after)
	if what == Changed && isProse(p.field) {
		f.Look = look(before, after)
	}
	d.found = append(d.found, f)
}

func raw(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil // what was decoded from JSON can be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// values compares what two versions have at a place.
func (d *differ) values(p place, before, after any) {
	if reflect.DeepEqual(before, after) {
		return
	}
	switch a := after.(type) {
	case map[string]any:
		if b, ok := before.(map[string]any); ok {
			d.objects(p, b, a)
			return
		}
	case []any:
		if b, ok := before.([]any); ok {
			d.lists(p, b, a)
			return
		}
	}
	d.add(p, Changed, before, after)
}

func (d *differ) objects(p place, before, after map[string]any) {
	for _, name := range names(p.field, before, after) {
		b, was := before[name]
		a, is := after[name]
		switch {
		case was && is:
			d.values(p.under(name), b, a)
		case is:
			d.add(p.under(name), Added, nil, a)
		default:
			d.add(p.under(name), Removed, b, nil)
		}
	}
}

// names lists the fields of two objects: those of the schema first.
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

func (d *differ) lists(p place, before, after []any) {
	m := match(p.field, before, after, narrows(p))
	for i, b := range before {
		if m.after[i] < 0 {
			d.add(p.at(m.nameOf(b, i)), Removed, b, nil)
			if d.kind == content.Registries {
				d.found[len(d.found)-1].code = m.code(b)
			}
		}
	}
	for j, a := range after {
		if i := m.before[j]; i >= 0 {
			d.values(p.at(m.nameOf(a, j)), before[i], a)
		} else {
			d.add(p.at(m.nameOf(a, j)), Added, nil, a)
		}
	}
	if order := slices.DeleteFunc(slices.Clone(m.after), func(j int) bool { return j < 0 }); !slices.IsSorted(order) {
		d.add(p, Moved, nil, nil)
	}
}

// number names an element that has no code.
func number(i int) string { return fmt.Sprint(i + 1) }
