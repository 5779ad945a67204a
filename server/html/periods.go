package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"time"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/content/i18n"
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

// Steps is a chart of a step function over days: it ends today.
type Steps struct {
	Title, Unit string
	Today       time.Time
	Steps       []Step // the earliest first, without overlap
}

// Step is a value from a day through another, which is zero if there is no end.
type Step struct {
	From, Through time.Time
	Value         float64
}

const (
	// maxDated is the maximum number of steps with dates and values in the drawing.
	maxDated = 6
	// The dimensions of the drawing, which is also read on phones.
	chartWidth, chartHeight = 480, 220
	chartTop, chartBottom   = 30, 190
	// dateWidth is the room of a date.
	dateWidth = 84
)

// Now says that there is no value today; "" if there is one.
func (c Steps) Now() string {
	for i, s := range c.Steps {
		switch {
		case s.From.After(c.Today):
			return "Сегодня значения нет: следующее начнёт действовать " + i18n.Day(s.From) + "."
		case s.Through.IsZero() || !s.Through.Before(c.Today):
			return ""
		case i == len(c.Steps)-1:
			return "Сегодня значения нет: последнее действовало по " + i18n.Day(s.Through) + "."
		}
	}
	return ""
}

// Draw draws the chart beside a table with the exact values; nothing if there are fewer than two steps until
// today. It illustrates: only here binary floating point is used.
func (c Steps) Draw() template.HTML {
	var past []Step
	low, high := 0.0, 0.0
	for _, s := range c.Steps {
		if s.From.Before(c.Today) {
			if s.Through.IsZero() || s.Through.After(c.Today) {
				s.Through = c.Today
			}
			past = append(past, s)
			low, high = min(low, s.Value), max(high, s.Value)
		}
	}
	if len(past) < 2 || low == high {
		return ""
	}
	first := past[0].From
	x := func(day time.Time) float64 {
		return chartWidth * float64(day.Sub(first)) / float64(c.Today.Sub(first))
	}
	y := func(v float64) float64 { return chartBottom - (v-low)/(high-low)*(chartBottom-chartTop) }
	var line, labels bytes.Buffer
	for i, s := range past {
		if i > 0 && past[i-1].Through.AddDate(0, 0, 1).Equal(s.From) {
			fmt.Fprintf(&line, "H%.1fV%.1f", x(s.From), y(s.Value))
		} else {
			fmt.Fprintf(&line, "M%.1f %.1f", x(s.From), y(s.Value))
		}
		fmt.Fprintf(&line, "H%.1f", x(s.Through))
	}
	room, dated := float64(chartWidth-dateWidth/3), 0 // beside the word for today
	for _, s := range slices.Backward(past) {
		if at := x(s.From); at <= room-dateWidth && dated < maxDated {
			label(&labels, at, y(s.Value), s)
			room, dated = at, dated+1
		}
	}
	title := template.HTMLEscapeString(c.Title + ", " + c.Unit)
	return template.HTML(fmt.Sprintf(`<figure class="chart"><figcaption>%[1]s</figcaption><svg viewBox="-4 0 %[2]d `+
		`%[3]d" role="img" aria-label="%[1]s. Точные значения — в таблице."><path class="grid" d="M0 %.1[4]fH%[5]d"/>`+
		`%[6]s<path class="line" d="%[7]s"/><text x="%[5]d" y="%[8]d" text-anchor="end">сегодня</text></svg></figure>`+
		"\n",
		title, chartWidth+8, chartHeight, y(0), chartWidth, labels.Bytes(), line.Bytes(), chartHeight-6))
}

// label writes the value above the beginning of a step, beside the line that leads down to it, and its first day
// below the chart.
func label(out *bytes.Buffer, x, y float64, s Step) {
	anchor := "middle"
	if x < dateWidth/2 {
		anchor = "start"
	}
	fmt.Fprintf(out, `<text x="%.1[7]f" y="%.1[2]f">%[4]s</text>`+
		`<text x="%.1[1]f" y="%[5]d" text-anchor="%[3]s">%[6]s</text>`, x, y-6, anchor,
		template.HTMLEscapeString(Grouped(strconv.FormatFloat(s.Value, 'f', -1, 64))), chartHeight-6,
		s.From.Format("02.01.2006"), x+4)
}
