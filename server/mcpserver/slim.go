package mcpserver

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/server/calc"
)

// envelope is the schema of the parts that all calculations share. They are described once,
// in the instructions of the server.
const envelope = `"contract_values":{"type":"object"},"tolerance":{"type":"object"},"options":{"type":"object"}`

// slim is a short schema of a calculation's request, as models read fifty of them. Limits, forms of
// numbers and the shared parts are left out: the engine checks them, and the registry has the full
// schema.
func slim(t *calc.Tool) json.RawMessage {
	properties := `{"inputs":` + string(slimInputs(t)) + `,` + envelope + `}`
	return json.RawMessage(`{"type":"object","properties":` + properties + `,"required":["inputs"]}`)
}

func slimInputs(t *calc.Tool) json.RawMessage {
	fields := t.Request().Input().Fields
	i := slices.IndexFunc(fields, func(f calc.Field) bool { return f.Name == "inputs" })
	return slimmed(&fields[i], "").AppendJSON(nil)
}

// lazySchema is a schema that is made on first use, to keep the start of the server fast.
type lazySchema func() json.RawMessage

// MarshalJSON implements [json.Marshaler].
func (s lazySchema) MarshalJSON() ([]byte, error) { return s(), nil }

func slimOf(t *calc.Tool) lazySchema {
	return sync.OnceValue(func() json.RawMessage { return slim(t) })
}

// slimmed is the short schema of a value. Not every model supports lists of types, so that whole
// numbers are integers, and others strings, which are exact; parameters in their place are described
// once, in the instructions.
func slimmed(f *calc.Field, about string) content.Object {
	in := f.Input()
	schema := content.Object{{Name: "type", Value: content.String(cmp.Or(jsonTypes[in.Type], "string"))}}
	switch in.Type {
	case "date":
		schema = schema.With("format", content.String("date"))
	case "enum":
		schema = schema.With("enum", stringList(in.Words))
	case "list":
		schema = schema.With("maxItems", whole(in.To)).With("items", slimmed(in.Item, "").AppendJSON(nil))
	case "object":
		schema = append(schema, slimmedFields(in)...)
	}
	if in.Nullable {
		schema[0].Value = json.RawMessage(`[` + string(schema[0].Value) + `,"null"]`)
	}
	switch {
	case in.Preset == "":
	case jsonTypes[in.Type] != "":
		schema = schema.With("default", json.RawMessage(in.Preset))
	default:
		schema = schema.With("default", content.String(in.Preset))
	}
	if unit := units[f.Unit]; unit != "" && about != "" && !strings.Contains(about, unit) {
		about += ", " + unit
	}
	if about != "" {
		schema = schema.With("description", content.String(about))
	}
	return schema
}

// jsonTypes are the types of JSON for the types of fields that are no strings.
var jsonTypes = map[string]string{"count": "integer", "boolean": "boolean", "list": "array", "object": "object"}

// units has the units that titles do not always name.
var units = map[string]string{"RUB": "₽", "percent": "%"}

// slimmedFields are the fields of an object, and the groups of them of which a request has one.
func slimmedFields(in calc.Input) (schema content.Object) {
	var properties content.Object
	var required []string
	for i := range in.Fields {
		f := &in.Fields[i]
		properties = properties.With(f.Name, slimmed(f, f.Title).AppendJSON(nil))
		if f.Input().Required {
			required = append(required, f.Name)
		}
	}
	schema = content.Object{{Name: "properties", Value: properties.AppendJSON(nil)}}
	if required != nil {
		schema = schema.With("required", stringList(required))
	}
	var choices []json.RawMessage
	for _, variants := range in.Choices {
		var groups []json.RawMessage
		for _, required := range variants {
			groups = append(groups, content.Object{{Name: "required", Value: stringList(required)}}.AppendJSON(nil))
		}
		choices = append(choices, content.Object{{Name: "anyOf", Value: jsonArray(groups)}}.AppendJSON(nil))
	}
	if choices != nil {
		schema = schema.With("allOf", jsonArray(choices))
	}
	return schema
}
