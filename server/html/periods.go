package html

import (
	"encoding/json"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/site"
)

// maxPeriods is the maximum number of periods on a page.
const maxPeriods = 250

// periods is the table of the values of a version by period, newest first, with a chart if they are
// numbers of one unit.
func (m maker) periods(e *content.Entry, values []content.Value) *Periods {
	schema, with := m.Format(e.Publication), m.drawing(e, true)
	p := &Periods{Title: site.PeriodsTitle, Left: max(0, len(values)-maxPeriods)}
	p.Chart = Steps{
		Title: e.Body().Text("title"), Unit: schema.Field("unit").Label(e.Body().Text("unit")),
		Today: site.DayIn(m.Snapshot.Date),
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

func periodRow(e *content.Entry, schema *content.Field, v content.Value, with Drawing) Period {
	fields := v.Fields
	if fields.Get("unit") == nil {
		fields = fields.With("unit", e.Body().Get("unit"))
	}
	n := document.Read(fields, schema)
	row := Period{
		ID: "periods/" + v.From, From: site.DayIn(v.From), To: site.DayIn(v.To),
		Value: Inline(n.Member("value"), with),
	}
	if conditions := n.Member("conditions"); conditions != nil {
		for i := range conditions.Kids {
			row.Conditions = append(row.Conditions, Inline(&conditions.Kids[i], with))
		}
	}
	var sources []content.Object
	_ = json.Unmarshal(v.Fields.Get("sources"), &sources) // anything but a list has no sources
	for _, s := range sources {
		row.Sources = append(row.Sources, Link{s.Text("title"), s.Text("url")})
	}
	return row
}

// stepOf is the step of a chart for a period, not ok if its value is no number.
func stepOf(v content.Value) (Step, bool) {
	from, err := time.Parse(content.Date, v.From)
	var n json.Number
	if err != nil || json.Unmarshal(v.Fields.Get("value"), &n) != nil {
		return Step{}, false
	}
	f, err := n.Float64()
	return Step{From: from, Through: site.DayIn(v.To), Value: f}, err == nil
}
