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
)

// Chart is a chart of values over the numbers of periods.
type Chart struct {
	Title string
	X     string // the name of the periods
	Unit  string
	Bars  []Series // stacked
	Lines []Series
	First int         // the number of the first period
	Year  int         // number of periods in a year, if they are counted in years
	Days  []time.Time // of the periods, if they have any

	step int // periods from one drawn value to the next
}

// Series are values with a name, one for each period.
type Series struct {
	Title  string
	Values []float64
}

// The dimensions of a chart, in the units of the drawing.
const (
	chartWidth, chartHeight = 400, 250
	chartLeft, chartBottom  = 80, 38
	chartTop, chartRight    = 24, 14
	maxPoints               = 180 // of more periods only each second, third … and the last are drawn
)

// Draw draws a chart as SVG. It illustrates the table below it, which has the exact values;
// drawing is the only place where binary floating point is used.
func (c Chart) Draw() template.HTML {
	said := c.summary()
	c = c.thinned()
	n, low, high := c.extent()
	if n < 2 || high <= low {
		return ""
	}
	s := scale{n: n, low: low, high: high}
	var out bytes.Buffer
	title, summary := template.HTMLEscapeString(c.Title), template.HTMLEscapeString(said)
	fmt.Fprintf(&out, `<figure class="chart"><figcaption>%s</figcaption><svg viewBox="0 0 %d %d" role="img" `+
		`aria-label="%[1]s. %[4]s Точные значения — в таблице.">`,
		title, chartWidth, chartHeight, summary)
	s.grid(&out, c)
	s.bars(&out, c.Bars)
	for i, line := range c.Lines {
		s.line(&out, len(c.Bars)+i, line.Values)
	}
	s.labels(&out, c)
	out.WriteString("</svg>")
	c.legend(&out)
	out.WriteString(`<p class="small">` + summary + "</p>")
	out.WriteString("</figure>\n")
	return template.HTML(out.String())
}

// summary describes a chart in words: the first and the last value of each series, and the highest
// if it is another one.
func (c Chart) summary() string {
	var all []string
	for _, s := range slices.Concat(c.Bars, c.Lines) {
		if len(s.Values) == 0 {
			continue
		}
		first, last := c.amount(s.Values[0]), c.amount(s.Values[len(s.Values)-1])
		words := s.Title + ": от " + first + " до " + last
		most := c.amount(slices.Max(s.Values))
		switch {
		case most != first && most != last:
			words += ", наибольшее — " + most
		case first == last && c.amount(slices.Min(s.Values)) == most:
			words = s.Title + ": всё время " + first
		}
		all = append(all, words+".")
	}
	return strings.Join(all, " ")
}

// amount is a value for people, in the unit of the chart.
func (c Chart) amount(v float64) string { return strings.TrimSpace(brief(v) + " " + c.Unit) }

// thinned leaves out periods if there are too many to distinguish, but never the last.
func (c Chart) thinned() Chart {
	n, _, _ := c.extent()
	step := (n + maxPoints - 1) / maxPoints
	c.step = 1
	if step < 2 {
		return c
	}
	thin := func(all []Series) (out []Series) {
		for _, s := range all {
			out = append(out, Series{Title: s.Title, Values: every(step, s.Values)})
		}
		return out
	}
	c.Bars, c.Lines, c.Days = thin(c.Bars), thin(c.Lines), every(step, c.Days)
	c.step = step
	return c
}

// every returns the first value, each that is a number of steps after it, and the last.
func every[T any](step int, values []T) (some []T) {
	for i := 0; i < len(values); i += step {
		some = append(some, values[i])
	}
	if last := len(values) - 1; last > 0 && last%step != 0 {
		some = append(some, values[last])
	}
	return some
}

// extent is the number of periods, and the range of the values.
func (c Chart) extent() (n int, low, high float64) {
	for _, s := range c.Lines {
		n = max(n, len(s.Values))
		for _, v := range s.Values {
			low, high = min(low, v), max(high, v)
		}
	}
	for _, s := range c.Bars {
		n = max(n, len(s.Values))
	}
	for i := range n {
		sum := 0.0
		for _, s := range c.Bars {
			if i < len(s.Values) {
				sum += max(0, s.Values[i])
			}
		}
		high = max(high, sum)
	}
	return n, low, high
}

