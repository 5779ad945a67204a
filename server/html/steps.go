package html

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"time"

	"rulestore/content/i18n"
)

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
	room, dated := float64(chartWidth), 0
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

// label writes the value above the beginning of a step, and its first day below the chart.
func label(out *bytes.Buffer, x, y float64, s Step) {
	anchor := "middle"
	if x < dateWidth/2 {
		anchor = "start"
	}
	fmt.Fprintf(out, `<text x="%.1[1]f" y="%.1[2]f" text-anchor="%[3]s">%[4]s</text>`+
		`<text x="%.1[1]f" y="%[5]d" text-anchor="%[3]s">%[6]s</text>`, x, y-6, anchor,
		template.HTMLEscapeString(Grouped(strconv.FormatFloat(s.Value, 'f', -1, 64))), chartHeight-6,
		s.From.Format("02.01.2006"))
}
