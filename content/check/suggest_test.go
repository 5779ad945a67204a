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
		t.Run(word, func(t *testing.T) {
			if got := check.Nearest(word, fields); got != want {
				t.Errorf("%q: got %q, want %q", word, got, want)
			}
		})
	}
}

// What a finding guesses is one of its arguments, whatever its hint says.
func TestMeant(t *testing.T) {
	code := content.Say("unknown-code", "code", content.Args{"code": "casko", "list": "a/b", "file": "c"})
	for _, test := range []struct {
		name string
		f    content.Finding
		want string
	}{
		{"guessed", check.Find(code.Guess("kasko")), "kasko"},
		{"with quotes", check.Find(code.Guess(`a "b"? c`)), `a "b"? c`},
		{"with more advice", check.Advise(check.Find(code.Guess("kasko")), content.Say("", "served", nil)), "kasko"},
		{"nothing", check.Find(code.Guess("")), ""},
		{"taken back", check.Instead(check.Find(code.Guess("kasko")), content.Say("", "served", nil)), ""},
		{"only said", content.Finding{Hint: `did you mean "kasko"?`}, ""},
		{"none", content.Finding{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := check.Meant(test.f); got != test.want || ok != (test.want != "") {
				t.Errorf("%q, %v", got, ok)
			}
		})
	}
}
