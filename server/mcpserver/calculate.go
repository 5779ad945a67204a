package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
)

// calculationTools are the tools that calculate: one for any calculation, some of the most
// frequent ones, and in the toolset math each.
func calculationTools(r *calc.Registry) []*tool {
	loan, _ := r.Tool("loan_payment")
	all := []*tool{
		reads("reference", "list_calculations", "Реестр расчётов", "Все расчёты: что считают, версии и адреса.",
			pageOf("tools"), func(c *call) (result, error) {
				return c.page(c.site.Calculations(c.Text("family"), c.Text("release"), ""))
			}, append(given(api.Of(api.ListCalculations, nil, ""), "family", "release"), limit(50), offset)...),
		reads("reference", "get_calculation", "Описание расчёта",
			"Полные схемы запроса и ответа, пределы и примеры одного расчёта.", object("tool_id"),
			(*call).describeCalculation, required(text("tool_id", "")), markdown),
		calculateAny(),
		calculation("calc", "calculate_loan", loan).at(api.LoanCalculatePath),
	}
	for t := range r.Tools() {
		one := calculation("math", t.ID, t)
		if t.ID == calc.CompareLoansID || t.ID == "consumer_rights_deadline_date" {
			one.sets |= setsOf("calc")
		}
		if t.ID == calc.CompareLoansID {
			one.at(api.LoanComparePath)
		}
		all = append(all, one)
	}
	return all
}

func (c *call) describeCalculation() (result, error) {
	if res := c.site.Lookup(api.ToolsPath + c.Text("tool_id")); res != nil && len(res.Representations) > 1 {
		return c.resource(res, c.Text("format") == "markdown")
	}
	return result{}, c.unknownTool(c.Text("tool_id"))
}

// calculation declares the tool of one calculation.
func calculation(set, name string, t *calc.Tool) *tool {
	return &tool{
		Tool: &mcp.Tool{
			Name: name, Title: t.Title, Description: t.Description, Annotations: readOnly,
			InputSchema: slimOf(t), OutputSchema: calculationOutput,
		},
		sets: setsOf(set),
		run:  func(c *call) (result, error) { return c.calculate(t, c.raw) },
	}
}

// calculationOutput is the output schema of all calculations.
var calculationOutput = object("status", "outputs")

