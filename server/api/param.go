package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rulestore/content"
)

// A Param is one parameter of a path, a query, or the arguments of a tool.
type Param struct {
	Name  string
	In    string // path, query or header
	About string // in Russian, for readers of the OpenAPI description
	Brief string // shorter, for a model; "" if the name is sufficient
	Title string // of its field in a form; "" if forms have none

	Type     Type
	Values   []string            // of a Word: all of them; nil if they depend on the content. None is the default
	From     string              // the name of a list of them in [lists]
	Spelt    func(string) string `json:"-"` // the canonical form of a value; nil: unchanged
	Open     bool                // a model is not given all the values: it reads them from the content
	Filter   bool                // it filters records
	Pattern  string              // of a Text; of a query the handler checks it
	Default  int                 // of a Number; below Least: none
	Least    int
	Most     int
	Length   int    // maximum number of characters of a Text or an element of a List; 0: unlimited
	Required bool   // of a query; path parameters always are
	Many     int    // maximum number of elements of a List
	Codes    string // the registry, and the list in it, that define the codes of a Text: taxonomy/product_types
	Example  string

	Answers []string // the components that answer in place of the operation's own, if it is given

	Key    string // its name among the components of the description; "" if it is described where it is used
	Inline bool   // it has no Key
}

// Type is the type of a parameter's values.
type Type string

// The types of parameters.
const (
	Text   Type = "text"    // any non-blank text
	Word   Type = "string"  // one of several values
	Date   Type = "date"    // 2026-05-01
	Number Type = "integer" // from Least to Most
	Switch Type = "boolean"
	List   Type = "array" // of texts: the parameter is repeated
	// DayOrInstant is a day, or an instant with its zone: 2026-05-01T12:20:00+03:00.
	DayOrInstant Type = "day or instant"
	// DayOrPlace is a day, or an index in the log, with the name of a repository before it and a
	// colon where that is not the first of several.
	DayOrPlace Type = "day or place"
)

// Allowed lists the values of a Word or a Switch; nil if they depend on the content.
func (p *Param) Allowed() []string {
	switch {
	case p.Type == Switch:
		return []string{"true", "false"}
	case p.From != "":
		return lists[p.From]()
	}
	return p.Values
}

// Called is the title of the parameter, or what it is about if forms have no field of it.
func (p *Param) Called() string {
	about := p.About
	for _, end := range []string{". ", "; ", ": "} { // the rest explains the values
		about, _, _ = strings.Cut(about, end)
	}
	return cmp.Or(p.Title, strings.TrimSuffix(strings.ReplaceAll(about, "`", ""), "."))
}

// A Rejection is what is wrong with a value, in Russian for people, and a code for programs.
type Rejection struct{ Code, Detail, Hint string }

// Check lists what is wrong with the values that a request gives a parameter. Values that depend on
// the content, and places in the log, are checked by who has these.
func (p *Param) Check(values ...string) (faults []Rejection) {
	if p.Type == List && len(values) > p.Many {
		return []Rejection{{"too_many", "Значений слишком много.", fmt.Sprintf("Не больше %d за один запрос.", p.Many)}}
	}
	for _, v := range values {
		if f := p.wrong(v); f != nil {
			faults = append(faults, *f)
		}
	}
	return faults
}

