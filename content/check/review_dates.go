package check

import (
	"encoding/json"
	"fmt"
	"time"

	"rulestore/content"
)

// dates finds dates out of order, and those that have passed or cannot have come.
func (r *reviewer) dates(o *File) {
	from, recheck := o.Body.Text("valid_from"), o.Body.Text("recheck_after")
	if recheck != "" && recheck < from {
		r.add(o, []string{"recheck_after"}, content.Warning, say(
			"date-order", "before", args{"recheck": recheck, "from": from},
		))
	}
	if recheck != "" && recheck < r.Today {
		r.add(o, []string{"recheck_after"}, content.Warning, say("overdue", "item", args{"after": recheck}))
	}
	o.each(func(at []string, value any, f *content.Field) {
		day, ok := value.(string)
		switch {
		case !ok || f.Name != "checked_on" && f.Name != "verified_at":
		case day > r.Today:
			r.add(o, at, content.Warning, say("date-order", "future", args{"day": day}))
		case f.Name == "verified_at" && recheck != "" && day > recheck:
			r.add(o, at, content.Warning, say("date-order", "after", args{"day": day, "recheck": recheck}))
		}
	})
}

// calendar checks the consistency of a calendar's days, as every deadline depends on them.
func (r *reviewer) calendar(o *File) {
	var c struct {
		Year    int
		Off     []struct{ Date string } `json:"non_working_weekdays"`
		On      []string                `json:"working_weekend_days"`
		Working int                     `json:"working_days"`
	}
	if o.Kind != content.Calendars || json.Unmarshal(o.Body.AppendJSON(nil), &c) != nil {
		return
	}
	days := weekdays(c.Year)
	judge := func(at []string, date string, weekend bool, change int) {
		day, err := time.Parse(content.Date, date)
		switch {
		case err != nil:
		case day.Year() != c.Year:
			r.add(o, at, content.Error, say("calendar", "year", args{"date": date, "year": c.Year}))
		case isWeekend(day) != weekend:
			r.add(o, at, content.Error, say(
				"calendar", "weekday", args{"date": date, "day": content.Word(day.Weekday().String())},
			))
		default:
			days += change
		}
	}
	for i, off := range c.Off {
		judge([]string{"non_working_weekdays", fmt.Sprint(i), "date"}, off.Date, false, -1)
	}
	for i, on := range c.On {
		judge([]string{"working_weekend_days", fmt.Sprint(i)}, on, true, 1)
	}
	if days != c.Working {
		r.add(
			o, []string{"working_days"}, content.Error,
			say("calendar", "count", args{"stated": c.Working, "listed": days}),
		)
	}
}

// weekdays counts the days from Monday to Friday in a year.
func weekdays(year int) int {
	n := 0
	for d := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() == year; d = d.AddDate(0, 0, 1) {
		if !isWeekend(d) {
			n++
		}
	}
	return n
}

func isWeekend(d time.Time) bool { return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday }
