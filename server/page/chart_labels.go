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
	// letter is about how wide a letter of a label is, and line how high.
	letter, line = 9, 14
	// roomy is how high a part of a pile is that has its label inside.
	roomy = 22
)

// labels names the series where they are, and says what the most is.
func (s scale) labels(out *bytes.Buffer, c Chart) {
	if len(c.Bars) > 0 {
		s.highest(out, c, s.piles(c.Bars, len(c.Bars)))
	} else if len(c.Lines) > 0 {
		s.highest(out, c, c.Lines[0].Values)
	}
	if len(c.Bars) > 1 {
		for k := range c.Bars {
			s.named(out, c.Bars, k)
		}
	}
	if len(c.Lines) > 1 {
		for k := range c.Lines {
			s.apart(out, c.Lines, k, len(c.Bars)+k)
		}
	}
}

// piles are the heights of the first k series upon each other.
func (s scale) piles(bars []Series, k int) []float64 {
	sums := make([]float64, s.n)
	for _, b := range bars[:k] {
		for i, v := range b.Values {
			sums[i] += max(0, v)
		}
	}
	return sums
}

// highest labels the most of some values.
func (s scale) highest(out *bytes.Buffer, c Chart, values []float64) {
	if len(values) == 0 {
		return
	}
	most := slices.Max(values)
	x, class := s.x(float64(slices.Index(values, most))+.5), ""
	if x > chartWidth/2 {
		class = " at-end"
	}
	fmt.Fprintf(out, `<text x="%.1f" y="%.1f" class="peak%s">%s</text>`, x, s.y(most)-7, class, c.amount(most))
}

// named writes the title of a series of bars into the widest place of it, if there is room.
func (s scale) named(out *bytes.Buffer, bars []Series, k int) {
	values := bars[k].Values
	if len(values) == 0 {
		return
	}
	at := slices.Index(values, slices.Max(values))
	below := s.piles(bars, k)[at]
	if s.y(below)-s.y(below+values[at]) < roomy {
		return
	}
	s.label(out, bars[k].Title, s.x(float64(at)+.5), (s.y(below)+s.y(below+values[at]))/2+line/3, k)
}

// apart writes the title of a line to where the others are farthest from it, but for the
// ends, where the most is said.
func (s scale) apart(out *bytes.Buffer, lines []Series, k, colour int) {
	best, farthest := -1, 0.0
	for i := s.n / 6; i < min(len(lines[k].Values), s.n*5/6+1); i++ {
		v, apart := lines[k].Values[i], math.Inf(1)
		for j, other := range lines {
			if j != k && i < len(other.Values) {
				apart = min(apart, math.Abs(s.y(v)-s.y(other.Values[i])))
			}
		}
		if !math.IsInf(apart, 1) && apart > farthest {
			best, farthest = i, apart
		}
	}
	if best < 0 || farthest < line {
		return
	}
	y := s.y(lines[k].Values[best]) - 5
	if y < chartTop+line {
		y += line + 8 // below the line: above it is the most
	}
	s.label(out, lines[k].Title, s.x(float64(best)+.5), y, colour)
}

// label writes a text around a place, within the drawing.
func (s scale) label(out *bytes.Buffer, text string, x, y float64, colour int) {
	half := float64(utf8.RuneCountInString(text)) * letter / 2
	x = max(chartLeft+half+2, min(chartWidth-chartRight-half-2, x))
	fmt.Fprintf(
		out, `<text x="%.1f" y="%.1f" class="named s%d at-middle">%s</text>`, x, y, colour,
		template.HTMLEscapeString(text),
	)
}
