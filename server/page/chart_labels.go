package page

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"slices"
	"unicode/utf8"
)

const (
	// letter is the approximate width of a letter of a label, and line the height of a line.
	letter, line = 9, 14
	// minSegment is the minimum height of a segment of a bar with its label inside.
	minSegment = 22
)

// labels writes the titles of the series beside their values, and the highest value.
func (s scale) labels(out *bytes.Buffer, c Chart) {
	if len(c.Bars) > 0 {
		s.highest(out, c, s.totals(c.Bars, len(c.Bars)))
	} else if len(c.Lines) > 0 {
		s.highest(out, c, c.Lines[0].Values)
	}
	if len(c.Bars) > 1 {
		for k := range c.Bars {
			s.nameBars(out, c.Bars, k)
		}
	}
	if len(c.Lines) > 1 {
		for k := range c.Lines {
			s.nameLine(out, c.Lines, k, len(c.Bars)+k)
		}
	}
}

// totals are the sums of the first k series in each period.
func (s scale) totals(bars []Series, k int) []float64 {
	sums := make([]float64, s.n)
	for _, b := range bars[:k] {
		for i, v := range b.Values {
			sums[i] += max(0, v)
		}
	}
	return sums
}

// highest labels the highest of some values.
func (s scale) highest(out *bytes.Buffer, c Chart, values []float64) {
	if len(values) == 0 {
		return
	}
	peak := slices.Max(values)
	x, class := s.x(float64(slices.Index(values, peak))+.5), ""
	if x > chartWidth/2 {
		class = " at-end"
	}
	fmt.Fprintf(out, `<text x="%.1f" y="%.1f" class="peak%s">%s</text>`, x, s.y(peak)-7, class, c.amount(peak))
}

// nameBars writes the title of a series of bars into its highest segment, if there is room.
func (s scale) nameBars(out *bytes.Buffer, bars []Series, k int) {
	values := bars[k].Values
	if len(values) == 0 {
		return
	}
	at := slices.Index(values, slices.Max(values))
	below := s.totals(bars, k)[at]
	if s.y(below)-s.y(below+values[at]) < minSegment {
		return
	}
	s.label(out, bars[k].Title, s.x(float64(at)+.5), (s.y(below)+s.y(below+values[at]))/2+line/3, k)
}

// nameLine writes the title of a line where the other lines are farthest away, except near the
// ends, where the highest value is labelled.
func (s scale) nameLine(out *bytes.Buffer, lines []Series, k, colour int) {
	best, farthest := -1, 0.0
	for i := s.n / 6; i < min(len(lines[k].Values), s.n*5/6+1); i++ {
		v, distance := lines[k].Values[i], math.Inf(1)
		for j, other := range lines {
			if j != k && i < len(other.Values) {
				distance = min(distance, math.Abs(s.y(v)-s.y(other.Values[i])))
			}
		}
		if !math.IsInf(distance, 1) && distance > farthest {
			best, farthest = i, distance
		}
	}
	if best < 0 || farthest < line {
		return
	}
	y := s.y(lines[k].Values[best]) - 5
	if y < chartTop+line {
		y += line + 8 // below the line: the highest value is labelled above it
	}
	s.label(out, lines[k].Title, s.x(float64(best)+.5), y, colour)
}

// label writes a text centred at a position, inside the drawing.
func (s scale) label(out *bytes.Buffer, text string, x, y float64, colour int) {
	half := float64(utf8.RuneCountInString(text)) * letter / 2
	x = max(chartLeft+half+2, min(chartWidth-chartRight-half-2, x))
	fmt.Fprintf(
		out, `<text x="%.1f" y="%.1f" class="named s%d at-middle">%s</text>`, x, y, colour,
		template.HTMLEscapeString(text),
	)
}
