package site

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
)

func changeEntry(c *content.Change) Body {
	if c.Version != "" {
		return release(c, "")
	}
	return guidelineEntry(c)
}

// release is a release in the changelog or, with its title, in the manifest.
func release(c *content.Change, title string) Body {
	var o object
	o.text("version", c.Version)
	o.optional("product_version", c.Product)
	o.optional("module_version", c.ModuleVersion)
	o.time("date", c.Date)
	o.text("type", c.Type)
	o.optional("scenario", c.Scenario)
	o.optional("title", title)
	o.value("changes", c.Changes)
	return o.end()
}

func guidelineEntry(c *content.Change) Body {
	var o object
	o.time("date", c.Date)
	o.text("guideline_id", c.Guideline)
	if c.Old == "" {
		o.value("old_version", nil)
	} else {
		o.text("old_version", c.Old)
	}
	o.text("new_version", c.New)
	o.optional("change_summary", c.Summary)
	o.text("criticality", c.Criticality)
	return o.end()
}

// Changelog returns a page of the changelog: at most limit entries from offset on, optionally
// only those since the beginning of a day, or since an index in the log.
func (s *Site) Changelog(since string, offset, limit int) *Resource {
	if position, ok := parseLogPosition(since); ok {
		return s.changesSince(position, offset, limit)
	}
	all := s.Snapshot.Changes
	if since != "" { // newest first: the older ones are at the end
		all = all[:sort.Search(len(all), func(i int) bool { return s.Snapshot.DayOf(all[i].Date) < since })]
	}
	from := min(offset, len(all))
	entries := all[from:min(from+limit, len(all))]
	return s.changelogPart(ShownChangelog{since, offset, limit, len(all), nil}, func(o *object) []Body {
		return bodies(entries, changeEntry)
	}, func() []ShownChange { return s.changesOf(entries) })
}

// changelogPart makes the resource of a part of the changelog. entries may write members before them.
func (s *Site) changelogPart(
	p ShownChangelog, entries func(*object) []Body, changes func() []ShownChange,
) *Resource {
	r := jsonResource(func() Body {
		var o object
		o.total(p.Total)
		o.value("limit", p.Limit)
		o.value("offset", p.Offset)
		all := entries(&o)
		o.fetchedAt()
		o.elements("entries", all)
		return o.end()
	})
	r.Action = api.ListChanges
	p.Changes = changes
	return r.addText(api.MarkdownType, func() []byte { return s.changelogMarkdown(p) }).with(p)
}

// parseLogPosition parses an index in the log, given in place of a date.
func parseLogPosition(since string) (index int64, ok bool) {
	n, err := strconv.ParseUint(since, 10, 63)
	return int64(n), err == nil
}

// AskedSince reads the beginning of a part of the changelog: a day, or an index in the log.
func (s *Site) AskedSince(a Asked) string {
	since := a.Text("since")
	if !a.Has("since") {
		return since
	}
	position, ok := parseLogPosition(since)
	if !ok {
		if _, err := time.Parse(content.Date, since); err != nil {
			a.Fault("since", "no_date", "Ожидается дата или место в журнале.",
				"Запишите день как 2026-05-01, место — числом, как next_since.")
		}
		return since
	}
	if s.log == nil {
		a.Fault("since", "no_log", "Журнала у этого репозитория нет.", "Запишите день как 2026-05-01.")
	} else if size := s.log.Leaves().Size(); position > size {
		a.Fault("since", "beyond_log", fmt.Sprintf("В журнале этого сервера листьев %d.", size),
			"Начните с 0 или с next_since прошлого ответа; сервер, который отстал, ответит позже.")
	}
	return since
}

// changesSince makes a page of a log from a position on, oldest first. A client that continues
// with next_since gets each change once, whatever its date. Releases are not in the log; they are
// listed by date.
func (s *Site) changesSince(position int64, offset, limit int) *Resource {
	all := s.log.Leaves().Since(position)
	from := min(offset, len(all))
	leaves := all[from:min(from+limit, len(all))]
	first := position + int64(from)
	part := ShownChangelog{strconv.FormatInt(position, 10), offset, limit, len(all), nil}
	return s.changelogPart(part, func(o *object) []Body {
		entries := make([]Body, len(leaves))
		for i, leaf := range leaves {
			entries[i] = s.logEntry(first+int64(i), leaf)
		}
		o.value("next_since", first+int64(len(leaves)))
		return entries
	}, func() []ShownChange { return s.leafChanges(leaves) })
}

