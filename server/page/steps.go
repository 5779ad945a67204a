package page

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/server/calc"
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

// Draw draws the chart beside a table with the exact values. A step without an end is drawn a little
// beyond its start: the drawing does not depend on the current day.
func (c Steps) Draw() template.HTML {
	if len(c.Steps) == 0 {
		return ""
	}
	first, last := c.Steps[0].From, c.end()
	p := plot{title: c.Title + ", " + c.Unit, width: max(1, days(first, last))}
	for _, s := range c.Steps {
		through := last
		if !s.Through.IsZero() {
			through = s.Through.AddDate(0, 0, 1)
		}
		p.steps = append(p.steps, span{days(first, s.From), days(first, through), s.Value})
	}
	every := max(1, (last.Year()-first.Year())/8) // as many years as there is room for
	for year := first.Year() + 1; year <= last.Year(); year += every {
		at := days(first, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
		p.ticks = append(p.ticks, tick{float64(at), strconv.Itoa(year)})
	}
	return p.draw()
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

// periodsOf is a chart of the balance in each row of a schedule or, if it has none, of the amount in
// its last column; nothing of a table whose rows are not numbered.
func periodsOf(t *calc.Table) template.HTML {
	if !numbered(t) {
		return ""
	}
	at := slices.IndexFunc(t.Head, func(h calc.Figure) bool { return h.Name == "balance" })
	for i := len(t.Head) - 1; i > 0 && at < 0; i-- {
		if t.Head[i].Type == "money" {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	p := plot{title: t.Head[at].Head(), width: len(t.Rows)}
	for i, row := range t.Rows {
		if v, err := strconv.ParseFloat(row[at].Text, 64); err == nil { // there is none after the end
			p.steps = append(p.steps, span{i, i + 1, v})
		}
		if i%((len(t.Rows)+5)/6) == 0 {
			p.ticks = append(p.ticks, tick{float64(i) + .5, row[0].Text})
		}
	}
	return p.draw()
}

// plot is a drawing of steps. It illustrates a table, which has the exact values: only here binary
// floating point is used.
type plot struct {
	title     string
	width     int
	steps     []span
	ticks     []tick
	low, high float64 // the range of the values, zero included
}

// span is a value between two positions, and tick the label of one.
type span struct {
	from, to int
	value    float64
}

type tick struct {
	at    float64
	label string
}

// The dimensions of a chart, in the units of the drawing.
const (
	chartWidth, chartHeight = 400, 250
	chartLeft, chartBottom  = 80, 38
	chartTop, chartRight    = 24, 14
)

// draw draws the steps as SVG; nothing if there is nothing to compare.
func (p plot) draw() template.HTML {
	for _, s := range p.steps {
		p.low, p.high = min(p.low, s.value), max(p.high, s.value)
	}
	if len(p.steps) < 2 || p.high <= p.low {
		return ""
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<figure class="chart"><figcaption>%s</figcaption><svg viewBox="0 0 %d %d" role="img" `+
		`aria-label="%[1]s. Точные значения — в таблице.">`,
		template.HTMLEscapeString(p.title), chartWidth, chartHeight)
	step := round((p.high - p.low) / 4)
	for v := math.Ceil(p.low/step)*step + 0; v <= p.high; v += step { // + 0 makes 0 of -0
		fmt.Fprintf(&out, `<path class="grid" d="M%d %.1fH%d"/><text x="%d" y="%.1f" class="at-end">%s</text>`,
			chartLeft, p.y(v), chartWidth-chartRight, chartLeft-8, p.y(v)+4, brief(v))
	}
	for _, t := range p.ticks {
		fmt.Fprintf(&out, `<text x="%.1f" y="%d" class="at-middle">%s</text>`, p.x(t.at), chartHeight-chartBottom+17,
			template.HTMLEscapeString(t.label))
	}
	out.WriteString(`<path class="line" d="`)
	for i, s := range p.steps {
		if i > 0 && p.steps[i-1].to == s.from {
			fmt.Fprintf(&out, "V%.1f", p.y(s.value))
		} else {
			fmt.Fprintf(&out, "M%.1f %.1f", p.x(float64(s.from)), p.y(s.value))
		}
		fmt.Fprintf(&out, "H%.1f", p.x(float64(s.to)))
	}
	out.WriteString(`"/></svg></figure>` + "\n")
	return template.HTML(out.String())
}

func (p plot) x(at float64) float64 {
	return chartLeft + at*(chartWidth-chartLeft-chartRight)/float64(p.width)
}

func (p plot) y(v float64) float64 {
	return chartHeight - chartBottom - (v-p.low)/(p.high-p.low)*(chartHeight-chartBottom-chartTop)
}

// round returns the next higher of 1, 2 and 5 times a power of ten.
func round(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}

// brief is a number for the label of an axis.
func brief(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, " млрд"}, {1e6, " млн"}, {1e3, " тыс."}} {
		if math.Abs(v) >= u.size {
			return decimals.Replace(strconv.FormatFloat(v/u.size, 'g', 4, 64)) + u.name
		}
	}
	if math.Abs(v) >= 1 { // kopecks have two digits
		return decimals.Replace(strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), ".00"))
	}
	return decimals.Replace(strconv.FormatFloat(v, 'g', 4, 64))
}

var decimals = strings.NewReplacer(".", ",", "-", "−")
