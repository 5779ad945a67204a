package site

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// formField is a field of a form, from the schema of a tool.
type formField struct {
	name, kind  string
	title, unit string
	least, most string   // of a number
	values      []string // of an enumeration
	preset      string
	required    bool
	truth       bool            // a choice between true and false
	absent      json.RawMessage // the value if it is left empty
	pattern     *regexp.Regexp  // of a number or a text, as the request has it
	units       []string        // of the parameters whose ids it takes; nil: it takes none
	fields      []*formField
	item        *formField
	from, to    int     // number of elements of a list
	forks       []*fork // choices between its fields
}

var formFields sync.Map // by tool id, shared by all registries

// inputOf is the form of a tool's request, made from its schema once.
func inputOf(t *calc.Tool) *formField {
	if known, ok := formFields.Load(t.ID); ok {
		return known.(*formField)
	}
	var schema content.Object
	must(0, json.Unmarshal(t.InputSchema(), &schema))
	in := readInput("", schema, true)
	formFields.Store(t.ID, in)
	return in
}

func readInput(name string, schema content.Object, required bool) *formField {
	schema, nullable := withoutNull(schema)
	in := &formField{
		name: name, required: required, kind: page.Text, title: schema.Text("title"), unit: schema.Text("x-unit"),
		least: schema.Text("x-minimum"), most: schema.Text("x-maximum"),
		preset: scalar(orNothing(schema.Get("default"))), pattern: patternOf(schema),
	}
	if required && nullable {
		in.absent = json.RawMessage("null")
	}
	in.required = required && in.preset == "" && !nullable
	switch {
	case schema.Get("x-maximum") != nil:
		in.kind = page.Number
	case schema.Text("format") == "date":
		in.kind = page.Date
	case schema.Get("enum") != nil:
		in.kind = page.Choose
		_ = json.Unmarshal(schema.Get("enum"), &in.values) // of texts
	case schema.Text("type") == "string" && schema.Get("examples") != nil:
		in.kind = page.Choose
		_ = json.Unmarshal(schema.Get("examples"), &in.values) // of texts
	case schema.Get("x-parameter-units") != nil:
		in.kind = page.Choose
		_ = json.Unmarshal(schema.Get("x-parameter-units"), &in.units) // of texts
	case schema.Text("type") == "boolean":
		in.kind, in.truth, in.values = page.Choose, true, []string{"true", "false"}
	case schema.Text("type") == "array":
		in.kind = page.Several
		_ = json.Unmarshal(schema.Get("minItems"), &in.from) // whole numbers
		_ = json.Unmarshal(schema.Get("maxItems"), &in.to)
		in.required = required && in.from > 0
		if required && in.from == 0 {
			in.absent = json.RawMessage("[]")
		}
		in.item = readInput("", object0(schema.Get("items")), true)
	case schema.Text("type") == "object":
		in.kind = page.Group
		in.readFields(schema)
	}
	return in
}

// patternOf is the form of a text, or of a number that is written as one; nil if there is none.
func patternOf(schema content.Object) *regexp.Regexp {
	var forms []content.Object
	if json.Unmarshal(orEmpty(schema.Get("anyOf")), &forms) == nil && len(forms) > 0 {
		schema = forms[0]
	}
	if pattern := schema.Text("pattern"); pattern != "" {
		return regexp.MustCompile(pattern)
	}
	return nil
}

func (in *formField) readFields(schema content.Object) {
	var required []string
	_ = json.Unmarshal(orEmpty(schema.Get("required")), &required) // texts
	for _, m := range object0(schema.Get("properties")) {
		in.fields = append(in.fields, readInput(m.Name, object0(m.Value), slices.Contains(required, m.Name)))
	}
	in.readForks(schema.Get("allOf"))
}

func object0(raw json.RawMessage) (o content.Object) {
	_ = json.Unmarshal(raw, &o) // none is empty
	return o
}

func orNothing(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage(`""`)
	}
	return raw
}

// withoutNull is the schema of a value without null, and whether it may be null.
func withoutNull(schema content.Object) (content.Object, bool) {
	var any []content.Object
	if json.Unmarshal(orEmpty(schema.Get("anyOf")), &any) != nil || len(any) != 2 || any[1].Text("type") != "null" {
		return schema, false
	}
	return any[0], true
}

