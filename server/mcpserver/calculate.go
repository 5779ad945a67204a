package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
)

// calculations lists the registry of calculations.
func (c *call) calculations() (reply, error) {
	return c.page(c.site.Calculations(c.Text("family"), c.Text("release")))
}

func (c *call) describeCalculation() (reply, error) {
	if res := c.site.Lookup(api.ToolsPath + c.Text("tool_id")); res != nil && len(res.Representations) > 1 {
		return c.resource(res, c.asMarkdown())
	}
	return reply{}, c.unknownTool(c.Text("tool_id"))
}

// calculate answers by the calculation of the tool, calculateNamed by the one that an argument names.
func (c *call) calculate() (reply, error) { return c.calculated(c.calc.CalculateSpelt) }
func (c *call) calculateNamed() (reply, error) {
	return c.calculated(c.server.registry.CalculateNamed)
}

// calculated answers the arguments of a call by the engine.
func (c *call) calculated(calculate func(body []byte, facts calc.Facts) (*calc.Answer, error)) (reply, error) {
	body := c.raw
	if len(body) == 0 {
		body = []byte("{}")
	}
	a, err := calculate(body, c.site.Facts())
	if e, ok := errors.AsType[*calc.Error](err); ok && e.Code == calc.CodeUnknownTool {
		return reply{}, c.unknownTool(e.Tool)
	}
	if err != nil {
		return reply{}, err
	}
	return reply{json: a.JSON()}, nil
}

// unknownTool is the error for an unknown calculation, with the one that may be meant.
func (c *call) unknownTool(id string) error {
	detail := "Такого расчёта нет."
	if near := c.site.SimilarCalculation(id); near != "" {
		detail += " Похожий: " + near + "."
	}
	return &toolError{Code: calc.CodeUnknownTool, Detail: detail + " Найти расчёт: find_calculation."}
}

// findCalculation finds calculations, and describes the request of the first one.
func (c *call) findCalculation() (reply, error) {
	found := c.foundCalculations()
	return c.fittingPage("calculations", len(found), func(from, to int) any {
		var page []json.RawMessage
		for i, t := range found[from:to] {
			page = append(page, aboutCalculation(t, i == 0))
		}
		return page
	}), nil
}

// foundCalculations lists the calculations that a search of the site finds, or all if there is no text.
func (c *call) foundCalculations() (found []*calc.Tool) {
	if c.Has("q") {
		for _, id := range c.site.FindCalculations(c.Text("q")) {
			if t, ok := c.server.registry.Tool(id); ok {
				found = append(found, t)
			}
		}
	} else {
		found = slices.Collect(c.server.registry.Tools())
	}
	family := c.Text("family")
	return slices.DeleteFunc(found, func(t *calc.Tool) bool { return family != "" && t.Family != family })
}

// aboutCalculation describes a calculation; in full with its inputs and an example.
func aboutCalculation(t *calc.Tool, full bool) json.RawMessage {
	o := api.Object("tool_id", t.ID, "title", t.Title, "description", t.Description)
	if full {
		o = append(o, api.Object("inputs", slimInputs(t))...)
		if len(t.Examples) > 0 {
			o = append(o, api.Object("example", compact([]byte(t.Examples[0].Request)))...)
		}
	}
	return api.JSON(o)
}

// compact removes white space from JSON.
func compact(text []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		panic(err) // tests of calc ensure that it is JSON
	}
	return b.Bytes()
}

// envelope are the parts that all requests have beside their inputs. Their fields are described in the instructions
// of the server.
var envelope = []string{"contract_values", "tolerance", "options"}

// slim is a short schema of a calculation's request, as models read fifty of them. Limits and forms of
// numbers are left out: the engine checks them, and the registry has the full schema.
func slim(t *calc.Tool) json.RawMessage {
	properties := api.Object("inputs", slimInputs(t))
	for _, name := range envelope {
		properties = append(properties, api.Object(name, schemaOfParam(param(name, nil, nil)))...)
	}
	return api.JSON(append(api.Object("type", "object"), membersOf(properties, []string{"inputs"})...))
}

func slimInputs(t *calc.Tool) content.Object {
	fields := t.Request().Input().Fields
	i := slices.IndexFunc(fields, func(f calc.Field) bool { return f.Name == "inputs" })
	return slimmed(&fields[i], fields[i].Title)
}

// lazySchema is a schema that is made on first use: fifty of them would delay the start.
type lazySchema func() json.RawMessage

// MarshalJSON implements [json.Marshaler].
func (s lazySchema) MarshalJSON() ([]byte, error) { return s(), nil }

// slimmed is the short schema of a value. Not every model supports lists of types, so that whole
// numbers are integers, and others strings, which are exact; parameters in their place are described
// once, in the instructions.
func slimmed(f *calc.Field, about string) content.Object {
	in := f.Input()
	schema := api.Object("type", cmp.Or(jsonTypes[in.Type], "string"))
	switch in.Type {
	case "date":
		schema = append(schema, api.Object("format", "date")...)
	case "enum":
		schema = append(schema, api.Object("enum", in.Words)...)
	case "list":
		schema = append(schema, api.Object("maxItems", in.To, "items", slimmed(in.Item, ""))...)
	case "object":
		schema = append(schema, slimmedFields(in)...)
		about = strings.TrimPrefix(about+groupsOf(in), ". ")
	}
	switch {
	case in.Preset == "":
	case jsonTypes[in.Type] != "":
		schema = append(schema, api.Object("default", json.RawMessage(in.Preset))...)
	default:
		schema = append(schema, api.Object("default", in.Preset)...)
	}
	if unit := units[f.Unit]; unit != "" && about != "" && !strings.Contains(about, unit) {
		about += ", " + unit
	}
	if about != "" {
		schema = append(schema, api.Object("description", about)...)
	}
	return schema
}

// jsonTypes are the types of JSON for the types of fields that are no strings.
var jsonTypes = map[string]string{"count": "integer", "boolean": "boolean", "list": "array", "object": "object"}

// units has the units that titles do not always name.
var units = map[string]string{"RUB": "₽", "percent": "%"}

// slimmedFields are the fields of an object.
func slimmedFields(in calc.Input) content.Object {
	properties, required := content.Object{}, []string(nil)
	for i := range in.Fields {
		f := &in.Fields[i]
		properties = append(properties, api.Object(f.Name, slimmed(f, f.Title))...)
		if f.Input().Required {
			required = append(required, f.Name)
		}
	}
	return membersOf(properties, required)
}

// groupsOf says of which groups of fields a request has exactly one, "" if there are none: not every model
// supports anyOf.
func groupsOf(in calc.Input) (said string) {
	for _, variants := range in.Choices {
		var groups []string
		for _, required := range variants {
			groups = append(groups, cmp.Or(strings.Join(required, " и "), "ничего"))
		}
		said += ". Нужно одно из: " + strings.Join(groups, "; ")
	}
	return said
}
