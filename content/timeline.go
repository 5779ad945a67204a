package content

import (
	"cmp"
	"slices"
)

// Stretch is a range of days on which one value of an item, or none, is in force.
type Stretch struct {
	Period
	Entry *Entry // the version that is in force; nil: none is
	Part  int    // index of the version's own period
}

// Timeline divides all days into stretches, the earliest first.
type Timeline []Stretch

// lastDay is the last date with four digits of a year: no end.
const lastDay = "9999-12-31"

// NewTimeline returns what is in force on each day by some versions of an item, the newest first,
// each with its own periods, which do not overlap and are in order. A version speaks for every day
// from its first day on, also for those that it leaves without a value; the following ones speak for
// the days before that or, if it is a series of periods, for none.
func NewTimeline(versions []*Entry, periods func(*Entry) (own []Period, series bool)) Timeline {
	t := Timeline{{}}
	for _, e := range versions {
		if t[0].Entry != nil { // it has no first day
			break
		}
		own, series := periods(e)
		t = append(t[0].split(e, own), t[1:]...)
		if series {
			break
		}
	}
	return t
}

// split splits days on which nothing is in force by the periods of a version.
func (s Stretch) split(e *Entry, periods []Period) (parts Timeline) {
	rest := s.Period
	for i, p := range periods {
		own, some := rest.and(p)
		if !some {
			continue
		}
		if own.From != rest.From {
			parts = append(parts, Stretch{Period: Period{rest.From, DayBefore(own.From)}})
		}
		parts = append(parts, Stretch{own, e, i})
		if own.To == rest.To {
			return parts
		}
		rest.From = DayAfter(own.To)
	}
	return append(parts, Stretch{Period: rest})
}

// and returns the intersection of two periods, and whether there is one.
func (p Period) and(q Period) (both Period, some bool) {
	both = Period{max(p.From, q.From), min(p.end(), q.end())}
	if both.To == lastDay {
		both.To = ""
	}
	return both, both.From <= both.end()
}

// end is the last day of a period, lastDay if it is open.
func (p Period) end() string { return cmp.Or(p.To, lastDay) }

// At returns the index of the stretch that contains the day.
func (t Timeline) At(day string) int {
	i, found := slices.BinarySearchFunc(t, day, func(s Stretch, day string) int { return cmp.Compare(s.From, day) })
	if !found {
		i--
	}
	return max(i, 0)
}

// Before returns the last stretch before another one in which something is in force, -1 if
// there is none.
func (t Timeline) Before(i int) int {
	for i--; i >= 0 && t[i].Entry == nil; i-- {
	}
	return i
}

// After returns the next stretch after another one in which something is in force, -1 if there
// is none.
func (t Timeline) After(i int) int {
	for i++; i < len(t); i++ {
		if t[i].Entry != nil {
			return i
		}
	}
	return -1
}

// Known returns the versions that determine what is in force on a day: the current one, then
// the stable ones below it that no mark has withdrawn.
func (s *Snapshot) Known(i *Item) []*Entry { return s.now.known(i, i.Current) }

// Known returns the versions that determined, for a reader of that day, what was in force when,
// as [Snapshot.Known] does for today.
func (d Day) Known(i *Item) []*Entry { return d.known(i, d.Current(i)) }

func (d Day) known(i *Item, first *Entry) (all []*Entry) {
	if first == nil {
		return nil
	}
	m, all := d.marks[i.ID()], append(all, first)
	for e := first.Predecessor; e != nil; e = e.Predecessor {
		if away := m.of(e).Status; away != Archived && away != Redacted && d.has(e) {
			all = append(all, e)
		}
	}
	return all
}

// has reports whether a version was published by then.
func (d Day) has(e *Entry) bool {
	return e.stable() && !e.Draft && d.isPast(e.PublishedAt)
}
