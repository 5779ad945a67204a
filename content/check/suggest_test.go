package check_test

import (
	"testing"

	"rulestore/content"
	"rulestore/content/check"
)

func TestNearest(t *testing.T) {
	fields := []string{"title", "summary", "rule_id", "explanation", "recheck_after", "high", "STOP_PUNITIVE_ROUTE"}
	for word, want := range map[string]string{
		"titel":              "title",
		"Title":              "title",
		"ttile":              "title",
		"sumary":             "summary",
		"recheck_afer":       "recheck_after",
		"STOP_PUNITIV_ROUTE": "STOP_PUNITIVE_ROUTE",
		"hgih":               "high",
		"owner":              "",
		"ti":                 "",
		"":                   "",
	} {
		if got := check.Nearest(word, fields); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// What a finding guesses is what stands in its hint, and only there.
func TestMeant(t *testing.T) {
	for hint, want := range map[string]string{
		`did you mean "kasko"? add a record`: "kasko",
		`did you mean "owner"?`:              "owner",
		`add a record`:                       "",
		``:                                   "",
	} {
		t.Run(hint, func(t *testing.T) {
			if got, ok := check.Meant(content.Finding{Hint: hint}); got != want || ok != (want != "") {
				t.Errorf("%q, %v", got, ok)
			}
		})
	}
}
