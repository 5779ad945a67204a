package site

import (
	"cmp"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

// Change is an entry of the changelog for people.
type Change struct {
	Date    time.Time
	Release bool // of the product or a module
	Title   string
	Path    string // of what changed, "" if there is none
	Version string
	Text    string
	Points  []string
	Tags    []string
	Compare string // path of the change, "" if there is none
}

// Changes are the first n entries of the changelog.
func (s *Site) Changes(n int) []Change {
	return s.changesOf(s.Snapshot.Changes[:min(n, len(s.Snapshot.Changes))])
}

// changesOf are entries of the changelog for people.
func (s *Site) changesOf(entries []*content.Change) (all []Change) {
	for _, c := range entries {
		if c.Version != "" {
			all = append(all, s.releaseChange(c))
		} else {
			all = append(all, s.guidelineChange(c))
		}
	}
	return all
}

func (s *Site) releaseChange(c *content.Change) Change {
	p := Change{
		Date: c.Date, Release: true, Version: c.Version, Title: cmp.Or(c.Title, "Выпуск"), Points: c.Changes,
	}
	if len(c.Changes) == 1 && c.Changes[0] == c.Title {
		p.Points = nil
	}
	if c.Scenario != "" {
		p.Tags = append(p.Tags, s.ScenarioTitle(c.Scenario))
	}
	if c.ModuleVersion != "" && c.ModuleVersion != c.Version {
		p.Tags = append(p.Tags, "модуль "+c.ModuleVersion)
	}
	return p
}

func (s *Site) guidelineChange(c *content.Change) Change {
	p := Change{
		Date: c.Date, Title: c.Guideline, Version: c.New, Text: strings.TrimSpace(c.Summary),
		Path: content.Guidelines.ItemPath(c.Guideline) + "/versions/" + c.New,
	}
	item := s.Snapshot.Item(content.Guidelines, c.Guideline)
	if item == nil {
		return p
	}
	for _, e := range item.Entries {
		if e.Version.String() == c.New && e.Status != content.Redacted {
			p.Title = cmp.Or(e.Body().Text("title"), c.Guideline)
			if old := e.Predecessor; old != nil && old.Status != content.Redacted {
				p.Compare = ComparisonPath(old, e)
			}
		}
	}
	if c.Old == "" {
		p.Tags = append(p.Tags, "новое правило")
	}
	return p
}

// ComparisonPath is the path of a comparison of two versions of an item.
func ComparisonPath(from, to *content.Entry) string {
	return api.ComparePath + to.Item() + "?from=" + from.Version.String() + "&to=" + to.Version.String()
}
