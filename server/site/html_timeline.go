package site

import (
	"cmp"
	"net/url"

	"rulestore/content/change"
	"rulestore/server/api"
	"rulestore/server/page"
)

const (
	// shownEvents is the maximum number of versions on the page of a timeline, shownPassages that
	// of sections, and maxNote that of bytes of a version's change note.
	shownEvents, shownPassages, maxNote = 30, 80, 600
	// maxDrawn is the maximum size of a section that the page shows, in bytes of JSON.
	maxDrawn = 16 << 10
)

func (s *Site) timelinePage(t *timelineAnswer) page.Timeline {
	frame, path := s.frame, api.TimelinePath+t.item.ID()
	p := page.Timeline{
		Head: page.Head{
			Title: "История: " + t.heading(), Path: frame.Root + path,
			Formats: formats(frame, path, t.query(), api.JSONType, api.MarkdownType),
			Crumbs:  kindCrumbs(frame, t.item.Kind, s.itemLink(t)),
		},
		ID: t.item.ID(), Section: t.Section, Filters: t.form(frame, path),
		When: t.applied.words(t.TimelineOf), None: t.applied.none,
	}
	p.Read = page.Link{Title: "Все версии", Href: frame.Root + t.item.Kind.ItemPath(t.item.Name) + "/versions"}
	if t.Section != "" {
		p.Crumbs = append(p.Crumbs, page.Link{Title: "История", Href: frame.Root + path})
	}
	s.drawApplied(&p, t)
	for i, e := range t.history.events(t.of) {
		if i == shownEvents {
			p.Left = "Показаны не все версии: остальные — в других форматах этой страницы."
			break
		}
		p.Events = append(p.Events, s.eventOf(e, t.Section))
	}
	if t.history.left > 0 {
		p.Left = cmp.Or(p.Left, t.history.leftWords())
	}
	from := min(t.Offset, len(t.within))
	to := min(from+shownPassages, len(t.within))
	for _, section := range t.within[from:to] {
		p.Sections = append(p.Sections, passageOf(frame, t, section))
	}
	p.Total = len(t.within)
	p.Pager = pager(func(offset int) string {
		return address(frame.Root+path, merged(t.query(), url.Values{"offset": {nonDefault(offset, 0)}}))
	}, max(0, from-shownPassages), from, to-from, len(t.within))
	return p
}

// form is the form that asks for other days.
func (t *timelineAnswer) form(frame *page.Frame, path string) page.Filters {
	f := form(frame, api.Of(api.ReadTimeline, nil, ""), path, t.query(), nil, dayFields(t.item.Kind)...)
	f.Label, f.Chosen = "На какой день", false
	return f
}

// query is the query for the same timeline.
func (t *timelineAnswer) query() url.Values {
	return parameters(map[string]string{"section": t.Section, "as_of": t.AsOf, InForceParameter: t.InForce})
}

// itemLink links to the current version of the item, or to the highest.
func (s *Site) itemLink(t *timelineAnswer) page.Link {
	l := highest(s.frame, t.item)
	if t.item.Current != nil {
		l.Href = s.frame.Root + t.item.Kind.ItemPath(t.item.Name)
	}
	return l
}

// drawApplied draws what applied on the requested days.
func (s *Site) drawApplied(p *page.Timeline, t *timelineAnswer) {
	a := t.applied
	if a.entry == nil {
		return
	}
	p.Applied = page.Link{Title: upperFirst(a.version()), Href: s.frame.Root + a.entry.Path()}
	if a.section == nil {
		return
	}
	p.Applied.Href = s.frame.Root + sectionPath(a.entry, t.Section)
	if p.Long = len(a.section.Raw) > maxDrawn; p.Long {
		return
	}
	root := s.config.tree(a.entry)
	drawing := page.Drawing{Root: s.frame.Root, Path: s.frame.Root + a.entry.Path(), Bare: true, Level: 3}
	drawing.Only = append(drawing.Only, root.At(t.Section))
	p.Text = (&quoted{titled: s.titled, apart: s.apartOf(a.entry)}).draw(s.config, a.entry, root, drawing).Body
}

// eventOf is an event for a page.
func (s *Site) eventOf(e event, section string) page.Event {
	shown := page.Event{
		Version: e.Version.String(), Href: s.frame.Root + e.Path(), What: e.word(), Changes: e.changes,
		Date: e.PublishedAt,
		Note: shorten(line(e.Note()), maxNote), Vouched: e.evidence(s.logOf(e.Source)),
	}
	if e.class != change.None {
		class := changeClass(e.class)
		shown.Class = &class
	}
	if path := e.comparePath(section); path != "" {
		shown.Compare = s.frame.Root + path
	}
	return shown
}

// passageOf is the history of a section for a page.
func passageOf(frame *page.Frame, t *timelineAnswer, p *sectionHistory) page.Passage {
	added, last, removed := p.milestones()
	shown := page.Passage{
		Title: cmp.Or(p.title, p.address), Address: p.address, Level: p.level,
		Href:  frame.Root + timelinePath(t.item.ID(), p.address),
		Since: added.Version.String(), Earlier: added.what == present, Changes: p.changed(),
	}
	if last != nil {
		shown.Changed = last.Version.String()
	}
	if removed != nil {
		shown.Gone = removed.Version.String()
	}
	return shown
}
