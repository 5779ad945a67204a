package calc

import (
	"regexp"
)

// An Input is what a field of a request takes, as forms need it.
type Input struct {
	Type               string // as of a [Figure]
	Required, Nullable bool
	Preset             string // the literal of the default

	Least, Most string                // of a number
	Form        func() *regexp.Regexp // of a number or a text; nil: it is neither
	Words       []string              // of an enumeration
	Usual       []string              // common values of a text
	Parameters  []string              // the units of the parameters whose ids a text is; nil: it is no such id

	From, To int    // number of elements of a list
	Item     *Field // of a list
	Fields   []Field
	Choices  [][]Way // between the fields
}

// A Way is one of the groups of fields between which there is a choice.
type Way struct {
	By, When           string   // the field that selects it by a value; "" if there is none
	Required, Excluded []string // fields; required is By too, unless When is its default
}

// Request declares the requests to the tool: an object.
func (t *Tool) Request() *Field { return &t.request }

// Input is what the field takes.
func (f *Field) Input() Input {
	in := Input{
		Type: kindNames[f.kind], Required: f.required(), Nullable: f.nullable, Preset: f.preset,
		Words: f.enum, Usual: f.usual, Parameters: f.units,
		From: f.minItems, To: f.maxItems, Item: f.item, Fields: f.fields,
	}
	switch f.kind {
	case moneyKind, pctKind, coefKind, intKind:
		in.Least, in.Most, in.Form = f.bound(f.min), f.bound(f.max), f.form().compiled
	case textKind:
		in.Form = f.pattern.compiled
	}
	for _, c := range f.choices {
		in.Choices = append(in.Choices, c.ways(f.fields))
	}
	return in
}

// required reports whether each request has the field, whatever its other fields.
func (f *Field) required() bool { return !f.optional && f.preset == "" && !f.implied && !f.governed }

// ways are the variants of a choice between fields.
func (c Choice) ways(fields []Field) (all []Way) {
	for _, v := range c {
		w := Way{By: v.By, When: v.Is, Required: []string{}}
		if preset(fields, w.By) != w.When {
			w.Required = append(w.Required, w.By)
		}
		for _, n := range v.Needs {
			if preset(fields, n) == "" {
				w.Required = append(w.Required, n)
			}
		}
		for _, n := range c.all() {
			if !v.allows(n) {
				w.Excluded = append(w.Excluded, n)
			}
		}
		all = append(all, w)
	}
	return all
}