// wrong is what is wrong with one value, nil if nothing is.
func (p *Param) wrong(value string) *Rejection {
	switch p.Type {
	case Text, List:
		switch {
		case strings.TrimSpace(value) == "":
			return &Rejection{"empty_value", "Значение не указано.", "Укажите значение или уберите параметр."}
		case p.Length > 0 && utf8.RuneCountInString(value) > p.Length:
			return &Rejection{"too_long", "Значение слишком длинное.", fmt.Sprintf("Не больше %d знаков.", p.Length)}
		}
	case Word, Switch:
		if allowed := p.Allowed(); allowed != nil {
			return NotOneOf(value, allowed)
		}
	case Number:
		if n, err := strconv.Atoi(value); err != nil || n < p.Least || n > p.Most {
			return &Rejection{
				"out_of_range", "Ожидается целое число в допустимых пределах.",
				fmt.Sprintf("От %d до %d.", p.Least, p.Most),
			}
		}
	case Date:
		if _, err := time.Parse(content.Date, value); err != nil {
			return &Rejection{"no_date", "Ожидается дата.", "Запишите день как 2026-05-01."}
		}
	case DayOrInstant:
		if !content.IsAsOf(value) {
			return &Rejection{
				"no_date", "Ожидается день или момент с часовым поясом.",
				"Запишите день как 2026-05-01, момент — как 2026-05-01T12:20:00+03:00 или 2026-05-01T09:20:00Z.",
			}
		}
	}
	return nil
}

// NotOneOf is the fault of a value that is not among those allowed, nil if it is.
func NotOneOf(value string, allowed []string) *Rejection {
	if slices.Contains(allowed, value) {
		return nil
	}
	return &Rejection{
		"unknown_value", "Недопустимое значение.", "Допустимые значения: " + strings.Join(allowed, ", ") + ".",
	}
}

// schema is the JSON Schema of the values.
func (p *Param) schema() content.Object {
	switch p.Type {
	case Date:
		return inFormat("date")
	case DayOrInstant: // see [content.IsAsOf]
		return Object("anyOf", []any{inFormat("date"), inFormat("date-time")})
	case DayOrPlace:
		return Object("oneOf", []any{
			inFormat("date"), Object("type", "integer", "minimum", 0),
			Object("type", "string", "pattern", "^[a-z][a-z0-9-]*:[0-9]+$"),
		})
	case Number:
		s := Object("type", "integer", "minimum", p.Least, "maximum", p.Most)
		if p.In == "query" && p.Default >= p.Least {
			s = append(s, Object("default", p.Default)...)
		}
		return s
	case Switch:
		return Object("type", "boolean")
	case List:
		items := Object("type", "string", "minLength", 1, "maxLength", p.Length)
		return Object("type", "array", "minItems", 1, "maxItems", p.Many, "items", items)
	}
	s := Object("type", "string")
	switch {
	case p.Allowed() != nil:
		s = append(s, Object("enum", p.Allowed())...)
	case p.Type == Text && p.In == "query":
		s = append(s, Object("minLength", 1)...)
	case p.Type == Word && p.In == "query" && p.Example != "":
		s = append(s, Object("examples", []string{p.Example})...)
	}
	if p.Length > 0 {
		s = append(s, Object("maxLength", p.Length)...)
	}
	if p.Pattern != "" {
		s = append(s, Object("pattern", p.Pattern)...)
	}
	return s
}

// inFormat is the JSON Schema of texts in a format.
func inFormat(name string) content.Object { return Object("type", "string", "format", name) }

// describe is the parameter as OpenAPI has it.
func (p *Param) describe() content.Object {
	o := Object("name", p.Name, "in", p.In, "description", p.About)
	if p.In == "path" || p.Required {
		o = append(o, Object("required", true)...)
	}
	if p.Codes != "" {
		o = append(o, Object("x-codes", p.Codes)...)
	}
	var answers []any
	for _, name := range p.Answers {
		answers = append(answers, ref("schemas", name))
	}
	if answers != nil {
		o = append(o, Object("x-answers", answers)...)
	}
	o = append(o, Object("schema", p.schema())...)
	if p.Type == List {
		o = append(o, Object("style", "form", "explode", true)...)
	}
	if p.Example != "" {
		o = append(o, Object("example", p.example())...)
	}
	return o
}

func (p *Param) example() json.RawMessage {
	switch p.Type {
	case Number:
		return json.RawMessage(p.Example)
	case List:
		return JSON([]string{p.Example})
	}
	return JSON(p.Example)
}
