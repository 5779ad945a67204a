package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// addMathPages adds the pages of the registry and of the tools. Their other representations depend
// on the build alone, and are shared by all sites.
func (s *Site) addMathPages(prev *Site) {
	if prev != nil && prev.frame != s.frame {
		prev = nil
	}
	add := func(path string, of *referenced, make func() page.Page) {
		if prev != nil {
			s.resources[path] = prev.resources[path]
			return
		}
		r := *s.built[path]
		r.Representations = append(slices.Clone(r.Representations), pageOf(time.Time{}, nil, s.frame, make))
		r.referenced = of
		s.resources[path] = &r
	}
	frame, c := s.frame, s.config
	add(api.MathPath, nil, func() page.Page { return toolsPage(frame, nil, c.toolsOf("", "")) })
	offered := offeredOf(s.lists[content.Parameters])
	s.offered = offered
	if prev != nil && !slices.Equal(prev.offered, offered) {
		prev = nil
	}
	for t := range c.Math.Tools() {
		form := func() page.Page { return toolPage(frame, t, nil, offered) }
		add(api.ToolsPath+t.ID, c.referencedTool(frame, t, offered), form)
	}
}

// referencedTool makes the resource of a tool with its page and the references to it.
func (c Config) referencedTool(frame *page.Frame, t *calc.Tool, offered offeredParameters) *referenced {
	return &referenced{target: toolTarget(t.ID), with: func(by mentions) *Resource {
		return c.tool(t, by).with(frame, func() page.Page {
			p := toolPage(frame, t, nil, offered)
			p.Referrers, p.Others = by.links(frame)
			p.Impact = frame.Root + impactPath(toolTarget(t.ID))
			return p
		})
	}}
}

// offeredParameters are the current parameters that the forms of calculations offer.
type offeredParameters []offeredParameter

// maxOffered is the maximum number of parameters of a choice.
const maxOffered = 200

type offeredParameter struct{ id, title, unit string }

// offeredOf lists the parameters with a unit.
func offeredOf(parameters []*preparedVersion) (all offeredParameters) {
	for _, p := range parameters {
		if body := p.entry.Body(); body.Text("unit") != "" {
			all = append(all, offeredParameter{p.entry.ID(), body.Text("title"), body.Text("unit")})
		}
	}
	return all
}

// in lists the parameters with one of some units, by title, if they are not more than a page has room for.
func (all offeredParameters) in(units []string) (some []page.Choice) {
	for _, p := range all {
		if slices.Contains(units, p.unit) {
			some = append(some, page.Choice{Value: p.id, Title: cmp.Or(p.title, p.id)})
		}
	}
	if len(some) > maxOffered {
		return nil
	}
	slices.SortFunc(some, func(a, b page.Choice) int { return cmp.Compare(a.Title, b.Title) })
	return some
}

