package page

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"rulestore/server/calc"
)

// Ranked compares single values as bars below each other, each with its name and its value.
type Ranked struct {
	Title string
	Bars  []RankedBar
}

// RankedBar is one bar, with its length and its text.
type RankedBar struct {
	Title  string
	Length float64
	Says   calc.Figure
}

const rankedStep, rankedBar = 44, 16

// Draw draws the bars; nothing for a single bar, or if all are zero.
func (r Ranked) Draw() template.HTML {
	most := 0.0
	for _, b := range r.Bars {
		most = max(most, b.Length)
	}
	if len(r.Bars) < 2 || most == 0 {
		return ""
	}
	var out bytes.Buffer
	var said []string
	for _, b := range r.Bars {
		said = append(said, b.Title+" — "+Shown(b.Says))
	}
	escaped := template.HTMLEscapeString
	fmt.Fprintf(&out, `<figure class="chart"><figcaption>%s</figcaption><svg viewBox="0 0 %d %d" role="img" `+
		`aria-label="%[1]s. %[4]s.">`,
		escaped(r.Title), chartWidth, rankedStep*len(r.Bars), escaped(strings.Join(said, "; ")))
	for i, b := range r.Bars {
		y := i * rankedStep
		fmt.Fprintf(&out, `<text x="0" y="%d">%s</text><text x="%d" y="%[1]d" class="peak at-end">%[4]s</text>`,
			y+14, escaped(b.Title), chartWidth, escaped(Shown(b.Says)))
		fmt.Fprintf(&out, `<rect class="bar s0" x="0" y="%d" width="%.1f" height="%d" rx="2"/>`,
			y+20, max(0, b.Length)/most*chartWidth, rankedBar)
	}
	out.WriteString("</svg></figure>\n")
	return template.HTML(out.String())
}
