package site

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/page"
)

// SearchForm returns the empty search page.
func (s *Site) SearchForm() *Resource {
	return PageOnly(func(s *Site) page.Page { return s.searchPage(search.Query{}, HitView{}, false) })
}

// searchPage makes the page of a search, or only its form.
func (s *Site) searchPage(q search.Query, v HitView, asked bool) page.Page {
	p := page.Search{
		Head:  page.Head{Searches: true, Title: "Поиск", Path: s.frame.Root + api.SearchPath, Crumbs: crumbs(s.frame)},
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
	p.Total, p.Note = result.Total, unfit(result)
	offset := min(q.Offset, p.Total)
	p.First, p.Formats = offset+1, formats(s.frame, api.SearchPath, searchParameters(q, v, offset), api.JSONType)
	for _, h := range result.Hits {
		p.Hits = append(p.Hits, s.hitOnPage(h, x.found[h.Entry], v))
	}
	at := func(offset int) string { return address(p.Path, searchParameters(q, v, offset)) }
	p.Pager = pager(at, q.Limit, offset, len(p.Hits), p.Total)
	if result.Suggestion != nil {
		s.suggestOnPage(&p, x, q, result)
	}
	return p
}

// suggestOnPage adds suggestions: other words, and titles with similar words.
func (s *Site) suggestOnPage(p *page.Search, x index, q search.Query, result search.Result) {
	suggested := result.Suggestion
	if text := suggested.Text; text != "" {
		p.Meant = &page.Link{Title: text, Href: address(p.Path, parameters(map[string]string{"q": text}))}
	}
	for _, e := range suggested.Titles {
		if !slices.ContainsFunc(result.Hits, func(h search.Hit) bool { return h.Entry == e }) {
			p.Near = append(p.Near, page.Link{Title: e.Document().Title, Href: s.frame.Root + x.found[e].path})
		}
	}
}

// searchParameters is the query for the hits from an offset on.
func searchParameters(q search.Query, v HitView, offset int) url.Values {
	return parameters(map[string]string{
		"q": q.Text, "kind": strings.Join(q.Kinds, ""), "scenario": q.Scenario, "product_type": q.ProductType,
		"signal":         q.Signal,
		InForceParameter: v.InForce, "as_of": v.AsOf,
		"limit": nonDefault(q.Limit, api.SearchLimit), "offset": nonDefault(offset, 0),
	})
}

func (s *Site) searchForm(q search.Query, v HitView) page.Filters {
	names := []string{"kind", "scenario", "product_type", InForceParameter}
	if v.InForce != "" {
		names = append(names, "as_of")
	}
	values := searchParameters(q, v, 0)
	values.Del("q") // which has its own field
	return form(s.frame, api.Of(api.Search, nil, ""), api.SearchPath, values, s.searchOffers(), names...)
}

func (s *Site) searchOffers() map[string]offer {
	return map[string]offer{
		"kind":         {title: s.kindTitle},
		"scenario":     {values: s.AllScenarios(), title: s.scenarioTitle},
		"product_type": s.offeredProducts(content.Guidelines),
	}
}

// longNumber matches a number in the snippet of a value, where it is no number of a document.
var longNumber = regexp.MustCompile(`\d{5,}(\.\d+)?`)

func (s *Site) hitOnPage(h search.Hit, f findable, v HitView) page.Hit {
	d := h.Entry.Document()
	p := page.Hit{Kind: f.kind.title, ID: d.ID, Title: d.Title, Href: s.frame.Root + f.path}
	if h.Snippet.Section != "" && !f.partial && f.pages != nil {
		p.Section = s.sectionOf(f.pages.entry, h.Snippet.Section, p.Href)
	}
	if f.pages != nil && !f.partial {
		p.Kind = s.newest(f.pages.entry.Kind).Title
	}
	if o := s.hitInForce(f, d.ID, v); o != nil {
		p.Lines = s.stretchWords(f.pages.entry.Kind, o)
	}
	if h.Snippet.Before {
		p.Snippet = append(p.Snippet, page.Segment{Text: "… "})
	}
	for _, segment := range h.Snippet.Segments {
		text := segment.Text
		if h.Snippet.Section == "value" {
			text = longNumber.ReplaceAllStringFunc(text, page.Grouped)
		}
		p.Snippet = append(p.Snippet, page.Segment{Text: text, Match: segment.Match})
	}
	if h.Snippet.After {
		p.Snippet = append(p.Snippet, page.Segment{Text: " …"})
	}
	return p
}

// sectionOf links to a section of a version.
func (s *Site) sectionOf(e *content.Entry, at, href string) *page.Link {
	field, _, _ := strings.Cut(at, "/")
	root := document.Read(
		content.Object{{Name: field, Value: e.Body().Get(field)}}, s.config.format(e.Publication).Root(),
	)
	return &page.Link{Title: strings.Join(titlesTo(root, at), " › "), Href: href + "#" + at}
}

// titlesTo lists the titles of the sections on the path to an address.
func titlesTo(root *document.Node, at string) (titles []string) {
	within := root
	for i := range len(at) + 1 {
		if i < len(at) && at[i] != '/' {
			continue
		}
		n := root.At(at[:i])
		if n == nil {
			continue
		}
		title := n.Title(n.Name)
		if n.Name == "" {
			title = calledIn(within, n)
		}
		titles, within = append(titles, title), n
	}
	return titles
}

// calledIn is the title of an element of a list: a period is called by its first day.
func calledIn(list, n *document.Node) string {
	if label := n.Label(list.Unique()); label >= 0 {
		if code := n.Kids[label].Text; page.DayOf(code) != code {
			return page.DayOf(code)
		}
	}
	return document.Called(list, n)
}

// kindTitle is the title of a kind of results.
func (s *Site) kindTitle(name string) string {
	for _, k := range content.Kinds {
		if k.Name == name {
			return k.Title
		}
	}
	for _, k := range recordKinds {
		if k.name == name {
			return k.titles
		}
	}
	if name == calculationKind.name {
		return calculationKind.titles
	}
	return recordKinds[api.FoundRecord].titles
}