// field returns the field of that name, nil if there is none.
func (in *formField) field(name string) *formField {
	for _, f := range in.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// filled is what a form is filled with: the values that were sent. An example shows what can be
// entered, and parameters returns those that have a value in one of some units.
type filled struct {
	sent, example url.Values
	parameters    func(units []string) []page.Choice
}

// form is the input for a page.
func (in *formField) form(name string, with filled) page.Input {
	p := page.Input{
		Kind: in.kind, Name: name, Title: in.title, Unit: unitWords[in.unit], Value: with.sent.Get(name),
		Required: in.required,
		Hint:     in.hint(),
	}
	if p.Title == "" {
		p.Title = in.name
	}
	switch in.kind {
	case page.Choose:
		in.choose(&p, with)
	case page.Group:
		p.Inputs = in.inputs(name, with)
	case page.Several:
		in.rows(&p, with)
	case page.Date:
		p.Value, p.Example = dateShown(p.Value), "01.12.2026"
	case page.Number:
		p.Value, p.Example = page.Grouped(p.Value), page.Grouped(with.example.Get(name))
	default:
		p.Example = with.example.Get(name)
	}
	return p
}

// inputs are the fields of a group, those of a choice together.
func (in *formField) inputs(name string, with filled) (all []page.Input) {
	for i, f := range in.fields {
		k := in.fork(f)
		switch {
		case k == nil:
			all = append(all, f.form(name+"."+f.name, with))
		case !slices.ContainsFunc(in.fields[:i], func(f *formField) bool { return in.fork(f) == k }):
			all = append(all, k.form(name, with))
		}
	}
	return all
}

// hint describes the range and the default of a number.
func (in *formField) hint() string {
	var hints []string
	if in.kind == page.Number && in.unit != "RUB" && len(in.most) <= 9 {
		hints = append(hints, "от "+page.Grouped(in.least)+" до "+page.Grouped(in.most))
	}
	if in.preset != "" && in.kind != page.Choose {
		hints = append(hints, "если не указать — "+page.Grouped(in.preset))
	}
	return strings.Join(hints, ", ")
}

// choose offers a choice. Without parameters to choose from, the id of one is typed.
func (in *formField) choose(p *page.Input, with filled) {
	var parameters []page.Choice
	if in.units != nil {
		if parameters = with.parameters(in.units); parameters == nil {
			p.Kind, p.Example = page.Text, with.example.Get(p.Name)
			return
		}
	}
	p.Choices = in.choices(p.Value, parameters)
}

// choices are the values of a choice and the parameters that it takes. A chosen one that is not
// among them comes last.
func (in *formField) choices(chosen string, parameters []page.Choice) (all []page.Choice) {
	if chosen == "" {
		chosen = in.preset
	}
	if in.preset == "" && !(in.required && in.units == nil && len(in.values) <= 3) { // few values are all shown
		all = append(all, page.Choice{Title: "не указано"})
	}
	for _, v := range in.values {
		all = append(all, page.Choice{Value: v, Title: in.word(v)})
	}
	all = append(all, parameters...)
	at := slices.IndexFunc(all, func(c page.Choice) bool { return c.Value == chosen })
	if at < 0 && chosen != "" {
		at, all = len(all), append(all, page.Choice{Value: chosen, Title: chosen})
	}
	if at >= 0 {
		all[at].Chosen = true
	}
	return all
}

// word is the name of a value of an enumeration: of calculations their titles.
func (in *formField) word(value string) string {
	if title := calc.ToolTitle(value); title != "" {
		return title
	}
	if word := page.Worded(in.name, value); word != value {
		return word
	}
	return calc.Figure{Text: value}.Said()
}

// rows are the rows of a list: those that were sent, at least one.
func (in *formField) rows(p *page.Input, with filled) {
	n := max(len(rowsOf(with.sent, p.Name)), in.from, 1)
	p.Full = n >= in.to
	n = min(n, in.to)
	first := in.hideRows(p, n, with.sent)
	for i := first; i < min(n, first+formRows); i++ {
		row := in.item.form(rowName(p.Name, i), with)
		row.Title = strconv.Itoa(i + 1)
		if in.item.kind != page.Group {
			row.Title = in.title + ", " + row.Title
		}
		row.Required, row.Removable = i < in.from, n > max(in.from, 1)
		p.Inputs = append(p.Inputs, row)
	}
}