// toolsPage lists the tools selected by a query, by family.
func toolsPage(frame *page.Frame, q url.Values, tools []*calc.Tool) page.Tools {
	data := maps.Clone(q)
	data.Del(TextParameter)
	p := page.Tools{
		Head: page.Head{
			Title: "Расчёты", Description: "Точные расчёты по кредитам, вкладам, картам, каско, срокам и вложениям.",
			Path: frame.Root + api.MathPath, Crumbs: crumbs(frame),
			Formats: formats(frame, api.MathPath, data, api.JSONType, api.MarkdownType),
		},
		Filters: form(
			frame, api.Of(api.ListCalculations, nil, ""), api.MathPath, q, mathOffers,
			TextParameter, "family", "release",
		),
	}
	for _, f := range calc.Families {
		group := page.Family{ID: f.ID, Title: f.Title}
		for _, t := range tools {
			if t.Family == f.ID {
				about, _, _ := strings.Cut(t.Description, ". ")
				group.Entries = append(
					group.Entries,
					page.Entry{
						Title: t.Title, Href: frame.Root + api.ToolsPath + t.ID,
						About: strings.TrimSuffix(about, ".") + ".",
					},
				)
			}
		}
		if group.Entries != nil {
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

// toolPage is the form of a tool with the posted values, which offers parameters.
func toolPage(frame *page.Frame, t *calc.Tool, posted url.Values, offered offeredParameters) page.Tool {
	request := inputOf(t)
	path := frame.Root + api.ToolsPath + t.ID
	p := page.Tool{
		Head: page.Head{
			Title: t.Title, Description: line(t.Description), Path: path,
			Formats: formats(frame, api.ToolsPath+t.ID, nil, api.JSONType, api.MarkdownType),
			Crumbs:  crumbs(frame, page.Link{Title: "Расчёты", Href: frame.Root + api.MathPath}),
		},
		ID: t.ID, Version: t.Version, Tool: t.Title, About: t.Description, Action: path,
	}
	with := filled{posted, exampleValues(t, 0), offered.in}
	p.Inputs = request.field(inputsField).form(inputsField, with)
	p.Folded = slices.ContainsFunc(p.Inputs.Inputs, func(in page.Input) bool { return in.Folded != "" })
	if contract := request.field(contractField); contract != nil && len(contract.fields) > 0 {
		c := contract.form(contractField, filled{sent: posted, parameters: offered.in})
		if anyBelow(posted, contractField) {
			c.Value = "given"
		}
		p.Contract = &c
	}
	for i, e := range t.Examples {
		p.Examples = append(
			p.Examples, page.Link{Title: e.Title, Href: path + "?" + ExampleParameter + "=" + strconv.Itoa(i+1)},
		)
	}
	return p
}

// The parts of a request that a form has fields for.
const (
	inputsField   = "inputs"
	contractField = "contract_values"
)

// ExampleParameter selects an example for the form of a tool, by its number from 1.
const ExampleParameter = "example"

// ToolExample returns the form of a tool filled with one of its examples; nil if there is none
// with that number.
func (s *Site) ToolExample(t *calc.Tool, number int) *Resource {
	if number < 1 || number > len(t.Examples) {
		return nil
	}
	return PageOnly(s.frame, func() page.Page { return toolPage(s.frame, t, exampleValues(t, number-1), s.offered) })
}

// exampleValues are the values of an example as a form sends them, none if there is no such
// example.
func exampleValues(t *calc.Tool, number int) url.Values {
	values := url.Values{}
	if number < len(t.Examples) {
		flatten(values, "", json.RawMessage(t.Examples[number].Request))
	}
	return values
}

func flatten(to url.Values, name string, raw json.RawMessage) {
	join := func(part string) string { return strings.TrimPrefix(name+"."+part, ".") }
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '{':
		var o content.Object
		must(0, json.Unmarshal(raw, &o))
		for _, m := range o {
			flatten(to, join(m.Name), m.Value)
		}
	case '[':
		var all []json.RawMessage
		must(0, json.Unmarshal(raw, &all))
		for i, e := range all {
			flatten(to, join(strconv.Itoa(i)), e)
		}
	default:
		if v := scalar(raw); v != "null" {
			to.Set(name, v)
		}
	}
}

// Calculated returns the page of a tool after its form was posted: with the result, or not ok
// with faults at the fields.
func (s *Site) Calculated(t *calc.Tool, posted url.Values) (p page.Page, ok bool) {
	request := inputOf(t)
	received := request.received(posted)
	if posted.Get(addRow) != "" || posted.Get(removeRow) != "" || posted.Get(page.ShowRow) != "" {
		return toolPage(s.frame, t, received, s.offered), true
	}
	body := request.json(received, t.Schedule != nil)
	answer, err := t.Calculate(body, s.Facts())
	if refused, is := errors.AsType[*calc.Error](err); is {
		found := request.alternativeFaults(refused.Faults, received)
		if len(found) > 0 {
			received.Set(page.ShowRow, nameAt(found[0].Pointer))
		}
		form := toolPage(s.frame, t, received, s.offered)
		form.Faults = request.faults(&form, received, refused.Detail, found)
		return form, false
	}
	form := toolPage(s.frame, t, received, s.offered)
	sections := answer.Sections()
	from, _ := strconv.Atoi(posted.Get(page.FromRow)) // 0 if it is no number
	form.Result = &page.Result{
		From:    from,
		Verdict: answer.Verdict(), Sections: sections, Charts: charts(sections), Receipt: receipt(answer),
	}
	if answer.Status == calc.StatusComputed {
		form.Result.Leading = answer.Leading()
	}
	if len(body) <= maxShownRequest {
		form.Result.Curl, form.Result.Call = s.curl(t, body), toolCall(t, body)
	}
	if main := form.Result.Main(); main != nil {
		form.Head.Title = page.Shown(*main) + " · " + t.Title
	}
	return form, true
}

// maxShownRequest is the maximum size in bytes of a request that is shown for programs: nobody
// copies a longer one from a page.
const maxShownRequest = 4096

// curl is a command that sends the same request.
func (s *Site) curl(t *calc.Tool, body []byte) string {
	return "curl -fsS " + s.URL(api.ToolsPath+t.ID) + " \\\n  -H 'Content-Type: application/json' \\\n  -d " +
		shellQuoted(string(body))
}

// toolCall is an MCP request for the same calculation.
func toolCall(t *calc.Tool, body []byte) string {
	arguments := content.Object{{Name: "tool_id", Value: content.String(t.ID)}}
	var request content.Object
	must(0, json.Unmarshal(body, &request))
	call := content.Object{
		{Name: "name", Value: content.String("calculate")},
		{Name: "arguments", Value: append(arguments, request...).AppendJSON(nil)},
	}
	return indentedJSON(call.AppendJSON(nil))
}

// receipt lists what identifies a calculation: tool, formula, rounding, inputs and result.
func receipt(a *calc.Answer) []page.Statement {
	all := []page.Statement{
		{Title: "Инструмент", Value: a.Tool.ID + " " + a.Tool.Version, Code: true},
		{Title: "Формула", Value: a.Tool.Formula, Code: true},
		{Title: "Округление", Value: calc.RoundingPolicy, Code: true},
		{Title: "Отпечаток исходных данных", Value: a.InputsHash(), Code: true},
		{Title: "Квитанция", Value: a.Receipt(), Code: true},
	}
	if a.Tool.PSK {
		all = append(all, page.Statement{Title: "Полная стоимость кредита (ПСК)", Value: "не рассчитывается"})
	}
	return all
}

// The buttons of a form that add a row to a list, and remove one.
const (
	addRow    = "add"
	removeRow = "remove"
)

// find returns the input with a name or, if there is none, the closest one around it.
func find(inputs, contract *page.Input, name string) *page.Input {
	if contract != nil && strings.HasPrefix(name, contractField) {
		inputs = contract
	}
	for i := range inputs.Inputs {
		in := &inputs.Inputs[i]
		if in.Name == name {
			return in
		}
		if in.Kind == page.Ways {
			if inner := find(in, nil, name); inner != nil {
				return inner
			}
		}
		if strings.HasPrefix(name, in.Name+".") {
			if inner := find(in, nil, name); inner != nil {
				return inner
			}
			return in
		}
	}
	return nil
}
