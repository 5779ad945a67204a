package output

import (
	"encoding/json"

	"rulestore/content"
)

// Example combines the examples of the fields into a possible result of a caller, the fields in
// the author's order: one element in each array of objects; a field without an example is null
// if it may be null, and an empty list if it is one. It is nil if a required field has none of
// these.
func (r *Schema) Example() content.Object {
	whole, _ := objectOf(r.sections)
	return whole
}

func (f field) example() (json.RawMessage, bool) {
	switch {
	case f.Type == fixedType:
		return encode(f.fixed), true
	case f.Type == "object":
		o, ok := objectOf(f.Fields)
		return encode(o), ok
	case f.Type == "array_of_object":
		o, ok := objectOf(f.Fields)
		return encode([]content.Object{o}), ok
	case f.Example != nil || f.Nullable:
		return encode(f.Example), true
	case f.Type == "array_of_string":
		return json.RawMessage("[]"), true
	}
	return nil, false
}

// objectOf is an object with these fields, not ok if a required one has no example.
func objectOf(fields []field) (o content.Object, ok bool) {
	for _, f := range fields {
		value, ok := f.example()
		switch {
		case ok:
			o = o.With(f.Name, value)
		case f.Required:
			return nil, false
		}
	}
	return o, true
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // what JSON was decoded into can be encoded
	}
	return raw
}
