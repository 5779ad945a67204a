package site

import (
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/api"
)

// Stretch is a stretch of an item's timeline.
type Stretch struct {
	*timeline
	i int
}

// Entry is the version for it: the one in force or, if there is none, the current one.
func (at Stretch) Entry() *content.Entry { return at.entry(at.i) }

// Words are its days, the stretches before and after it, and its value.
func (at Stretch) Words() content.Object { return append(at.around(at.i), at.Stated(at.i)...) }

// stretches are those of the filter's day, of the selected items by their versions known on its
// as_of: in which something is in force, and the others.
func (s *Site) stretches(k *content.Kind, f Filter) (in, out []Stretch) {
	matches := f.matcher(s.config)
	for _, p := range s.candidates(k, Filter{AsOf: f.AsOf}) {
		t := s.timeline(s.Snapshot.Item(k, p.entry.Name), f.AsOf)
		if t == nil {
			continue
		}
		at := Stretch{t, t.At(f.InForce)}
		e := t.entry(at.i)
		if !matches(s.entries[e.Publication]) || f.Status != "" && e.Status != f.Status {
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

// listInForce lists what was in force on a day, and what was not, with the nearest days on which
// it was.
func (s *Site) listInForce(k *content.Kind, f Filter) *Resource {
	in, out := s.stretches(k, f)
	return jsonResource(func() Body {
		var o object
		o.total(len(in))
		o.text(InForceParameter, f.InForce)
		if len(in)+len(out) == 0 && f.AsOf != "" {
			o.optional("first_published_at", s.FirstPublished(k, f.AsOf))
		}
		o.fetchedAt()
		o.elements(k.Folder, bodies(in, s.config.summaryInForce))
		o.array("not_in_force", bodies(out, s.config.summaryInForce))
		return o.end()
	}).addList(len(in), func(from, to int) []byte {
		w := newList(k.Title+": в силе "+i18n.DayOf(f.InForce), len(in))
		for _, at := range in[from:to] {
			s.listEntry(w, at.Entry())
		}
		if len(out) > 0 {
			w.Heading("Не действовало")
		}
		for _, at := range out {
			s.listEntry(w, at.Entry())
		}
		return w.Bytes()
	}).with(ShownInForce{k, f, in, out})
}

// summaryInForce is the element of an item in that list: its values and days if it is in force,
// else only the days on which it is.
func (c Config) summaryInForce(at Stretch) Body {
	e, value := at.Entry(), at.value(at.i)
	var o object
	o.version(e)
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
	o.members(at.around(at.i))
	o.text("canonical_url", c.url(e.Path()))
	o.text("content_checksum", e.Checksum)
	o.fetchedAt()
	return o.end()
}

// hitInForce is what a search result says about a day. For a record this is its own validity, if
// its registry was in force. With as_of it is based on what was published then; if nothing was, it
// is the date of the first publication.
func (s *Site) hitInForce(f findable, id string, v HitView) (o content.Object) {
	if v.InForce == "" || f.pages == nil || !api.HasPeriods(f.pages.entry.Kind) {
		return nil
	}
	item, pages := s.Snapshot.Item(f.pages.entry.Kind, f.pages.entry.Name), f.pages
	t := s.timeline(item, v.AsOf)
	switch {
	case t == nil && v.AsOf != "":
		if first := s.Snapshot.On(v.AsOf).Later(item); first != "" {
			return o.With("first_published_at", content.String(first))
		}
		return nil
	case t == nil:
		return nil
	case v.AsOf != "":
		pages = s.entries[t.current.Publication]
	}
	i := t.At(v.InForce)
	if f.partial && t.Timeline[i].Entry != nil {
		return s.recordInForce(pages, id, v.InForce)
	}
	return append(t.around(i), t.Stated(i)...)
}

// recordInForce is the validity of a record on a day; a record that the version does not have is
// not in force, without days.
func (s *Site) recordInForce(pages *preparedVersion, id, day string) (o content.Object) {
	r := s.config.recordsOf(pages)
	record := r.find(id)
	if record == nil {
		return o.With("not_in_force", content.Object{}.AppendJSON(nil))
	}
	own := &timeline{current: pages.entry}
	own.Timeline = content.NewTimeline([]*content.Entry{pages.entry}, func(*content.Entry) ([]content.Period, bool) {
		return []content.Period{content.Validity(record)}, true
	})
	return own.around(own.At(day))
}
