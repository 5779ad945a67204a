package mirror

import (
	"errors"
	"regexp"
	"testing"

	"rulestore/loader/git"
)

// What a host writes for people does not count as what git says of the mirror's own files: it would have
// everything fetched anew.
func TestSaysGitItself(t *testing.T) {
	for text, want := range map[string]bool{
		"fatal: bad config line 1 in file config":                  true,
		"remote: bad config line 1 in file config\nfatal: hung up": false,
		"remote: x\nerror: object file ab/cd is empty":             true,
		"fatal: early EOF": false,
	} {
		if got := says(errors.Join(&git.Error{Says: text}), ownDamage); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if says(errors.New("bad config"), ownDamage) {
		t.Error("an error of another kind counts")
	}
}

// Each reply can be looked for.
func TestReplies(t *testing.T) {
	for _, r := range replies {
		if _, err := regexp.Compile(r.says); err != nil || r.means == "" {
			t.Errorf("%q: %v", r.says, err)
		}
	}
}
