package check

import (
	"fmt"
	"slices"
	"strconv"

	"rulestore/content"
)

// Target is what a string may refer to: the records of a list, or items. The zero value is a
// string that refers to nothing.
type Target struct {
	List   string // a registry, and the list in it: taxonomy/stop_codes
	Folder string // items by name
	Items  bool   // items of any kind, by folder and name
}

// TargetOf returns the target of the string at a place in a file; f describes it.
func TargetOf(path string, pointer []string, f *content.Field) Target {
	switch {
	case f == nil:
	case f.Codes != "":
		return Target{List: f.Codes}
	case f.Reference == content.AnyItem:
		return Target{Items: true}
	case f.Reference != "":
		return Target{Folder: f.Reference}
	case path == content.LifecycleFile && len(pointer) == 3 && pointer[2] == "item":
		return Target{Items: true}
	case path == content.SettingsFile && len(pointer) == 2 && pointer[0] == "scenarios":
		return Target{Folder: content.Scenarios.Folder}
	}
	return Target{}
}

// Item returns folder and name of the item that a text refers to, "" if there is none.
func (t Target) Item(text string) string {
	switch {
	case t.Items:
		return text
	case t.Folder != "":
		return t.Folder + "/" + text
	}
	return ""
}

// Name is a place in a file that refers to a record or an item, or that defines its name.
type Name struct {
	Pointer []string
	Text    string // as written there
	Item    string // the item, by folder and name; "" if it is a record
	List    string // of a record: the registry, and the list in it
	Defines bool   // the place defines the name of the item or the record
}

// Names lists the places in a file at which items and records are referred to or defined, in
// the order of the schema; nil if the file cannot be parsed, or its format is unknown. The file
// need not be valid.
func (f File) Names() []Name {
	if f.doc == nil || f.root == nil {
		return nil
	}
	return append(f.own(), f.named()...)
}

// Names is [File.Names] for a root file: the marks of lifecycle.yaml and the scenarios of
// rulestore.yaml refer to items.
func (d *Document) Names(schemas content.Schemas) []Name {
	s := schemas.Schema(RootFormats(d.Path), d.Body.Text("schema_version"))
	if s == nil {
		return nil
	}
	return (&File{doc: d, root: s.Root()}).named()
}

// named lists the places that refer to or define a name.
func (o *File) named() (names []Name) {
	o.each(func(at []string, value any, f *content.Field) {
		text, ok := value.(string)
		if t := TargetOf(o.doc.Path, at, f); ok && t != (Target{}) {
			names = append(names, Name{Pointer: slices.Clone(at), Text: text, Item: t.Item(text), List: t.List})
		}
	})
	return names
}

// own lists the names that the file defines: its own, and those of its records.
func (o *File) own() (names []Name) {
	if id := o.Body.Text(o.Kind.ID); id != "" {
		names = append(names, Name{Pointer: []string{o.Kind.ID}, Text: id, Item: o.Item(), Defines: true})
	}
	if o.Kind != content.Registries {
		return names
	}
	for _, list := range o.root.Fields {
		records, _ := o.Value(list.Name).([]any)
		for i, r := range records {
			record, _ := r.(map[string]any)
			if code, ok := record[list.Unique].(string); ok {
				at := []string{list.Name, fmt.Sprint(i), list.Unique}
				names = append(names, Name{Pointer: at, Text: code, List: o.Name + "/" + list.Name, Defines: true})
			}
		}
	}
	return names
}

// Value returns the value at a pointer, made of map[string]any, []any, string, json.Number,
// bool and nil; nil if there is none.
func (f File) Value(pointer ...string) any {
	if f.doc == nil {
		return nil
	}
	value := f.doc.value
	for _, step := range pointer {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			value = element(v, step)
		default:
			return nil
		}
	}
	return value
}

func element(list []any, step string) any {
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// Position returns the position of a value, counted from 1, or of the innermost existing value
// that contains it; 0 and 0 in a file that cannot be parsed.
func (f File) Position(pointer ...string) (line, column int) { return f.doc.Position(pointer...) }
