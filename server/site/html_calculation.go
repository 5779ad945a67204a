package site

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// The parts of a request that a form has fields for. The second is one field.
const (
	inputsField   = "inputs"
	contractField = "contract_values"
)

// Calculated returns the page of a tool after its form was posted: with the answer, or not ok with
// the faults of the request.
func (s *Site) Calculated(t *calc.Tool, sent url.Values) (p page.Page, ok bool) {
	body := requestOf(t, sent)
	form := s.toolPage(t, sent)
	answer, err := t.Calculate(body, s.Facts())
	if refused, is := errors.AsType[*calc.Error](err); is {
		showFaults(&form, refused)
		return form, false
	}
	form.Answer = &page.Calculated{
		Verdict: answer.Verdict(), InputsHash: answer.InputsHash(), Receipt: answer.Receipt(),
		Sections: answer.Sections(),
	}
	return form, true
}

// examplePage is the page of a tool, with its first example in the form.
func (s *Site) examplePage(t *calc.Tool) page.Page {
	var request, inputs content.Object
	example := []byte(t.Examples[0].Request)
	must(0, json.Unmarshal(example, &request))
	must(0, json.Unmarshal(request.Get(inputsField), &inputs))
	values := url.Values{}
	for _, m := range inputs {
		values.Set(m.Name, formValue(m.Value))
	}
	if contract := request.Get(contractField); contract != nil {
		values.Set(contractField, formValue(contract))
	}
	p := s.toolPage(t, values)
	p.Referrers, p.Others = s.references().mentions(s.config, toolTarget(t.ID)).links(s.frame)
	return p
}

// formValue is a value as a form has it: a list or an object is JSON.
func formValue(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) == nil { // null is empty
		return text
	}
	return indentedJSON(raw)
}

// toolPage is the page of a tool, with values in the form.
func (s *Site) toolPage(t *calc.Tool, values url.Values) page.Tool {
	path, frame := api.ToolsPath+t.ID, s.frame
	p := page.Tool{
		Head: page.Head{
			Title: t.Title, Description: line(t.Description), Path: frame.Root + path,
			Formats: formats(frame, path, nil, api.JSONType, api.MarkdownType),
			Crumbs:  crumbs(frame, page.Link{Title: "Расчёты", Href: frame.Root + api.MathPath}),
		},
		ID: t.ID, Version: t.Version, About: t.Description, Action: frame.Root + path,
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
func formField(f *calc.Field, value string) page.Field {
	in := f.Input()
	p := page.Field{
		Name: f.Name, Title: calc.Figure{Title: f.Title, Unit: f.Unit}.Head(), Type: page.TextField, Value: value,
		Optional: !in.Required || in.Nullable,
	}
	switch in.Type {
	case "money", "percent", "ratio", "count":
		p.Type = page.NumberField
	case "date":
		p.Type = page.DateField
	case "list", "object":
		p.Type = page.JSONField
	case "enum":
		p.Type, p.Choices = page.ChoiceField, choicesOf(in.Words, in.Preset, value)
	case "boolean":
		p.Type, p.Choices = page.ChoiceField, choicesOf([]string{"true", "false"}, in.Preset, value)
	}
	return p
}

// choicesOf are the values of a choice, after the one of none. A chosen one that is not among them
// comes last.
func choicesOf(values []string, preset, chosen string) []page.Choice {
	none := "не указано"
	if preset != "" {
		none = "не указано (" + page.Worded(preset) + ")"
	}
	return append([]page.Choice{{Title: none}}, choices(values, chosen, offer{title: page.Worded, must: true})...)
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
func showFaults(p *page.Tool, refused *calc.Error) {
	for _, f := range refused.Faults {
		fault := page.FieldFault{Title: f.Pointer, Detail: f.Detail, Hint: f.Hint}
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
		p.Faults = []page.FieldFault{{Detail: refused.Detail}}
	}
}
