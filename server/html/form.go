package html

import (
	"net/url"
	"slices"

	"rulestore/server/api"
	"rulestore/server/site"
)

// offer is the choices of a form for a parameter.
type offer struct {
	values []string            // if they depend on the content; nil: those of the declaration
	title  func(string) string // returns the title of a value; nil: the value itself
	must   bool                // there is no choice of no value
}

// form returns the form of an operation with the values of a query: a field for each of the named
// parameters that is declared, then for each other one that the query has, hidden if it has no
// title. There is no field if all values of a parameter would have to be offered, and there are
// none.
func (m maker) form(
	o *api.Operation, path string, q url.Values, offers map[string]offer, names ...string,
) Filters {
	f := Filters{Action: m.root + path}
	for _, p := range o.Query() {
		if !q.Has(p.Name) || p.Type == api.Number {
			continue
		}
		f.Chosen = true
		if !slices.Contains(names, p.Name) {
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
func filterOf(p *api.Param, value string, offered offer) Field {
	f := Field{Name: p.Name, Title: p.Title, Type: "text", Value: value, Length: p.Length}
	values := offered.values
	if values == nil {
		values = p.Allowed()
	}
	switch {
	case p.Title == "":
		f.Type = "hidden"
	case values != nil:
		f.Choices = choices(values, value, offered)
	case p.Type == api.DayOrPlace && !site.IsDay(value): // people choose a day instead
		f.Type, f.Value = "date", ""
	case p.Type != api.Text && site.IsDay(value): // an instant is a text
		f.Type = "date"
	}
	return f
}

// choices are the values of a parameter, after the choice of no value. A chosen one that is not
// among them comes last.
func choices(values []string, chosen string, offered offer) (all []Choice) {
	if !offered.must {
		all = append(all, Choice{Title: "не важно"})
	}
	if chosen != "" && !slices.Contains(values, chosen) {
		values = append(slices.Clip(values), chosen)
	}
	for _, v := range values {
		c := Choice{Value: v, Title: v, Chosen: v == chosen}
		if offered.title != nil {
			c.Title = offered.title(v)
		}
		all = append(all, c)
	}
	return all
}
