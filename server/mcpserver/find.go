package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/calc"
)

// finder finds calculations by words.
type finder struct {
	tools   []*calc.Tool
	byID    map[string]*calc.Tool
	schemas map[*calc.Tool]lazySchema
	index   *search.Index
}

func newFinder(r *calc.Registry) *finder {
	f := &finder{byID: map[string]*calc.Tool{}, schemas: map[*calc.Tool]lazySchema{}}
	var entries []*search.Entry
	for t := range r.Tools() {
		f.tools = append(f.tools, t)
		f.byID[t.ID], f.schemas[t] = t, slimOf(t)
		d := search.Document{Kind: "calculation", ID: t.ID, Title: t.Title, Text: []string{t.Description}, Codes: []string{t.ID}}
		for _, field := range slices.Concat(t.Inputs, t.Outputs) {
			d.Text = append(d.Text, field.Title)
		}
		entries = append(entries, search.Analyse(d))
	}
	f.index = search.New(entries, nil)
	return f
}

// find lists the calculations that have all words, or else those that are best
// found by some: a model describes what it wants in more words than a title has.
func (f *finder) find(words, family string) []*calc.Tool {
	found := f.tools
	if words != "" {
		if found = f.having(words); len(found) == 0 {
			found = f.havingSome(strings.Fields(words))
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(t *calc.Tool) bool { return family != "" && t.Family != family })
}

func (f *finder) having(words string) (found []*calc.Tool) {
	for _, hit := range f.index.Search(search.Query{Text: words, Limit: len(f.tools)}).Hits {
		found = append(found, f.byID[hit.Entry.Document().ID])
	}
	return found
}

func (f *finder) havingSome(words []string) []*calc.Tool {
	score := map[*calc.Tool]float64{} // each word counts, the more the better it is found by it
	for _, word := range words {
		for rank, t := range f.having(word) {
			score[t] += 1 / float64(1+rank)
		}
	}
	found := slices.DeleteFunc(slices.Clone(f.tools), func(t *calc.Tool) bool { return score[t] == 0 })
	slices.SortStableFunc(found, func(a, b *calc.Tool) int { return cmp.Compare(score[b], score[a]) })
	return found
}

// families lists what calculations are about.
func families() (all []string) {
	for _, f := range calc.Families {
		all = append(all, f.ID)
	}
	return all
}

// findCalculation declares the tool that finds calculations and says how to ask
// for them.
func findCalculation(r *calc.Registry) *tool {
	finder := sync.OnceValue(func() *finder { return newFinder(r) })
	return reads("calc", "find_calculation", "Найти расчёт", "Подходящие расчёты с полями inputs и примером запроса для calculate.", pageOf("calculations"), func(c *call) (result, error) {
		found := finder().find(c.text("q"), c.text("family"))
		from := min(c.number("offset"), len(found))
		to := min(from+c.number("limit"), len(found))
		var page []json.RawMessage
		for _, t := range found[from:to] {
			page = append(page, finder().about(t))
		}
		o := content.Object{{Name: "total", Value: whole(len(found))}}.With("calculations", appendArray(nil, page))
		return result{json: withNext(o, to, len(found)).AppendJSON(nil)}, nil
	}, text("q", "Что посчитать, например: платёж по ипотеке"), oneOf("family", "", families()...), number("limit", "", 3, 1, 50), offset)
}

// about describes a calculation: what it takes, and an example.
func (f *finder) about(t *calc.Tool) json.RawMessage {
	var schema struct {
		Properties struct{ Inputs json.RawMessage }
	}
	if err := json.Unmarshal(f.schemas[t](), &schema); err != nil {
		panic(err) // slim has just written it
	}
	o := content.Object{{Name: "tool_id", Value: content.String(t.ID)}}.
		With("title", content.String(t.Title)).
		With("description", content.String(t.Description)).
		With("inputs", schema.Properties.Inputs)
	if len(t.Examples) > 0 {
		o = o.With("example", compact([]byte(t.Examples[0].Request)))
	}
	return o.AppendJSON(nil)
}

// compact leaves out what only people need.
func compact(text []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		panic(err) // calc wrote it, and tests it
	}
	return b.Bytes()
}
