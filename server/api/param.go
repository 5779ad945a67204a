package api

import (
	"encoding/json"

	"rulestore/content"
)

// A Param is one parameter: of an address, of a query, of the arguments of a tool.
type Param struct {
	Name  string
	In    string // path, query or header
	About string // in Russian, for who reads the description of the interface
	Brief string // the same for a model, in a few words; "" if the name says it all

	Type     Type
	Values   []string            // of a Word: all that there are; nil if the content says which
	From     func() []string     // the same, of what is not there before it is needed
	Spelt    func(string) string // a value as it is listed, where it may be spelt otherwise; nil: as it is
	Open     bool                // a model is not told all the values: they are many, and come from what it reads
	Filter   bool                // it chooses records
	Pattern  string              // of a Text
	Default  int                 // of a Number
	Least    int
	Most     int
	Length   int    // how many characters a Text or an element of a List has at most; 0: any number
	Required bool   // of a query; a part of a path always is
	Many     int    // how many elements a List has at most
	Codes    string // the registry that has the codes of a Text
	Example  string

	Page bool   // only pages for people have it
	Key  string // what it is called among the components of the description
}

// Type is what the values of a parameter are.
type Type string

// The types of parameters.
const (
	Text   Type = "text"    // anything but blanks
	Word   Type = "string"  // one of a few
	Date   Type = "date"    // 2026-05-01
	Number Type = "integer" // from Least to Most
	Switch Type = "boolean"
	List   Type = "array" // of texts: the parameter is repeated
	// DayOrInstant is a day, or an instant with its zone: 2026-05-01T12:20:00+03:00.
	DayOrInstant Type = "day or instant"
	// DayOrPlace is a day, or a place in the log.
	DayOrPlace Type = "day or place"
)

// Allowed lists the values of a Word or a Switch; nil if the content says which there are.
func (p *Param) Allowed() []string {
	switch {
	case p.Type == Switch:
		return []string{"true", "false"}
	case p.From != nil:
		return p.From()
	}
	return p.Values
}

// schema is the JSON Schema of the values.
func (p *Param) schema() content.Object {
	switch p.Type {
	case Date:
		return object("type", "string", "format", "date")
	case DayOrInstant:
		return asOf()
	case DayOrPlace:
		return object("oneOf", []any{
			object("type", "string", "format", "date"), object("type", "integer", "minimum", 0),
		})
	case Number:
		s := object("type", "integer", "minimum", p.Least, "maximum", p.Most)
		if p.In == "query" {
			s = append(s, object("default", p.Default)...)
		}
		return s
	case Switch:
		return object("type", "boolean")
	case List:
		items := object("type", "string", "minLength", 1, "maxLength", p.Length)
		return object("type", "array", "minItems", 1, "maxItems", p.Many, "items", items)
	}
	s := object("type", "string")
	switch {
	case p.Allowed() != nil:
		s = append(s, object("enum", p.Allowed())...)
	case p.Type == Text && p.In == "query":
		s = append(s, object("minLength", 1)...)
	case p.Type == Word && p.In == "query" && p.Example != "":
		s = append(s, object("examples", []string{p.Example})...)
	}
	if p.Length > 0 {
		s = append(s, object("maxLength", p.Length)...)
	}
	if p.Pattern != "" {
		s = append(s, object("pattern", p.Pattern)...)
	}
	return s
}

// asOf is the JSON Schema of what one may look back to, see [content.IsAsOf].
func asOf() content.Object {
	return object("anyOf", []any{
		object("type", "string", "format", "date"), object("type", "string", "format", "date-time"),
	})
}

// describe is the parameter as OpenAPI has it.
func (p *Param) describe() content.Object {
	o := object("name", p.Name, "in", p.In, "description", p.About)
	if p.In == "path" || p.Required {
		o = append(o, object("required", true)...)
	}
	if p.Codes != "" {
		o = append(o, object("x-codes", p.Codes)...)
	}
	o = append(o, object("schema", p.schema())...)
	if p.Type == List {
		o = append(o, object("style", "form", "explode", true)...)
	}
	if p.Example != "" {
		o = append(o, object("example", p.example())...)
	}
	return o
}

func (p *Param) example() json.RawMessage {
	switch p.Type {
	case Number:
		return json.RawMessage(p.Example)
	case List:
		return value([]string{p.Example})
	}
	return value(p.Example)
}
