package mirror

import (
	"errors"
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
		if got := ownDamage(errors.Join(&git.Error{Says: text})); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if ownDamage(errors.New("bad config")) {
		t.Error("an error of another kind counts")
	}
}

// Each reply can be looked for.
func TestReplies(t *testing.T) {
	for _, r := range replies() {
		if r.matches("no such thing") || r.Means == "" || len(r.Says) == 0 {
			t.Errorf("%+v", r)
		}
	}
}
