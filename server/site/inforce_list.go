package site

import (
	"slices"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// standing is what an item says of one day.
type standing struct {
	*timeline
	i int
}

// standings are those of the items that a filter chooses: of each by the versions that
// were known on the filter's day.
func (s *Site) standings(k *content.Kind, f Filter) (in, out []standing) {
	for _, p := range s.candidates(k, Filter{AsOf: f.AsOf}) {
		t := s.timeline(s.Snapshot.Item(k, p.entry.Name), f.AsOf)
		if t == nil {
			continue
		}
		at := standing{t, t.At(f.InForce)}
		e := t.entry(at.i)
		if !f.matches(s.entries[e.Publication].listed(s.config)) || f.Status != "" && e.Status != f.Status {
			continue
		}
		if t.Timeline[at.i].Entry == nil {
			out = append(out, at)
		} else {
			in = append(in, at)
		}
	}
	return in, out
}

// listInForce makes the list of what was in force on a day, and of what was not, with
// the nearest days on which it was.
func (s *Site) listInForce(k *content.Kind, f Filter) *Resource {
	in, out := s.standings(k, f)
	return jsonResource(func() Body {
		var o object
		o.value("total", len(in))
		o.text(InForceParameter, f.InForce)
		if len(in)+len(out) == 0 && f.AsOf != "" {
			o.optional("first_published_at", s.firstPublished(k, f.AsOf))
		}
		o.fetchedAt()
		o.array(k.Folder, bodiesOf(in, s.config.summaryInForce))
		o.array("not_in_force", bodiesOf(out, s.config.summaryInForce))
		return o.end()
	}).with(s.frame, func() page.Page {
		var chosen []*entryPages
		for _, at := range in {
			chosen = append(chosen, s.entries[at.entry(at.i).Publication])
		}
		return s.listPage(k, f, chosen)
	})
}

func bodiesOf(all []standing, summary func(standing) Body) (bodies []Body) {
	for _, at := range all {
		bodies = append(bodies, summary(at))
	}
	return bodies
}

// summaryInForce is an item as a list shows it, with what is in force and since when; of
// one that is not in force, only when it is.
func (c Config) summaryInForce(at standing) Body {
	e, value := at.entry(at.i), at.value(at.i)
	var o object
	o.text(e.Kind.ID, e.ID())
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
	names := e.Kind.Summary
	if at.Timeline[at.i].Entry == nil {
		names = []string{"title"}
	}
	for _, name := range names {
		own := e.Body().Get(name)
		if v := value.Get(name); v != nil {
			own = v
		}
		if own != nil {
			o.raw(name, own)
		}
	}
	for _, m := range at.around(at.i) {
		o.raw(m.Name, m.Value)
	}
	o.text("canonical_url", c.url(e.Path()))
	o.text("content_checksum", e.Checksum)
	o.fetchedAt()
	return o.end()
}

// hitInForce says of a hit whether it was in force on a day: of a record what that says
// itself, as long as its registry was.
func (s *Site) hitInForce(o *object, f findable, id, day string) {
	if f.pages == nil || !api.HasPeriods(f.pages.entry.Kind) {
		return
	}
	e := f.pages.entry
	t := s.timeline(s.Snapshot.Item(e.Kind, e.Name), "")
	if t == nil {
		return
	}
	i := t.At(day)
	if f.partial && t.Timeline[i].Entry != nil {
		s.recordInForce(o, f, id, day)
		return
	}
	for _, m := range t.around(i) {
		o.raw(m.Name, m.Value)
	}
	for _, name := range []string{"value", "unit"} {
		if v := t.value(i).Get(name); v != nil {
			o.raw(name, v)
		}
	}
}

func (s *Site) recordInForce(o *object, f findable, id, day string) {
	r := s.config.recordsOf(f.pages)
	i := slices.IndexFunc(r.all, func(record content.Object) bool { return record.Text(r.field.Unique) == id })
	if i < 0 {
		return
	}
	own := &timeline{known: f.pages.entry}
	own.Timeline = content.NewTimeline([]*content.Entry{f.pages.entry}, func(*content.Entry) ([]content.Period, bool) {
		return []content.Period{content.Validity(r.all[i])}, true
	})
	for _, m := range own.around(own.At(day)) {
		o.raw(m.Name, m.Value)
	}
}
