// Package schemas defines the formats of content: a JSON Schema for every kind of
// item and every format version ever released, and the fields that the service adds.
//
// A format is a file, <folder>/<format>.yaml, JSON Schema 2020-12 written in
// YAML; items that differ from others of their kind have formats of their own in
// <folder>/<name>/<format>.yaml. An item names its format in
// schema_version and is always validated by that one, so a released file is never
// changed in a way that rejects what it accepted: a stricter rule is a new format. A
// format that extends an older one has only the additions (x-extends); the merged schema is
// served and compiled.
// A file of cases, which is never published, is a list and follows the newest format.
//
// Beyond the standard the files use these keywords of our own:
//
//	x-labels     labels for people of the values of an enumeration
//	x-reference  the folder of the items that the string names; items: the string contains folder and name
//	x-section-of the sibling field that names an item: the string is the address of a section of that item
//	x-codes      the registry, and the list in it, that defines the code: taxonomy/stop_codes
//	x-unique     the field that identifies an element of the array
//	x-ordered    the order of the array is significant: priorities, or the sequence of actions
//	x-first      what is to be done first: true in the field of that name of an element
//	             of the array; self: in the value itself
//	x-records    the array has records with addresses of their own
//	x-filter     the query parameter that filters records by the field
//	x-discovery  addresses that the service adds to the item, by name
//	x-output-schema  the schema of what a caller builds by the item
//	x-extends    the format of the same folder that the file extends: "1.0"
//	x-after      the field after which a field of an extending file is inserted
//
// title and description are required on every field, in Russian: title is the
// heading in Markdown, description says what the value is, how it is used, and its limits.
package schemas

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

//go:embed */*.yaml */*/*.yaml derived.yaml
var files embed.FS

// Embedded returns the schemas of this build. Each is parsed and compiled on first use: a
// command needs a few of them, and compiling all takes longer than most commands do.
var Embedded = sync.OnceValue(func() *Set {
	set, err := Load(files)
	if err != nil {
		panic(fmt.Sprintf("embedded schemas: %v", err)) // a test loads them
	}
	return set
})

// Set is a set of schemas by folder and format.
type Set struct {
	formats map[string][]string
	schemas map[string]*schema
	derived *content.Field
}

// Load lists the schemas of a file system with the layout of this package. They are parsed on
// first use.
func Load(fsys fs.FS) (*Set, error) {
	s := &Set{formats: map[string][]string{}, schemas: map[string]*schema{}}
	for _, pattern := range []string{"*/*.yaml", "*/*/*.yaml"} {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			folder, format := path.Dir(name), strings.TrimSuffix(path.Base(name), ".yaml")
			s.schemas[folder+"/"+format] = newSchema(fsys, name)
			s.formats[folder] = append(s.formats[folder], format)
		}
	}
	for _, f := range s.formats {
		slices.SortFunc(f, older)
	}
	node, err := document(fsys, "derived.yaml")
	if err != nil {
		return nil, err
	}
	s.derived = describe("", node, node)
	return s, nil
}

// Schema implements content.Schemas.
func (s *Set) Schema(folder, format string) content.Schema {
	if sch := s.schemas[folder+"/"+format]; sch != nil {
		return sch
	}
	return nil
}

// Formats implements content.Schemas.
func (s *Set) Formats(folder string) []string { return s.formats[folder] }

// Folders lists, sorted, the folders that have formats: kinds, items with formats of their own,
// and root files of a repository.
func (s *Set) Folders() []string { return slices.Sorted(maps.Keys(s.formats)) }

// Documents returns every format as JSON Schema in JSON, which is written on first use, by
// folder and format: "guidelines/1.0".
func (s *Set) Documents() map[string]func() []byte {
	all := make(map[string]func() []byte, len(s.schemas))
	for name, sch := range s.schemas {
		all[name] = sch.document
	}
	return all
}

// Document returns a format as JSON Schema in JSON, nil if it was never released.
func (s *Set) Document(folder, format string) []byte {
	if sch := s.schemas[folder+"/"+format]; sch != nil {
		return sch.document()
	}
	return nil
}

// Derived describes the fields that the service adds to every item.
func (s *Set) Derived() *content.Field { return s.derived }

// schema is one format. The results of its functions are cached.
type schema struct {
	read     func() (*format, error)
	compiled func() (*jsonschema.Schema, error)
	document func() []byte // JSON for people
}

// format is a format with the one that it extends merged.
type format struct {
	document json.RawMessage // with its fields in the order of the file
	root     *content.Field
}

func newSchema(fsys fs.FS, name string) *schema {
	s := &schema{read: sync.OnceValues(func() (*format, error) { return read(fsys, name) })}
	s.compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
		t, err := s.read()
		if err != nil {
			return nil, err
		}
		return compile(t.document)
	})
	s.document = sync.OnceValue(func() []byte { return must(indented(s.written().document)) })
	return s
}

// written returns a format that can be read, as it has been loaded before or is embedded.
func (s *schema) written() *format { return must(s.read()) }

func (s *schema) Root() *content.Field { return s.written().root }

// must returns a value that cannot fail for schemas of this build, as they were tested.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("embedded schemas: %v", err))
	}
	return v
}

func compile(document []byte) (*jsonschema.Schema, error) {
	if !jsontext.Value(document).IsValid() {
		return nil, errors.New("a field stands twice")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", value); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// read reads a file, merged with the one that it extends.
func read(fsys fs.FS, name string) (*format, error) {
	node, err := document(fsys, name)
	if err != nil {
		return nil, err
	}
	if node, err = extended(fsys, name, node); err != nil {
		return nil, err
	}
	written, err := ordered{node}.MarshalJSON()
	return &format{written, describe("", node, node)}, err
}

// indented is a JSON document for people.
func indented(document []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Indent(&b, document, "", "  ")
	return b.Bytes(), err
}

// document reads a file of YAML.
func document(fsys fs.FS, name string) (*yaml.Node, error) {
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("the file is empty")
	}
	return doc.Content[0], nil
}

// older compares formats by number: 1.9 is before 1.10.
func older(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
}
