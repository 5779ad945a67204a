package output

import (
	"encoding/json"

	"rulestore/content"
)

// Example combines the examples of the fields into a possible result of a caller, the fields in
// the author's order: one element in each array of objects; a field without an example is null
// if it may be null, and an empty list if it is one. It is nil if a required field has none of
// these.
func (r *Result) Example() content.Object {
	var whole content.Object
	for _, s := range r.Sections {
		value, ok := s.example()
		switch {
		case ok:
			whole = whole.With(s.ID, value)
		case s.Required:
			return nil
		}
	}
	return whole
}

func (s section) example() (json.RawMessage, bool) {
	if len(s.FixedValues) > 0 {
		return encode(s.FixedValues), true
	}
	return exampleOf(s.Fields, s.Repeated)
}

func (f field) example() (json.RawMessage, bool) {
	switch {
	case f.Type == "object":
		return exampleOf(f.Fields, false)
	case f.Type == "array_of_object":
		return exampleOf(f.Fields, true)
	case f.Example != nil || f.Nullable:
		return encode(f.Example), true
	case f.Type == "array_of_string":
		return json.RawMessage("[]"), true
	}
	return nil, false
}

// exampleOf is an object with these fields, or a list of one.
func exampleOf(fields []field, list bool) (json.RawMessage, bool) {
	var o content.Object
	for _, f := range fields {
		value, ok := f.example()
		switch {
		case ok:
			o = o.With(f.Name, value)
		case f.Required:
			return nil, false
		}
	}
	if list {
		return encode([]content.Object{o}), true
	}
	return encode(o), true
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // what JSON was decoded into can be encoded
	}
	return raw
}
