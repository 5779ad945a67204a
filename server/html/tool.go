package html

import (
	"encoding/json"
	"errors"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// The parts of a request that a form has fields for. The second is one field.
const (
	inputsField   = "inputs"
	contractField = "contract_values"
)

// Calculate returns the page of a tool after its form was posted: with the answer, or not ok with
// the faults of the request.
func Calculate(s *site.Site, t *calc.Tool, sent url.Values) (p Shown, ok bool) {
	body := requestOf(t, sent)
	form := makerOf(s, s.Lookup(api.ToolsPath+t.ID)).tool(t, sent)
	answer, err := t.Calculate(body, s.Facts())
	if refused, is := errors.AsType[*calc.Error](err); is {
		showFaults(&form, refused)
		return form, false
	}
	form.Answer = answer
	return form, true
}

// example is the page of a tool, with its first example in the form.
func (m maker) example(t *calc.Tool) Tool {
	var request, inputs content.Object
	example := []byte(t.Examples[0].Request)
	_ = json.Unmarshal(example, &request) // examples of the program are valid
	_ = json.Unmarshal(request.Get(inputsField), &inputs)
	values := url.Values{}
	for _, in := range inputs {
		values.Set(in.Name, formValue(in.Value))
	}
	if contract := request.Get(contractField); contract != nil {
		values.Set(contractField, formValue(contract))
	}
	p := m.tool(t, values)
	p.Referrers, p.Others = m.referrers(site.ToolTarget(t.ID))
	return p
}

// formValue is a value as a form has it: a list or an object is JSON.
func formValue(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) == nil { // null is empty
		return text
	}
	return indentedJSON(raw)
}

// tool is the page of a tool, with values in the form.
func (m maker) tool(t *calc.Tool, values url.Values) Tool {
	path := api.ToolsPath + t.ID
	p := Tool{
		Head: m.head(t.Title, site.Line(t.Description), path, nil, Link{"Расчёты", m.root + api.MathPath}),
		ID:   t.ID, Version: t.Version, About: t.Description, Action: m.root + path,
	}
	for _, f := range formFields(t) {
		p.Fields = append(p.Fields, formField(f, values.Get(f.Name)))
	}
	return p
}

