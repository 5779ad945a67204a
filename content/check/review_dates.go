package check

import (
	"encoding/json"
	"fmt"
	"time"

	"rulestore/content"
)

// dates finds dates out of order, and dates that have passed or not come.
func (r *reviewer) dates(o *opened) {
	from, recheck := o.Body.Text("valid_from"), o.Body.Text("recheck_after")
	if recheck != "" && recheck < from {
		r.add(o, []string{"recheck_after"}, "date-order", content.Warning, fmt.Sprintf("it is to be checked again after %s, before it applies from %s", recheck, from), "correct one of the dates")
	}
	if recheck != "" && recheck < r.Today {
		r.add(o, []string{"recheck_after"}, "overdue", content.Warning, "it was to be checked again after "+recheck, "check it against its sources, and write the dates of the check and of the next one")
	}
	if from > r.Today {
		r.add(o, []string{"valid_from"}, "early", content.Note, "it applies from "+from+", which has not come", "publish it on that day, or ahead of time with publish --at: what is published is served at once")
	}
	o.each(func(at []string, value any, f *content.Field) {
		day, ok := value.(string)
		switch {
		case !ok || f.Name != "checked_on" && f.Name != "verified_at":
		case day > r.Today:
			r.add(o, at, "date-order", content.Warning, "nobody can have checked it on "+day+", which has not come", "write the day of the check")
		case f.Name == "verified_at" && recheck != "" && day > recheck:
			r.add(o, at, "date-order", content.Warning, fmt.Sprintf("it was checked on %s, after it was to be checked again, on %s", day, recheck), "move recheck_after on")
		}
	})
}

// calendar holds the days of a calendar against each other: every deadline
// depends on them.
func (r *reviewer) calendar(o *opened) {
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
			r.add(o, at, "calendar", content.Error, fmt.Sprintf("%s is not in %d", date, c.Year), "a calendar holds one year")
		case isWeekend(day) != weekend:
			r.add(o, at, "calendar", content.Error, fmt.Sprintf("%s is a %s", date, day.Weekday()), "list Saturdays and Sundays that are worked in working_weekend_days, other days that are not worked in non_working_weekdays")
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
		r.add(o, []string{"working_days"}, "calendar", content.Error, fmt.Sprintf("it says that the year has %d working days, its lists come to %d", c.Working, days), "compare the lists with the decree")
	}
}

// weekdays counts the days of a year from Monday to Friday.
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
