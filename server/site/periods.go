package site

import (
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/markdown"
	"rulestore/server/api"
)

const PeriodsTitle = "Значения по периодам"

// Periods returns the values of a parameter over time, by what was published until a day or, if
// that is "", until now; nil if nothing was current then.
func (s *Site) Periods(item *content.Item, asOf string) *Resource {
	t := s.timeline(item, asOf)
	if t == nil {
		return nil
	}
	c, e := s.Config, t.current
	in, _ := t.stretches()
	r := (&Resource{about: c.aboutPart(e)}).add(api.JSONType, func() Body { return c.periodsJSON(t) })
	return r.addList(len(in), func(from, to int) []byte {
		return c.periodsMarkdown(t.current, in[from:to])
	}).with(ShownVersion{Entry: e})
}

// stretches are the periods in which something is in force, and the gaps between them.
func (t *timeline) stretches() (in []content.Object, gaps []content.Object) {
	for i, s := range t.Timeline {
		switch {
		case s.Entry != nil:
			in = append(in, t.full(i))
		case s.From != "" && s.To != "":
			gaps = append(gaps, days(s.Period))
		}
	}
	return in, gaps
}

// full is a stretch with all its fields.
func (t *timeline) full(i int) content.Object {
	o, of := t.brief(i, t.current), t.value(i)
	if of == nil {
		of = t.Timeline[i].Entry.Body()
	}
	for _, name := range []string{"conditions", "sources"} {
		if v := of.Get(name); v != nil {
			o = o.With(name, v)
		}
	}
	return o
}

func (c Config) periodsJSON(t *timeline) Body {
	in, gaps := t.stretches()
	o := identified(t.current)
	for _, name := range []string{"value_type", "unit"} {
		o.optional(name, t.current.Body().Text(name))
	}
	o.total(len(in))
	o.elements("periods", bodies(in, func(p content.Object) Body { return Body{Bytes: p.AppendJSON(nil)} }))
	o.raw("gaps", arrayOf(gaps))
	c.provenance(o, t.current)
	return o.end()
}

func (c Config) periodsMarkdown(e *content.Entry, in []content.Object) []byte {
	rows := make([]content.Object, len(in))
	for i, o := range in {
		rows[i] = slices.DeleteFunc(
			slices.Clone(o), func(m content.Member) bool { return m.Name == "conditions" || m.Name == "sources" },
		)
	}
	o := identity(e).With("periods", arrayOf(rows)).With("source_checksum", content.String(e.Checksum)).
		With("source_url", content.String(c.URL(e.Path())))
	described := c.InForceFields(e)
	series := &content.Field{
		Name: "periods", Title: PeriodsTitle, Items: &content.Field{Fields: described.Field("next").Fields},
	}
	described.Fields = append([]*content.Field{series}, described.Fields...)
	return markdown.Render(o, described)
}

// DayIn is the day of a date, zero if there is none.
func DayIn(date string) time.Time {
	day, _ := time.Parse(content.Date, date)
	return day
}

// Stretch is a stretch of an item's timeline.
type Stretch struct {
	*timeline
	i int
}

// Entry is the version for it: the one in force or, if there is none, the current one.
func (at Stretch) Entry() *content.Entry { return at.entry(at.i) }

// Within is the stretch itself: its days, and the version in force, if there is one.
func (at Stretch) Within() content.Stretch { return at.Timeline[at.i] }

// Stated are the value and the unit of a parameter that is in force in it.
func (at Stretch) Stated() content.Object { return at.stated(at.i) }

// Words are its days, the stretches before and after it, and its value.
func (at Stretch) Words() content.Object { return append(at.around(at.i), at.Stated()...) }

// stretches are those of the filter's day, of the selected items by their versions known on its
// as_of: in which something is in force, and the others.
func (s *Site) stretches(k *content.Kind, f Filter) (in, out []Stretch) {
	matches := f.matcher(s.Config)
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
		o.elements(k.Folder, bodies(in, s.summaryInForce))
		o.others("not_in_force", bodies(out, s.summaryInForce))
		return o.end()
	}).addList(len(in)+len(out), func(from, to int) []byte {
		w := newList(k.Title+": в силе "+i18n.DayOf(f.InForce), len(in))
		n := len(in)
		for _, at := range in[min(from, n):min(to, n)] {
			s.listEntry(w, at.Entry())
		}
		if len(out) > 0 {
			w.Heading("Не действовало")
		}
		for _, at := range out[max(0, from-n):max(0, to-n)] {
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
	o.text("canonical_url", c.URL(e.Path()))
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
	return append(t.around(i), t.stated(i)...)
}

// recordInForce is the validity of a record on a day; a record that the version does not have is
// not in force, without days.
func (s *Site) recordInForce(pages *preparedVersion, id, day string) (o content.Object) {
	r := s.recordsOf(pages)
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
