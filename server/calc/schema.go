package calc

import (
	"bytes"
	"encoding/json"
)

// schema is a JSON object that keeps the order of its members.
type schema []property

type property struct {
	name  string
	value any
}

func (s schema) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, p := range s {
		v, err := json.Marshal(p.value)
		if err != nil {
			return nil, err
		}
		b = append(appendName(b, p.name), v...)
	}
	return append(b, '}'), nil
}

func (s schema) indented() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		panic("calc: a schema that does not encode: " + err.Error())
	}
	return out.Bytes()
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

// InputSchema is the JSON Schema 2020-12 of requests to the tool. It is as strict as JSON
// Schema allows: it cannot express the form of numbers written without quotes (no
// exponents), duplicate keys and the rules of Check.
func (t *Tool) InputSchema() []byte {
	examples := []any{}
	for _, e := range t.Examples {
		examples = append(examples, json.RawMessage(e.Request))
	}
	head := schema{{"$schema", dialect}, {"title", t.Title}, {"description", t.Description}}
	body := objectSchema(t.request.fields, nil, true)
	definitions := schema{{
		parameterReference.Name,
		append(schema{{"title", parameterReference.Title}}, parameterReference.inputSchema()...),
	}}
	return append(append(head, body...), property{"examples", examples}, property{"$defs", definitions}).indented()
}

