package content

import (
	"encoding/json"
	"slices"
	"time"
)

// Period is a range of days in which something is in force: dates without a time, both ends
// included.
type Period struct {
	From string `json:"from"`         // the first day; empty: no beginning
	To   string `json:"to,omitempty"` // the last day; empty: no end
}

// Has reports whether a day is in the period.
func (p Period) Has(day string) bool { return p.From <= day && (p.To == "" || day <= p.To) }

// Value is the value of a parameter for a period, as its author wrote it.
type Value struct {
	Period
	Fields Object // from, to, value, unit, conditions, sources: those that are present
}

// ValuesOf returns the values of a parameter by period, oldest first, nil if it has no periods:
// then its value is in force in [Validity]. A period without an end ends on the day before the
// next one.
func ValuesOf(body Object) []Value {
	var written []Object
	if raw := body.Get("periods"); raw == nil || json.Unmarshal(raw, &written) != nil {
		return nil
	}
	all := make([]Value, len(written))
	for i, o := range written {
		all[i] = Value{Period{From: o.Text("from"), To: o.Text("to")}, o}
		if i > 0 && all[i-1].To == "" {
			all[i-1].To = DayBefore(all[i].From)
		}
	}
	return all
}

// Validity returns the days in which an item, or a record of one, is in force by its own fields
// valid_from and valid_to.
func Validity(body Object) Period {
	return Period{From: body.Text("valid_from"), To: body.Text("valid_to")}
}

// DayBefore returns the previous day, "" if the text is not a date.
func DayBefore(date string) string { return shifted(date, -1) }

// DayAfter returns the next day, "" if the text is not a date.
func DayAfter(date string) string { return shifted(date, 1) }

func shifted(date string, days int) string {
	t, err := time.Parse(Date, date)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, days).Format(Date)
}

// Parted splits the days of a period into parts such that each of the other periods contains
// all of a part or none of it.
func (p Period) Parted(others []Period) (parts []Period) {
	borders := []string{}
	for _, o := range others {
		borders = append(borders, o.From)
		if o.To != "" && o.To < lastDay {
			borders = append(borders, DayAfter(o.To))
		}
	}
	slices.Sort(borders)
	for _, from := range slices.Compact(borders) {
		if from > p.From && from <= p.end() {
			parts = append(parts, Period{p.From, DayBefore(from)})
			p.From = from
		}
	}
	return append(parts, p)
}