// logEntry is a leaf of the log: a seal with the fields of the changelog, a mark, or the end of one.
func (s *Site) logEntry(index int64, leaf log.Leaf) Body {
	var o object
	o.value("log_index", index)
	mark, ended := leaf.Begin()
	if ended {
		leaf = mark
	}
	if m, ok := leaf.Mark(); ok {
		o.text("item", m.Item)
		o.optional("version", m.Version)
		o.text("status", string(m.Status))
		o.optional("since", m.Since)
		o.optional("reason", m.Reason)
		o.optional("replaced_by", m.ReplacedBy)
		if ended {
			o.value("ended", true)
		}
		return o.end()
	}
	seal, _ := leaf.Seal() // every other leaf is a seal
	o.time("date", seal.PublishedAt)
	o.text("item", seal.Item())
	p, before := s.sealed(seal)
	if p == nil { // withdrawn, redacted, or of a kind that this build does not know
		o.text("new_version", strings.TrimPrefix(seal.Tag, seal.Item()+"/v"))
		o.text("content_checksum", seal.Checksum)
		return o.end()
	}
	o.text(p.Kind.ID, p.ID())
	if before == nil {
		o.value("old_version", nil)
	} else {
		o.text("old_version", before.Version.String())
	}
	o.text("new_version", p.Version.String())
	o.optional("change_summary", p.ChangeNote)
	o.text("content_checksum", p.Checksum)
	o.optional("canonical_url", s.urlOf(p))
	return o.end()
}

// sealed returns the served or upcoming publication with a seal, and the version
// before it; nil if there is none.
func (s *Site) sealed(seal content.Seal) (p, before *content.Publication) {
	tag, err := content.ParseTag(seal.Tag)
	if err != nil || tag.Kind == nil {
		return nil, nil
	}
	if it := s.Snapshot.Item(tag.Kind, tag.Name); it != nil {
		for _, e := range it.Entries {
			if e.Version.Equal(tag.Version) && e.Checksum == seal.Checksum &&
				e.Status != content.Redacted {
				return e.Publication, publication(e.Predecessor)
			}
		}
	}
	for _, p := range s.Snapshot.Upcoming {
		if p.Tag() == seal.Tag && p.Checksum == seal.Checksum {
			return p, s.currentBefore(p)
		}
	}
	return nil, nil
}

// urlOf is the URL of a publication, "" if it is not served yet.
func (s *Site) urlOf(p *content.Publication) string {
	if s.resources[p.Path()] == nil {
		return ""
	}
	return s.URL(p.Path())
}

// leafChanges are leaves of the log as changes.
func (s *Site) leafChanges(leaves []log.Leaf) (all []ShownChange) {
	for _, leaf := range leaves {
		all = append(all, s.leafChange(leaf))
	}
	return all
}

func (s *Site) leafChange(leaf log.Leaf) ShownChange {
	if mark, ended := leaf.Begin(); ended {
		c := s.leafChange(mark)
		c.Tags, c.Text = append(c.Tags, "пометка снята"), ""
		return c
	}
	if m, ok := leaf.Mark(); ok {
		return ShownChange{
			Date: DayIn(m.Since), Title: m.Item, Version: m.Version, Text: m.Reason,
			Tags: []string{s.StatusOf(m.Status).Title},
		}
	}
	seal, _ := leaf.Seal()
	p, _ := s.sealed(seal)
	if p == nil {
		return ShownChange{Date: seal.PublishedAt, Title: seal.Tag}
	}
	c := ShownChange{
		Date: p.PublishedAt, Title: titleOf(p), Version: p.Version.String(),
		Text: p.ChangeNote,
	}
	if s.resources[p.Path()] != nil {
		c.Path = p.Path()
	}
	return c
}

// ShownChange is an entry of the changelog as people see it.
type ShownChange struct {
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
func (s *Site) Changes(n int) []ShownChange {
	return s.changesOf(s.Snapshot.Changes[:min(n, len(s.Snapshot.Changes))])
}

// changesOf are entries of the changelog for people.
func (s *Site) changesOf(entries []*content.Change) (all []ShownChange) {
	for _, c := range entries {
		if c.Version != "" {
			all = append(all, s.releaseChange(c))
		} else {
			all = append(all, s.guidelineChange(c))
		}
	}
	return all
}

func (s *Site) releaseChange(c *content.Change) ShownChange {
	p := ShownChange{
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

func (s *Site) guidelineChange(c *content.Change) ShownChange {
	p := ShownChange{
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
