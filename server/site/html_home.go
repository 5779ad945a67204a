package site

import (
	"strconv"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// shownChanges is the maximum number of changes on the home page.
const shownChanges = 8

// homePage shows what is served, its origin, and the news.
func (s *Site) homePage() page.Page {
	in := s.Snapshot.Settings
	p := page.Home{
		Head: page.Head{
			Searches: true, Description: in.Description, Path: s.frame.Root + api.ManifestPath,
			Formats: formats(s.frame, api.ManifestPath, nil, api.JSONType),
		},
		Changes: s.changes(s.Snapshot.Changes[:min(shownChanges, len(s.Snapshot.Changes))]),
	}
	for _, k := range content.Kinds {
		if k.List && len(s.lists[k]) > 0 {
			p.Kinds = append(
				p.Kinds, page.Kind{Title: k.Title, Href: s.frame.Root + k.Path, About: k.About, Count: len(s.lists[k])},
			)
		}
	}
	p.Kinds = append(
		p.Kinds,
		page.Kind{
			Title: "Расчёты", Href: s.frame.Root + api.MathPath,
			About: "Формы для точных расчётов по кредитам, вкладам, картам, каско и срокам.",
			Count: len(s.config.toolsOf("", "")),
		},
	)
	for _, it := range first {
		if !s.isOffered(it.kind, it.item) {
			continue
		}
		p.Start = append(p.Start, page.Entry{
			Title: titleOf(s.current(it.kind, it.item).Publication), Href: s.frame.Root + it.kind.ItemPath(it.item),
		})
	}
	p.Source = s.source()
	for _, u := range s.Snapshot.Upcoming[:min(shownChanges, len(s.Snapshot.Upcoming))] {
		p.Upcoming = append(p.Upcoming, s.upcomingEntry(u))
	}
	return p
}

// first are the items to begin with.
var first = []struct {
	kind *content.Kind
	item string
}{
	{content.Instructions, "assistant"},
	{content.Profiles, "integration-profile"},
	{content.Policies, "fallback-policy"},
	{content.Instructions, "product-document-analysis"},
}

// source describes the origin of the content.
func (s *Site) source() []page.Statement {
	all := []page.Statement{
		{Title: "Снимок", Value: s.ID, Code: true},
		{Title: "Коммит", Value: s.Snapshot.Commit, Code: true},
		{Title: "Ветка", Value: s.Snapshot.Branch, Code: true},
		{Title: "На дату", Value: page.DayOf(s.Snapshot.Date)},
		{Title: "Публикаций", Value: strconv.Itoa(s.Snapshot.Count())},
	}
	if newest := s.updatedAt(); !newest.IsZero() {
		all = append(all, page.Statement{Title: "Последняя публикация", Value: page.Day(newest)})
	}
	return append(all, page.Statement{Title: "Версия программы", Value: s.config.Version, Code: true})
}
