package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/markdown"
	"rulestore/server/api"
)

// InForceParameter is the parameter for the day on which values are in force.
const InForceParameter = "in_force"

// timeline divides time into stretches in which the same content of an item is in force, according
// to the versions known at some time.
type timeline struct {
	content.Timeline
	current *content.Entry // the current one of the known versions
	values  map[*content.Entry][]content.Value
}

// timelineKey is that of the timeline of an item by what was known on a day.
type timelineKey struct {
	item *content.Item
	asOf string
}

// maxStretch is about the size of a stretch in a cached timeline, in bytes.
const maxStretch = 128

// timeline returns the timeline of an item by the versions known on a day, or now if the day is
// "". It is nil if no version was current, or the current one cannot be read.
func (s *Site) timeline(item *content.Item, asOf string) *timeline {
	return remembered(&s.recent, timelineKey{item, asOf}, func() (*timeline, int) {
		known := s.Snapshot.Known(item)
		if asOf != "" {
			known = s.Snapshot.On(asOf).Known(item)
		}
		if len(known) == 0 || !isReadable(known[0]) {
			return nil, maxStretch
		}
		t := newTimeline(known, func(e *content.Entry) []content.Period {
			return s.validity(s.entries[e.Publication])
		})
		return t, maxStretch * len(t.Timeline)
	})
}

// newTimeline makes the timeline of known versions, the current one first. A parameter with
// periods is in force in these, anything else in those that validity returns.
func newTimeline(known []*content.Entry, validity func(*content.Entry) []content.Period) *timeline {
	t := &timeline{current: known[0], values: map[*content.Entry][]content.Value{}}
	t.Timeline = content.NewTimeline(known, func(e *content.Entry) (own []content.Period, series bool) {
		if !isReadable(e) {
			return nil, false
		}
		if values := content.ValuesOf(e.Body()); e.Kind == content.Parameters && values != nil {
			t.values[e] = values
			for _, v := range values {
				own = append(own, v.Period)
			}
			return own, true
		}
		return validity(e), false
	})
	return t
}

// validity is the periods in which a version is in force according to its own fields, split where
// records of a registry begin or end.
func (c Config) validity(own *preparedVersion) []content.Period {
	var records []content.Period
	if r := c.recordsOf(own); r != nil {
		for _, record := range r.All {
			if p := content.Validity(record); p != (content.Period{}) {
				records = append(records, p)
			}
		}
	}
	return content.Validity(own.entry.Body()).Parted(records)
}

// value is the value of a parameter with periods in a stretch, nil for anything else.
func (t *timeline) value(i int) content.Object {
	s := t.Timeline[i]
	if values := t.values[s.Entry]; values != nil {
		return values[s.Part].Fields
	}
	return nil
}

// InForce returns what was in force of an item on a day, by what was published until another day
// or, if that is "", until now; nil if nothing was current then. The answer is the same for all
// days of a stretch, and cached.
func (s *Site) InForce(item *content.Item, asOf, on string) *Resource {
	t := s.timeline(item, asOf)
	if t == nil {
		return nil
	}
	at := Stretch{t, t.At(on)}
	return remembered(&s.recent, at, func() (*Resource, int) {
		return s.inForce(item, t, at.i), 3 * len(at.Entry().Body().AppendJSON(nil))
	})
}

// entry is the version for a stretch: the one in force or, if there is none, the current one.
func (t *timeline) entry(i int) *content.Entry {
	if e := t.Timeline[i].Entry; e != nil {
		return e
	}
	return t.current
}

// InForceVersion returns the version of an item that was in force on a day as a whole, nil if
// there was none, or if only a part of a version was in force.
func (s *Site) InForceVersion(item *content.Item, asOf, on string) *content.Entry {
	t := s.timeline(item, asOf)
	if t == nil {
		return nil
	}
	i := t.At(on)
	if e := t.Timeline[i].Entry; e != nil && t.values[e] == nil && s.recordsOf(s.entries[e.Publication]) == nil {
		return e
	}
	return nil
}

func (s *Site) inForce(item *content.Item, t *timeline, i int) *Resource {
	c, e := s.Config, t.entry(i)
	own := s.entries[e.Publication]
	view := sync.OnceValue(func() content.Object { return c.fieldsInForce(own, t, i) })
	r := (&Resource{Kept: true, about: c.aboutPart(e)}).add(api.JSONType, func() Body {
		o := object{tells: true}
		o.members(view())
		o.fetchedAt()
		return o.end()
	})
	r.addText(api.MarkdownType, func() []byte { return markdown.Render(view(), c.InForceFields(e)) })
	return r.with(ShownVersion{e, View{Only: view, Day: dayOf(t.Timeline[i])}})
}

// dayOf is a day of a stretch.
func dayOf(s content.Stretch) string {
	if s.From != "" {
		return s.From
	}
	return s.To
}

// fieldsInForce are the answer for a stretch: its version and days, the stretches before and after it,
// and the values in force.
func (c Config) fieldsInForce(own *preparedVersion, t *timeline, i int) content.Object {
	e, stretch := t.entry(i), t.Timeline[i]
	o := append(identity(e), t.around(i)...)
	if stretch.Entry != nil {
		o = append(o, c.applied(own, stretch, t.value(i))...)
	}
	return o.With("source_checksum", content.String(e.Checksum)).With("source_url", content.String(c.URL(e.Path())))
}

