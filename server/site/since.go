package site

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
)

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
	}, func() []Change { return s.leafChanges(leaves) })
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
func (s *Site) leafChanges(leaves []log.Leaf) (all []Change) {
	for _, leaf := range leaves {
		all = append(all, s.leafChange(leaf))
	}
	return all
}

func (s *Site) leafChange(leaf log.Leaf) Change {
	if mark, ended := leaf.Begin(); ended {
		c := s.leafChange(mark)
		c.Tags, c.Text = append(c.Tags, "пометка снята"), ""
		return c
	}
	if m, ok := leaf.Mark(); ok {
		return Change{
			Date: DayIn(m.Since), Title: m.Item, Version: m.Version, Text: m.Reason,
			Tags: []string{s.config.statusOf(m.Status).Title},
		}
	}
	seal, _ := leaf.Seal()
	p, _ := s.sealed(seal)
	if p == nil {
		return Change{Date: seal.PublishedAt, Title: seal.Tag}
	}
	c := Change{
		Date: p.PublishedAt, Title: titleOf(p), Version: p.Version.String(),
		Text: p.ChangeNote,
	}
	if s.resources[p.Path()] != nil {
		c.Path = p.Path()
	}
	return c
}