// calculateAny declares the tool for any calculation.
func calculateAny() *tool {
	return &tool{
		Tool: &mcp.Tool{
			Name: "calculate", Title: "Расчёт по идентификатору", Annotations: readOnly,
			OutputSchema: calculationOutput,
			Description:  "Любой расчёт реестра: tool_id и поля inputs даёт find_calculation.",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"tool_id":{"type":"string"},` +
				`"tool_version":{"type":"string"},"inputs":{"type":"object"},` +
				envelope + `},"required":["tool_id","inputs"],"additionalProperties":false}`),
		},
		sets: setsOf("calc"),
		run:  (*call).calculateAny,
	}
}

func (c *call) calculateAny() (result, error) {
	var given content.Object
	if err := json.Unmarshal(c.raw, &given); err != nil {
		c.Fault("", "type", noArguments, "")
		return result{}, c.err()
	}
	id := given.Text("tool_id")
	t, ok := c.server.registry.Tool(id)
	if !ok {
		return result{}, c.unknownTool(id)
	}
	given = slices.DeleteFunc(given, func(m content.Member) bool { return m.Name == "tool_id" })
	return c.calculate(t, given.AppendJSON(nil))
}

// unknownTool is the error for an unknown calculation, with the one that may be meant.
func (c *call) unknownTool(id string) error {
	detail := "Такого расчёта нет."
	if near, ok := c.server.registry.Near(id); ok {
		detail += " Похожий: " + near.ID + "."
	}
	return &toolError{Code: calc.CodeUnknownTool, Detail: detail + " Найти расчёт: find_calculation."}
}

// withoutTrace adds include_trace: false to a request that does not have the option, to keep
// answers short. Invalid requests are left to the engine.
func withoutTrace(body []byte) []byte {
	var asked, options content.Object
	if json.Unmarshal(body, &asked) != nil ||
		len(slices.DeleteFunc(slices.Clone(asked), func(m content.Member) bool { return m.Name != "options" })) > 1 {
		return body
	}
	given := asked.Get("options")
	if given != nil && string(given) != "null" && (json.Unmarshal(given, &options) != nil || options == nil &&
		string(given) != "{}") || options.Get("include_trace") != nil {
		return body
	}
	options = options.With("include_trace", json.RawMessage("false"))
	asked = slices.DeleteFunc(asked, func(m content.Member) bool { return m.Name == "options" })
	return asked.With("options", options.AppendJSON(nil)).AppendJSON(nil)
}

func (c *call) calculate(t *calc.Tool, body []byte) (result, error) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	a, err := t.Calculate(withoutTrace(body), c.site.Facts())
	if err != nil {
		return result{}, err
	}
	return result{json: a.JSON()}, nil
}

// findCalculation declares the tool that finds calculations and describes their requests.
func findCalculation() *tool {
	return reads("calc", "find_calculation", "Найти расчёт",
		"Подходящие расчёты, первый — с inputs и примером для calculate; о другом — q=tool_id.", pageOf("calculations"),
		func(c *call) (result, error) {
			found := c.foundCalculations()
			from := min(c.Number("offset"), len(found))
			to := min(from+c.Number("limit"), len(found))
			var page []json.RawMessage
			for i, t := range found[from:to] {
				page = append(page, aboutCalculation(t, i == 0))
			}
			o := content.Object{{Name: "total", Value: whole(len(found))}}.With("calculations", jsonArray(page))
			return result{json: withNext(o, to, len(found)).AppendJSON(nil), total: len(found), returned: to - from},
				nil
		}, question("q", "Что посчитать"),
		api.Of(api.ListCalculations, nil, "").Param("family"), number("limit", 3, 1, 50), offset).at(api.MathPath)
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
	o := content.Object{{Name: "tool_id", Value: content.String(t.ID)}}.
		With("title", content.String(t.Title)).
		With("description", content.String(t.Description))
	if !full {
		return o.AppendJSON(nil)
	}
	o = o.With("inputs", slimInputs(t))
	if len(t.Examples) > 0 {
		o = o.With("example", compact([]byte(t.Examples[0].Request)))
	}
	return o.AppendJSON(nil)
}

// compact removes white space from JSON.
func compact(text []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		panic(err) // tests of calc ensure that it is JSON
	}
	return b.Bytes()
}

// envelope is the schema of the parts that all calculations share. They are described once,
// in the instructions of the server.
const envelope = `"contract_values":{"type":"object"},"tolerance":{"type":"object"},"options":{"type":"object"}`

// slim is a short schema of a calculation's request, as models read fifty of them. Limits, forms of
// numbers and the shared parts are left out: the engine checks them, and the registry has the full
// schema.
func slim(t *calc.Tool) json.RawMessage {
	properties := `{"inputs":` + string(slimInputs(t)) + `,` + envelope + `}`
	return json.RawMessage(`{"type":"object","properties":` + properties + `,"required":["inputs"]}`)
}

func slimInputs(t *calc.Tool) json.RawMessage {
	fields := t.Request().Input().Fields
	i := slices.IndexFunc(fields, func(f calc.Field) bool { return f.Name == "inputs" })
	return slimmed(&fields[i], "").AppendJSON(nil)
}

// lazySchema is a schema that is made on first use: fifty of them would delay the start.
type lazySchema func() json.RawMessage

// MarshalJSON implements [json.Marshaler].
func (s lazySchema) MarshalJSON() ([]byte, error) { return s(), nil }

func slimOf(t *calc.Tool) lazySchema {
	return sync.OnceValue(func() json.RawMessage { return slim(t) })
}

// slimmed is the short schema of a value. Not every model supports lists of types, so that whole
// numbers are integers, and others strings, which are exact; parameters in their place are described
// once, in the instructions.
func slimmed(f *calc.Field, about string) content.Object {
	in := f.Input()
	schema := content.Object{{Name: "type", Value: content.String(cmp.Or(jsonTypes[in.Type], "string"))}}
	switch in.Type {
	case "date":
		schema = schema.With("format", content.String("date"))
	case "enum":
		schema = schema.With("enum", stringList(in.Words))
	case "list":
		schema = schema.With("maxItems", whole(in.To)).With("items", slimmed(in.Item, "").AppendJSON(nil))
	case "object":
		schema = append(schema, slimmedFields(in)...)
	}
	if in.Nullable {
		schema[0].Value = json.RawMessage(`[` + string(schema[0].Value) + `,"null"]`)
	}
	switch {
	case in.Preset == "":
	case jsonTypes[in.Type] != "":
		schema = schema.With("default", json.RawMessage(in.Preset))
	default:
		schema = schema.With("default", content.String(in.Preset))
	}
	if unit := units[f.Unit]; unit != "" && about != "" && !strings.Contains(about, unit) {
		about += ", " + unit
	}
	if about != "" {
		schema = schema.With("description", content.String(about))
	}
	return schema
}

// jsonTypes are the types of JSON for the types of fields that are no strings.
var jsonTypes = map[string]string{"count": "integer", "boolean": "boolean", "list": "array", "object": "object"}

// units has the units that titles do not always name.
var units = map[string]string{"RUB": "₽", "percent": "%"}

// slimmedFields are the fields of an object, and the groups of them of which a request has one.
func slimmedFields(in calc.Input) (schema content.Object) {
	var properties content.Object
	var required []string
	for i := range in.Fields {
		f := &in.Fields[i]
		properties = properties.With(f.Name, slimmed(f, f.Title).AppendJSON(nil))
		if f.Input().Required {
			required = append(required, f.Name)
		}
	}
	schema = content.Object{{Name: "properties", Value: properties.AppendJSON(nil)}}
	if required != nil {
		schema = schema.With("required", stringList(required))
	}
	var choices []json.RawMessage
	for _, variants := range in.Choices {
		var groups []json.RawMessage
		for _, required := range variants {
			groups = append(groups, content.Object{{Name: "required", Value: stringList(required)}}.AppendJSON(nil))
		}
		choices = append(choices, content.Object{{Name: "anyOf", Value: jsonArray(groups)}}.AppendJSON(nil))
	}
	if choices != nil {
		schema = schema.With("allOf", jsonArray(choices))
	}
	return schema
}
