package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"rulestore/content/markdown"
	"rulestore/server/api"
	"rulestore/server/calc"
)

// LegacySince is the day of deprecation of the legacy addresses (RFC 9745).
const LegacySince = "@1795132800" // 2026-11-20

// Calculation is the tool at a path to which requests are posted.
type Calculation struct {
	Tool    *calc.Tool
	Headers []Header // of a response with status 200
	Always  []Header // of every response at the path
}

// calculations are the resources of the registry, of each tool and its schemas, and of the legacy
// paths.
func (c Config) calculations() map[string]*Resource {
	all := map[string]*Resource{}
	for t := range c.Math.Tools() {
		path := api.ToolsPath + t.ID
		all[path] = c.tool(t, mentions{})
		all[path+"/input-schema"] = textResource(api.SchemaType, t.InputSchema)
		all[path+"/output-schema"] = textResource(api.SchemaType, t.OutputSchema)
	}
	all[api.MathPath] = c.Calculations("", "")
	all[api.LoanCalculatePath] = c.legacy(all[api.ToolsPath+"loan_payment"])
	all[api.LoanComparePath] = c.legacy(all[api.ToolsPath+calc.CompareLoansID])
	return all
}

// Tools lists the calculations of a family and a release; "" means any.
func (c Config) Tools(family, release string) (chosen []*calc.Tool) {
	for t := range c.Math.Tools() {
		if (family == "" || t.Family == family) && (release == "" || t.Release == release) {
			chosen = append(chosen, t)
		}
	}
	return chosen
}

// Calculations lists the calculations of a family and a release; "" means any.
func (c Config) Calculations(family, release string) *Resource {
	chosen := c.Tools(family, release)
	r := jsonResource(func() Body { return c.calculationsJSON(chosen) })
	r.Action = api.ListCalculations
	return r.addList(len(chosen), func(from, to int) []byte {
		return c.calculationsMarkdown(chosen[from:to])
	}).with(ShownTools{family, release, chosen})
}

func (c Config) calculationsJSON(tools []*calc.Tool) Body {
	all := bodies(tools, func(t *calc.Tool) Body {
		var o object
		c.identity(&o, t)
		return o.end()
	})
	var o object
	o.total(len(all))
	o.text("engine_version", calc.EngineVersion)
	o.text("rounding_policy", calc.RoundingPolicy)
	o.fetchedAt()
	o.elements("tools", all)
	return o.end()
}

// identity writes the identity and the addresses of a tool.
func (c Config) identity(o *object, t *calc.Tool) {
	url := c.URL(api.ToolsPath + t.ID)
	o.text("tool_id", t.ID)
	o.text("tool_version", t.Version)
	o.text("release", t.Release)
	o.text("family", t.Family)
	o.text("title", t.Title)
	o.text("description", t.Description)
	o.text("formula_id", t.Formula)
	o.text("url", url)
	o.text("input_schema_url", url+"/input-schema")
	o.text("output_schema_url", url+"/output-schema")
}

func (c Config) calculationsMarkdown(tools []*calc.Tool) []byte {
	var b bytes.Buffer
	b.WriteString(
		"# Реестр расчётов\n\nРасчёт выполняет запрос POST по адресу инструмента; по тому же адресу GET описывает, " +
			"что он берёт и что даёт.\n",
	)
	for _, f := range calc.Families {
		title := "\n## " + f.Title + "\n\n"
		for _, t := range tools {
			if t.Family == f.ID {
				fmt.Fprintf(
					&b, "%s- [%s](%s): `%s` %s. %s\n", title, t.Title, c.URL(api.ToolsPath+t.ID), t.ID, t.Version,
					Line(t.Description),
				)
				title = ""
			}
		}
	}
	return b.Bytes()
}

// tool is the resource of a tool, to which requests are posted, with the references to it.
func (c Config) tool(t *calc.Tool, by mentions) *Resource {
	r := jsonResource(func() Body { return c.toolJSON(t, by) })
	r.Action, r.Calculation = api.Calculate, &Calculation{Tool: t, Headers: []Header{
		{"Link", []string{
			link(c.URL(api.ToolsPath+t.ID+"/input-schema"), "describedby"),
			link(c.URL(api.ToolsPath+t.ID+"/output-schema"), "describedby"),
		}},
	}}
	r.referenced = &referenced{target: ToolTarget(t.ID), with: func(by mentions) *Resource { return c.tool(t, by) }}
	return r.addText(api.MarkdownType, func() []byte { return c.toolMarkdown(t, by) }).with(ShownTool{t})
}

func (c Config) toolJSON(t *calc.Tool, by mentions) Body {
	o := object{tells: true}
	c.identity(&o, t)
	o.text("engine_version", calc.EngineVersion)
	o.text("rounding_policy", calc.RoundingPolicy)
	o.value("limits", struct {
		Body  int `json:"max_body_bytes"`
		Depth int `json:"max_depth"`
		Items int `json:"max_list_items"`
		Rows  int `json:"max_schedule_rows"`
	}{calc.MaxBody, calc.MaxDepth, calc.MaxItems, calc.MaxRows})
	o.array("examples", bodies(t.Examples, func(e calc.Example) Body {
		var o object
		o.text("title", e.Title)
		o.raw("request", compact([]byte(e.Request)))
		return o.end()
	}))
	o.raw("input_schema", compact(t.InputSchema()))
	o.raw("output_schema", compact(t.OutputSchema()))
	if t.Earlier != nil {
		o.array("earlier_versions", bodies(t.Earlier, earlierJSON))
	}
	by.write(&o)
	o.fetchedAt()
	return o.end()
}

// earlierJSON is an earlier version that requests can still name, with its schemas.
func earlierJSON(e *calc.Tool) Body {
	var o object
	o.text("tool_version", e.Version)
	o.text("description", e.Description)
	o.text("formula_id", e.Formula)
	o.raw("input_schema", compact(e.InputSchema()))
	o.raw("output_schema", compact(e.OutputSchema()))
	return o.end()
}

// compact removes the spaces from JSON that the program wrote.
func compact(text []byte) []byte {
	var b bytes.Buffer
	must(0, json.Compact(&b, text))
	return b.Bytes()
}

func (c Config) toolMarkdown(t *calc.Tool, by mentions) []byte {
	var b strings.Builder
	b.Write(t.Markdown())
	url := c.URL(api.ToolsPath + t.ID)
	fmt.Fprintf(
		&b,
		"\n## Где\n\n- Расчёт: `POST` <%s>\n- Схема запроса: <%[1]s/input-schema>\n"+
			"- Схема ответа: <%[1]s/output-schema>\n",
		url,
	)
	if len(by.all) > 0 {
		var w markdown.Plain
		by.markdown(&w)
		b.Write(w.Bytes())
	}
	return []byte(b.String())
}

// legacy is the resource at a path from before the tools had their own: it calculates like its
// successor, and has no representations.
func (c Config) legacy(successor *Resource) *Resource {
	t := successor.Calculation.Tool
	replaced := link(c.URL(api.ToolsPath+t.ID), "successor-version")
	return &Resource{Action: api.Calculate, Calculation: &Calculation{
		Tool:    t,
		Headers: []Header{{"Link", append([]string{replaced}, successor.Calculation.Headers[0].Values...)}},
		Always:  []Header{{"Deprecation", []string{LegacySince}}, {"Link", []string{replaced}}},
	}}
}
