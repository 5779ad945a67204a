package output

import (
	"slices"

	"rulestore/content"
)

// RFC 3339 dates and times. The pattern distinguishes a date from other text; whether the day
// exists is checked by validators that check formats.
const (
	datePattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
	timePattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$`
)

// maker makes schemas; it knows the registries by name.
type maker map[string]Registry

// property is a value of an object.
type property struct {
	name     string
	required bool
	value    *schema
}

// object is one with these properties and no others.
func object(properties []property) *schema {
	s := &schema{Type: types{"object"}, Additional: new(bool)}
	for _, p := range properties {
		s.Properties = append(s.Properties, content.Member{Name: p.name, Value: p.value.indented()})
		if p.required {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

func (m maker) fields(fields []field) (all []property) {
	for _, f := range fields {
		s := m.field(f)
		s.Title, s.Description = f.Title, f.Description
		if f.Example != nil {
			s.Examples = []any{f.Example}
		}
		if f.Nullable {
			s.orNull()
		}
		all = append(all, property{f.Name, f.Required, s})
	}
	return all
}

func (m maker) field(f field) *schema {
	switch f.Type {
	case fixedType:
		n := len(f.fixed)
		return &schema{
			Type: types{"array"}, MinItems: n, MaxItems: n, UniqueItems: true,
			Items: &schema{Type: types{"string"}, Enum: anyOf(f.fixed)},
		}
	case "object":
		return object(m.fields(f.Fields))
	case "array_of_object":
		return &schema{Type: types{"array"}, Items: object(m.fields(f.Fields))}
	case "array_of_string":
		element := m.text(f)
		return &schema{Type: types{"array"}, Items: element, UniqueItems: element.Enum != nil || element.Ref != ""}
	case "date":
		return &schema{Type: types{"string"}, Format: "date", Pattern: datePattern}
	case "date_time":
		return &schema{Type: types{"string"}, Format: "date-time", Pattern: timePattern}
	case "string":
		return m.text(f)
	case "number", "integer", "boolean":
		return &schema{Type: types{f.Type}}
	}
	return new(schema) // of a format that this build does not know: anything
}

// text is a string: any but the empty one, or one of a list.
func (m maker) text(f field) *schema {
	switch {
	case len(f.Values) > 0:
		return &schema{Type: types{"string"}, Enum: anyOf(f.Values)}
	case len(m[f.CodesFrom].Codes) > 0:
		return &schema{Ref: "#/$defs/" + f.CodesFrom}
	}
	return &schema{Type: types{"string"}, MinLength: 1}
}

// definitions are the lists of codes that fields refer to. Each is written once,
// however many fields there are.
func (m maker) definitions(names []string) (defs content.Object) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if r := m[name]; len(r.Codes) > 0 {
			list := &schema{Comment: r.Source, Type: types{"string"}, Enum: anyOf(r.Codes)}
			defs = defs.With(name, list.indented())
		}
	}
	return defs
}

func anyOf(values []string) (all []any) {
	for _, v := range values {
		all = append(all, v)
	}
	return all
}
