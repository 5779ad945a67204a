package site

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
	"rulestore/server/page"
)

// place is an index in a log: of the repository that is named, else of the first.
type place struct {
	source string
	index  int64
}

// logPlace reads a place in a log, where one is given in place of a date: a number, after the
// name of a repository and a colon where it is not in the log of the first.
func logPlace(since string) (p place, ok bool) {
	source, number, named := strings.Cut(since, ":")
	if !named {
		source, number = "", since
	}
	n, err := strconv.ParseUint(number, 10, 63)
	return place{source, int64(n)}, err == nil && (source != "" || !named)
}

// String is the place as clients give it.
func (p place) String() string {
	if p.source == "" {
		return strconv.FormatInt(p.index, 10)
	}
	return p.source + ":" + strconv.FormatInt(p.index, 10)
}

// SinceFault validates the beginning of a part of the changelog: a day, or an index in the log.
// The code is "" if it is valid.
func (s *Site) SinceFault(since string) (code, detail, hint string) {
	place, ok := logPlace(since)
	if !ok {
		if _, err := time.Parse(content.Date, since); err != nil {
			return "no_date", "Ожидается дата или место в журнале.", "Запишите день как 2026-05-01, место — числом, как next_since."
		}
		return "", "", ""
	}
	if _, known := s.Snapshot.SourceOf(place.source); place.source != "" && !known {
		return "unknown_value", "Такого хранилища здесь нет.", "Все хранилища: " + s.URL(SourcesPath)
	}
	if size, _, _ := signedOf(s.logOf(place.source)); place.index > size {
		return "beyond_log", fmt.Sprintf("В журнале этого сервера листьев %d.", size),
			"Начните с 0 или с next_since прошлого ответа; сервер, который отстал, ответит позже."
	}
	return "", "", ""
}

// changesSince makes a page of what a log holds from a place on, the oldest first: who
// asks again for next_since gets each change once, whenever it was published and for
// whatever day. Releases are no leaves of the log, and are listed by date.
func (s *Site) changesSince(p place, offset, limit int) *Resource {
	var all []log.Leaf
	if l := s.logOf(p.source); l != nil {
		all = l.Since(p.index)
	}
	from := min(offset, len(all))
	leaves := all[from:min(from+limit, len(all))]
	source := s.sourceAt(p)
	first := p.index + int64(from)
	r := jsonResource(func() Body {
		var bodies []Body
		for i, leaf := range leaves {
			bodies = append(bodies, s.logEntry(source, first+int64(i), leaf))
		}
		var o object
		o.value("total", len(all))
		o.value("limit", limit)
		o.value("offset", offset)
		if next := first + int64(len(leaves)); p.source == "" {
			o.value("next_since", next)
		} else {
			o.text("next_since", place{p.source, next}.String())
		}
		o.fetchedAt()
		o.array("entries", bodies)
		return o.end()
	})
	r.Does = api.ListChanges
	return r.with(s.frame, func() page.Page {
		return s.changelogPage(p.String(), offset, limit, len(all), s.leafChanges(source, leaves))
	})
}

// sourceAt is the name of the repository whose log a place is in, empty if there is only one.
func (s *Site) sourceAt(p place) string {
	if p.source == "" && len(s.Snapshot.Sources) > 0 {
		return s.Snapshot.Sources[0].Name
	}
	return p.source
}

// logEntry is what a leaf of the log says: of a guideline what the changelog says of it, of
// others as much, and of a mark what it is.
func (s *Site) logEntry(source string, index int64, leaf log.Leaf) Body {
	var o object
	o.optional("source", source)
	o.value("log_index", index)
	if m, ok := leaf.Mark(); ok {
		o.text("item", m.Item)
		o.optional("version", m.Version)
		o.text("status", string(m.Status))
		o.optional("since", m.Since)
		o.optional("reason", m.Reason)
		o.optional("replaced_by", m.ReplacedBy)
		return o.end()
	}
	seal, _ := leaf.Seal() // there are no others
	o.time("date", seal.PublishedAt)
	o.text("item", seal.Item())
	p, before := s.sealed(source, seal)
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
	o.optional("canonical_url", s.placeOf(p))
	return o.end()
}

// sealed returns what is served, or will be, of a repository under a seal, and the version before
// it; nil if nothing is.
func (s *Site) sealed(source string, seal content.Seal) (p, before *content.Publication) {
	tag, err := content.ParseTag(seal.Tag)
	if err != nil || tag.Kind == nil {
		return nil, nil
	}
	if it := s.Snapshot.Item(tag.Kind, tag.Name); it != nil {
		for _, e := range it.Entries {
			if e.Version.Equal(tag.Version) && e.Checksum == seal.Checksum && e.Source == source &&
				e.Status != content.Redacted {
				return e.Publication, publication(e.Predecessor)
			}
		}
	}
	for _, p := range s.Snapshot.Upcoming {
		if p.Tag() == seal.Tag && p.Checksum == seal.Checksum && p.Source == source {
			return p, s.stoodBefore(p)
		}
	}
	return nil, nil
}

// placeOf is where a publication is served, "" if it is not yet.
func (s *Site) placeOf(p *content.Publication) string {
	if s.resources[p.Path()] == nil {
		return ""
	}
	return s.URL(p.Path())
}

// leafChanges are leaves of the log as the page of the changelog shows them.
func (s *Site) leafChanges(source string, leaves []log.Leaf) (all []page.Change) {
	for _, leaf := range leaves {
		all = append(all, s.leafChange(source, leaf))
	}
	return all
}

func (s *Site) leafChange(source string, leaf log.Leaf) page.Change {
	if m, ok := leaf.Mark(); ok {
		since, _ := time.Parse(content.Date, m.Since) // zero: at once
		return page.Change{
			Date: since, Title: m.Item, Version: m.Version, Text: m.Reason,
			Tags: []string{s.config.statusOf(m.Status).Title},
		}
	}
	seal, _ := leaf.Seal()
	p, _ := s.sealed(source, seal)
	if p == nil {
		return page.Change{Date: seal.PublishedAt, Title: seal.Tag}
	}
	c := page.Change{
		Date: p.PublishedAt, Title: cmp.Or(p.Body().Text("title"), p.ID()), Version: p.Version.String(),
		Text: p.ChangeNote,
	}
	if s.resources[p.Path()] != nil {
		c.Href = s.frame.Root + p.Path()
	}
	return c
}
