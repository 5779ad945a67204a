package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

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

// calendar has the calendars of business days of a snapshot: the current versions of
// calendars/ru-<year> that are approved and not archived. Missing years are not guessed.
type calendar map[int]*calendarYear

// calendarYear is a parsed version of a calendar.
type calendarYear struct {
	year        int
	publication *content.Publication
	source      calc.External
	exceptions  map[calc.Date]exception // to a five-day week
}

// exception is a day that differs from its weekday.
type exception struct {
	business bool
	why      string
}

// Source implements [calc.Calendar].
func (c calendar) Source(year int) (calc.External, bool) {
	y, ok := c[year]
	if !ok {
		return calc.External{}, false
	}
	return y.source, true
}

// Business implements [calc.Calendar].
func (c calendar) Business(d calc.Date) (business bool, why string) {
	if e, ok := c[d.Year()].exceptions[d]; ok {
		return e.business, e.why
	}
	if w := d.Weekday(); w == time.Saturday || w == time.Sunday {
		return false, "weekend"
	}
	return true, "weekday"
}

// makeCalendar parses the usable calendars. Unchanged ones are taken over from prev.
func makeCalendar(prev calendar, snapshot *content.Snapshot) calendar {
	c := calendar{}
	for _, item := range snapshot.Items {
		e := item.Current
		if item.Kind != content.Calendars || e == nil || e.Status == content.Archived {
			continue
		}
		y := prev.of(e.Publication)
		if y == nil {
			y = readCalendar(e.Publication)
		}
		if y != nil {
			c[y.year] = y
		}
	}
	return c
}

// of returns the parsed calendar of a publication, nil if there is none.
func (c calendar) of(p *content.Publication) *calendarYear {
	for _, y := range c {
		if y.publication == p {
			return y
		}
	}
	return nil
}

// readCalendar parses a version of a calendar, nil if it is not approved, or not of the year
// in its name.
func readCalendar(p *content.Publication) *calendarYear {
	var in struct {
		Year       int    `json:"year"`
		Approval   string `json:"approval"`
		Decree     struct{ Number, Date, Title string }
		Transfers  []struct{ To string }
		NonWorking []struct{ Date, Basis string } `json:"non_working_weekdays"`
		Working    []string                       `json:"working_weekend_days"`
	}
	err := json.Unmarshal(p.Body().AppendJSON(nil), &in)
	if err != nil || in.Approval != "approved" || p.Name != fmt.Sprintf("ru-%d", in.Year) {
		return nil
	}
	y := &calendarYear{year: in.Year, publication: p, exceptions: map[calc.Date]exception{}, source: calc.External{
		ID: p.ID(), Version: p.Version.String(), SHA256: p.Checksum,
		Decree: fmt.Sprintf("№ %s от %s «%s»", in.Decree.Number, in.Decree.Date, in.Decree.Title),
	}}
	moved := map[string]bool{}
	for _, t := range in.Transfers {
		moved[t.To] = true
	}
	for _, day := range in.NonWorking {
		why := "holiday"
		if day.Basis == "decree" || moved[day.Date] {
			why = "transferred_day_off"
		}
		y.add(day.Date, exception{false, why})
	}
	for _, day := range in.Working {
		y.add(day, exception{true, "working_weekend"})
	}
	return y
}

// add adds an exception; the schema ensures that the day is valid.
func (y *calendarYear) add(day string, e exception) {
	if d, ok := calc.ParseDate(day); ok {
		y.exceptions[d] = e
	}
}