// applied are the fields of a version in a stretch: one value in place of those of all periods,
// and only the valid records.
func (c Config) applied(own *preparedVersion, s content.Stretch, value content.Object) (fields content.Object) {
	e, r := s.Entry, c.recordsOf(own)
	placed := false
	for _, m := range e.Body() {
		switch {
		case slices.Contains([]string{e.Kind.ID, "title", "valid_from", "valid_to", "search_terms"}, m.Name):
		case value != nil && m.Name != "sources" && (value.Get(m.Name) != nil || m.Name == "periods"):
		case value != nil && m.Name == "sources":
			m.Value = value.Get("sources")
			fields = append(fields, m)
		case r != nil && m.Name == r.Field.Name:
			valid := r.ValidOn(dayOf(s))
			fields = fields.With("total", integer(len(valid))).With(m.Name, arrayOf(valid))
		default:
			fields = append(fields, m)
		}
		if value != nil && !placed && m.Name == "value_type" {
			placed = true
			for _, name := range []string{"value", "unit", "conditions", "count_from"} {
				if v := value.Get(name); v != nil {
					fields = fields.With(name, v)
				}
			}
		}
	}
	return fields
}

// around describes the days of a stretch, and the nearest stretches before and after it in which
// something is in force.
func (t *timeline) around(i int) (o content.Object) {
	name := InForceParameter
	if t.Timeline[i].Entry == nil {
		name = "not_in_force"
	}
	o = o.With(name, days(t.Timeline[i].Period).AppendJSON(nil))
	for _, other := range []struct {
		name string
		i    int
	}{{"previous", t.Before(i)}, {"next", t.After(i)}} {
		if other.i >= 0 {
			o = o.With(other.name, t.brief(other.i, t.entry(i)).AppendJSON(nil))
		}
	}
	return o
}

// days are the first and the last day of a period, as far as it has them.
func days(p content.Period) content.Object {
	o := content.Object{}
	if p.From != "" {
		o = o.With("from", content.String(p.From))
	}
	if p.To != "" {
		o = o.With("to", content.String(p.To))
	}
	return o
}

// stated are the value and the unit of a parameter that is in force in a stretch.
func (t *timeline) stated(i int) (o content.Object) {
	e, value := t.Timeline[i].Entry, t.value(i)
	if e == nil || e.Kind != content.Parameters {
		return nil
	}
	if value == nil {
		value = e.Body()
	}
	for _, name := range []string{"value", "unit"} {
		v := value.Get(name)
		if v == nil && name == "unit" {
			v = e.Body().Get(name)
		}
		if v != nil {
			o = o.With(name, v)
		}
	}
	return o
}

// brief is a stretch in short: its days, its value, and its version if that is not the answering
// one.
func (t *timeline) brief(i int, answering *content.Entry) content.Object {
	e := t.Timeline[i].Entry
	o := append(days(t.Timeline[i].Period), t.stated(i)...)
	if e != answering {
		o = o.With(e.Kind.Version, content.String(e.Version.String()))
	}
	return o
}

// InForceFields returns the schema of the answer.
func (c Config) InForceFields(e *content.Entry) *content.Field {
	all := *c.describe(e.Kind, c.format(e.Publication))
	text := func(name, title string) *content.Field { return &content.Field{Name: name, Title: title} }
	stretch := []*content.Field{
		text("from", "С"), text("to", "По"), all.Field("value"), all.Field("unit"), text(e.Kind.Version, "Версия"),
	}
	stretch = slices.DeleteFunc(stretch, func(f *content.Field) bool { return f == nil })
	own := []*content.Field{
		{Name: InForceParameter, Title: "Действует", Fields: stretch},
		{Name: "not_in_force", Title: "Не действует", Fields: stretch},
		{Name: "previous", Title: "До этого", Fields: stretch}, {Name: "next", Title: "После этого", Fields: stretch},
		{Name: "source_checksum", Title: "Контрольная сумма элемента", Evident: true},
		{Name: "source_url", Title: "Элемент целиком", Evident: true},
	}
	all.Fields = slices.Concat(own, all.Fields)
	return &all
}

// ValidOn lists the records that are valid on a day.
func (r *Records) ValidOn(day string) (all []content.Object) {
	for _, record := range r.All {
		if content.Validity(record).Has(day) {
			all = append(all, record)
		}
	}
	return all
}

func arrayOf(all []content.Object) json.RawMessage {
	raw := []byte{'['}
	for i, o := range all {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = o.AppendJSON(raw)
	}
	return append(raw, ']')
}

func integer(n int) json.RawMessage { return fmt.Append(nil, n) }

// NothingOn says that nothing of an item applied on a day: was in force by what was published until
// asOf or until now or, without such a day, was current; and when something did. The item is called
// as given.
func (s *Site) NothingOn(item *content.Item, name, asOf, on string) string {
	switch first, near := s.nearestApplied(item, asOf, on); {
	case on == "" || first:
		return "На " + i18n.DayOf(cmp.Or(asOf, s.Snapshot.Date)) + " у элемента " + name +
			" не было действующей версии." + near
	default:
		return i18n.DayOf(on) + " из " + name + " ничего не действовало." + near
	}
}

// nearestApplied says when something of an item applies, of which nothing does on the requested days. First
// reports whether nothing had been published.
func (s *Site) nearestApplied(item *content.Item, asOf, on string) (first bool, text string) {
	if day := s.Snapshot.On(cmp.Or(asOf, s.Snapshot.Date)).Later(item); day != "" {
		return true, " Первая опубликована " + i18n.DayOf(day) + "."
	}
	t := s.timeline(item, asOf)
	if on == "" || t == nil {
		return false, ""
	}
	at := t.At(on)
	if i := t.Before(at); i >= 0 {
		was := t.Timeline[i]
		text += " По " + i18n.DayOf(was.To) + " действовала версия " + was.Entry.Version.String() + "."
	}
	if i := t.After(at); i >= 0 {
		next := t.Timeline[i]
		text += " С " + i18n.DayOf(next.From) + " действует версия " + next.Entry.Version.String() + "."
	}
	return false, text
}
