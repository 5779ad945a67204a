package page

import (
	"strconv"
	"strings"

	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/redline"
)

// ChangeRange is a part of a redline: its shown changes by number, from the first one up to another.
type ChangeRange struct{ From, To int }

// RangeOf returns the part of a redline with the requested change, from that one on: empty if
// there is no such change. A redline has the same parts in every format, so that an address of
// a change leads to it in each.
func RangeOf(line *redline.Redline, with Showing) ChangeRange {
	s := newSheet(line, with)
	for from := 0; ; {
		r := s.draw(ChangeRange{from, s.total}, true)
		if from += r.shown; with.From < from || from == s.total || r.shown == 0 {
			return ChangeRange{with.From, max(with.From, from)}
		}
	}
}

// sheet is a redline that is drawn part by part.
type sheet struct {
	line   *redline.Redline
	as     Showing
	total  int                   // number of shown changes
	counts map[*redline.Node]int // of these in a node
	parts  []ChangeRange
	number map[string]int // of a shown change, by its address
}

func newSheet(line *redline.Redline, as Showing) *sheet {
	as.Bare = true
	s := &sheet{line: line, as: as, counts: map[*redline.Node]int{}, number: map[string]int{}}
	s.total = s.count(line.Root)
	return s
}

// count counts the shown changes of a node, in the order of the text.
func (s *sheet) count(n *redline.Node) (total int) {
	if !n.Differs {
		return 0
	}
	if n.Change != nil && s.as.Shows(n.Change) {
		s.number[n.Change.ID] = len(s.number)
		total++
	}
	for _, k := range n.Kids {
		total += s.count(k)
	}
	s.counts[n] = total
	return total
}

// draw draws the changes of a part: as many of them as fit, if its end is to be found.
func (s *sheet) draw(part ChangeRange, fit bool) *redliner {
	r := &redliner{
		drawer: &drawer{Drawing: s.as.Drawing, ids: map[*document.Node]string{}},
		sheet:  s, effort: change.NewEffort(), part: part, fit: fit,
	}
	r.kids(s.line.Root, 2)
	return r
}

// maxParts is the maximum number of parts that are drawn for the contents of a page before it.
const maxParts = 20

// cut divides the changes into parts, with one that begins with the requested change, and returns
// the headings of each, and the last part. Many parts behind that one are left out.
func (s *sheet) cut() (headings [][]Heading, last *redliner) {
	for from := 0; ; {
		last = s.draw(ChangeRange{from, s.total}, true)
		part := ChangeRange{from, from + last.shown}
		if asked := s.as.From; part.From < asked && asked < part.To {
			headings = append(headings, s.draw(ChangeRange{part.From, asked}, false).contents)
			s.parts, part.From = append(s.parts, ChangeRange{part.From, asked}), asked
			last = s.draw(part, false)
		}
		s.parts, headings = append(s.parts, part), append(headings, last.contents)
		from = part.To
		if from == s.total || last.shown == 0 || len(s.parts) >= maxParts && from > s.as.From {
			return headings, last
		}
	}
}

// partWith is the index of the part with a change, -1 if there is none.
func (s *sheet) partWith(number int) int {
	for i, p := range s.parts {
		if p.From <= number && number < p.To {
			return i
		}
	}
	return -1
}

// linkTo is the address of a shown change: with that of its part if it is in another one. While the
// parts are not known, it is the anchor.
func (r *redliner) linkTo(id string) string {
	href := "#" + fragment(id)
	if i := r.partWith(r.number[id]); !r.fit && i >= 0 && r.parts[i].To != r.part.To {
		return r.as.Link(r.parts[i].From) + href
	}
	return href
}

// maxElsewhere is the maximum size of the links to the headings of other parts, in bytes.
const maxElsewhere = 12 << 10

// jumps are links to the headings of all parts, seen from one of them. If the other parts have
// too many, each has one.
func (s *sheet) jumps(own int, headings [][]Heading) (all []Heading) {
	elsewhere := 0
	for i, part := range headings {
		if i != own {
			elsewhere += sizeOf(moved(part, s.as.Link(s.parts[i].From)))
		}
	}
	for i, part := range headings {
		switch {
		case i == own:
			all = continued(all, part)
		case elsewhere <= maxElsewhere:
			all = continued(all, moved(part, s.as.Link(s.parts[i].From)))
		case len(part) > 0:
			first := part[0]
			if len(first.Within) > 0 {
				first = first.Within[0]
			}
			first.Text = "Часть " + strconv.Itoa(i+1) + ", с «" + first.Text + "»"
			all = append(all, moved([]Heading{first}, s.as.Link(s.parts[i].From))...)
		}
	}
	return all
}

// continued appends the headings of a part. A section that began in an earlier part goes on.
func continued(all, part []Heading) []Heading {
	if last := len(all) - 1; last >= 0 && len(part) > 0 && place(all[last]) == place(part[0]) {
		all[last].Within = continued(all[last].Within, part[0].Within)
		part = part[1:]
	}
	return append(all, part...)
}

// place is the address of a heading on whatever page.
func place(h Heading) string { return h.ID[strings.IndexByte(h.ID, '#'):] }

// moved are headings of a page at another address.
func moved(headings []Heading, page string) []Heading {
	all := make([]Heading, len(headings))
	for i, h := range headings {
		all[i] = Heading{ID: page + h.ID, Text: h.Text, Within: moved(h.Within, page)}
	}
	return all
}

// sizeOf is the approximate size of links to headings.
func sizeOf(headings []Heading) (size int) {
	for _, h := range headings {
		size += len(h.ID) + len(h.Text) + sizeOfHeading + sizeOf(h.Within)
	}
	return size
}
