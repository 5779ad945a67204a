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

// An outline is the members of an object in their order, and which of them it must have.
type outline struct {
	properties schema
	required   []string
}

func (o *outline) may(name string, s schema) { o.properties = append(o.properties, property{name, s}) }

func (o *outline) must(name string, s schema) {
	o.may(name, s)
	o.required = append(o.required, name)
}

// object is the schema of an object that has no other members.
func (o *outline) object() schema {
	return schema{
		{"type", "object"}, {"properties", o.properties}, {"required", o.required}, {"additionalProperties", false},
	}
}

func objectSchema(fields []Field, choices []Choice, input bool) schema {
	o := outline{schema{}, []string{}}
	for i := range fields {
		f := &fields[i]
		if o.may(f.Name, f.schema(input)); !input || f.required() {
			o.required = append(o.required, f.Name)
		}
	}
	var all []any
	for _, c := range choices {
		all = append(all, c.schema(fields))
	}
	if all == nil {
		return o.object()
	}
	return append(o.object(), property{"allOf", all})
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
	if f.kind == objectKind {
		return objectSchema(f.fields, nil, false)
	}
	s := typed(kinds[f.kind].json)
	switch f.kind {
	case moneyKind, pctKind, coefKind:
		s = append(s, property{"pattern", kinds[f.kind].form})
	case dateKind:
		s = append(s, property{"format", "date"})
	case enumKind:
		s = append(s, property{"enum", f.enum})
	case listKind:
		s = append(s, property{"items", f.item.schema(false)})
	case mapKind:
		s = append(s, property{"additionalProperties", f.item.schema(false)})
	}
	return s
}

// OutputSchema is the JSON Schema 2020-12 of the tool's answers: the envelope of all
// tools with the outputs, schedule and members of this one.
func (t *Tool) OutputSchema() []byte {
	hash := append(typed("string"), property{"pattern", "^sha256:[0-9a-f]{64}$"})
	var o outline
	o.must("tool_id", schema{{"const", t.ID}})
	o.must("tool_version", schema{{"const", t.Version}})
	o.must("formula_id", schema{{"const", t.Formula}})
	o.must("engine_version", typed("string"))
	o.must("rounding_policy", typed("string"))
	o.must("status", schema{{"enum", []string{StatusComputed, CalculationNotAvailable, StatusDoNotGuess}}})
	o.must("reason", schema{{"enum", reasonNames()}})
	o.must("inputs_echo", typed("object"))
	o.must("inputs_hash", hash)
	o.must("outputs", t.outputsSchema())
	o.must("comparison", arrayOf(comparisonSchema()))
	if t.Schedule != nil {
		o.may("schedule", closed(property{"total_rows", typed("integer")}, property{"from", typed("integer")},
			property{"rows", arrayOf(objectSchema(t.Schedule, nil, false))}))
	}
	o.may("trace", arrayOf(stringsOf("step", "formula", "substituted", "value")))
	o.must("assumptions", arrayOf(typed("string")))
	o.must("warnings", arrayOf(stringsOf("code", "pointer", "detail")))
	o.must("external_data", arrayOf(sourceSchema()))
	o.must("not_computed", arrayOf(typed("string")))
	if t.PSK {
		o.must("psk", closed(property{"status", schema{{"const", "not_calculated"}}}))
	}
	for i := range t.Members {
		o.may(t.Members[i].Name, t.Members[i].schema(false))
	}
	o.must("receipt", hash)
	return append(schema{{"$schema", dialect}, {"title", t.Title}}, o.object()...).indented()
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
			property{"unit", schema{{"const", unit}}}, property{"type", schema{{"const", kinds[f.kind].name}}})})
	}
	return schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
}

func comparisonSchema() schema {
	scalar := schema{{"type", []string{"string", "integer", "null"}}}
	var o outline
	o.must("name", typed("string"))
	o.must("status", schema{{
		"enum", []string{WithinTolerance, DeviationDetected, ContractValueOnly, CalculationNotAvailable},
	}})
	o.must("calculated", scalar)
	o.must("contract", scalar)
	o.must("unit", schema{{"type", []string{"string", "null"}}})
	o.must("type", typed("string"))
	o.must("tolerance", typed("object"))
	o.may("deviation", closed(property{"absolute", scalar}, property{"relative", scalar}, property{"signed", scalar}))
	return o.object()
}

func typed(name string) schema { return schema{{"type", name}} }

func arrayOf(items schema) schema { return schema{{"type", "array"}, {"items", items}} }

// closed is an object of exactly these properties.
func closed(properties ...property) schema {
	o := outline{properties: properties}
	for _, p := range properties {
		o.required = append(o.required, p.name)
	}
	return o.object()
}

// stringsOf is an object of exactly these strings.
func stringsOf(names ...string) schema {
	var properties []property
	for _, n := range names {
		properties = append(properties, property{n, typed("string")})
	}
	return closed(properties...)
}
