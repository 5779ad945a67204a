package check_test

import (
	"slices"
	"strings"
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
		{"a later rule, to the east", scenario + "a: 1\n", time.Date(2027, 1, 31, 1, 0, 0, 0,
			time.FixedZone("", 3*60*60)), true},
		{"a rule of that day", scenario + "a: 1\n", day(31), false},
		{"a rule of that day, to the west", scenario + "a: 1\n",
			time.Date(2027, 1, 30, 22, 0, 0, 0, time.FixedZone("", -3*60*60)), false},
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
	for _, id := range []string{"size", "depth", "length", "number", "duplicate-key", "anchor", "encoding",
		"more", "id", "format"} {
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

// withoutDay are the errors that have no day: as old as the formats, or not about the content of
// an item.
const withoutDay = `
	anchor calendar case character checksum conflict crash damaged depth derived-field documents
	duplicate-key duplicate encoding folder format held-back id key length lfs log missing-field
	missing-file more no-tags not-merged number reference scalar schema seal-behind seal-changed seal-disagrees
	seal-lost seal-missing seal-place seal-twice seal-unfit seal size submodule symlink syntax tab tag
	taken two-places unknown-code unknown-field unknown-section unknown-value unsigned
	wrong-form wrong-type yaml-tag
`

// A rule that is added later refuses nothing that was served before it.
func TestNewRulesHaveTheirDay(t *testing.T) {
	old := strings.Fields(withoutDay)
	for _, r := range check.Rules() {
		if r.Severity == content.Error && r.Since == "" && !slices.Contains(old, r.ID) {
			t.Errorf("what was published and breaks %s would no longer be served: write its first day in "+
				"rules/%s.txtar, "+
				"\"error, since %s: …\"", r.ID, r.ID, time.Now().UTC().Format(content.Date))
		}
	}
}
