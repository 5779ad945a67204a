package page

import (
	"bytes"
	"fmt"
	"html/template"
)

// Graph is a node with its dependencies in one direction, two levels deep.
type Graph struct {
	ID    string // of the drawing on its page
	Title string
	Up    bool // edges lead to the node, from those that depend on it
	Root  Leaf
}

// Leaf is a node of a graph, with those one level further.
type Leaf struct {
	Title, Code, Href string
	Leaves            []Leaf
	More              int // number of these that are collapsed
}

// The dimensions of a graph, in the units of the drawing.
const (
	leafHeight, leafGap = 42, 12
	leafWidth           = 372
	leafIndent          = 26
	leafLetters         = 43 // in a box that is not indented
	arcRoom             = 34
)

// Draw draws the nodes below each other, each once, with those one level further indented below
// it. If a node has several parents, arcs on the right lead to it from the others. The list
// beside it has the same content as text.
func (g Graph) Draw() template.HTML {
	if len(g.Root.Leaves) == 0 {
		return ""
	}
	d := graphDrawing{graph: g, drawn: map[string]int{}}
	d.count(g.Root)
	d.leaf(g.Root, 0, -1)
	width := leafWidth
	if d.arcs.Len() > 0 {
		width += arcRoom
	}
	var out bytes.Buffer
	id := template.HTMLEscapeString(g.ID)
	fmt.Fprintf(&out, `<figure class="diagram graph"><svg viewBox="-1 -1 %d %d" role="group" `+
		`aria-labelledby="%s-graph" aria-describedby="%s-about"><title id="%s-graph">%s</title><desc `+
		`id="%s-about">Схема. Ниже то же самое списком.</desc>`,
		width+2, d.row*(leafHeight+leafGap)-leafGap+2, id, id, id, template.HTMLEscapeString(g.Title), id)
	fmt.Fprintf(
		&out,
		`<defs><marker id="%s-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" `+
			`orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>`,
		id,
	)
	out.Write(d.lines.Bytes())
	out.Write(d.arcs.Bytes())
	out.Write(d.boxes.Bytes())
	out.WriteString("</svg></figure>\n")
	return template.HTML(out.String())
}

// graphDrawing is a graph while it is drawn.
type graphDrawing struct {
	graph              Graph
	drawn              map[string]int // rows of the nodes, by address
	row                int
	lines, arcs, boxes bytes.Buffer
}

// count assigns rows to the nodes: one that is both one and two levels away is drawn one level
// away.
func (d *graphDrawing) count(l Leaf) {
	first := map[string]bool{l.Href: true}
	for _, k := range l.Leaves {
		first[k.Href] = true
	}
	row, rows := 1, map[string]int{l.Href: 0}
	for _, k := range l.Leaves {
		rows[k.Href] = row
		row++
		for _, further := range k.Leaves {
			if _, known := rows[further.Href]; !known && !first[further.Href] {
				rows[further.Href] = row
				row++
			}
		}
		if k.More > 0 {
			row++
		}
	}
	d.drawn = rows
}

// leaf draws a node in the next row, and below it those one level further.
func (d *graphDrawing) leaf(l Leaf, level, parent int) {
	own := d.row
	d.box(l, level)
	if parent >= 0 {
		d.line(level, parent, own)
	}
	for _, k := range l.Leaves {
		if at := d.drawn[k.Href]; at == d.row {
			d.leaf(k, level+1, own)
		} else {
			d.arc(own, at)
		}
	}
	if l.More > 0 {
		d.line(level+1, own, d.row)
		d.fold(l.More, level+1)
	}
}

func top(row int) int { return row * (leafHeight + leafGap) }

// box draws the box of a node.
func (d *graphDrawing) box(l Leaf, level int) {
	x, y := level*leafIndent, top(d.row)
	class := "state"
	if level == 0 {
		class = "state root"
	}
	letters := leafLetters - 4*level
	fmt.Fprintf(&d.boxes, `<a href="%s"><g class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="6"/><text `+
		`x="%d" y="%d">%s</text><text class="code" x="%d" y="%d">%s</text></g></a>`,
		template.HTMLEscapeString(l.Href), class, x, y, leafWidth-x, leafHeight,
		x+10, y+18, template.HTMLEscapeString(cut(l.Title, letters)), x+10, y+33,
		template.HTMLEscapeString(cut(l.Code, letters+10)))
	d.row++
}

// fold draws the number of collapsed nodes.
func (d *graphDrawing) fold(n, level int) {
	x, y := level*leafIndent, top(d.row)
	fmt.Fprintf(&d.boxes, `<g class="state fold"><rect x="%d" y="%d" width="%d" height="%d" rx="6"/><text x="%d" `+
		`y="%d">и ещё %d</text></g>`,
		x, y, leafWidth-x, leafHeight, x+10, y+26, n)
	d.row++
}

// line draws the edge between a node and the one above it.
func (d *graphDrawing) line(level, parent, own int) {
	x, y := (level-1)*leafIndent+leafIndent/2, top(own)+leafHeight/2
	marker := "marker-end"
	if d.graph.Up {
		marker = "marker-start"
	}
	fmt.Fprintf(&d.lines, `<path class="step" d="M%d %dV%dH%d" %s="url(#%s-arrow)"/>`,
		x, top(parent)+leafHeight, y, level*leafIndent, marker, template.HTMLEscapeString(d.graph.ID))
}

// arc draws an edge to a node in another row.
func (d *graphDrawing) arc(from, to int) {
	marker := "marker-end"
	if d.graph.Up {
		marker = "marker-start"
	}
	a, b := top(from)+leafHeight/2, top(to)+leafHeight/2
	fmt.Fprintf(&d.arcs, `<path class="step back" d="M%d %dC%d %d %d %d %d %d" %s="url(#%s-arrow)"/>`,
		leafWidth, a, leafWidth+arcRoom, a, leafWidth+arcRoom, b, leafWidth, b, marker,
		template.HTMLEscapeString(d.graph.ID))
}

// cut shortens a text to a number of letters.
func cut(s string, letters int) string {
	r := []rune(s)
	if len(r) <= letters {
		return s
	}
	return string(r[:letters-1]) + "…"
}
