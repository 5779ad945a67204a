package site

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/markdown"
	"rulestore/server/api"
	"rulestore/server/page"
)

const periodsTitle = "Значения по периодам"

// maxPeriods is the maximum number of periods on a page.
const maxPeriods = 250

// addPeriods adds the resource for the periods of a parameter.
func (s *Site) addPeriods(own *preparedItem, base string) {
	if own.item.Kind == content.Parameters {
		list := &Resource{Action: api.ListPeriods, Kind: own.item.Kind, Name: own.item.Name}
		s.place(own, base+api.PeriodsSuffix, list)
	}
}

// Periods returns the values of a parameter over time, by what was published until a day or, if
// that is "", until now; nil if nothing was current then.
func (s *Site) Periods(item *content.Item, asOf string) *Resource {
	t := s.timeline(item, asOf)
	if t == nil {
		return nil
	}
	c, e := s.config, t.current
	headers := c.partHeaders(e)
	in, _ := t.stretches()
	text := func(from, to int) []byte { return c.periodsMarkdown(t.current, in[from:to]) }
	r := &Resource{listText: text, Representations: []*Representation{
		represent(api.JSONType, e.ModifiedAt, headers, func() Body { return c.periodsJSON(t) }),
		represent(api.MarkdownType, e.ModifiedAt, headers, func() Body { return Body{Bytes: text(0, len(in))} }),
	}}
	page := s.entries[e.Publication].resource.page // which has them as a table
	return r.with(page).headed(e.ModifiedAt, func() []Header { return headers })
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
	doc := content.Object{
		{Name: e.Kind.ID, Value: content.String(e.ID())},
		{Name: e.Kind.Version, Value: content.String(e.Version.String())},
		{Name: "status", Value: content.String(string(e.Status))},
		{Name: "title", Value: e.Body().Get("title")},
		{Name: "periods", Value: arrayOf(rows)},
		{Name: "source_checksum", Value: content.String(e.Checksum)},
		{Name: "source_url", Value: content.String(c.url(e.Path()))},
	}
	described := c.describeInForce(e)
	series := &content.Field{
		Name: "periods", Title: periodsTitle, Items: &content.Field{Fields: described.Field("next").Fields},
	}
	described.Fields = append([]*content.Field{series}, described.Fields...)
	return markdown.Render(doc, described)
}

// periodsTable is the table of the values of a version by period, newest first, with a chart if they are
// numbers of one unit.
func (s *Site) periodsTable(e *content.Entry, values []content.Value) *page.Periods {
	schema, with := s.config.format(e.Publication).Root(), s.drawing(e, true)
	p := &page.Periods{Title: periodsTitle, Left: max(0, len(values)-maxPeriods)}
	p.Chart = page.Steps{
		Title: e.Body().Text("title"), Unit: label(schema.Field("unit"), e.Body().Text("unit")),
		Today: dayIn(s.Snapshot.Date),
	}
	for _, v := range values {
		if step, ok := stepOf(v); ok && v.Fields.Get("unit") == nil {
			p.Chart.Steps = append(p.Chart.Steps, step)
		}
	}
	if len(p.Chart.Steps) < len(values) {
		p.Chart.Steps = nil
	}
	for _, v := range slices.Backward(values[p.Left:]) {
		p.Rows = append(p.Rows, periodRow(e, schema, v, with))
	}
	return p
}

func periodRow(e *content.Entry, schema *content.Field, v content.Value, with page.Drawing) page.Period {
	fields := v.Fields
	if fields.Get("unit") == nil {
		fields = fields.With("unit", e.Body().Get("unit"))
	}
	n := document.Read(fields, schema)
	row := page.Period{
		ID: "periods/" + v.From, From: dayIn(v.From), To: dayIn(v.To), Value: page.Inline(n.Member("value"), with),
	}
	if conditions := n.Member("conditions"); conditions != nil {
		for i := range conditions.Kids {
			row.Conditions = append(row.Conditions, page.Inline(&conditions.Kids[i], with))
		}
	}
	var sources []content.Object
	_ = json.Unmarshal(orEmptyList(v.Fields.Get("sources")), &sources) // anything but a list has no sources
	for _, s := range sources {
		row.Sources = append(row.Sources, page.Link{Title: s.Text("title"), Href: s.Text("url")})
	}
	return row
}

// dayIn is the day of a date, zero if there is none.
func dayIn(date string) time.Time {
	day, _ := time.Parse(content.Date, date)
	return day
}

// valueWords is the value of a parameter with its unit for people.
func valueWords(schema *content.Field, value, unit json.RawMessage) string {
	if list := appendTexts(nil, value); len(list) > 1 {
		return strings.Join(list, "; ")
	}
	stated := content.Object{{Name: "value", Value: value}, {Name: "unit", Value: unit}}
	return page.Figure(document.Read(stated, schema).Member("value"))
}

// stepOf is the step of a chart for a period, not ok if its value is no number.
func stepOf(v content.Value) (page.Step, bool) {
	from, err := time.Parse(content.Date, v.From)
	var n json.Number
	if err != nil || json.Unmarshal(v.Fields.Get("value"), &n) != nil {
		return page.Step{}, false
	}
	f, err := n.Float64()
	return page.Step{From: from, Through: dayIn(v.To), Value: f}, err == nil
}
