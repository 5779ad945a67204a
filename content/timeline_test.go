package content_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rulestore/content"
)

var dayZero = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func dayOf(n int) string { return dayZero.AddDate(0, 0, n).Format(content.Date) }

// random periods come in order, with gaps, and may be open at both ends.
func randomPeriods(r *rand.Rand) (all []content.Period) {
	for n := r.IntN(4); n < 60 && len(all) < 6; {
		to := n + r.IntN(12)
		all = append(all, content.Period{From: dayOf(n), To: dayOf(to)})
		n = to + 1 + r.IntN(3)
	}
	if len(all) > 0 && r.IntN(3) == 0 {
		all[0].From = ""
	}
	switch last := len(all) - 1; {
	case last >= 0 && r.IntN(3) == 0:
		all[last].To = ""
	case last >= 0 && r.IntN(5) == 0:
		all[last].To = "9999-12-31"
	}
	return all
}

// A timeline says of each day what a look at all periods, one by one, says; its
// stretches follow each other without a gap.
func TestTimelines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		versions := make([]*content.Entry, r.IntN(4))
		periods, series := map[*content.Entry][]content.Period{}, map[*content.Entry]bool{}
		for i := range versions {
			versions[i] = &content.Entry{}
			periods[versions[i]], series[versions[i]] = randomPeriods(r), r.IntN(3) == 0
		}
		line := content.NewTimeline(versions, func(e *content.Entry) ([]content.Period,
			bool) {
			return periods[e], series[e]
		})
		slow := func(day string) (*content.Entry, int) {
			for _, e := range versions {
				for i, p := range periods[e] {
					if p.Has(day) {
						return e, i
					}
				}
				if own := periods[e]; series[e] || len(own) > 0 && day >= own[0].From {
					break // no older version speaks for it
				}
			}
			return nil, 0
		}
		for n := -3; n < 80; n++ {
			day := dayOf(n)
			got := line[line.At(day)]
			if e, part := slow(day); got.Entry != e || e != nil && got.Part != part || !got.Has(day) {
				t.Fatalf("%s: %+v, want %p %d in %v", day, got, e, part, periods)
			}
		}
		for i := 1; i < len(line); i++ {
			if content.DayAfter(line[i-1].To) != line[i].From {
				t.Fatalf("%v does not follow %v", line[i].Period, line[i-1].Period)
			}
		}
		if line[0].From != "" || line[len(line)-1].To != "" && line[len(line)-1].To < "9999" {
			t.Fatalf("not all days: %v", line)
		}
	}
}

// A period is parted so that no other begins or ends inside of a part.
func TestParted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		whole := content.Period{From: dayOf(r.IntN(10)), To: dayOf(40 + r.IntN(10))}
		others := append(randomPeriods(r), randomPeriods(r)...)
		parts := whole.Parted(others)
		if parts[0].From != whole.From || parts[len(parts)-1].To != whole.To {
			t.Fatalf("%v of %v", parts, whole)
		}
		for i, p := range parts {
			if i > 0 && content.DayAfter(parts[i-1].To) != p.From {
				t.Fatalf("%v", parts)
			}
			for _, o := range others {
				if o.Has(p.From) != o.Has(p.To) {
					t.Fatalf("%v has a part of %v", o, p)
				}
			}
		}
	}
}

// Whoever asks about a day is told by the current version and those below it that no mark
// took away; a version that came later than the day of the question is none of them.
func TestKnown(t *testing.T) {
	s := content.NewSnapshot(content.Input{
		Source: content.Source{Date: "2026-11-20"},
		Publications: publications(t, "guidelines/a/v1.0.0 2026-01-10", "guidelines/a/v1.1.0 2026-03-10",
			"guidelines/a/v1.0.1 2026-05-10",
			"guidelines/a/v2.0.0 2026-07-10", "guidelines/a/v3.0.0-rc.1 2026-08-10"),
		Marks: []content.Mark{mark(t, "guidelines/a 1.1.0 archived 2026-09-01")},
	})
	it := s.Item(content.Guidelines, "a")
	for day, want := range map[string]string{
		"": "[2.0.0 1.0.1 1.0.0]", "2026-08-31": "[2.0.0 1.1.0 1.0.1 1.0.0]", "2026-04-01": "[1.1.0 1.0.0]",
		"2026-06-01": "[1.1.0 1.0.1 1.0.0]",
		"2026-09-01": "[2.0.0 1.0.1 1.0.0]", "2026-01-09": "[]",
	} {
		t.Run(day, func(t *testing.T) {
			known := s.Known(it)
			if day != "" {
				known = s.On(day).Known(it)
			}
			versions := []string{}
			for _, e := range known {
				versions = append(versions, e.Version.String())
			}
			if got := fmt.Sprint(versions); got != want {
				t.Errorf("%s: %s, want %s", day, got, want)
			}
		})
	}
}
