//go:build slow

package loader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader/git"
)

// What a load leaves for later is not shown either.
func TestSealOpensNoDoorLater(t *testing.T) {
	text := func(version int) string {
		if version == 7 {
			return guideline(ruleName(3), "= Правило 3, версия 7") + "surprise: SYSTEM\n"
		}
		return guideline(ruleName(3), fmt.Sprintf("= Правило 3, версия %d", version))
	}
	script, seals := git.Script{}, ""
	for r := range rules {
		for v := range versions {
			if r == 0 {
				script = append(script, git.ScriptCommit{Date: time.Date(2026, 1, 1+v, 10, 0, 0, 0, time.UTC),
					Message: "Publish", Files: map[string][]byte{}})
			}
			file := guideline(ruleName(r), fmt.Sprintf("= Правило %d, версия %d", r, v))
			if r == 3 {
				file = text(v)
			}
			script[v].Files[content.Guidelines.File(ruleName(r))] = []byte(file)
			script[v].Tags = append(script[v].Tags, git.NewTag{Name: ruleTag(r, v), Message: "Publish"})
			tagged := script[v].Date.Format(time.RFC3339) // as its seal says, so it can be left for later
			seals += strings.Replace(sealOf(t, ruleTag(r, v), file), sealedOn, tagged, 1)
		}
	}
	script[0].Files[content.SettingsFile] = []byte(settings)
	script = append(script, git.ScriptCommit{Date: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Message: "Seal",
		Files: sealFiles(seals)})
	source, err := git.InMemory(script)
	must(t, err)
	l := manyLoader(source)
	soon, err := l.Begin(t.Context())
	must(t, err)
	left := 0
	for _, e := range soon.Snapshot.Item(content.Guidelines, ruleName(3)).Entries {
		if !e.Sound() {
			left++
			if e.Version.String() != "1.7.0" {
				t.Errorf("%s is not shown", e.Version)
			}
		}
	}
	if left != 1 {
		t.Errorf("%d versions are not shown, expected 1.7.0 alone", left)
	}
	all, err := l.Load(t.Context())
	must(t, err)
	for _, e := range all.Snapshot.Item(content.Guidelines, ruleName(3)).Entries {
		if e.Version.String() == "1.7.0" {
			t.Error("the load after it serves 1.7.0")
		}
	}
}
