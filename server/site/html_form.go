package site

import (
	"net/url"
	"slices"

	"rulestore/server/api"
	"rulestore/server/page"
)

// offer is the choices of a form for a parameter.
type offer struct {
	values []string            // if they depend on the content; nil: those of the declaration
	title  func(string) string // returns the title of a value; nil: the value itself
}

// form returns the form of an operation with the values of a query: a field for each of the named
// parameters that is declared, then for each other one with a title that the query has. There is
// no field if all values of a parameter would have to be offered, and there are none.
func form(
	frame *page.Frame, o *api.Operation, path string, q url.Values, offers map[string]offer, names ...string,
) page.Filters {
	f := page.Filters{Action: frame.Root + path}
	for _, p := range o.Query(true) {
		if !q.Has(p.Name) || p.Type == api.Number {
			continue
		}
		f.Chosen = true
		if p.Title != "" && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, name := range names {
		offered, some := offers[name]
		p := o.Param(name)
		if p == nil || some && len(offered.values)+len(p.Allowed()) == 0 {
			continue
		}
		f.Fields = append(f.Fields, filterOf(p, q.Get(name), offered))
	}
	return f
}

// filterOf is the field of a parameter with its value.
func filterOf(p *api.Param, value string, offered offer) page.Filter {
	f := page.Filter{Name: p.Name, Title: p.Title, Type: "text", Value: value, Length: p.Length}
	values := offered.values
	if values == nil {
		values = p.Allowed()
	}
	switch {
	case values != nil:
		f.Choices = choices(values, value, offered.title)
	case p.Name == TextParameter:
		f.Type = "search"
	case p.Type != api.Text && isDay(value): // an instant or a place is a text
		f.Type = "date"
	}
	return f
}

// choices are the values of a parameter, after the choice of no value. A chosen one that is not
// among them comes last.
func choices(values []string, chosen string, title func(string) string) []page.Choice {
	all := []page.Choice{{Title: "не важно"}}
	if chosen != "" && !slices.Contains(values, chosen) {
		values = append(slices.Clip(values), chosen)
	}
	for _, v := range values {
		c := page.Choice{Value: v, Title: v, Chosen: v == chosen}
		if title != nil {
			c.Title = title(v)
		}
		all = append(all, c)
	}
	return all
}
