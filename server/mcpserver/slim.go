package mcpserver

import (
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

// slim shortens the schema of a calculation's request, as models read fifty of them. Limits,
// forms of numbers and the shared parts are left out: the engine checks them, and the
// registry has the full schema.
func slim(schema []byte) json.RawMessage {
	var whole, properties content.Object
	if json.Unmarshal(compact(schema), &whole) != nil || json.Unmarshal(whole.Get("properties"), &properties) != nil {
		panic("mcpserver: a schema that is no object") // tests cover the schemas of calc
	}
	inputs := slimmed(properties.Get("inputs"), "title")
	return json.RawMessage(
		`{"type":"object","properties":{"inputs":` + string(inputs) + `,` + envelope + `},"required":["inputs"]}`,
	)
}

// lazySchema is a schema that is made on first use, to keep the start of the server fast.
type lazySchema func() json.RawMessage

// MarshalJSON implements [json.Marshaler].
func (s lazySchema) MarshalJSON() ([]byte, error) { return s(), nil }

func slimOf(t *calc.Tool) lazySchema {
	return sync.OnceValue(func() json.RawMessage { return slim(t.InputSchema()) })
}

// slimmed shortens the schema of a value. Titles become descriptions, unless left out.
func slimmed(raw json.RawMessage, without ...string) json.RawMessage {
	var full, short content.Object
	if json.Unmarshal(raw, &full) != nil {
		return raw
	}
	about := ""
	for _, m := range full {
		switch {
		case m.Name == "anyOf":
			short = append(short, merged(m.Value, without...)...)
		case m.Name == "title" && !slices.Contains(without, m.Name):
			about = full.Text(m.Name)
		case m.Name == "items":
			short = short.With(m.Name, slimmed(m.Value, "title"))
		case m.Name == "properties":
			short = short.With(m.Name, slimmedEach(m.Value))
		case slices.Contains([]string{"type", "enum", "default", "format", "maxItems"}, m.Name),
			m.Name == "required" && string(m.Value) != "[]":
			short = short.With(m.Name, m.Value)
		case m.Name == "allOf":
			short = append(short, choices(m.Value)...)
		}
	}
	if unit := units[full.Text("x-unit")]; unit != "" && about != "" && !strings.Contains(about, unit) {
		about += ", " + unit
	}
	if about != "" {
		short = short.With("description", content.String(about))
	}
	return short.AppendJSON(nil)
}

// units has the units that titles do not always name.
var units = map[string]string{"RUB": "₽", "percent": "%"}

func slimmedEach(raw json.RawMessage) json.RawMessage {
	var properties content.Object
	if json.Unmarshal(raw, &properties) != nil {
		return raw
	}
	for i, p := range properties {
		properties[i].Value = slimmed(p.Value)
	}
	return properties.AppendJSON(nil)
}

// merged combines the alternatives of a value's schema, since not every model supports lists
// of types. It prefers integers for whole numbers, strings, which are exact, for others, and
// null where allowed. Groups of fields are left to the engine.
func merged(raw json.RawMessage, without ...string) content.Object {
	var variants []content.Object
	if json.Unmarshal(raw, &variants) != nil {
		return nil
	}
	short := content.Object{{Name: "type", Value: content.String("string")}}
	if slices.ContainsFunc(variants, func(v content.Object) bool { return v.Text("type") == "null" }) {
		return orNull(slimmed(variants[0].AppendJSON(nil), without...))
	}
	for _, v := range variants {
		switch t := v.Text("type"); {
		case v.Get("$ref") != nil: // a parameter in place of a number: described once, in the instructions
		case t == "" && v.Get("required") != nil:
			return nil
		case t != "number" && t != "string":
			return content.Object{{Name: "type", Value: content.String(t)}}
		}
	}
	return short
}

// orNull adds null to the type of a schema.
func orNull(raw json.RawMessage) (schema content.Object) {
	_ = json.Unmarshal(raw, &schema) // a schema of this program
	for i, m := range schema {
		if m.Name == "type" {
			schema[i].Value = json.RawMessage(`[` + string(m.Value) + `,"null"]`)
		}
	}
	return schema
}

// choices describes the groups of fields of which a request has one.
func choices(raw json.RawMessage) content.Object {
	var all []struct {
		AnyOf []struct{ Required []string }
	}
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	var short []json.RawMessage
	for _, c := range all {
		var groups []json.RawMessage
		for _, v := range c.AnyOf {
			groups = append(groups, content.Object{{Name: "required", Value: stringList(v.Required)}}.AppendJSON(nil))
		}
		short = append(short, content.Object{{Name: "anyOf", Value: jsonArray(groups)}}.AppendJSON(nil))
	}
	return content.Object{{Name: "allOf", Value: jsonArray(short)}}
}
