package check_test

import (
	"testing"

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
		t.Run(word, func(t *testing.T) {
			if got := check.Nearest(word, fields); got != want {
				t.Errorf("%q: got %q, want %q", word, got, want)
			}
		})
	}
}
