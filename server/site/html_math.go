package site

import (
	"net/url"
	"strings"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// toolsPage lists the tools selected by a query, by family.
func (s *Site) toolsPage(q url.Values, tools []*calc.Tool) page.Page {
	frame := s.frame
	p := page.Tools{
		Head: page.Head{
			Title: "Расчёты", Description: "Точные расчёты по кредитам, вкладам, картам, каско, срокам и вложениям.",
			Path: frame.Root + api.MathPath, Crumbs: crumbs(frame),
			Formats: formats(frame, api.MathPath, q, api.JSONType, api.MarkdownType),
		},
		Filters: form(
			frame, api.Of(api.ListCalculations, nil, ""), api.MathPath, q, mathOffers,
			"family", "release",
		),
	}
	for _, f := range calc.Families {
		group := page.Family{ID: f.ID, Title: f.Title}
		for _, t := range tools {
			if t.Family == f.ID {
				about, _, _ := strings.Cut(t.Description, ". ")
				group.Entries = append(
					group.Entries,
					page.Entry{
						Title: t.Title, Href: frame.Root + api.ToolsPath + t.ID,
						About: strings.TrimSuffix(about, ".") + ".",
					},
				)
			}
		}
		if group.Entries != nil {
			p.Families = append(p.Families, group)
		}
	}
	return p
}

var mathOffers = map[string]offer{"family": {title: familyTitle}}

// familyTitle is the title of a family of tools.
func familyTitle(id string) string {
	for _, f := range calc.Families {
		if f.ID == id {
			return f.Title
		}
	}
	return id
}
