package content

import (
	"encoding/json"
	"strconv"
)

// Schemas finds the released formats of each kind.
type Schemas interface {
	// Schema returns the format of what lives in folder, nil if it was never
	// released. The files in the root have folders too: "rulestore" and
	// "lifecycle"; an item with formats of its own has <folder>/<name>.
	Schema(folder, format string) Schema
	// Formats lists the released formats, oldest first.
	Formats(folder string) []string
}

// Schema is one released format.
type Schema interface {
	// Validate returns everything that is wrong with a value made of
	// map[string]any, []any, string, json.Number, bool and nil.
	Validate(value any) []Violation
	// Root describes the fields for readers.
	Root() *Field
}

// FormatsOf returns the folder that the formats of an item are in: its own if it
// has one, else its kind's.
func FormatsOf(s Schemas, k *Kind, name string) string {
	if own := k.Folder + "/" + name; len(s.Formats(own)) > 0 {
		return own
	}
	return k.Folder
}

// Violation is one place where a value breaks its schema.
type Violation struct {
	Pointer []string // the way from the root to the value
	Key     string   // the field of that value concerned, if it is one; it may be missing
	Says    Said     // by which rule, and what
}

// Field describes a value of a kind for readers: what people call it, in which
// order its fields come, and what its strings refer to.
type Field struct {
	Name      string
	Title     string
	About     string            // what goes in, how it is used, its limits
	Types     []string          // as JSON Schema names them: string, array; none: any
	Required  bool              // the object that has the field is not whole without it
	Example   json.RawMessage   // a value that is right; nil if the schema names none
	Values    []string          // of an enumeration
	Labels    map[string]string // what people call them
	Reference string            // the folder of the items that the string names, [AnyItem] for folder and name
	SectionOf string            // of an address of a section: the field beside it that names the item
	Codes     string            // the registry, and the list in it, that has the code: taxonomy/stop_codes
	Unique    string            // the field that tells the elements of an array apart
	Fields    []*Field          // of an object, in the order of the schema
	Items     *Field            // of an array

	Ordered bool   // an array whose order says something: another order is another content
	Records bool   // an array of records that have addresses of their own
	Boolean bool   // the value is true or false
	Prose   bool   // a text for readers: no code, no date, no address, no reference
	Evident bool   // a reader sees what it is: an id, a checksum
	First   string // what is to be done first: of the elements of a list that field says so
	Filter  string // the parameter by which records are filtered by this field

	// Of an item as a whole: what the service adds to it.
	Discovery    []Link
	OutputSchema string // the name of the schema of what a caller builds
}

// AnyItem is the reference of a string that names an item of any kind: by folder and name.
const AnyItem = "items"

// Names returns the item that a text of the field names, by folder and name; "" if the field
// names none.
func (f *Field) Names(text string) string {
	switch f.Reference {
	case "":
		return ""
	case AnyItem:
		return text
	}
	return f.Reference + "/" + text
}

// Link names a path.
type Link struct{ Name, Path string }

// Field returns the field of that name, nil if there is none. It may be called
// on nil, so that a reader can go on where the schema says nothing.
func (f *Field) Field(name string) *Field {
	if f == nil {
		return nil
	}
	for _, g := range f.Fields {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Pointing returns, of an object that says which sections of an item are to be read, the field
// that has their addresses and the one that names the item; nil of every other. It may be
// called on nil.
func (f *Field) Pointing() (addresses, item *Field) {
	if f == nil {
		return nil, nil
	}
	for _, g := range f.Fields {
		if g.Items == nil || g.Items.SectionOf == "" {
			continue
		}
		if item = f.Field(g.Items.SectionOf); item != nil {
			return g, item
		}
	}
	return nil, nil
}

// At follows the steps to a value: names of fields, and numbers of elements. It
// returns nil where the schema says nothing, and may be called on nil.
func (f *Field) At(pointer ...string) *Field {
	for _, step := range pointer {
		if _, err := strconv.Atoi(step); err == nil && f != nil && f.Items != nil {
			f = f.Items
		} else {
			f = f.Field(step)
		}
	}
	return f
}
