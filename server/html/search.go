package html

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/site"
)

// search makes the page of a search, or only its form.
func (m maker) search(of site.ShownSearch) Search {
	q, v := of.Query, of.View
	p := Search{
		Head:  m.head("Поиск", "", api.SearchPath, nil),
		Query: q.Text, Asked: of.Asked, Filters: m.searchForm(q, v),
	}
	p.Searches = true
	if !of.Asked {
		return p
	}
	if q.Text != "" {
		p.Head.Title = "Поиск: " + q.Text
	}
	found := m.Find(q, v)
	p.Total, p.Note = found.Total, found.Note
	offset := min(q.Offset, p.Total)
	p.First, p.Formats = offset+1, m.formats(api.SearchPath, searchParameters(q, v, offset))
	for _, h := range found.Hits {
		p.Hits = append(p.Hits, m.hit(h))
	}
	at := func(offset int) string { return site.Address(p.Path, searchParameters(q, v, offset)) }
	p.Pager = pager(at, q.Limit, offset, len(p.Hits), p.Total)
	for _, h := range found.Near {
		p.Near = append(p.Near, m.link(site.Link{Title: h.Title, Path: h.Path()}))
	}
	if s := found.Suggestion; s != nil && s.Text != "" {
		p.Meant = &Link{s.Text, site.Address(p.Path, url.Values{"q": {s.Text}})}
	}
	return p
}

// searchParameters is the query for the hits from an offset on.
func searchParameters(q search.Query, v site.HitView, offset int) url.Values {
	return site.Query(map[string]string{
		"q": q.Text, "kind": strings.Join(q.Kinds, ""), "scenario": q.Scenario, "product_type": q.ProductType,
		"signal":              q.Signal,
		site.InForceParameter: v.InForce, "as_of": v.AsOf,
		"limit": site.NonDefault(q.Limit, api.SearchLimit), "offset": site.NonDefault(offset, 0),
	})
}

func (m maker) searchForm(q search.Query, v site.HitView) Filters {
	names := []string{"kind", "scenario", "product_type", site.InForceParameter}
	if v.InForce != "" {
		names = append(names, "as_of")
	}
	values := searchParameters(q, v, 0)
	values.Del("q") // which has its own field
	return m.form(api.Of(api.Search, nil, ""), api.SearchPath, values, m.searchOffers(), names...)
}

func (m maker) searchOffers() map[string]offer {
	return map[string]offer{
		"kind":         {title: site.FoundKindTitle},
		"scenario":     {values: m.AllScenarios(), title: m.ScenarioTitle},
		"product_type": m.offeredProducts(content.Guidelines),
	}
}

// longNumber matches a number in the snippet of a value.
var longNumber = regexp.MustCompile(`\d{5,}(\.\d+)?`)

func (m maker) hit(h site.Hit) Hit {
	e := h.Version()
	p := Hit{Hit: h, Kind: m.FoundTitle(h), Href: m.root + h.Path()}
	if h.Snippet.Section != "" && !h.IsRecord() && e != nil {
		p.Section = m.sectionOf(e, h.Snippet.Section, p.Href)
	}
	if h.InForce != nil {
		p.Lines = m.stretchWords(e.Kind, h.InForce)
	}
	return p
}

// Segments are those of the snippet, with numbers for people where it is a value, and not of a document.
func (h Hit) Segments() []search.Segment {
	all := slices.Clone(h.Snippet.Segments)
	for i := range all {
		if h.Snippet.Section == "value" {
			all[i].Text = longNumber.ReplaceAllStringFunc(all[i].Text, Grouped)
		}
	}
	return all
}

// sectionOf links to a section of a version.
func (m maker) sectionOf(e *content.Entry, at, href string) *Link {
	field, _, _ := strings.Cut(at, "/")
	root := document.Read(content.Object{{Name: field, Value: e.Body().Get(field)}}, m.Format(e.Publication))
	return &Link{Title: strings.Join(titlesTo(root, at), " › "), Href: href + "#" + at}
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
		if code := n.Kids[label].Text; i18n.DayOf(code) != code {
			return i18n.DayOf(code)
		}
	}
	return document.Called(list, n)
}
