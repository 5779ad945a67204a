package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/server/calc"
)

// envelope are the parts of a request that all calculations share. What they may
// hold is said once, in the instructions of the server.
const envelope = `"contract_values":{"type":"object"},"tolerance":{"type":"object"},"options":{"type":"object"}`

// slim makes the schema of a calculation's request short enough for a model that
// reads fifty of them. What it accepts, the engine checks all the same: limits,
// forms of numbers and what the shared parts may hold are left to it, and the
// registry has the whole.
func slim(schema []byte) json.RawMessage {
	var whole, properties content.Object
	if json.Unmarshal(compact(schema), &whole) != nil || json.Unmarshal(whole.Get("properties"), &properties) != nil {
		panic("mcpserver: a schema that is no object") // calc writes them, and a test reads them all
	}
	inputs := slimmed(properties.Get("inputs"), "title")
	return json.RawMessage(`{"type":"object","properties":{"inputs":` + string(inputs) + `,` + envelope + `},"required":["inputs"]}`)
}

// lazySchema is a schema that is made when somebody first wants to read it: a
// server that starts has no time for fifty.
type lazySchema func() json.RawMessage

// MarshalJSON implements [json.Marshaler].
func (s lazySchema) MarshalJSON() ([]byte, error) { return s(), nil }

func slimOf(t *calc.Tool) lazySchema {
	return sync.OnceValue(func() json.RawMessage { return slim(t.InputSchema()) })
}

// slimmed shortens the schema of a value. What is said of it becomes the
// description, unless it is to be left out.
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

// units says the units that a title does not always name.
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

// merged is one schema for a value that may be written in several ways. Not every model
// takes a list of types, so it is the one to be preferred: whole numbers as such, all other
// numbers as strings, which are exact everywhere; only null has no other spelling. Groups
// of fields are left to the engine.
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
		case v.Get("$ref") != nil: // of a parameter that states the number: said once, in the instructions
		case t == "" && v.Get("required") != nil:
			return nil
		case t != "number" && t != "string":
			return content.Object{{Name: "type", Value: content.String(t)}}
		}
	}
	return short
}

// orNull is a schema, with its one type, of a value that may be null as well.
func orNull(raw json.RawMessage) (schema content.Object) {
	_ = json.Unmarshal(raw, &schema) // of our own
	for i, m := range schema {
		if m.Name == "type" {
			schema[i].Value = json.RawMessage(`[` + string(m.Value) + `,"null"]`)
		}
	}
	return schema
}

// choices says which groups of fields go together: a request holds one of each.
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
		short = append(short, content.Object{{Name: "anyOf", Value: appendArray(nil, groups)}}.AppendJSON(nil))
	}
	return content.Object{{Name: "allOf", Value: appendArray(nil, short)}}
}
