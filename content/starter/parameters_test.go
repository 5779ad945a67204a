package starter_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

type parameter struct {
	ParameterID string `json:"parameter_id"`
	Title       string
	Description string
	ValueType   string `json:"value_type"`
	Value       json.RawMessage
	Unit        string
	Inclusive   *bool
	Conditions  []string
	StartEvent  string `json:"start_event"`
	Sources     []source
	VerifiedAt  string `json:"verified_at"`
	Certainty   string
	ValidFrom   string `json:"valid_from"`
}

// The parameters of the specification, with what the law says.
func TestParameters(t *testing.T) {
	for _, test := range []struct {
		id, value, unit, certainty string
		speaks                     []string // in conditions, start event and sources
	}{
		{"consumer-rights.ombudsman-amount-limit", "500000", "RUB", "high",
			[]string{"123-фз", "статья 15", "finombudsman.ru"}},
		{"consumer-rights.ombudsman-product-exceptions", "", "", "high",
			[]string{"осаго", "негосударственными пенсионными фондами", "не установлено", "finombudsman.ru"}},
		{"consumer-rights.ombudsman-limitation-period", "3", "year", "high",
			[]string{"узнал или должен был узнать", "уважительной причине", "123-фз", "finombudsman.ru"}},
		{"consumer-rights.fo-response-standard-working-days", "15", "business_day", "high",
			[]string{"регистрация", "442-фз", "статья 30.1", "статья 9.1", "статья 6.2", "статья 15.11", "395-1",
				"151-фз", "4015-1", "39-фз", "190-фз", "статья 16 закона № 123-фз"}},
		{"consumer-rights.fo-response-extension-working-days", "10", "business_day", "high",
			[]string{"запросить", "уведомляют", "442-фз", "статья 30.1", "статья 16 закона № 123-фз"}},
	} {
		t.Run(test.id, func(t *testing.T) {
			p := latest[parameter](t, content.Parameters, test.id)
			if test.value != "" {
				equal(t, test.id, string(p.Value), test.value)
			}
			equal(t, test.id, p.Unit, test.unit)
			equal(t, test.id, p.Certainty, test.certainty)
			all, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			says(t, test.id, string(all), test.speaks...)
		})
	}
	limit := latest[parameter](t, content.Parameters, "consumer-rights.ombudsman-amount-limit")
	equal(t, "the limit is inclusive", limit.Inclusive != nil && *limit.Inclusive, true)
	equal(t, "periods of response are in force since", latest[parameter](t, content.Parameters,
		"consumer-rights.fo-response-standard-working-days").ValidFrom, "2024-07-01")
	var exceptions []string
	if err := json.Unmarshal(latest[parameter](t, content.Parameters,
		"consumer-rights.ombudsman-product-exceptions").Value, &exceptions); err != nil {
		t.Fatal(err)
	}
	each(t, "exceptions", exceptions, "осаго", "негосударственными пенсионными фондами")
	published := codes(currents(t, content.Parameters), func(e *content.Entry) string { return e.Name })
	for _, id := range parameterIDs {
		if !slices.Contains(published, id) {
			t.Errorf("the parameter %s is missing", id)
		}
	}
}

// Every version tells its source and when it was checked. What is not certain is
// marked in lifecycle.yaml; what is certain is not.
func TestParametersAreVerified(t *testing.T) {
	for _, e := range everything(t, content.Parameters) {
		p := decode[parameter](t, e)
		substantial(t, e.Tag(), p.Description, 60)
		atLeast(t, e.Tag()+": conditions", len(p.Conditions), 2)
		if !slices.ContainsFunc(p.Sources, func(s source) bool { return s.Article != "" }) {
			t.Errorf("%s names no article", e.Tag())
		}
		for _, s := range p.Sources {
			official(t, s.URL)
			equal(t, e.Tag(), s.CheckedOn, p.VerifiedAt)
		}
		if published := e.PublishedAt.Format(time.DateOnly); p.VerifiedAt > published || p.ValidFrom > published {
			t.Errorf("%s: published on %s, verified on %s, valid from %s", e.Tag(), published,
				p.VerifiedAt, p.ValidFrom)
		}
	}
	for _, e := range currents(t, content.Parameters) {
		doubtful := slices.Contains(words("medium low"), e.Body().Text("certainty"))
		if doubtful != (e.Status == content.ReviewRequired) {
			t.Errorf("%s is of %s certainty and %s", e.Name, e.Body().Text("certainty"), e.Status)
		}
	}
}

type calendar struct {
	Country     string
	Year        int
	Approval    string
	Decree      struct{ Number, Date, Title string }
	Transfers   []struct{ From, To, Basis string }
	NonWorking  []struct{ Date, Name, Basis string } `json:"non_working_weekdays"`
	Working     []string                             `json:"working_weekend_days"`
	Shortened   []string                             `json:"shortened_days"`
	WorkingDays int                                  `json:"working_days"`
	Certainty   string
	Sources     []source
}

// holidays are those of the Labour Code, article 112.
var holidays = words("01-01 01-02 01-03 01-04 01-05 01-06 01-07 01-08 02-23 03-08 05-01 05-09 06-12 11-04")

