package loader_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/check"
)

var sealLine = regexp.MustCompile(`\{[a-z]+\}`)

// untold says why a finding of a known rule cannot be told in both languages, "" if it
// can.
func untold(f content.Finding) string {
	if _, known := check.RuleOf(f.Rule); !known {
		return ""
	}
	message, hint := check.Text(f, language.Russian)
	switch {
	case f.Encoded == "":
		return "nothing says how to word it"
	case sealLine.MatchString(f.Message + f.Hint + message + hint):
		return "an argument is missing: " + message + " " + hint
	case !isRussian(message) || !isRussian(hint):
		return "it is not in Russian: " + message + " " + hint
	}
	return ""
}

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// What is wrong with a tag and with a line of seals is said in the same words by the error
// and by the finding.
func TestErrorsSayWhatFindingsSay(t *testing.T) {
	for _, name := range []string{"guidelines/v1.0.0", "guidelines/a", "guidelines/A/v1.0.0", "guidelines/a/1.0.0",
		"guidelines/a/v1", "guidelines/a/v1.0.0+b", "v1.2", "guidelines/a/v1.0.0-" + strings.Repeat("a", 70)} {
		t.Run(name, func(t *testing.T) {
			_, err := content.ParseTag(name)
			e, ok := errors.AsType[*content.TagError](err)
			if !ok {
				t.Fatal(err)
			}
			told(t, e.Text, e.Problem)
		})
	}
	for _, line := range []string{"", "a b c d", "v1.0.0 x y", "guidelines/a x y", "guidelines/A/v1.0.0 x y",
		"somebody x y", "guidelines/a/v1.0.0 x y", "guidelines/a/v1.0.0 sha256:" + strings.Repeat("0", 64) + " y"} {
		t.Run(line, func(t *testing.T) {
			_, err := content.ParseSeal(line)
			e, ok := errors.AsType[*content.SealError](err)
			if !ok {
				t.Fatal(err)
			}
			told(t, e.Text, e.Error())
		})
	}
}

func told(t *testing.T, s content.RuleText, want string) {
	t.Helper()
	f := check.Find(s)
	if f.Message != want {
		t.Errorf("%q, expected %q", f.Message, want)
	}
	if problem := untold(f); problem != "" && !strings.Contains(want, "not a tag of rulestore") {
		t.Error(problem)
	}
}
