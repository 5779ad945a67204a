package site

import (
	"fmt"
	"testing"

	"rulestore/server/calc"
)

// Calculations get of a parameter what is in force on a day by what is known now, or else the days around
// it that have a value, whether it is served or only read.
func TestFactsOfParameters(t *testing.T) {
	series := history(readStore("coming.txtar"), 1)[0]
	for ask, want := range map[string]string{
		"bank.limit 2025-12-31":   "true false false    .. after  before 2026-01-01",
		"bank.limit 2026-04-13":   "true true true 1.0.0 400000 RUB 2026-01-01..2026-04-13 after  before ",
		"bank.limit 2026-04-14":   "true true true 1.1.0 500000 RUB 2026-04-14.. after  before ",
		"bank.days 2026-02-01":    "true true false 1.0.0 15 business_day 2026-01-01.. after  before ", // it awaits a review
		"credit.kinds 2026-02-01": "true true false 1.0.0   2026-01-01.. after  before ",
		"bank.none 2026-02-01":    "false false false    .. after  before ",
		"rate.series 2026-01-01":  "true false false    .. after  before 2026-02-02",
		"rate.series 2026-03-15":  "true true true 1.0.0 16 percent 2026-03-10..2026-04-30 after  before ",
		"rate.series 2026-05-10":  "true false false    .. after 2026-04-30 before 2026-06-01",
	} {
		var id, day string
		_, _ = fmt.Sscan(ask, &id, &day)
		on, _ := calc.ParseDate(day)
		snapshot := lastKinds()
		if id == "rate.series" {
			snapshot = series
		}
		for _, facts := range []calc.Facts{FactsOf(snapshot), Build(nil, snapshot, config).Facts()} {
			p, known := facts.Parameters.Parameter(id, on)
			if got := fmt.Sprint(known, p.InForce, p.Confirmed, " ", p.Version, " ", p.Value, " ", p.Unit, " ", p.From, "..", p.To,
				" after ", p.Before.To, " before ", p.After.From); got != want {
				t.Errorf("%s: %s, want %s", ask, got, want)
			}
		}
	}
}
