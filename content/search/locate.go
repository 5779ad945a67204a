package search

import (
	"sort"
	"unicode/utf8"
)

// A stretch is a part of a passage, in bytes.
type stretch struct{ start, end int }

// A locator converts positions to bytes, by scanning a passage again.
type locator struct {
	matches []stretch
	window  stretch

	first, last uint32  // the positions of the window
	todo        []match // those from position on
	position    uint32
	until       uint32 // the end of the current match
}

// locate scans text from a mark on past everything that can be shown together with window.
func locate(text string, from mark, matches, window []match) *locator {
	i := sort.Search(len(matches), func(i int) bool { return matches[i].position >= from.position })
	end := window[len(window)-1]
	l := &locator{
		first: window[0].position, last: end.position + end.span - 1,
		todo: matches[i:], position: from.position,
	}
	for s := (scanner{src: text, at: int(from.offset)}); s.next() && !l.passed(s.at); {
		for _, p := range s.parts {
			l.pass(p)
		}
	}
	return l
}

func (l *locator) passed(at int) bool {
	return l.position > l.last && at > l.window.start+snippetRunes*utf8.UTFMax
}

func (l *locator) pass(p subword) {
	if l.position == l.first {
		l.window.start = p.start
	}
	if l.position <= l.last {
		l.window.end = p.end
	}
	l.mark(p)
	l.position++
}

// mark adds p to the current match, or to one that begins at p.
func (l *locator) mark(p subword) {
	goesOn := l.position < l.until
	for ; len(l.todo) > 0 && l.todo[0].position == l.position; l.todo = l.todo[1:] {
		l.until = max(l.until, l.position+l.todo[0].span)
	}
	if goesOn {
		l.matches[len(l.matches)-1].end = p.end
	} else if l.position < l.until {
		l.matches = append(l.matches, stretch{p.start, p.end})
	}
}
