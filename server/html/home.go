package html

import (
	"strconv"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/api"
)

// shownChanges is the maximum number of changes on the home page.
const shownChanges = 8

// home shows what is served, its origin, and the news.
func (m maker) home() Home {
	in := m.Snapshot.Settings
	p := Home{
		Head: Head{
			Searches: true, Description: in.Description, Path: m.root + api.ManifestPath,
			Formats: m.formats(api.ManifestPath, nil, api.JSONType),
		},
		Changes: m.changes(m.Changes(shownChanges)),
	}
	for _, k := range content.Kinds {
		if n := len(m.Listed(k)); k.List && n > 0 {
			p.Kinds = append(p.Kinds, Kind{Title: k.Title, Href: m.root + k.Path, About: k.About, Count: n})
		}
	}
	p.Kinds = append(p.Kinds, Kind{
		Title: "Расчёты", Href: m.root + api.MathPath, Count: len(m.Tools("", "")),
		About: "Формы для точных расчётов по кредитам, вкладам, картам, каско и срокам.",
	})
	for _, it := range first {
		if e := m.Offered(it.kind, it.item); e != nil {
			p.Start = append(p.Start, Link{titleOf(e.Publication), m.root + it.kind.ItemPath(it.item)})
		}
	}
	p.Source = m.source()
	for _, u := range m.Snapshot.Upcoming[:min(shownChanges, len(m.Snapshot.Upcoming))] {
		p.Upcoming = append(p.Upcoming, m.upcomingEntry(u))
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
func (m maker) source() []Statement {
	all := []Statement{
		{Title: "Снимок", Value: m.ID, Code: true},
		{Title: "Коммит", Value: m.Snapshot.Commit, Code: true},
		{Title: "Ветка", Value: m.Snapshot.Branch, Code: true},
		{Title: "На дату", Value: i18n.DayOf(m.Snapshot.Date)},
		{Title: "Публикаций", Value: strconv.Itoa(m.Snapshot.Count())},
	}
	if newest := m.UpdatedAt(); !newest.IsZero() {
		all = append(all, Statement{Title: "Последняя публикация", Value: i18n.Day(newest)})
	}
	return append(all, Statement{Title: "Версия программы", Value: m.Program(), Code: true})
}
