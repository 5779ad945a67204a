package mcpserver

import (
	"encoding/json"
	"slices"

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
