package site

import (
	"slices"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/calc"
)

// What the page of a resource shows: package html makes it of this, and of the site that answers.
type (
	// ShownVersion is a version, with its records in a view.
	ShownVersion struct {
		Entry *content.Entry
		View
	}
	// ShownRecord is a record of a version.
	ShownRecord struct {
		Entry   *content.Entry
		Records *Records
		Record  content.Object
	}
	// ShownVersions are all versions of an item.
	ShownVersions struct{ Item *content.Item }
	// ShownList is a list of versions.
	ShownList struct {
		Kind *content.Kind
		Filter
		Versions []*content.Entry
	}
	// ShownInForce is the list of what was in force on a day, and of what was not.
	ShownInForce struct {
		Kind *content.Kind
		Filter
		In, Out []Stretch
	}
	// ShownChangelog is a part of the changelog.
	ShownChangelog struct {
		Since                string
		Offset, Limit, Total int
		Changes              func() []ShownChange
	}
	// ShownSearch are the hits of a search or, if nothing was asked, its form.
	ShownSearch struct {
		search.Query
		View  HitView
		Asked bool
	}
	// ShownComparison is a part of a comparison.
	ShownComparison struct{ Part func() *Compared }
	// ShownTool is a calculation.
	ShownTool struct{ *calc.Tool }
	// ShownTools are the calculations of a family and a release.
	ShownTools struct {
		Family, Release string
		Tools           []*calc.Tool
	}
	// ShownUpcoming is what will be published, ShownHome what there is, and ShownConnect how to connect.
	ShownUpcoming struct{}
	ShownHome     struct{}
	ShownConnect  struct{}
)

// Status is the status of something, as code and text.
type Status struct{ Code, Title string }

// Link is the path of something in the service with its title.
type Link struct{ Title, Path string }

// Format is the format of a version.
func (s *Site) Format(p *content.Publication) *content.Field { return s.format(p).Root() }

// Newest is the newest format of a kind.
func (s *Site) Newest(k *content.Kind) *content.Field { return s.newest(k) }

// Fields are the served fields of a version, without fetched_at, and what describes them.
func (s *Site) Fields(e *content.Entry) (content.Object, *content.Field) {
	return s.item(e), s.describe(e.Kind, s.format(e.Publication))
}

// RecordsOf returns the records of a version, nil if its kind has none.
func (s *Site) RecordsOf(e *content.Entry) *Records {
	return s.recordsOf(s.entries[e.Publication])
}

// Listed are the current versions of a kind, without archived ones.
func (s *Site) Listed(k *content.Kind) (all []*content.Entry) { return entriesOf(s.lists[k]) }

func entriesOf(all []*preparedVersion) []*content.Entry {
	entries := make([]*content.Entry, len(all))
	for i, p := range all {
		entries[i] = p.entry
	}
	return entries
}

// Offered returns the current version of an item unless it is archived, nil if there is none.
func (s *Site) Offered(k *content.Kind, name string) *content.Entry {
	i := slices.IndexFunc(s.lists[k], func(p *preparedVersion) bool { return p.entry.Name == name })
	if i < 0 {
		return nil
	}
	return s.lists[k][i].entry
}

// ProductTypes lists the product types of the items of a kind.
func (s *Site) ProductTypes(k *content.Kind) (all []string) {
	for _, p := range s.lists[k] {
		all = append(all, p.listed(s.Config).products...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Today returns what is in force of an item today, and what is next; not ok if that is unknown.
func (s *Site) Today(item *content.Item) (now content.Stretch, next *content.Stretch, ok bool) {
	t := s.timeline(item, "")
	if t == nil {
		return now, nil, false
	}
	at := t.At(s.Snapshot.Date)
	if i := t.After(at); i >= 0 {
		next = &t.Timeline[i]
	}
	return t.Timeline[at], next, true
}

// SearchForm returns the empty search page.
func (s *Site) SearchForm() *Resource { return pageOnly(ShownSearch{}) }

// Referrers are the first of what refers to a target, left is the number of the others; a link leads to the
// section that does.
func (s *Site) Referrers(target string) (links []Link, left int) {
	few, left := s.references().mentions(s.Config, target).few()
	for _, by := range few {
		l := Link{by.title, by.path}
		if by.title == "" {
			l.Title = by.id
		}
		if by.sections != nil {
			l.Path += "#" + by.sections[0]
		}
		links = append(links, l)
	}
	return links, left
}
