package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// finder describes calculations and their inputs.
type finder struct {
	tools []*calc.Tool
	byID  map[string]*calc.Tool
}

func newFinder(r *calc.Registry) *finder {
	f := &finder{byID: map[string]*calc.Tool{}}
	for t := range r.Tools() {
		f.tools = append(f.tools, t)
		f.byID[t.ID] = t
	}
	return f
}

// find lists the calculations found by a search of the site, or all if there is no text.
func (f *finder) find(s *site.Site, words, family string) (found []*calc.Tool) {
	found = f.tools
	if words != "" {
		found = nil
		for _, id := range s.FindCalculations(words) {
			found = append(found, f.byID[id])
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(t *calc.Tool) bool { return family != "" && t.Family != family })
}

// findCalculation declares the tool that finds calculations and describes their requests.
func findCalculation(r *calc.Registry) *tool {
	finder := sync.OnceValue(func() *finder { return newFinder(r) })
	return reads("calc", "find_calculation", "Найти расчёт",
		"Подходящие расчёты, первый — с inputs и примером для calculate; о другом — q=tool_id.", pageOf("calculations"),
		func(c *call) (result, error) {
			found := finder().find(c.site, c.Text("q"), c.Text("family"))
			from := min(c.Number("offset"), len(found))
			to := min(from+c.Number("limit"), len(found))
			var page []json.RawMessage
			for i, t := range found[from:to] {
				page = append(page, finder().about(t, i == 0))
			}
			o := content.Object{{Name: "total", Value: whole(len(found))}}.With("calculations", jsonArray(page))
			return result{json: withNext(o, to, len(found)).AppendJSON(nil), total: len(found), returned: to - from},
				nil
		}, question("q", "Что посчитать"),
		api.Of(api.ListCalculations, nil, "").Param("family"), number("limit", 3, 1, 50), offset).at(api.MathPath)
}

// about describes a calculation; in full with its inputs and an example.
func (f *finder) about(t *calc.Tool, full bool) json.RawMessage {
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