func objectSchema(fields []Field, choices []Choice, input bool) schema {
	properties, required := schema{}, []string{}
	for i := range fields {
		f := &fields[i]
		properties = append(properties, property{f.Name, f.schema(input)})
		if !input || f.required() {
			required = append(required, f.Name)
		}
	}
	s := schema{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
	var all []any
	for _, c := range choices {
		all = append(all, c.schema(fields))
	}
	if all != nil {
		s = append(s, property{"allOf", all})
	}
	return s
}

// schema requires one of the variants.
func (c Choice) schema(fields []Field) schema {
	var variants []any
	for _, v := range c {
		s := schema{}
		if v.By != "" {
			s = append(s, property{"properties", schema{{v.By, schema{{"const", v.Is}}}}})
		}
		s = append(s, property{"required", v.required(fields)})
		var others []any
		for _, n := range c.all() {
			if !v.allows(n) {
				others = append(others, schema{{"required", []string{n}}})
			}
		}
		if others != nil {
			s = append(s, property{"not", schema{{"anyOf", others}}})
		}
		variants = append(variants, s)
	}
	return schema{{"anyOf", variants}}
}

func preset(fields []Field, name string) string {
	if i := indexOf(fields, name); i >= 0 {
		return fields[i].preset
	}
	return ""
}

// schema is the schema of the field's value.
func (f *Field) schema(input bool) schema {
	s := schema{{"title", f.Title}}
	if f.Unit != "" {
		s = append(s, property{"x-unit", f.Unit})
	}
	if input {
		s = append(s, f.inputSchema()...)
	} else {
		s = append(s, f.outputSchema()...)
	}
	if f.nullable {
		s = schema{{"anyOf", []any{s, schema{{"type", "null"}}}}}
	}
	if f.preset != "" && input {
		s = append(s, property{"default", f.presetValue()})
	}
	return s
}

func (f *Field) presetValue() any {
	if f.kind == boolKind || f.kind == intKind {
		return json.RawMessage(f.preset)
	}
	return f.preset
}

// textSchema names the usual values as examples, and the units of parameters for forms.
func (f *Field) textSchema() schema {
	s := schema{{"type", "string"}, {"pattern", f.pattern.String()}}
	if f.usual != nil {
		s = append(s, property{"examples", f.usual})
	}
	if f.units != nil {
		s = append(s, property{"x-parameter-units", f.units})
	}
	return s
}

func (f *Field) inputSchema() schema {
	switch f.kind {
	case moneyKind, pctKind, coefKind, intKind:
		return f.numberSchema()
	case dateKind:
		return schema{{"type", "string"}, {"format", "date"}, {"pattern", `^20\d{2}-\d{2}-\d{2}$`}}
	case enumKind:
		return f.enumSchema()
	case textKind:
		return f.textSchema()
	case boolKind:
		return schema{{"type", "boolean"}}
	case listKind:
		return schema{
			{"type", "array"}, {"minItems", f.minItems}, {"maxItems", f.maxItems}, {"items", f.item.schema(true)},
		}
	}
	return objectSchema(f.fields, f.choices, true)
}

// enumSchema lists the current words, and describes the former spellings accepted.
func (f *Field) enumSchema() schema {
	words := schema{{"type", "string"}, {"enum", f.enum}}
	if f.formerly != nil {
		words = append(words, property{"x-formerly", f.formerly})
	}
	return words
}

// numberSchema accepts a string, which is exact everywhere, or a number, and in place of
// them a parameter that states it.
func (f *Field) numberSchema() schema {
	number := "number"
	if f.kind == intKind {
		number = "integer"
	}
	forms := []any{
		schema{{"type", "string"}, {"pattern", f.form().String()}},
		schema{
			{"type", number}, {"minimum", json.RawMessage(f.bound(f.min))},
			{"maximum", json.RawMessage(f.bound(f.max))},
		},
	}
	if f.acceptsParameter() {
		forms = append(forms, schema{{"$ref", "#/$defs/" + parameterReference.Name}})
	}
	return schema{{"anyOf", forms}, {"x-minimum", f.bound(f.min)}, {"x-maximum", f.bound(f.max)}}
}

func (f *Field) outputSchema() schema {
	switch f.kind {
	case moneyKind:
		return schema{{"type", "string"}, {"pattern", `^-?(0|[1-9]\d*)\.\d{2}$`}}
	case pctKind, coefKind:
		return schema{{"type", "string"}, {"pattern", `^-?(0|[1-9]\d*)(\.\d+)?$`}}
	case intKind:
		return schema{{"type", "integer"}}
	case dateKind:
		return schema{{"type", "string"}, {"format", "date"}}
	case enumKind:
		return schema{{"type", "string"}, {"enum", f.enum}}
	case textKind:
		return schema{{"type", "string"}}
	case boolKind:
		return schema{{"type", "boolean"}}
	case listKind:
		return schema{{"type", "array"}, {"items", f.item.schema(false)}}
	case mapKind:
		return schema{{"type", "object"}, {"additionalProperties", f.item.schema(false)}}
	}
	return objectSchema(f.fields, nil, false)
}

// OutputSchema is the JSON Schema 2020-12 of the tool's answers: the envelope of all
// tools with the outputs, schedule and members of this one.
func (t *Tool) OutputSchema() []byte {
	properties := schema{
		{"tool_id", schema{{"const", t.ID}}},
		{"tool_version", schema{{"const", t.Version}}},
		{"formula_id", schema{{"const", t.Formula}}},
		{"engine_version", typed("string")},
		{"rounding_policy", typed("string")},
		{"status", schema{{"enum", []string{StatusComputed, CalculationNotAvailable, StatusDoNotGuess}}}},
		{"reason", schema{{"enum", reasonNames()}}},
		{"inputs_echo", typed("object")},
		{"inputs_hash", schema{{"type", "string"}, {"pattern", "^sha256:[0-9a-f]{64}$"}}},
		{"outputs", t.outputsSchema()},
		{"comparison", arrayOf(comparisonSchema())},
	}
	required := []string{}
	for _, p := range properties {
		required = append(required, p.name)
	}
	if t.Schedule != nil {
		rows := objectSchema(t.Schedule, nil, false)
		properties = append(properties, property{"schedule", closed(property{"total_rows", typed("integer")},
			property{"from", typed("integer")}, property{"rows", arrayOf(rows)})})
	}
	properties = append(properties,
		property{"trace", arrayOf(stringsOf("step", "formula", "substituted", "value"))},
		property{"assumptions", arrayOf(typed("string"))},
		property{"warnings", arrayOf(stringsOf("code", "pointer", "detail"))},
		property{"external_data", arrayOf(sourceSchema())},
		property{"not_computed", arrayOf(typed("string"))})
	required = append(required, "assumptions", "warnings", "external_data", "not_computed")
	if t.PSK {
		properties = append(
			properties, property{"psk", closed(property{"status", schema{{"const", "not_calculated"}}})},
		)
		required = append(required, "psk")
	}
	for i := range t.Members {
		properties = append(properties, property{t.Members[i].Name, t.Members[i].schema(false)})
	}
	properties = append(
		properties, property{"receipt", schema{{"type", "string"}, {"pattern", "^sha256:[0-9a-f]{64}$"}}},
	)
	required = append(required, "receipt")
	return schema{{"$schema", dialect}, {"title", t.Title}, {"type", "object"}, {"properties", properties},
		{"required", required}, {"additionalProperties", false}}.indented()
}

func reasonNames() []any {
	out := []any{nil}
	for _, r := range reasons {
		out = append(out, r)
	}
	return out
}

func (t *Tool) outputsSchema() schema {
	properties := schema{}
	for i := range t.Outputs {
		f := &t.Outputs[i]
		var unit any
		if f.Unit != "" {
			unit = f.Unit
		}
		properties = append(properties, property{f.Name, closed(property{"value", f.schema(false)},
			property{"unit", schema{{"const", unit}}}, property{"type", schema{{"const", kindNames[f.kind]}}})})
	}
	return schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
}

func comparisonSchema() schema {
	scalar := schema{{"type", []string{"string", "integer", "null"}}}
	return schema{{"type", "object"}, {"properties", schema{
		{"name", typed("string")},
		{
			"status",
			schema{{"enum", []string{WithinTolerance, DeviationDetected, ContractValueOnly, CalculationNotAvailable}}},
		},
		{"calculated", scalar},
		{"contract", scalar},
		{"unit", schema{{"type", []string{"string", "null"}}}},
		{"type", typed("string")},
		{"tolerance", typed("object")},
		{"deviation", closed(property{"absolute", scalar}, property{"relative", scalar}, property{"signed", scalar})},
	}}, {"required", names("name", "status", "calculated", "contract", "unit", "type", "tolerance")},
		{"additionalProperties", false}}
}

func typed(name string) schema { return schema{{"type", name}} }

func arrayOf(items schema) schema { return schema{{"type", "array"}, {"items", items}} }

// closed is an object of exactly these properties.
func closed(properties ...property) schema {
	required := make([]string, len(properties))
	for i, p := range properties {
		required[i] = p.name
	}
	return schema{
		{"type", "object"}, {"properties", schema(properties)}, {"required", required}, {"additionalProperties", false},
	}
}

// stringsOf is an object of exactly these strings.
func stringsOf(names ...string) schema {
	var properties []property
	for _, n := range names {
		properties = append(properties, property{n, typed("string")})
	}
	return closed(properties...)
}
