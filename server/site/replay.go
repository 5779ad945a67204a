package site

import (
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/server/calc"
)

// maxTurns is the maximum number of days, from now back, whose facts are tried for a replay.
const maxTurns = 16

// Replay repeats the calculation of a record with the published facts, and returns the result
// and the members that differ, like [calc.Registry.Replay]. An answer does not state its day.
// So the facts of today are tried, and those of the days on which the calendars and parameters
// that it cites have changed; without one of those versions the result is unknown.
func Replay(tools *calc.Registry, snapshot *content.Snapshot,
	record calc.StoredAnswer) (result string, differs []string) {
	days := []string{snapshot.Date}
	for _, source := range record.Sources {
		item := sourceOf(snapshot, source)
		if item == nil {
			return calc.RecordUnknown, nil
		}
		days = append(days, snapshot.Turns(item)...)
	}
	slices.Sort(days)
	days = slices.Compact(days)
	slices.Reverse(days)
	for i, day := range days[:min(len(days), maxTurns)] {
		now, differ := tools.Replay(record, factsOn(snapshot, day))
		if now != calc.RecordOther {
			return now, nil
		}
		if i == 0 {
			result, differs = now, differ
		}
	}
	return result, differs
}

// sourceOf is the calendar or parameter of which an answer cites a version; nil if that is not
// published.
func sourceOf(snapshot *content.Snapshot, cited calc.Source) *content.Item {
	for _, kind := range []*content.Kind{content.Calendars, content.Parameters} {
		item := snapshot.Item(kind, cited.ID)
		if item != nil && slices.ContainsFunc(item.Entries, func(e *content.Entry) bool {
			return e.Checksum == cited.SHA256 && e.Version.String() == cited.Version && e.Status != content.Redacted
		}) {
			return item
		}
	}
	return nil
}

// factsOn returns the facts for calculations as published on a day.
func factsOn(snapshot *content.Snapshot, date string) calc.Facts {
	day := snapshot.On(date)
	return calc.Facts{Calendar: calendarOn{snapshot, day, calendar{}}, Parameters: parametersOn{snapshot, day}}
}

// calendarOn provides the calendars as published on a day, parsed on first use.
type calendarOn struct {
	snapshot *content.Snapshot
	day      content.Day
	read     calendar
}

// Source implements [calc.Calendar].
func (c calendarOn) Source(year int) (calc.Source, bool) {
	if _, known := c.read[year]; !known {
		item := c.snapshot.Item(content.Calendars, fmt.Sprintf("ru-%d", year))
		if item == nil || c.day.Archived(item) {
			return calc.Source{}, false
		}
		e := c.day.Current(item)
		if e == nil || !isReadable(e) {
			return calc.Source{}, false
		}
		if y := readCalendar(e.Publication); y != nil {
			c.read[year] = y
		}
	}
	return c.read.Source(year)
}

// Business implements [calc.Calendar].
func (c calendarOn) Business(d calc.Date) (business bool, why string) { return c.read.Business(d) }

// parametersOn provides the parameters as published on a day.
type parametersOn struct {
	snapshot *content.Snapshot
	day      content.Day
}

// Parameter implements [calc.Parameters].
func (p parametersOn) Parameter(id string, on calc.Date) (calc.Parameter, bool) {
	item := p.snapshot.Item(content.Parameters, id)
	if item == nil {
		return calc.Parameter{}, false
	}
	known := p.day.Known(item)
	if len(known) == 0 || !isReadable(known[0]) {
		return calc.Parameter{}, false
	}
	t := newTimeline(
		known, func(e *content.Entry) []content.Period { return []content.Period{content.Validity(e.Body())} },
	)
	return parameterOn(t, on, p.day.Status(item, known[0])), true
}
