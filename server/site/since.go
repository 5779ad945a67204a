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

// logPlace reads a place in the log, where one is given in place of a date: a number.
func logPlace(since string) (place int64, ok bool) {
	n, err := strconv.ParseUint(since, 10, 63)
	return int64(n), err == nil
}

// SinceFault validates the beginning of a part of the changelog: a day, or an index in the log.
// The code is "" if it is valid.
func (s *Site) SinceFault(since string) (code, detail, hint string) {
	size, _, _ := s.LogSigned()
	if place, ok := logPlace(since); !ok {
		if _, err := time.Parse(content.Date, since); err != nil {
			return "no_date", "Ожидается дата или место в журнале.", "Запишите день как 2026-05-01, место — числом, как next_since."
		}
	} else if place > size {
		return "beyond_log", fmt.Sprintf("В журнале этого сервера листьев %d.", size),
			"Начните с 0 или с next_since прошлого ответа; сервер, который отстал, ответит позже."
	}
	return "", "", ""
}

// changesSince makes a page of what the log holds from a place on, the oldest first: who
// asks again for next_since gets each change once, whenever it was published and for
// whatever day. Releases are no leaves of the log, and are listed by date.
func (s *Site) changesSince(place int64, offset, limit int) *Resource {
	var all []log.Leaf
	if s.HasLog() {
		all = s.log.Since(place)
	}
	from := min(offset, len(all))
	leaves := all[from:min(from+limit, len(all))]
	first := place + int64(from)
	r := jsonResource(func() Body {
		var bodies []Body
		for i, leaf := range leaves {
			bodies = append(bodies, s.logEntry(first+int64(i), leaf))
		}
		var o object
		o.value("total", len(all))
		o.value("limit", limit)
		o.value("offset", offset)
		o.value("next_since", first+int64(len(leaves)))
		o.fetchedAt()
		o.array("entries", bodies)
		return o.end()
	})
	r.Does = api.ListChanges
	return r.with(s.frame, func() page.Page {
		return s.changelogPage(strconv.FormatInt(place, 10), offset, limit, len(all), s.leafChanges(leaves))
	})
}

// logEntry is what a leaf of the log says: of a guideline what the changelog says of it, of
// others as much, and of a mark what it is.
func (s *Site) logEntry(index int64, leaf log.Leaf) Body {
	var o object
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
	o.optional("canonical_url", s.placeOf(p))
	return o.end()
}

// sealed returns what is served, or will be, under a seal, and the version before it; nil
// if nothing is.
func (s *Site) sealed(seal content.Seal) (p, before *content.Publication) {
	tag, err := content.ParseTag(seal.Tag)
	if err != nil || tag.Kind == nil {
		return nil, nil
	}
	if it := s.Snapshot.Item(tag.Kind, tag.Name); it != nil {
		for _, e := range it.Entries {
			if e.Version.Equal(tag.Version) && e.Checksum == seal.Checksum && e.Status != content.Redacted {
				return e.Publication, publication(e.Predecessor)
			}
		}
	}
	for _, p := range s.Snapshot.Upcoming {
		if p.Tag() == seal.Tag && p.Checksum == seal.Checksum {
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
func (s *Site) leafChanges(leaves []log.Leaf) (all []page.Change) {
	for _, leaf := range leaves {
		all = append(all, s.leafChange(leaf))
	}
	return all
}

func (s *Site) leafChange(leaf log.Leaf) page.Change {
	if m, ok := leaf.Mark(); ok {
		since, _ := time.Parse(content.Date, m.Since) // zero: at once
		return page.Change{Date: since, Title: m.Item, Version: m.Version, Text: m.Reason, Tags: []string{s.config.statusOf(m.Status).Title}}
	}
	seal, _ := leaf.Seal()
	p, _ := s.sealed(seal)
	if p == nil {
		return page.Change{Date: seal.PublishedAt, Title: seal.Tag}
	}
	c := page.Change{
		Date: p.PublishedAt, Title: cmp.Or(p.Body().Text("title"), p.ID()), Version: p.Version.String(), Text: p.ChangeNote,
	}
	if s.resources[p.Path()] != nil {
		c.Href = s.frame.Root + p.Path()
	}
	return c
}
