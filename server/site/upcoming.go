package site

import (
	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/server/api"
)

// maxChanged is the maximum number of changed places listed.
const maxChanged = 50

// upcoming lists the upcoming publications, earliest first: each with its sealed content and what
// it will change.
func (s *Site) upcoming() *Resource {
	r := jsonResource(func() Body {
		var o object
		o.total(len(s.Snapshot.Upcoming))
		o.fetchedAt()
		o.elements("upcoming", bodies(s.Snapshot.Upcoming, s.upcomingJSON))
		return o.end()
	})
	r.Action = api.ListUpcoming
	return r.addList(len(s.Snapshot.Upcoming), s.upcomingMarkdown).with(ShownUpcoming{})
}

func (s *Site) upcomingJSON(p *content.Publication) Body {
	var o object
	o.text("tag", p.Tag())
	o.text("kind", p.Kind.Name)
	o.text(p.Kind.ID, p.ID())
	o.text(p.Kind.Version, p.Version.String())
	o.optional("title", p.Body().Text("title"))
	o.text("from", s.Snapshot.DayOf(p.PublishedAt))
	o.time("published_at", p.PublishedAt)
	o.value("sealed", p.Sealed)
	o.optional("change_note", p.ChangeNote)
	c := s.WillChange(p)
	o.optional("replaces", c.Replaces)
	o.value("becomes_current", c.Class != change.None || len(c.Fields) > 0 || c.Replaces != "")
	o.text("change", c.Class.String())
	o.array("changes", bodies(c.Fields[:min(len(c.Fields), maxChanged)], func(f change.Field) Body {
		var o object
		o.text("path", f.Path)
		o.text("what", string(f.What))
		o.text("class", f.Class.String())
		return o.end()
	}))
	o.value("changes_total", len(c.Fields))
	o.text("content_checksum", p.Checksum)
	o.raw("body", content.Identified(p.Kind, p.Version, p.Body()).AppendJSON(nil))
	return o.end()
}

// A Coming is what a publication changes: the places in which it differs from the version that is current
// before it, and that version, "" for a new item.
type Coming struct {
	Fields   []change.Field
	Class    change.Class
	Replaces string
}

// maxComing is about the maximum size of what is cached of an upcoming publication, in bytes.
const maxComing = 16 << 10

// WillChange returns what an upcoming publication changes.
func (s *Site) WillChange(p *content.Publication) Coming {
	return remembered(&s.recent, p, func() (c Coming, size int) {
		var body content.Object
		switch before := s.currentBefore(p); {
		case before == nil:
		case before.Version.GreaterThan(p.Version): // which stays current
			return c, maxComing
		default:
			body, c.Replaces = before.Body(), before.Version.String()
		}
		c.Fields, c.Class = change.Of(s.Schemas, p.Kind, p.Name, body, p.Body())
		return c, maxComing
	})
}

// currentBefore is the current version of an item when an upcoming publication takes effect, nil
// if there is none.
func (s *Site) currentBefore(p *content.Publication) (before *content.Publication) {
	if it := s.Snapshot.Item(p.Kind, p.Name); it != nil {
		before = publication(it.Current)
	}
	for _, q := range s.Snapshot.Upcoming {
		if q == p {
			break
		}
		if q.Item() == p.Item() && (before == nil || q.Version.GreaterThan(before.Version)) {
			before = q
		}
	}
	return before
}

// NoSuchVersion says that an item has no version of a number, or when one that is planned begins to apply.
func (s *Site) NoSuchVersion(k *content.Kind, name, version string) string {
	for _, p := range s.Snapshot.Upcoming {
		if p.Kind == k && p.Name == name && p.Version.String() == version {
			return "Версия " + version + " запланирована: она начнёт действовать " +
				i18n.DayOf(s.Snapshot.DayOf(p.PublishedAt)) + "."
		}
	}
	return NoVersion
}
