package site

import (
	"cmp"
	"strconv"

	"rulestore/content"
	"rulestore/server/calc"
)

// Facts returns the calendars and parameters for calculations of this site.
func (s *Site) Facts() calc.Facts {
	return factsOf(s.calendar, s.Snapshot, func(it *content.Item) *timeline { return s.timeline(it, "") })
}

// FactsOf returns the calendars and parameters of a snapshot that is not served.
func FactsOf(snapshot *content.Snapshot) calc.Facts {
	return factsOf(makeCalendar(nil, snapshot), snapshot, func(it *content.Item) *timeline {
		return newTimeline(snapshot.Known(it), func(e *content.Entry) []content.Period {
			return []content.Period{content.Validity(e.Body())}
		})
	})
}

func factsOf(c calendar, snapshot *content.Snapshot, timelines func(*content.Item) *timeline) calc.Facts {
	return calc.Facts{Calendar: c, Parameters: parametersOf{snapshot, timelines}}
}

// parametersOf provides the parameters of a snapshot with the values in force on a day.
type parametersOf struct {
	snapshot  *content.Snapshot
	timelines func(*content.Item) *timeline
}

// Parameter implements [calc.Parameters].
func (p parametersOf) Parameter(id string, on calc.Date) (calc.Parameter, bool) {
	item := p.snapshot.Item(content.Parameters, id)
	if item == nil || item.Current == nil || !isReadable(item.Current) {
		return calc.Parameter{}, false
	}
	t := p.timelines(item)
	if t == nil {
		return calc.Parameter{}, false
	}
	return parameterOn(t, on, item.Current.Status), true
}

// parameterOn is a parameter on a day. It is confirmed if the current version is: if that awaits a
// review, the earlier ones do, too.
func parameterOn(t *timeline, on calc.Date, current content.Status) calc.Parameter {
	i := t.At(on.String())
	if t.Timeline[i].Entry == nil {
		return calc.Parameter{Before: sourceIn(t, t.Before(i)), After: sourceIn(t, t.After(i))}
	}
	body := t.Timeline[i].Entry.Body()
	return calc.Parameter{
		External: sourceIn(t, i), InForce: true, Confirmed: current == content.Current,
		Roll:            body.Text("roll_if_non_working"),
		CountFrom:       cmp.Or(t.value(i).Text("count_from"), body.Text("count_from")),
		WithoutHolidays: body.Text("non_working_holidays") == "excluded",
	}
}

// sourceIn is the value of a parameter in a stretch, the zero value if there is no such stretch.
func sourceIn(t *timeline, i int) calc.External {
	if i < 0 {
		return calc.External{}
	}
	s := t.Timeline[i]
	body := s.Entry.Body()
	fields := t.value(i)
	if fields == nil {
		fields = body
	}
	value := string(fields.Get("value"))
	if _, err := strconv.ParseFloat(value, 64); err != nil {
		value = "" // a list is no number
	}
	return calc.External{
		ID: body.Text(s.Entry.Kind.ID), Version: s.Entry.Version.String(), SHA256: s.Entry.Checksum,
		Value: value, Unit: cmp.Or(fields.Text("unit"), body.Text("unit")), From: s.From, To: s.To,
	}
}
