package site

import (
	"cmp"
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// changelogPage makes the page of a part of the changelog. From beyond the last entry it links back.
func (s *Site) changelogPage(p changelogPart, changes []page.ChangelogEntry) page.Page {
	base := s.frame.Root + api.ChangelogPath
	from := func(offset int) url.Values {
		return parameters(map[string]string{
			"since": p.since, "limit": nonDefault(p.limit, api.DefaultLimit), "offset": nonDefault(offset, 0),
		})
	}
	at := func(offset int) string { return address(base, from(offset)) }
	offset := min(p.offset, p.total)
	return page.Changelog{
		Head: page.Head{
			Title: "Журнал изменений", Path: base, Crumbs: crumbs(s.frame),
			Formats: formats(s.frame, api.ChangelogPath, from(offset), api.JSONType),
		},
		Filters: form(s.frame, api.Of(api.ListChanges, nil, ""), api.ChangelogPath, from(0), nil, "since"),
		Changes: changes,
		Pager:   pager(at, p.limit, offset, len(changes), p.total),
	}
}

// changes converts entries of the changelog for a page.
func (s *Site) changes(entries []*content.Change) (all []page.ChangelogEntry) {
	for _, c := range entries {
		if c.Version != "" {
			all = append(all, s.releaseChange(c))
		} else {
			all = append(all, s.guidelineChange(c))
		}
	}
	return all
}

func (s *Site) releaseChange(c *content.Change) page.ChangelogEntry {
	p := page.ChangelogEntry{
		Date: c.Date, Release: true, Version: c.Version, Title: cmp.Or(c.Title, "Выпуск"), Points: c.Changes,
	}
	if len(c.Changes) == 1 && c.Changes[0] == c.Title {
		p.Points = nil
	}
	if c.Scenario != "" {
		p.Tags = append(p.Tags, s.scenarioTitle(c.Scenario))
	}
	if c.ModuleVersion != "" && c.ModuleVersion != c.Version {
		p.Tags = append(p.Tags, "модуль "+c.ModuleVersion)
	}
	return p
}

func (s *Site) guidelineChange(c *content.Change) page.ChangelogEntry {
	p := page.ChangelogEntry{
		Date: c.Date, Title: c.Guideline, Version: c.New, Text: strings.TrimSpace(c.Summary),
		Href: s.frame.Root + content.Guidelines.ItemPath(c.Guideline) + "/versions/" + c.New,
	}
	item := s.Snapshot.Item(content.Guidelines, c.Guideline)
	if item == nil {
		return p
	}
	for _, e := range item.Entries {
		if e.Version.String() == c.New && e.Status != content.Redacted {
			p.Title = cmp.Or(e.Body().Text("title"), c.Guideline)
			if old := e.Predecessor; old != nil && old.Status != content.Redacted {
				p.Compare = comparison(s.frame, item, old, e)
			}
		}
	}
	if c.Old == "" {
		p.Tags = append(p.Tags, "новое правило")
	}
	return p
}
