package site

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rulestore/server/calc"
	"rulestore/server/page"
)

// formField is a field of a form, from the declaration of a tool.
type formField struct {
	name, kind   string
	title, unit  string
	least, most  string   // of a number
	values       []string // of an enumeration
	preset       string
	required     bool
	truth        bool            // a choice between true and false
	absent       json.RawMessage // the value if it is left empty
	pattern      *regexp.Regexp  // of a number or a text, as the request has it
	units        []string        // of the parameters whose ids it takes; nil: it takes none
	fields       []*formField
	item         *formField
	from, to     int            // number of elements of a list
	fieldChoices []*fieldChoice // choices between its fields
}

var formFields sync.Map // by tool id, shared by all registries

// inputOf is the form of a tool's request, made from its declaration once.
func inputOf(t *calc.Tool) *formField {
	if known, ok := formFields.Load(t.ID); ok {
		return known.(*formField)
	}
	in := readInput("", t.Request())
	formFields.Store(t.ID, in)
	return in
}

func readInput(name string, f *calc.Field) *formField {
	from := f.Input()
	in := &formField{
		name: name, kind: page.Text, title: f.Title, unit: f.Unit, least: from.Least, most: from.Most,
		preset: from.Preset, required: from.Required && !from.Nullable,
	}
	if from.Form != nil {
		in.pattern = from.Form()
	}
	if from.Required && from.Nullable {
		in.absent = json.RawMessage("null")
	}
	switch from.Type {
	case "money", "percent", "ratio", "count":
		in.kind = page.Number
	case "date":
		in.kind = page.Date
	case "enum":
		in.kind, in.values = page.Choose, from.Words
	case "text":
		if in.values, in.units = from.Usual, from.Parameters; in.values != nil || in.units != nil {
			in.kind = page.Choose
		}
	case "boolean":
		in.kind, in.truth, in.values = page.Choose, true, []string{"true", "false"}
	case "list":
		in.kind, in.from, in.to = page.Several, from.From, from.To
		if from.Required && in.from == 0 {
			in.required, in.absent = false, json.RawMessage("[]")
		}
		in.item = readInput("", from.Item)
	case "object":
		in.kind = page.Group
		for i := range from.Fields {
			in.fields = append(in.fields, readInput(from.Fields[i].Name, &from.Fields[i]))
		}
		in.readFieldChoices(from.Choices)
	}
	return in
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
		k := in.choiceOf(f)
		switch {
		case k == nil:
			all = append(all, f.form(name+"."+f.name, with))
		case !slices.ContainsFunc(in.fields[:i], func(f *formField) bool { return in.choiceOf(f) == k }):
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
