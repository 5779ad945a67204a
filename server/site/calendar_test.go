package site

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/server/calc"
)

// yearOf is a calendar in which the first of June is off.
func yearOf(name, year, approval string, minor uint64) *content.Publication {
	return &content.Publication{
		Kind: content.Calendars, Name: name, Version: semver.New(1, minor, 0, "", ""),
		Checksum:    "sha256:" + strconv.Itoa(int(minor)),
		PublishedAt: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC),
		Text: content.Written{Object: content.Object{
			{Name: "calendar_id", Value: content.String(name)},
			{Name: "schema_version", Value: content.String("1.0")},
			{Name: "title", Value: content.String("Календарь")},
			{Name: "year", Value: json.RawMessage(year)},
			{Name: "approval", Value: content.String(approval)},
			{Name: "decree", Value: json.RawMessage(`{"number":"1","date":"2025-09-24","title":"О переносе выходных ` +
				`дней"}`)},
			{Name: "non_working_weekdays", Value: json.RawMessage(`[{"date":"2026-06-01","name":"День"}]`)},
			{Name: "working_weekend_days", Value: json.RawMessage(`[]`)},
		}},
	}
}

// Only an approved calendar of the year and country that its name says counts, in
// its current version, and not once it is archived.
func TestCalendarsThatCount(t *testing.T) {
	june := calc.NewDate(2026, 6, 1)
	for name, test := range map[string]struct {
		publications []*content.Publication
		marks        []content.Mark
		want         string // the version
	}{
		"newest": {[]*content.Publication{yearOf("ru-2026", "2026", "approved", 0),
			yearOf("ru-2026", "2026", "approved", 1)}, nil, "1.1.0"},
		"draft again": {[]*content.Publication{yearOf("ru-2026", "2026", "approved", 0),
			yearOf("ru-2026", "2026", "draft", 1)}, nil, ""},
		"other year":    {[]*content.Publication{yearOf("ru-2026", "2025", "approved", 0)}, nil, ""},
		"other country": {[]*content.Publication{yearOf("by-2026", "2026", "approved", 0)}, nil, ""},
		"archived": {[]*content.Publication{yearOf("ru-2026", "2026", "approved", 0)},
			[]content.Mark{{Item: "calendars/ru-2026", Status: content.Archived, Since: "2026-01-01"}}, ""},
		"one archived": {[]*content.Publication{yearOf("ru-2026", "2026", "approved", 0),
			yearOf("ru-2026", "2026", "approved", 1)},
			[]content.Mark{{Item: "calendars/ru-2026", Version: "1.1.0", Status: content.Archived,
				Since: "2026-01-01"}}, "1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(test.publications...)
			in.Marks = test.marks
			s := Build(nil, content.NewSnapshot(in), config)
			source, ok := s.Facts().Calendar.Source(2026)
			if ok != (test.want != "") || source.Version != test.want {
				t.Errorf("%s: %+v", name, source)
			}
			if !ok {
				return
			}
			if want := "№ 1 от 2025-09-24 «О переносе выходных дней»"; source.ID != "ru-2026" ||
				source.Decree != want || source.SHA256 == "" {
				t.Errorf("%s: %+v", name, source)
			}
			if business, why := s.Facts().Calendar.Business(june); business || why != "holiday" {
				t.Errorf("%s: %s is %v (%s)", name, june, business, why)
			}
		})
	}
}

// A swap reads no calendar that it has read before.
func TestCalendarsAreTakenOver(t *testing.T) {
	in := input(yearOf("ru-2026", "2026", "approved", 0), yearOf("ru-2027", "2027", "approved", 0))
	before := Build(nil, content.NewSnapshot(in), config)
	in.Publications = append(in.Publications, yearOf("ru-2027", "2027", "approved", 1))
	after := Build(before, content.NewSnapshot(in), config)
	if after.calendar[2026] != before.calendar[2026] {
		t.Error("an unchanged calendar was read again")
	}
	if source, _ := after.Facts().Calendar.Source(2027); source.Version != "1.1.0" {
		t.Errorf("the new version is not there: %+v", source)
	}
	if source, _ := before.Facts().Calendar.Source(2027); source.Version != "1.0.0" {
		t.Errorf("the site before changed: %+v", source)
	}
}
