package site

import (
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/page"
)

// SearchForm is the page that asks what to find.
func (s *Site) SearchForm() *Resource {
	return PageOnly(s.frame, func() page.Page { return s.searchPage(search.Query{}, HitView{}, false) })
}

// searchPage makes the page of a search, or only its form.
func (s *Site) searchPage(q search.Query, v HitView, asked bool) page.Search {
	p := page.Search{
		Head:  page.Head{Searches: true, Title: "Поиск", Path: s.frame.Root + SearchPath, Crumbs: crumbs(s.frame)},
		Query: q.Text, Asked: asked, Filters: s.searchForm(q, v),
	}
	if !asked {
		return p
	}
	if q.Text != "" {
		p.Head.Title = "Поиск: " + q.Text
	}
	x := s.index()
	result := x.Search(q)
	p.Total = result.Total
	offset := min(q.Offset, p.Total)
	p.First, p.Formats = offset+1, formats(s.frame, SearchPath, searchParameters(q, v, offset), jsonType)
	for _, h := range result.Hits {
		p.Hits = append(p.Hits, s.hitOnPage(h, x.found[h.Entry], v))
	}
	at := func(offset int) string { return address(p.Path, searchParameters(q, v, offset)) }
	p.Pager = pager(at, max(0, offset-q.Limit), offset, len(p.Hits), p.Total)
	if result.Suggestion != nil {
		s.suggestOnPage(&p, x, result.Suggestion)
	}
	return p
}

// suggestOnPage offers what may have been meant, as searches and as what they find.
func (s *Site) suggestOnPage(p *page.Search, x index, suggested *search.Suggestion) {
	for _, g := range suggested.Words {
		p.Meant = append(p.Meant, page.Link{Title: g.Meant, Href: address(p.Path, parameters(map[string]string{"q": g.Meant}))})
	}
	if p.Total > 0 {
		return
	}
	for _, e := range suggested.Titles {
		p.Near = append(p.Near, page.Link{Title: e.Document().Title, Href: s.frame.Root + x.found[e].path})
	}
}

// searchParameters ask for the hits from an offset on.
func searchParameters(q search.Query, v HitView, offset int) url.Values {
	return parameters(map[string]string{
		"q": q.Text, "kind": strings.Join(q.Kinds, ""), "scenario": q.Scenario, "product_type": q.ProductType, "signal": q.Signal,
		InForceParameter: v.InForce, "as_of": v.AsOf,
		"limit": unless(q.Limit, search.DefaultLimit), "offset": unless(offset, 0),
	})
}

func (s *Site) searchForm(q search.Query, v HitView) page.Filters {
	scenarios, products := s.titlesOf("scenarios"), s.titlesOf("product_types")
	title := func(titles map[string]string) func(string) string {
		return func(v string) string {
			if t := titles[v]; t != "" {
				return t
			}
			return v
		}
	}
	form := page.Filters{Action: s.frame.Root + SearchPath, Fields: []page.Filter{
		{Name: "kind", Title: "Что", Choices: choices(api.FoundKinds(), strings.Join(q.Kinds, ""), s.kindTitle)},
		{Name: "scenario", Title: "Сценарий", Choices: choices(s.AllScenarios(), q.Scenario, title(scenarios))},
	}}
	types := s.productTypes(content.Guidelines)
	if q.ProductType != "" && !slices.Contains(types, q.ProductType) {
		types = append(types, q.ProductType)
	}
	if len(types) > 0 {
		form.Fields = append(form.Fields, page.Filter{Name: "product_type", Title: "Продукт", Choices: choices(types, q.ProductType, title(products))})
	}
	if q.Signal != "" {
		form.Fields = append(form.Fields, page.Filter{Name: "signal", Title: "Признак", Type: "text", Value: q.Signal})
	}
	form.Fields = append(form.Fields, page.Filter{Name: InForceParameter, Title: "В силе на дату", Type: "date", Value: v.InForce})
	if v.InForce != "" {
		form.Fields = append(form.Fields, asOfField(v.AsOf))
	}
	return form
}

func (s *Site) hitOnPage(h search.Hit, f findable, v HitView) page.Hit {
	d := h.Entry.Document()
	p := page.Hit{Kind: f.kind.title, ID: d.ID, Title: d.Title, Href: s.frame.Root + f.path}
	if h.Snippet.Section != "" && !f.partial {
		p.Href += "#" + h.Snippet.Section
	}
	if f.pages != nil && !f.partial {
		p.Kind = s.newest(f.pages.entry.Kind).Title
	}
	if o := s.hitInForce(f, d.ID, v); o != nil {
		p.Lines = s.standingWords(f.pages.entry.Kind, o)
	}
	if h.Snippet.Before {
		p.Snippet = append(p.Snippet, page.Segment{Text: "… "})
	}
	for _, segment := range h.Snippet.Segments {
		p.Snippet = append(p.Snippet, page.Segment{Text: segment.Text, Match: segment.Match})
	}
	if h.Snippet.After {
		p.Snippet = append(p.Snippet, page.Segment{Text: " …"})
	}
	return p
}

// kindTitle is what people call a kind of what is found.
func (s *Site) kindTitle(name string) string {
	for _, k := range content.Kinds {
		if k.Name == name {
			return k.Title
		}
	}
	for _, k := range recordKinds {
		if k.name == name {
			return k.title
		}
	}
	if name == calculationKind.name {
		return calculationKind.title
	}
	return recordKinds[api.FoundRecord].title
}
