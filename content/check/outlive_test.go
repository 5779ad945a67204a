package check_test

import (
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// date gives a rule a day on which it came into force, for one test.
func date(t *testing.T, rule, day string) {
	t.Helper()
	for i := range check.Rules() {
		if r := &check.Rules()[i]; r.ID == rule {
			before := r.Since
			r.Since = day
			t.Cleanup(func() { r.Since = before })
		}
	}
}

func TestOutlives(t *testing.T) {
	date(t, "unknown-field", "2027-01-31")
	day := func(day int) time.Time { return time.Date(2027, 1, day, 23, 0, 0, 0, time.FixedZone("", 0)) }
	for _, test := range []struct {
		name, text string
		sealed     time.Time
		want       bool
	}{
		{"nothing is wrong", scenario, day(31), true},
		{"a later rule", scenario + "a: 1\n", day(30), true},
		{"a later rule, to the east", scenario + "a: 1\n", time.Date(2027, 1, 31, 1, 0, 0, 0, time.FixedZone("", 3*60*60)), true},
		{"a rule of that day", scenario + "a: 1\n", day(31), false},
		{"a rule of that day, to the west", scenario + "a: 1\n", time.Date(2027, 1, 30, 22, 0, 0, 0, time.FixedZone("", -3*60*60)), false},
		{"nobody knows when", scenario + "a: 1\n", time.Time{}, false},
		{"an earlier rule too", scenario + "a: 1\nproduct_types: a\n", day(1), false},
		{"nothing held it against its format", scenario + "a: 1\nb: [\n", day(1), false},
		{"the first gate", scenario + "a: yes\n", day(1), false},
		{"no format", "scenario_id: x\na: 1\n", day(1), false},
		{"no format that is known", "scenario_id: x\nschema_version: \"2.0\"\na: 1\n", day(1), false},
		{"what is the service's", scenario + "total: 1\n", day(31), true},
		{"what is the service's, and more", scenario + "total: 1\na: 1\n", day(31), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(test.text))
			if got := r.Outlives(test.sealed); got != test.want {
				t.Errorf("%t: %v", got, r.Findings)
			}
		})
	}
}

// Limits hold for what was sealed whenever: they have no day from which on they do.
func TestLimitsAlwaysHold(t *testing.T) {
	for _, id := range []string{"size", "depth", "length", "number", "duplicate-key", "anchor", "encoding", "more", "id", "format"} {
		if r, ok := check.RuleOf(id); !ok || r.Since != "" {
			t.Errorf("%s: %+v", id, r)
		}
	}
	for _, r := range check.Rules() {
		if _, err := time.Parse(content.Date, r.Since); r.Since != "" && err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
	}
}
