package site

import (
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/server/api"
)

// Checksum returns the publication with a checksum: its version, when it was current, and its
// successor. nil if there is none.
func (s *Site) Checksum(sum string) *Resource {
	e := s.published(sum)
	if e == nil {
		return nil
	}
	return jsonResource(func() Body {
		var o object
		o.text("content_checksum", sum)
		o.text("tag", e.Tag())
		o.text("status", string(e.Status))
		o.optional("status_reason", e.Reason)
		from, until := currentPeriod(s.Snapshot.Item(e.Kind, e.Name), e)
		o.time("published_at", e.PublishedAt)
		o.time("current_from", from)
		o.time("current_until", until)
		o.logIndex(s.log, e.Publication)
		o.text("canonical_url", s.URL(e.Path()))
		if e.Successor != nil {
			o.raw("successor", s.successor(e, e.Successor))
		}
		o.fetchedAt()
		return o.end()
	})
}

// published returns the publication with a checksum, nil if there is none.
func (s *Site) published(sum string) *content.Entry {
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			if e.Checksum == sum && !e.Draft {
				return e
			}
		}
	}
	return nil
}

// successor describes the next version.
func (s *Site) successor(e, next *content.Entry) []byte {
	var o object
	o.text("tag", next.Tag())
	o.text("content_checksum", next.Checksum)
	o.text("canonical_url", s.URL(next.Path()))
	if e.Status != content.Redacted && next.Status != content.Redacted && e.Sound() && next.Sound() {
		_, class := change.Count(s.Schemas, e.Kind, e.Name, e.Body(), next.Body())
		o.text("change", class.String())
	}
	return o.end().Bytes
}

// currentPeriod returns the times from and until which a version was the highest stable one;
// zero if it never was, or still is. Marks are not considered, as the status shows them.
func currentPeriod(item *content.Item, e *content.Entry) (from, until time.Time) {
	if e.Version.Prerelease() != "" {
		return from, until
	}
	from = e.PublishedAt
	for _, higher := range item.Entries[:slices.Index(item.Entries, e)] {
		switch {
		case higher.Version.Prerelease() != "" || higher.Draft:
		case !higher.PublishedAt.After(from):
			return time.Time{}, time.Time{}
		case until.IsZero() || higher.PublishedAt.Before(until):
			until = higher.PublishedAt
		}
	}
	return from, until
}

// Checksums lists the publications in the format of files of seals, optionally only those since
// the beginning of a day.
func (s *Site) Checksums(since string) *Resource {
	r := textResource(api.TextType, func() []byte {
		var all []byte
		for _, line := range s.Seals(since) {
			all = append(append(all, line...), '\n')
		}
		return all
	})
	r.Action = api.ListChecksums
	return r
}

// Seals are the lines of that list, sorted.
func (s *Site) Seals(since string) (lines []string) {
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			if !e.Draft && s.Snapshot.DayOf(e.PublishedAt) >= since {
				seal := content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}
				lines = append(lines, seal.String())
			}
		}
	}
	slices.Sort(lines)
	return lines
}
