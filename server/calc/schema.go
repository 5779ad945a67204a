package calc

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"sync"
	"text/template"
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

// objectSchema is the schema of an object that has no other members.
func objectSchema(fields []Field, choices []Choice, input bool) schema {
	properties, required := schema{}, []string{}
	for i := range fields {
		f := &fields[i]
		properties = append(properties, property{f.Name, f.schema(input)})
		if !input || f.required() {
			required = append(required, f.Name)
		}
	}
	s := schema{
		{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false},
	}
	if len(choices) > 0 {
		s = append(s, property{"allOf", each(choices, func(c Choice) schema { return c.schema(fields) })})
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
		schema{{"type", "string"}, {"pattern", f.numberPattern().String()}},
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
	s := schema{{"type", kinds[f.kind].json}}
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

//go:embed answer.schema.tmpl
var answerSchema string

// outputSchema writes the schemas of answers.
var outputSchema = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"json":    inJSON,
		"reasons": func() []Reason { return reasons },
		"value":   func(f Field) (string, error) { return inJSON(f.schema(false)) },
		"row":     func(fields []Field) (string, error) { return inJSON(objectSchema(fields, nil, false)) },
		"type":    func(f Field) (string, error) { return inJSON(kinds[f.kind].name) },
		"unit":    func(f Field) string { return string(appendNullable(nil, f.Unit)) },
	}).Parse(answerSchema))
})

func inJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// OutputSchema is the JSON Schema 2020-12 of the tool's answers: the envelope of all
// tools with the outputs, schedule and members of this one.
func (t *Tool) OutputSchema() []byte {
	var text, out bytes.Buffer
	err := outputSchema().Execute(&text, t)
	if err == nil {
		err = json.Indent(&out, text.Bytes(), "", "  ")
	}
	if err != nil {
		panic("embedded answer.schema.tmpl: " + err.Error()) // tests write them all
	}
	return out.Bytes()
}
