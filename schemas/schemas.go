// Package schemas holds the authors' contract: a JSON Schema for every kind of
// item and every format version ever released, and what the service adds.
//
// A format is a file, <folder>/<format>.yaml, JSON Schema 2020-12 written in
// YAML; items that are unlike others of their kind have formats of their own in
// <folder>/<name>/<format>.yaml. An item names the format it follows in
// schema_version and is judged by that one for ever, so a released file is never
// changed in a way that refuses what it accepted: a stricter rule is a new format. A
// format that adds to an older one says only what it adds (x-extends); what is served
// and compiled is the whole.
// A file of cases, which is never published, is a list and follows the newest format.
//
// Beyond the standard the files use these words of our own:
//
//	x-labels     what people call the values of an enumeration
//	x-reference  the folder of the items that the string names; items: folder and name are in it
//	x-section-of the field beside it that names an item: the string is the address of a section of that
//	x-codes      the registry, and the list in it, that has the code: taxonomy/stop_codes
//	x-unique     the field by which the elements of the array are told apart
//	x-ordered    the order of the array says something: what comes first, what is done next
//	x-first      what is to be done first: of the elements of the array the field of that name
//	             says so; self: the value itself does
//	x-records    the array holds records that have addresses of their own
//	x-filter     the parameter by which records are filtered by the field
//	x-discovery  addresses that the service adds to the item, by name
//	x-output-schema  the schema of what a caller builds by the item
//	x-extends    the format of the same folder that the file only adds to: "1.0"
//	x-after      the field behind which a field comes that such a file adds
//
// title and description are required on every field, in Russian: the one is the
// heading in Markdown, the other says what goes in, how it is used, its limits.
package schemas

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/content/crash"
)

//go:embed */*.yaml */*/*.yaml derived.yaml
var files embed.FS

// Embedded returns the schemas of this build. They are compiled once.
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

// Load reads the schemas of a file system laid out as this package is.
func Load(fsys fs.FS) (*Set, error) {
	s := &Set{formats: map[string][]string{}, schemas: map[string]*schema{}}
	var names []string
	for _, pattern := range []string{"*/*.yaml", "*/*/*.yaml"} {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	compiled, errs := make([]*schema, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			if err := crash.Do(func() { compiled[i], errs[i] = compile(fsys, name) }); err != nil {
				errs[i] = err
			}
		})
	}
	wg.Wait()
	for i, name := range names {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s: %w", name, errs[i])
		}
		folder, format := path.Dir(name), strings.TrimSuffix(path.Base(name), ".yaml")
		s.schemas[folder+"/"+format] = compiled[i]
		s.formats[folder] = append(s.formats[folder], format)
	}
	for _, f := range s.formats {
		slices.SortFunc(f, older)
	}
	node, _, err := read(fsys, "derived.yaml")
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

// Documents returns every format as JSON Schema in JSON, by folder and format:
// "guidelines/1.0".
func (s *Set) Documents() map[string][]byte {
	all := make(map[string][]byte, len(s.schemas))
	for name, sch := range s.schemas {
		all[name] = sch.document
	}
	return all
}

// Derived describes the fields that the service adds to every item.
func (s *Set) Derived() *content.Field { return s.derived }

type schema struct {
	root     *content.Field
	compiled *jsonschema.Schema
	document []byte
}

func (s *schema) Root() *content.Field { return s.root }

func compile(fsys fs.FS, name string) (*schema, error) {
	node, value, err := read(fsys, name)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", value); err != nil {
		return nil, err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return nil, err
	}
	plain, err := ordered{node}.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var document bytes.Buffer
	if err := json.Indent(&document, plain, "", "  "); err != nil {
		return nil, err
	}
	return &schema{root: describe("", node, node), compiled: compiled, document: document.Bytes()}, nil
}

// read returns a schema as it is written and as a value, with what it extends.
func read(fsys fs.FS, name string) (*yaml.Node, any, error) {
	node, err := document(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	if node, err = extended(fsys, name, node); err != nil {
		return nil, nil, err
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return nil, nil, err
	}
	return node, value, nil
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

// older compares formats by their numbers: 1.9 comes before 1.10.
func older(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
}
