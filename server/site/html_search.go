package site

import (
	"net/url"
	"slices"
	"strconv"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/page"
)

// recordTitles are what the records that a search finds are called.
var recordTitles = map[string]string{"term": "Термин", "signal": "Признак"}

// SearchForm is the page that asks what to find.
func (s *Site) SearchForm() *Resource {
	return PageOnly(s.frame, func() page.Page { return s.searchPage(search.Query{}, false) })
}

// searchPage makes the page of a search, or only its form.
func (s *Site) searchPage(q search.Query, asked bool) page.Search {
	p := page.Search{
		Head:  page.Head{Searches: true, Title: "Поиск", Path: s.frame.Root + SearchPath, Crumbs: crumbs(s.frame)},
		Query: q.Text, Asked: asked, First: q.Offset + 1, Filters: s.searchForm(q),
	}
	if !asked {
		return p
	}
	if q.Text != "" {
		p.Head.Title = "Поиск: " + q.Text
	}
	p.Formats = []page.Format{{Title: "JSON", Type: jsonType, Href: s.searchAt(q, q.Offset) + "&" + FormatParameter + "=json"}}
	x := s.index()
	result := x.Search(q)
	p.Total = result.Total
	for _, h := range result.Hits {
		p.Hits = append(p.Hits, s.hitOnPage(h, x.found[h.Entry]))
	}
	p.Pager = page.Pager{From: q.Offset + 1, To: q.Offset + len(p.Hits), Total: p.Total}
	if q.Offset > 0 {
		p.Pager.Newer = s.searchAt(q, max(0, q.Offset-q.Limit))
	}
	if q.Offset+len(p.Hits) < p.Total {
		p.Pager.Older = s.searchAt(q, q.Offset+q.Limit)
	}
	return p
}

// searchAt is the address of a part of the hits.
func (s *Site) searchAt(q search.Query, offset int) string {
	values := url.Values{}
	for name, v := range map[string]string{"q": q.Text, "scenario": q.Scenario, "product_type": q.ProductType, "signal": q.Signal} {
		if v != "" {
			values.Set(name, v)
		}
	}
	if q.Limit != search.DefaultLimit {
		values.Set("limit", strconv.Itoa(q.Limit))
	}
	if offset > 0 {
		values.Set("offset", strconv.Itoa(offset))
	}
	return s.frame.Root + SearchPath + "?" + values.Encode()
}

func (s *Site) searchForm(q search.Query) page.Filters {
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
	return form
}

func (s *Site) hitOnPage(h search.Hit, f findable) page.Hit {
	d := h.Entry.Document()
	p := page.Hit{Kind: recordTitles[d.Kind], ID: d.ID, Title: d.Title, Href: s.frame.Root + f.path}
	if p.Kind == "" {
		p.Kind = s.newest(f.pages.entry.Kind).Title
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
