package page

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"rulestore/content/document"
)

// State is a state of a state machine, with its transitions.
type State struct {
	ID, Title string
	Next      []State // target states; their own transitions are ignored
}

// states are the states of a state machine if the elements of a list name their next states.
func states(list *document.Node) (all []State) {
	const next = "allowed_next_states"
	if list.Field == nil || list.Field.Items.Field(next) == nil {
		return nil
	}
	for i := range list.Kids {
		h := labelsOf(&list.Kids[i], list.Unique())
		if h.title == nil {
			continue
		}
		s := State{ID: h.title.Text, Title: h.title.Text}
		if h.code != nil {
			s.ID = h.code.Text
		}
		if to := list.Kids[i].Member(next); to != nil {
			for j := range to.Kids {
				k := &to.Kids[j]
				s.Next = append(s.Next, State{ID: k.Text, Title: cmp.Or(k.EnumLabel(), k.Text)})
			}
		}
		all = append(all, s)
	}
	return all
}

// The dimensions of a diagram, in the units of the drawing.
const (
	boxWidth, boxHeight = 310, 44
	boxGap              = 30
	laneWidth           = 16
	maxStates           = 60 // more are not readable
)

// diagram draws a state machine: the states below each other in their order, transitions to the
// next one as straight lines, those forward as arcs on the right, those back as arcs on the left.
// States that are only targets come last. The list beside it has the same content as text.
func diagram(title string, states []State) template.HTML {
	states = withTargets(states)
	if len(states) < 2 || len(states) > maxStates {
		return ""
	}
	d := drawing{left: 120, rank: map[string]int{}}
	for i, s := range states {
		d.rank[s.ID] = i
	}
	var arcs bytes.Buffer
	for i, s := range states {
		for _, to := range s.Next {
			d.arc(&arcs, i, d.rank[to.ID])
		}
	}
	width, height := d.left+boxWidth+d.right+20, len(states)*(boxHeight+boxGap)
	var out bytes.Buffer
	fmt.Fprintf(&out, `<figure class="diagram"><svg viewBox="0 -2 %d %d" role="img" aria-label="Схема: %s. Переходы `+
		`перечислены ниже для каждого состояния."><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" `+
		`markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>`,
		width, height, template.HTMLEscapeString(title))
	out.Write(arcs.Bytes())
	for i, s := range states {
		y := i * (boxHeight + boxGap)
		fmt.Fprintf(&out, `<g class="state"><rect x="%d" y="%d" width="%d" height="%d" rx="8"/><text x="%d" `+
			`y="%d">%s</text><text class="code" x="%d" y="%d">%s</text></g>`,
			d.left, y, boxWidth, boxHeight, d.left+boxWidth/2, y+19, template.HTMLEscapeString(cut(s.Title, maxLabel)),
			d.left+boxWidth/2, y+35, template.HTMLEscapeString(cut(s.ID, maxLabel)))
	}
	out.WriteString("</svg></figure>\n")
	return template.HTML(out.String())
}

// withTargets adds the states that are only targets of transitions.
func withTargets(states []State) []State {
	all := slices.Clone(states)
	for _, s := range states {
		for _, to := range s.Next {
			if !slices.ContainsFunc(all, func(s State) bool { return s.ID == to.ID }) {
				all = append(all, State{ID: to.ID, Title: to.Title})
			}
		}
	}
	return all
}

// maxLabel is the maximum number of letters in a box.
const maxLabel = 32

type drawing struct {
	left, right int // room for arcs
	rank        map[string]int
}

// arc draws a transition between two states, given by their ranks.
func (d *drawing) arc(out *bytes.Buffer, from, to int) {
	top := func(i int) int { return i * (boxHeight + boxGap) }
	middle := func(i int) int { return top(i) + boxHeight/2 }
	switch span := to - from; {
	case span == 1:
		x := d.left + boxWidth/2
		fmt.Fprintf(
			out, `<path class="step" d="M%d %dV%d" marker-end="url(#arrow)"/>`, x, top(from)+boxHeight, top(to)-1,
		)
	case span > 0:
		reach := 24 + span*laneWidth
		d.right = max(d.right, reach)
		x := d.left + boxWidth
		fmt.Fprintf(out, `<path class="step" d="M%d %dC%d %d %d %d %d %d" marker-end="url(#arrow)"/>`,
			x, middle(from)+6, x+reach, middle(from)+6, x+reach, middle(to)-6, x+1, middle(to)-6)
	default:
		reach := min(d.left-10, 24-span*laneWidth)
		x := d.left
		fmt.Fprintf(out, `<path class="step back" d="M%d %dC%d %d %d %d %d %d" marker-end="url(#arrow)"/>`,
			x, middle(from)-6, x-reach, middle(from)-6, x-reach, middle(to)+6, x-1, middle(to)+6)
	}
}

// cut shortens a text to a number of letters.
func cut(s string, letters int) string {
	r := []rune(s)
	if len(r) <= letters {
		return s
	}
	return string(r[:letters-1]) + "…"
}