type scale struct {
	n         int
	low, high float64
}

func (s scale) x(i float64) float64 {
	return chartLeft + i*(chartWidth-chartLeft-chartRight)/float64(s.n)
}

func (s scale) y(v float64) float64 {
	return chartHeight - chartBottom - (v-s.low)/(s.high-s.low)*(chartHeight-chartBottom-chartTop)
}

// values draws the grid lines, labelled with round numbers.
func (s scale) values(out *bytes.Buffer, unit string) {
	step := round((s.high - s.low) / 4)
	for v := math.Ceil(s.low/step)*step + 0; v <= s.high; v += step { // + 0 makes 0 of -0
		fmt.Fprintf(out, `<path class="grid" d="M%d %.1fH%d"/><text x="%d" y="%.1f" class="at-end">%s</text>`,
			chartLeft, s.y(v), chartWidth-chartRight, chartLeft-8, s.y(v)+4, strings.TrimSpace(brief(v)+" "+unit))
	}
}

// grid draws the grid lines, and labels the periods by years, days or numbers.
func (s scale) grid(out *bytes.Buffer, c Chart) {
	s.values(out, c.Unit)
	title := c.X
	if years := s.n * c.step / max(1, c.Year); c.Year > 0 && years >= 2 {
		for year, every := 0, max(1, (years+5)/6); year <= years; year += every {
			s.tick(out, float64(year*c.Year)/float64(c.step), strconv.Itoa(year))
		}
		title = "годы"
	} else if len(c.Days) == s.n {
		for i, every := 0, max(1, (s.n+3)/4); i < s.n; i += every {
			s.tick(out, float64(i)+.5, c.Days[i].Format("01.2006"))
		}
		title = "месяц и год"
	} else {
		for i, every := 0, max(1, s.n/6); i < s.n; i += every {
			s.tick(out, float64(i)+.5, strconv.Itoa(c.First+i*c.step))
		}
	}
	fmt.Fprintf(
		out, `<text x="%d" y="%d" class="at-end">%s</text>`, chartWidth-chartRight, chartHeight-3,
		template.HTMLEscapeString(title),
	)
}

// tick labels a position on the axis of periods.
func (s scale) tick(out *bytes.Buffer, at float64, label string) {
	fmt.Fprintf(out, `<text x="%.1f" y="%d" class="at-middle">%s</text>`, s.x(at), chartHeight-chartBottom+17, label)
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

func (s scale) bars(out *bytes.Buffer, all []Series) {
	below := make([]float64, s.n)
	width := max(.6, (chartWidth-chartLeft-chartRight)/float64(s.n)-1)
	for k, series := range all {
		fmt.Fprintf(out, `<path class="bar s%d" d="`, k)
		for i, v := range series.Values {
			v = max(0, v)
			fmt.Fprintf(
				out, "M%.1f %.1fh%.1fV%.1fh-%.1fz", s.x(float64(i))+.5, s.y(below[i]), width, s.y(below[i]+v), width,
			)
			below[i] += v
		}
		out.WriteString(`"/>`)
	}
}

func (s scale) line(out *bytes.Buffer, k int, values []float64) {
	fmt.Fprintf(out, `<path class="line s%d" d="`, k)
	for i, v := range values {
		command := byte('L')
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(out, "%c%.1f %.1f", command, s.x(float64(i)+.5), s.y(v))
	}
	out.WriteString(`"/>`)
}

func (c Chart) legend(out *bytes.Buffer) {
	all := slices.Concat(c.Bars, c.Lines)
	if len(all) < 2 {
		return
	}
	out.WriteString(`<ul class="legend">`)
	for k, s := range all {
		fmt.Fprintf(
			out,
			`<li><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><rect class="bar s%d" width="12" `+
				`height="12" rx="2"/></svg> %s</li>`,
			k, template.HTMLEscapeString(s.Title),
		)
	}
	out.WriteString("</ul>")
}
