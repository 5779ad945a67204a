package page

import (
	"bytes"
	"fmt"
	"html/template"
	"time"
)

// Steps is a chart of a step function over days.
type Steps struct {
	Title, Unit string
	Steps       []Step // the earliest first, without overlap
}

// Step is a value from a day through another, which is zero if there is no end.
type Step struct {
	From, Through time.Time
	Value         float64
}

// Draw draws the chart as SVG, beside a table with the exact values; nothing if there is
// nothing to compare. A step without an end is drawn a little beyond its start: the drawing
// does not depend on the current day.
func (c Steps) Draw() template.HTML {
	if len(c.Steps) < 2 {
		return ""
	}
	first, last := c.Steps[0].From, c.end()
	s := scale{n: max(1, days(first, last))}
	for _, step := range c.Steps {
		s.low, s.high = min(s.low, step.Value), max(s.high, step.Value)
	}
	if s.high <= s.low {
		return ""
	}
	var out bytes.Buffer
	title := template.HTMLEscapeString(c.Title + ", " + c.Unit)
	fmt.Fprintf(&out, `<figure class="chart"><figcaption>%s</figcaption><svg viewBox="0 0 %d %d" role="img" `+
		`aria-label="%[1]s. Точные значения — в таблице.">`,
		title, chartWidth, chartHeight)
	s.values(&out, "")
	s.years(&out, first, last)
	out.WriteString(`<path class="line s0" d="`)
	for i, step := range c.Steps {
		joined := i > 0 && c.Steps[i-1].Through.AddDate(0, 0, 1).Equal(step.From)
		x, y := s.x(float64(days(first, step.From))), s.y(step.Value)
		if joined {
			fmt.Fprintf(&out, "V%.1f", y)
		} else {
			fmt.Fprintf(&out, "M%.1f %.1f", x, y)
		}
		through := last
		if !step.Through.IsZero() {
			through = step.Through.AddDate(0, 0, 1)
		}
		fmt.Fprintf(&out, "H%.1f", s.x(float64(days(first, through))))
	}
	out.WriteString(`"/></svg></figure>` + "\n")
	return template.HTML(out.String())
}

// end is the day at which the chart ends.
func (c Steps) end() time.Time {
	last := c.Steps[len(c.Steps)-1]
	if !last.Through.IsZero() {
		return last.Through.AddDate(0, 0, 1)
	}
	return last.From.AddDate(0, 0, max(30, days(c.Steps[0].From, last.From)/20))
}

// days counts the days between two dates.
func days(from, to time.Time) int { return int(to.Sub(from).Hours() / 24) }

// years labels the first days of years, as many as there is room for.
func (s scale) years(out *bytes.Buffer, first, last time.Time) {
	every := max(1, (last.Year()-first.Year())/8)
	for year := first.Year() + 1; year <= last.Year(); year += every {
		at := days(first, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
		fmt.Fprintf(
			out, `<text x="%.1f" y="%d" class="at-middle">%d</text>`, s.x(float64(at)), chartHeight-chartBottom+17,
			year,
		)
	}
}
