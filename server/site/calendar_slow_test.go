//go:build slow

package site

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"
	"time"

	"rulestore/server/calc"
)

// The calendars of the starter content say of every day what the reference table
// says.
func TestCalendarDayByDay(t *testing.T) {
	var reference struct {
		Years map[string]struct {
			NonWorking  map[string]json.RawMessage `json:"non_working_weekdays"`
			Working     map[string]json.RawMessage `json:"working_weekend_days"`
			WorkingDays int                        `json:"working_days"`
		}
	}
	if err := json.Unmarshal(given(os.ReadFile("../calc/testdata/ru-calendar.json")), &reference); err != nil {
		t.Fatal(err)
	}
	history := starterHistory()
	c := FactsOf(history[len(history)-1]).Calendar
	for name, y := range reference.Years {
		year := given(strconv.Atoi(name))
		if _, ok := c.Source(year); !ok {
			t.Errorf("%d: no calendar", year)
			continue
		}
		total := 0
		for d := calc.NewDate(year, 1, 1); d < calc.NewDate(year+1, 1, 1); d++ {
			_, off := y.NonWorking[d.String()]
			_, on := y.Working[d.String()]
			weekend := d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
			business, why := c.Business(d)
			if want := on || !off && !weekend; business != want || why == "" {
				t.Errorf("%s: %v (%s), expected %v", d, business, why, want)
			}
			if business {
				total++
			}
		}
		if y.WorkingDays != 0 && total != y.WorkingDays {
			t.Errorf("%d has %d working days, expected %d", year, total, y.WorkingDays)
		}
	}
	for _, year := range []int{2023, 2028} {
		if _, ok := c.Source(year); ok {
			t.Errorf("a calendar of %d out of nothing", year)
		}
	}
}

func TestCalendarReasons(t *testing.T) {
	history := starterHistory()
	c := FactsOf(history[len(history)-1]).Calendar
	for day, want := range map[string]string{
		"2024-04-27": "working_weekend", "2024-04-29": "transferred_day_off", "2024-05-01": "holiday",
		"2027-05-03": "transferred_day_off", "2024-01-06": "weekend", "2026-11-20": "weekday",
	} {
		t.Run(day, func(t *testing.T) {
			d, _ := calc.ParseDate(day)
			if _, why := c.Business(d); why != want {
				t.Errorf("%s: %s, expected %s", day, why, want)
			}
		})
	}
}
