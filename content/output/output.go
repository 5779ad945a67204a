package output

import (
	"encoding/json"
	"fmt"

	"rulestore/content"
)

// Registry is what a field with codes_from draws on.
type Registry struct {
	Codes  []string
	Source string // what it is and where: shown to people
}

// Result is an output schema as an author writes it, as far as a JSON Schema
// can say it.
type Result struct {
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Sections    []section `json:"sections"`
}

type section struct {
	ID          string   `json:"section_id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Required    bool     `json:"required"`
	Repeated    bool     `json:"repeated"`
	FixedValues []string `json:"fixed_values"`
	Fields      []field  `json:"fields"`
}

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
}

// Parse reads the body of an output schema. Fields that it does not know are
// left alone; what it does know must have the type that format 1.0 gives it.
func Parse(body content.Object) (*Result, error) {
	r := new(Result)
	if err := json.Unmarshal(body.AppendJSON(nil), r); err != nil {
		return nil, fmt.Errorf("read the sections of an output schema: %w", err)
	}
	return r, nil
}

// Registries lists the names of the registries that the fields draw on, each as
// often as it is named.
func (r *Result) Registries() (names []string) {
	var visit func([]field)
	visit = func(fields []field) {
		for _, f := range fields {
			if f.CodesFrom != "" {
				names = append(names, f.CodesFrom)
			}
			visit(f.Fields)
		}
	}
	for _, s := range r.Sections {
		visit(s.Fields)
	}
	return names
}

// Schema returns the result as a JSON Schema 2020-12 in JSON, indented by two
// spaces, with a line break at its end. id is its absolute address, comment says
// what it was made of, and registries are those that the fields draw on, by
// name; one that is missing restricts nothing.
func (r *Result) Schema(id, comment string, registries map[string]Registry) []byte {
	m := maker(registries)
	root := object(m.sections(r.Sections))
	root.Defs = m.definitions(r.Registries())
	root.Dialect, root.ID, root.Comment = dialect, id, comment
	root.Title, root.Description = r.Title, r.Description
	if example := r.Example(); example != nil {
		root.Examples = []any{example}
	}
	return root.indented()
}
