package site

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// addMathPages adds the pages of the registry and of the tools. Their other representations depend
// on the build alone, and are shared by all sites.
func (s *Site) addMathPages(prev *Site) {
	if prev != nil && prev.frame != s.frame {
		prev = nil
	}
	add := func(path string, of *referenced, make func() page.Page) {
		if prev != nil {
			s.resources[path] = prev.resources[path]
			return
		}
		r := *s.built[path]
		r.Representations = append(slices.Clone(r.Representations), pageOf(time.Time{}, nil, s.frame, make))
		r.referenced = of
		s.resources[path] = &r
	}
	frame, c := s.frame, s.config
	add(api.MathPath, nil, func() page.Page { return toolsPage(frame, nil, c.toolsOf("", "")) })
	for t := range c.Math.Tools() {
		add(api.ToolsPath+t.ID, c.referencedTool(frame, t), func() page.Page { return c.examplePage(frame, t) })
	}
}

// referencedTool makes the resource of a tool with its page and the references to it.
func (c Config) referencedTool(frame *page.Frame, t *calc.Tool) *referenced {
	return &referenced{target: toolTarget(t.ID), with: func(by mentions) *Resource {
		return c.tool(t, by).with(frame, func() page.Page {
			p := c.examplePage(frame, t)
			p.Referrers, p.Others = by.links(frame)
			return p
		})
	}}
}

// toolsPage lists the tools selected by a query, by family.
func toolsPage(frame *page.Frame, q url.Values, tools []*calc.Tool) page.Tools {
	data := maps.Clone(q)
	data.Del(TextParameter)
	p := page.Tools{
		Head: page.Head{
			Title: "Расчёты", Description: "Точные расчёты по кредитам, вкладам, картам, каско, срокам и вложениям.",
			Path: frame.Root + api.MathPath, Crumbs: crumbs(frame),
			Formats: formats(frame, api.MathPath, data, api.JSONType, api.MarkdownType),
		},
		Filters: form(
			frame, api.Of(api.ListCalculations, nil, ""), api.MathPath, q, mathOffers,
			TextParameter, "family", "release",
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
