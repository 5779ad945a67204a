package content

import (
	"encoding/json"
	"slices"
	"time"
)

// Period is a stretch of days in which something is in force. Its days are those of
// people: dates without a time, both ends among them.
type Period struct {
	From string `json:"from"`         // the first day; empty: since ever
	To   string `json:"to,omitempty"` // the last day; empty: until it is changed
}

// Has says whether a day is one of the period's.
func (p Period) Has(day string) bool { return p.From <= day && (p.To == "" || day <= p.To) }

// Value is what a parameter says for a period, as its author wrote it.
type Value struct {
	Period
	Fields Object // from, to, value, unit, conditions, sources: those that are written
}

// ValuesOf returns the values of a parameter by period, oldest first, nil if it states
// none: then its value is in force in [Validity]. A period without an end goes on until
// the day before the next one.
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

// Validity returns the days in which an item, or a record of one, may be applied by what
// it says of itself: valid_from and valid_to.
func Validity(body Object) Period {
	return Period{From: body.Text("valid_from"), To: body.Text("valid_to")}
}

// DayBefore returns the date of the day before, "" if the text is no date.
func DayBefore(date string) string { return shifted(date, -1) }

// DayAfter returns the date of the next day, "" if the text is no date.
func DayAfter(date string) string { return shifted(date, 1) }

func shifted(date string, days int) string {
	t, err := time.Parse(Date, date)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, days).Format(Date)
}

// Parted returns the days of a period in parts, so that each of the others has all of a
// part or none of it.
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