func calendars(t *testing.T) map[int]calendar {
	t.Helper()
	all := map[int]calendar{}
	for _, e := range currents(t, content.Calendars) {
		c := decode[calendar](t, e)
		equal(t, "name", e.Name, "ru-"+strconv.Itoa(c.Year))
		all[c.Year] = c
	}
	return all
}

func TestCalendars(t *testing.T) {
	all := calendars(t)
	equal(t, "calendars", len(all), 4)
	for year, want := range map[int]struct {
		number, date, certainty string
		days                    int
		saturdays               string
	}{
		2024: {"1314", "2023-08-10", "high", 248, "2024-04-27 2024-11-02 2024-12-28"},
		2025: {"1335", "2024-10-04", "high", 247, "2025-11-01"},
		2026: {"1466", "2025-09-24", "high", 247, ""},
		2027: {"1187", "2026-09-17", "high", 247, "2027-02-20"},
	} {
		t.Run(fmt.Sprint(year), func(t *testing.T) {
			c := all[year]
			equal(t, c.Decree.Title, c.Country+" "+c.Approval, "RU approved")
			equal(t, c.Decree.Title, c.Decree.Number+" "+c.Decree.Date, want.number+" "+want.date)
			equal(t, c.Decree.Title, c.WorkingDays, want.days)
			equal(t, c.Decree.Title, c.Certainty, want.certainty)
			sameSet(t, c.Decree.Title, c.Working, words(want.saturdays))
			atLeast(t, "sources", len(c.Sources), 2)
		})
	}
}

// The days are counted again from what the law and the decree say: weekends and
// holidays are days off, so are the days to which a day off was moved, and a
// weekend day from which it was moved is worked on.
func TestCalendarsDayByDay(t *testing.T) {
	for year, c := range calendars(t) {
		off := map[string]bool{}
		for d := range daysOf(year) {
			off[d.Format(time.DateOnly)] = weekend(d) || slices.Contains(holidays, d.Format("01-02"))
		}
		for _, m := range c.Transfers {
			off[m.To] = true
			if from := date(t, m.From); weekend(from) && !slices.Contains(holidays, from.Format("01-02")) {
				off[m.From] = false
			}
		}
		working := 0
		var weekdaysOff, weekendsOn []string
		for d := range daysOf(year) {
			day := d.Format(time.DateOnly)
			switch {
			case !off[day] && weekend(d):
				weekendsOn = append(weekendsOn, day)
			case off[day] && !weekend(d):
				weekdaysOff = append(weekdaysOff, day)
			}
			if !off[day] {
				working++
			}
			if business(c, d) == off[day] {
				t.Errorf("%s: the calendar and the law disagree", day)
			}
		}
		equal(t, "working days", working, c.WorkingDays)
		var listed []string
		for _, d := range c.NonWorking {
			listed = append(listed, d.Date)
		}
		equal(t, "weekdays off", listed, weekdaysOff)
		sameSet(t, "weekends on", c.Working, weekendsOn)
		for _, d := range c.Shortened {
			if off[d] || !off[date(t, d).AddDate(0, 0, 1).Format(time.DateOnly)] {
				t.Errorf("%s is no working day before a day off", d)
			}
		}
	}
}

// Each weekday off tells the reason that it has.
func TestReasonsOfDaysOff(t *testing.T) {
	for _, c := range calendars(t) {
		moved := map[string]string{}
		for _, m := range c.Transfers {
			moved[m.To] = m.Basis
		}
		for _, d := range c.NonWorking {
			basis, ok := moved[d.Date]
			if !ok {
				basis = "labour_code_112"
			}
			equal(t, d.Date, d.Basis, basis)
			if ok != strings.HasPrefix(d.Name, "Выходной, перенесённый с ") {
				t.Errorf("%s is called %q", d.Date, d.Name)
			}
		}
	}
}

// Known answers, counted by hand and by independent programs.
func TestBusinessDaysFromCalendars(t *testing.T) {
	all := calendars(t)
	for _, test := range []struct {
		from string
		days int
		want string
	}{
		{"2026-05-12", 15, "2026-06-02"},
		{"2026-06-02", 10, "2026-06-17"},
		{"2024-04-22", 15, "2024-05-17"},
	} {
		t.Run(test.from, func(t *testing.T) {
			d := date(t, test.from)
			for left := test.days; left > 0; {
				d = d.AddDate(0, 0, 1)
				if business(all[d.Year()], d) {
					left--
				}
			}
			equal(t, test.from, d.Format(time.DateOnly), test.want)
		})
	}
}

func business(c calendar, d time.Time) bool {
	day := d.Format(time.DateOnly)
	for _, off := range c.NonWorking {
		if off.Date == day {
			return false
		}
	}
	return slices.Contains(c.Working, day) || !weekend(d)
}

func weekend(d time.Time) bool {
	return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
}

func daysOf(year int) func(yield func(time.Time) bool) {
	return func(yield func(time.Time) bool) {
		for d := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() == year; d = d.AddDate(0, 0, 1) {
			if !yield(d) {
				return
			}
		}
	}
}

func date(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
