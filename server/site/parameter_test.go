package site

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/server/calc"
)

// historyDays is the last day of the random histories, which begin with day 0.
const historyDays = 40

func dayOfHistory(n int) string {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n).Format(content.Date)
}

// spoken is a version of a parameter as its author means it: the day on which it was published, the
// one on which a mark took it away, its values by day, and the first day for which it speaks.
type spoken struct {
	*semver.Version
	published, away, first int
	values                 map[int]string
}

// randomVersion makes one, with its publication: a value with or without days, or periods with gaps.
func randomVersion(r *rand.Rand, i int) (spoken, *content.Publication) {
	version := semver.New(1, uint64(r.IntN(3)), uint64(i), "", "")
	v := spoken{version, r.IntN(historyDays), historyDays + 1, -1, map[int]string{}}
	series, names := r.IntN(4) == 0, []string{"valid_from", "valid_to"}
	if series {
		names = []string{"from", "to"}
	}
	var written []string
	for from := r.IntN(historyDays); len(written) == 0 || series && from < historyDays; {
		fields, to := []string{fmt.Sprintf(`"value":%d`, 100*i+len(written))}, from+r.IntN(12)
		if series || r.IntN(4) > 0 {
			fields = append(fields, fmt.Sprintf("%q:%q", names[0], dayOfHistory(from)))
			if v.first = from; series {
				v.first = -1
			}
		} else {
			from = -1
		}
		if open := r.IntN(3) == 0; open {
			to = historyDays
		} else {
			fields = append(fields, fmt.Sprintf("%q:%q", names[1], dayOfHistory(to)))
		}
		for n := from; n <= to; n++ {
			v.values[n] = fmt.Sprint(100*i + len(written))
		}
		written = append(written, "{"+strings.Join(fields, ",")+"}")
		from = to + 1 + r.IntN(4)
	}
	text := strings.Trim(written[0], "{}")
	if series {
		text = `"periods":[` + strings.Join(written, ",") + "]"
	}
	return v, &content.Publication{
		Kind: content.Parameters, Name: "a.value", Version: v.Version, Sealed: true,
		PublishedAt: time.Date(2026, 1, 1+v.published, 9, 0, 0, 0, time.UTC),
		Checksum:    fmt.Sprintf("sha256:%064d", i),
		Text:        content.Written{Object: readObject(json.RawMessage(`{"parameter_id":"a.value",` + text + "}"))},
	}
}

// Of random histories of a parameter, calculations get for each day
// what a walk from the newest version down finds: no version speaks for a day after the first one of
// a newer version that was not taken away, nor beside periods, and a day without a value tells the
// days around it that have one.
func TestRandomHistories(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		in := content.Input{Source: content.Source{Date: dayOfHistory(historyDays)}}
		var all []spoken
		for i := range 1 + r.IntN(6) {
			v, p := randomVersion(r, i)
			if r.IntN(4) == 0 {
				v.away = r.IntN(historyDays)
				in.Marks = append(in.Marks, content.Mark{Item: p.Item(), Version: p.Version.String(),
					Status: content.Archived, Since: dayOfHistory(v.away)})
			}
			all, in.Publications = append(all, v), append(in.Publications, p)
		}
		slices.SortFunc(all, func(a, b spoken) int { return b.Compare(a.Version) })
		slow := func(day int) string {
			for _, v := range all {
				if v.away <= historyDays {
					continue
				}
				if value, ok := v.values[day]; ok {
					return v.String() + " " + value
				}
				if day >= v.first {
					break
				}
			}
			return ""
		}
		facts := FactsOf(content.NewSnapshot(in)).Parameters
		for day := range historyDays {
			on, _ := calc.ParseDate(dayOfHistory(day))
			p, known := facts.Parameter("a.value", on)
			got := ""
			if p.InForce {
				got = p.Version + " " + p.Value
			}
			if got != slow(day) {
				t.Fatalf("on %d: %q, want %q of %+v", day, got, slow(day), all)
			}
			if near := p.Before.To; known && !p.InForce && p.Before.ID != "" &&
				(near >= dayOfHistory(day) || slow(day-1) != "" && near != dayOfHistory(day-1)) {
				t.Fatalf("on %d, before it: %+v", day, p.Before)
			}
		}
	}
}
