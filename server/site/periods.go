package site

import (
	"slices"
	"time"

	"rulestore/content"
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
	c, e := s.config, t.current
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
	var o object
	c.identify(&o, t.current)
	for _, name := range []string{"value_type", "unit"} {
		o.optional(name, t.current.Body().Text(name))
	}
	o.total(len(in))
	o.elements("periods", bodies(in, func(p content.Object) Body { return Body{Bytes: p.AppendJSON(nil)} }))
	o.raw("gaps", arrayOf(gaps))
	c.provenance(&o, t.current)
	return o.end()
}

func (c Config) periodsMarkdown(e *content.Entry, in []content.Object) []byte {
	rows := make([]content.Object, len(in))
	for i, o := range in {
		rows[i] = slices.DeleteFunc(
			slices.Clone(o), func(m content.Member) bool { return m.Name == "conditions" || m.Name == "sources" },
		)
	}
	var o object
	c.identify(&o, e)
	o.raw("periods", arrayOf(rows))
	o.text("source_checksum", e.Checksum)
	o.text("source_url", c.url(e.Path()))
	described := c.describeInForce(e)
	series := &content.Field{
		Name: "periods", Title: PeriodsTitle, Items: &content.Field{Fields: described.Field("next").Fields},
	}
	described.Fields = append([]*content.Field{series}, described.Fields...)
	return markdown.Render(readObject(o.end().Bytes), described)
}

// DayIn is the day of a date, zero if there is none.
func DayIn(date string) time.Time {
	day, _ := time.Parse(content.Date, date)
	return day
}
