package content

import (
	"encoding/json"
	"strconv"
)

// Schemas finds the released formats of each kind.
type Schemas interface {
	// Schema returns a format of a folder, nil if it was never released. Root files have
	// folders too: "rulestore" and "lifecycle"; an item with formats of its own has
	// <folder>/<name>.
	Schema(folder, format string) Schema
	// Formats lists the released formats, oldest first.
	Formats(folder string) []string
}

// Schema is one released format.
type Schema interface {
	// Validate returns all violations of a value made of map[string]any, []any, string,
	// json.Number, bool and nil.
	Validate(value any) []Violation
	// Root describes the fields for readers.
	Root() *Field
}

// FormatsOf returns the folder of an item's formats: its own if it has one, else its kind's.
func FormatsOf(s Schemas, k *Kind, name string) string {
	if own := k.Folder + "/" + name; len(s.Formats(own)) > 0 {
		return own
	}
	return k.Folder
}

// NewestFormat returns the newest format in a folder, nil if there is none.
func NewestFormat(s Schemas, folder string) Schema {
	formats := s.Formats(folder)
	if len(formats) == 0 {
		return nil
	}
	return s.Schema(folder, formats[len(formats)-1])
}

// Violation is one place at which a value violates its schema.
type Violation struct {
	Pointer []string // path from the root to the value
	Key     string   // the field of that value concerned, if any; it may be missing
	Text    RuleText // the rule and the message
}

// Field describes a value of a kind: its title, the order of its fields, and what its strings
// refer to.
type Field struct {
	Name      string
	Title     string
	About     string            // what the value is, how it is used, its limits
	Types     []string          // as JSON Schema names them: string, array; none: any
	Required  bool              // the object must have the field
	Example   json.RawMessage   // a valid value; nil if the schema has none
	Values    []string          // of an enumeration
	Labels    map[string]string // labels of the values
	Reference string            // the folder of the items that the string names, [AnyItem] for folder and name
	SectionOf string            // of an address of a section: the sibling field that names the item
	Codes     string            // the registry, and the list in it, that defines the code: taxonomy/stop_codes
	Unique    string            // the field that identifies an element of an array
	Fields    []*Field          // of an object, in the order of the schema
	Items     *Field            // of an array

	Ordered bool   // the order of the array is significant
	Records bool   // an array of records that have addresses of their own
	Boolean bool   // the value is true or false
	Prose   bool   // a text for readers: not a code, a date, an address or a reference
	Evident bool   // needs no label for readers: an id, a checksum
	First   string // the field of an element that is true if it comes first
	Filter  string // the query parameter that filters records by this field

	// Fields that the service adds to an item as a whole.
	Discovery    []Link
	OutputSchema string // the name of the schema of the caller's result
}

// AnyItem is the reference of a string that names an item of any kind, by folder and name.
const AnyItem = "items"

// Names returns the item that a text of the field refers to, by folder and name; "" if there is
// none.
func (f *Field) Names(text string) string {
	switch f.Reference {
	case "":
		return ""
	case AnyItem:
		return text
	}
	return f.Reference + "/" + text
}

// Label is the label of a value, the value itself if it has none. It may be called on nil.
func (f *Field) Label(value string) string {
	if f != nil && f.Labels[value] != "" {
		return f.Labels[value]
	}
	return value
}

// Link names a path.
type Link struct{ Name, Path string }

// Field returns the field with that name, nil if there is none. It may be called on nil, so
// that look-ups can be chained.
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

// Pointing returns, for an object that refers to sections of an item, the field with their
// addresses and the field that names the item; nil for all others. It may be called on nil.
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

// At follows a path to a value: names of fields, and indexes of elements. It returns nil for an
// unknown path, and may be called on nil.
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
