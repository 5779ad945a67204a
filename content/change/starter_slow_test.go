//go:build slow

package change_test

import (
	"testing"

	"rulestore/content/change"
	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// Every step of the history of the starter content is a change, and is counted as it is compared.
func TestStarterHistory(t *testing.T) {
	script, err := git.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, it := range load(t, script).Items {
		for _, e := range it.Entries {
			if e.Predecessor == nil {
				continue
			}
			steps++
			was, is := e.Predecessor.Body(), e.Body()
			fields, class := change.Of(schemas.Embedded(), it.Kind, it.Name, was, is)
			n, counted := change.Count(schemas.Embedded(), it.Kind, it.Name, was, is)
			if n != len(fields) || counted != class || class == change.None {
				t.Errorf("%s: %d fields are counted as %s, and %d are %s", e.Tag(), n, counted, len(fields), class)
			}
		}
	}
	if steps < 40 {
		t.Errorf("only %d steps", steps)
	}
}
