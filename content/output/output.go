package output

import (
	"encoding/json"
	"fmt"

	"rulestore/content"
)

// Registry is a registry that a field with codes_from refers to.
type Registry struct {
	Codes  []string
	Source string // title and address, for people
}

// Schema is an output schema as an author writes it, as far as a JSON Schema can express it.
type Schema struct {
	Title       string
	Description string

	sections []field
}

// fixedType is the type of a section that has exactly some values.
const fixedType = "fixed"

type field struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Required    bool     `json:"required"`
	Nullable    bool     `json:"nullable"`
	CodesFrom   string   `json:"codes_from"`
	Values      []string `json:"values"`
	Fields      []field  `json:"fields"`
	Example     any      `json:"example"`

	fixed []string // the values of a section of [fixedType]
}

// Parse parses the body of an output schema. Unknown fields are ignored; known ones must have
// the type defined by format 1.0.
func Parse(body content.Object) (*Schema, error) {
	var v struct {
		Title, Description string
		Sections           []struct {
			ID                 string `json:"section_id"`
			Title, Description string
			Required, Repeated bool
			Fixed              []string `json:"fixed_values"`
			Fields             []field
		}
	}
	if err := json.Unmarshal(body.AppendJSON(nil), &v); err != nil {
		return nil, fmt.Errorf("read the sections of an output schema: %w", err)
	}
	r := &Schema{Title: v.Title, Description: v.Description}
	for _, s := range v.Sections {
		f := field{
			Name: s.ID, Type: "object", Title: s.Title, Description: s.Description, Required: s.Required,
			Fields: s.Fields, fixed: s.Fixed,
		}
		switch {
		case len(s.Fixed) > 0:
			f.Type = fixedType
		case s.Repeated:
			f.Type = "array_of_object"
		}
		r.sections = append(r.sections, f)
	}
	return r, nil
}

// Registries lists the names of the registries that the fields refer to, with duplicates.
func (r *Schema) Registries() (names []string) {
	var visit func([]field)
	visit = func(fields []field) {
		for _, f := range fields {
			if f.CodesFrom != "" {
				names = append(names, f.CodesFrom)
			}
			visit(f.Fields)
		}
	}
	visit(r.sections)
	return names
}

// JSONSchema returns the result as a JSON Schema 2020-12 in JSON, indented by two spaces, with a
// line break at its end. id is its absolute URL, comment describes its origin, and registries
// are those that the fields refer to, by name; a missing one restricts nothing.
func (r *Schema) JSONSchema(id, comment string, registries map[string]Registry) []byte {
	m := maker(registries)
	root := object(m.fields(r.sections))
	root.Defs = m.definitions(r.Registries())
	root.Dialect, root.ID, root.Comment = dialect, id, comment
	root.Title, root.Description = r.Title, r.Description
	if example := r.Example(); example != nil {
		root.Examples = []any{example}
	}
	return root.indented()
}