// formFields are the inputs of a tool, then the values of a contract as one field if it takes any.
func formFields(t *calc.Tool) (all []*calc.Field) {
	request := t.Request().Input().Fields
	for i := range request {
		switch f := &request[i]; f.Name {
		case inputsField:
			inputs := f.Input().Fields
			for j := range inputs {
				all = append(all, &inputs[j])
			}
		case contractField:
			if len(f.Input().Fields) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// formField is a field of a form with a value.
func formField(f *calc.Field, value string) Field {
	in := f.Input()
	p := Field{
		Name: f.Name, Title: calc.Figure{Title: f.Title, Unit: f.Unit}.Head(), Type: "text", Value: value,
		Optional: !in.Required || in.Nullable, Required: in.Required && !in.Nullable,
	}
	switch in.Type {
	case "money", "percent", "ratio", "count":
		p.Type = "number"
	case "date":
		p.Type = "date"
	case "list", "object":
		p.Type = "json"
	case "enum":
		p.Choices = choicesOf(in.Words, in.Preset, value)
	case "boolean":
		p.Choices = choicesOf([]string{"true", "false"}, in.Preset, value)
	}
	return p
}

// choicesOf are the values of a choice, after the one of none. A chosen one that is not among them
// comes last.
func choicesOf(values []string, preset, chosen string) []Choice {
	none := "не указано"
	if preset != "" {
		none = "не указано (" + calc.Worded(preset) + ")"
	}
	return append([]Choice{{Title: none}}, choices(values, chosen, offer{title: calc.Worded, must: true})...)
}

// requestOf is the request of a form, with the whole schedule, if the tool has one.
func requestOf(t *calc.Tool, sent url.Values) []byte {
	var inputs, request content.Object
	for _, f := range formFields(t) {
		value := valueOf(f.Input(), strings.TrimSpace(sent.Get(f.Name)))
		switch {
		case value == nil:
		case f.Name == contractField:
			request = content.Object{{Name: contractField, Value: value}}
		default:
			inputs = inputs.With(f.Name, value)
		}
	}
	request = append(content.Object{{Name: inputsField, Value: inputs.AppendJSON(nil)}}, request...)
	if t.Schedule != nil {
		request = request.With(
			"options", json.RawMessage(`{"include_schedule":true,"schedule_limit":`+strconv.Itoa(calc.MaxRows)+`}`),
		)
	}
	return request.AppendJSON(nil)
}

// separators are what people write in numbers: the decimal comma, which Russian keyboards of phones
// have in place of the point, and spaces.
var separators = strings.NewReplacer(",", ".", " ", "", "\u00A0", "", "\u202F", "")

// valueOf is the JSON of a value that was sent, nil if that is empty. A list or an object is JSON
// already; the engine says what is wrong with text in its place.
func valueOf(in calc.Input, text string) json.RawMessage {
	switch {
	case text == "" && in.Required && in.Nullable:
		return json.RawMessage("null")
	case text == "":
		return nil
	case (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)),
		in.Type == "boolean" && (text == "true" || text == "false"):
		return json.RawMessage(text)
	case slices.Contains([]string{"money", "percent", "ratio", "count"}, in.Type):
		return content.String(separators.Replace(text))
	}
	return content.String(text)
}

// showFaults lists the faults of a request, each with the field that it is in.
func showFaults(p *Tool, refused *calc.Error) {
	for _, f := range refused.Faults {
		fault := FieldFault{Title: f.Pointer, Detail: f.Detail, Hint: []Link{{Title: f.Hint}}}
		parts := strings.Split(f.Pointer, "/") // after the first slash
		for i := range p.Fields {
			if at := &p.Fields[i]; len(parts) > 2 && parts[1] == inputsField && parts[2] == at.Name ||
				len(parts) > 1 && parts[1] == contractField && parts[1] == at.Name {
				fault.Name, at.Wrong = at.Name, true
			}
		}
		p.Faults = append(p.Faults, fault)
	}
	if p.Faults == nil {
		p.Faults = []FieldFault{{Detail: refused.Detail}}
	}
}

// Tools lists the calculations by family.
type Tools struct {
	Head
	Filters  Filters
	Families []Family
}

// Family is a group of calculations.
type Family struct {
	ID, Title string
	Rows      []Row
}

// Tool is a calculation: its form, and the answer after that was sent, without the steps. On a screen the inputs
// are in the form.
type Tool struct {
	Head
	ID, Version string
	About       string
	Action      string
	Fields      []Field
	Faults      []FieldFault // of what was sent
	Answer      *calc.Answer // nil before the form is sent, and if it has faults
	Referrers   []Link
	Others      int // number of further items that refer to it
}

// maxAnswer is the maximum number of rows of a table of an answer: thirty years of months are whole,
// and a page stays below 100 KB.
const maxAnswer = 400

// rowsOf draws the first rows of a table, most of which are those of a schedule: a template would take several
// times as long. leftOf is the number of others.
func rowsOf(t *calc.Table) template.HTML {
	var out strings.Builder
	rows := t.Rows[:min(maxAnswer, len(t.Rows))]
	out.Grow(32 * len(rows) * len(t.Head))
	for _, row := range rows {
		out.WriteString("<tr>")
		for _, f := range row {
			out.WriteString("<td>")
			out.WriteString(template.HTMLEscapeString(shown(f, "")))
			out.WriteString("</td>")
		}
		out.WriteString("</tr>\n")
	}
	return template.HTML(out.String())
}

func leftOf(t *calc.Table) int { return max(0, len(t.Rows)-maxAnswer) }

// numbered reports whether a table is a schedule, whose rows are numbered.
func numbered(t *calc.Table) bool { return t.Head[0].Name == "no" }

// shown is a figure for people, in a unit. Semicolons stand between parts, as decimals follow a comma.
func shown(f calc.Figure, unit string) string {
	if len(f.Parts) > 0 {
		all := make([]string, len(f.Parts))
		for i, p := range f.Parts {
			if all[i] = shown(p, p.Unit); f.Type != "list" {
				all[i] = p.Title + ": " + all[i]
			}
		}
		return strings.Join(all, "; ")
	}
	text := f.Words()
	switch {
	case isNumber(text):
		return strings.TrimSuffix(grouped(text)+"\u00A0"+calc.Unit(unit), "\u00A0")
	case f.Type == "enum":
		return calc.Worded(text)
	}
	return i18n.DayOf(text)
}

// tools lists the tools selected by a query, by family.
func (m maker) tools(of site.ShownTools) Tools {
	q := site.Query(map[string]string{"family": of.Family, "release": of.Release})
	p := Tools{
		Head: m.head(
			"Расчёты",
			"Точные расчёты по кредитам, вкладам, картам, "+
				"каско, срокам и вложениям.",
			api.MathPath, q,
		),
		Filters: m.form(api.Of(api.ListCalculations, nil, ""), api.MathPath, q, mathOffers, "family", "release"),
	}
	for _, f := range calc.Families {
		group := Family{ID: f.ID, Title: f.Title}
		for _, t := range of.Tools {
			if t.Family == f.ID {
				about, _, _ := strings.Cut(t.Description, ". ")
				group.Rows = append(group.Rows, Row{
					Title: t.Title, Href: m.root + api.ToolsPath + t.ID, About: strings.TrimSuffix(about, ".") + ".",
				})
			}
		}
		if group.Rows != nil {
			p.Families = append(p.Families, group)
		}
	}
	return p
}

var mathOffers = map[string]offer{"family": {title: familyTitle}}

// familyTitle is the title of a family of tools.
func familyTitle(id string) string {
	for _, f := range calc.Families {
		if f.ID == id {
			return f.Title
		}
	}
	return id
}
