package site

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// listPage makes the page of a kind's list.
func (s *Site) listPage(k *content.Kind, f Filter, chosen []*entryPages) page.List {
	p := page.List{
		Head: page.Head{
			Title: k.Title, Description: k.About, Path: s.frame.Root + k.Path,
			Crumbs: crumbs(s.frame), Formats: formats(s.frame, k.Path, f.parameters(0), jsonType),
		},
		About: k.About, Filters: s.listForm(k, f), Total: len(chosen),
	}
	if len(chosen) == 0 && f.AsOf != "" {
		if first := s.firstPublished(k, f.AsOf); first != "" {
			p.About += " На " + f.AsOf + " здесь ещё ничего не было; первое опубликовано " + first + "."
		}
	}
	from := min(f.Offset, len(chosen))
	to := min(from+maxEntries, len(chosen))
	scenario := s.newest(k).Field("scenario")
	for _, c := range chosen[from:to] {
		p.Entries = append(p.Entries, s.entry(c.entry, f, scenario))
	}
	at := func(offset int) string { return address(p.Path, f.parameters(offset)) }
	p.Pager = pager(at, max(0, from-maxEntries), from, to-from, len(chosen))
	return p
}

// maxEntries is how many items a page lists.
const maxEntries = 100

// parameters are the filter as the query of an address, from an offset on.
func (f Filter) parameters(offset int) url.Values {
	return parameters(map[string]string{
		"scenario": f.Scenario, "status": string(f.Status), "product_type": f.ProductType, "prefix": f.Prefix, "as_of": f.AsOf,
		InForceParameter: f.InForce,
		"offset":         unless(offset, 0),
	})
}

// entry is a version in a list. The current one is linked to by its plain
// address.
func (s *Site) entry(e *content.Entry, f Filter, scenario *content.Field) page.Entry {
	path := e.Path()
	if f.AsOf == "" && f.InForce == "" && e.Status != content.Superseded {
		path = e.Kind.ItemPath(e.Name)
	}
	p := page.Entry{
		Title: cmp.Or(e.Body().Text("title"), e.ID()), Href: s.frame.Root + path,
		About: cmp.Or(e.Body().Text("summary"), e.Body().Text("description")), ID: e.ID(), Version: e.Version.String(),
	}
	if e.Status != content.Current || e.Draft {
		status := s.config.status(e)
		p.Status = &status
	}
	if v := e.Body().Text("scenario"); v != "" {
		p.Tags = append(p.Tags, label(scenario, v))
	}
	return p
}

// listForm is the form that filters a list.
func (s *Site) listForm(k *content.Kind, f Filter) page.Filters {
	form := page.Filters{Action: s.frame.Root + k.Path, Chosen: f != Filter{Offset: f.Offset}}
	if values := s.Scenarios(k); values != nil {
		scenario := s.newest(k).Field("scenario")
		form.Fields = append(form.Fields, page.Filter{
			Name: "scenario", Title: "Сценарий",
			Choices: choices(values, f.Scenario, func(v string) string { return label(scenario, v) }),
		})
	}
	if s.HasProductTypes(k) {
		if types := s.productTypes(k); len(types) > 0 {
			titles := s.titlesOf("product_types")
			form.Fields = append(form.Fields, page.Filter{
				Name: "product_type", Title: "Продукт",
				Choices: choices(types, f.ProductType, func(v string) string { return cmp.Or(titles[v], v) }),
			})
		}
	}
	statuses := []string{string(content.Current), string(content.Superseded), string(content.Archived)}
	if k.Expires {
		statuses = append(statuses, string(content.ReviewRequired))
	}
	form.Fields = append(form.Fields,
		page.Filter{Name: "status", Title: "Статус", Choices: choices(statuses, string(f.Status), func(v string) string { return s.config.statusOf(content.Status(v)).Title })},
		asOfField(f.AsOf),
	)
	if api.HasPeriods(k) {
		form.Fields = append(form.Fields, page.Filter{Name: InForceParameter, Title: "В силе на дату", Type: "date", Value: f.InForce})
	}
	return form
}

// asOfField asks for the day whose versions are shown.
func asOfField(day string) page.Filter {
	return page.Filter{Name: "as_of", Title: "Что было опубликовано на дату", Type: "date", Value: day}
}

// productTypes lists the product types that the items of a kind are for.
func (s *Site) productTypes(k *content.Kind) (all []string) {
	for _, p := range s.lists[k] {
		all = append(all, p.listed(s.config).products...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// titlesOf reads the titles of a group of codes in the taxonomy.
func (s *Site) titlesOf(group string) map[string]string {
	all := map[string]string{}
	item := s.Snapshot.Item(content.Registries, "taxonomy")
	if item == nil || item.Current == nil {
		return all
	}
	var records []content.Object
	if json.Unmarshal(orEmpty(item.Current.Body().Get(group)), &records) != nil {
		return all
	}
	for _, r := range records {
		all[r.Text("code")] = r.Text("title")
	}
	return all
}
