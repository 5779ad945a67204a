package calc

import (
	"encoding/json"
	"os"
	"strconv"
	"time"
)

// testFacts are testdata/ru-calendar.json and the parameters of testdata.
var testFacts = Facts{Calendar: readCalendar(), Parameters: testParameters}

type fileCalendar struct {
	Years map[string]struct {
		Decree struct {
			Number, Date, Title string
		}
		NonWorking map[string]struct{ Name, Basis string } `json:"non_working_weekdays"`
		Working    map[string]json.RawMessage              `json:"working_weekend_days"`
	}
}

func readCalendar() *fileCalendar {
	data, err := os.ReadFile("testdata/ru-calendar.json")
	if err != nil {
		panic(err)
	}
	c := &fileCalendar{}
	if err := json.Unmarshal(data, c); err != nil {
		panic(err)
	}
	return c
}

func (c *fileCalendar) Source(year int) (External, bool) {
	y, ok := c.Years[strconv.Itoa(year)]
	return External{
		ID: "ru-" + strconv.Itoa(year), Version: "1.0.0", SHA256: "sha256:test",
		Decree: y.Decree.Number + " от " + y.Decree.Date,
	}, ok
}

func (c *fileCalendar) Business(d Date) (bool, string) {
	y := c.Years[strconv.Itoa(d.Year())]
	weekend := d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
	holiday, off := y.NonWorking[d.String()]
	_, working := y.Working[d.String()]
	switch {
	case working:
		return true, "working_weekend"
	case off && holiday.Basis == "labour_code_112":
		return false, "holiday"
	case off:
		return false, "transferred_day_off"
	case weekend:
		return false, "weekend"
	}
	return true, "weekday"
}
