package content_test

import (
	"testing"

	"rulestore/content"
)

// What was current at the end of a day, by the publications and marks of today.
func TestAsOf(t *testing.T) {
	s := content.NewSnapshot(content.Input{
		Source: content.Source{Date: "2026-11-20", Drafts: true},
		Publications: publications(t,
			"guidelines/a/v1.0.0 2026-01-10", "guidelines/a/v1.1.0 2026-03-10", "guidelines/a/v1.0.1 2026-05-10",
			"guidelines/a/v2.0.0 2026-07-10", "guidelines/a/v3.0.0-rc.1 2026-08-10",
			"guidelines/gone/v1.0.0 2026-01-10"),
		Marks: []content.Mark{
			mark(t, "guidelines/a 2.0.0 archived 2026-09-01"),
			mark(t, "guidelines/gone - redacted 2026-06-01"),
		},
	})
	for _, test := range []struct{ item, day, want string }{
		{"a", "2026-01-09", ""},
		{"a", "2026-01-10", "1.0.0"},
		{"a", "2026-03-09", "1.0.0"},
		{"a", "2026-03-10", "1.1.0"},
		{"a", "2026-05-10", "1.1.0"}, // a backport is not current
		{"a", "2026-07-10", "2.0.0"},
		{"a", "2026-08-31", "2.0.0"}, // a prerelease never was
		{"a", "2026-09-01", "1.1.0"}, // marked away since
		{"a", "2030-01-01", "1.1.0"},
		{"gone", "2026-05-31", "1.0.0"}, // what may be shown of it now is another question
		{"gone", "2026-06-01", ""},
	} {
		t.Run(test.day, func(t *testing.T) {
			got := ""
			if e := s.On(test.day).Current(s.Item(content.Guidelines, test.item)); e != nil {
				got = e.Version.String()
			}
			if got != test.want {
				t.Errorf("%s on %s: %q, expected %q", test.item, test.day, got, test.want)
			}
		})
	}
}
