package main

import (
	"encoding/json"
	"regexp"
	"testing"
)

// status counts publications as a server does, whether that shows drafts or not.
func TestPublicationsAreCountedAlike(t *testing.T) {
	t.Parallel()
	_, a := smallRepository(t)
	do := func(args ...string) string {
		t.Helper()
		out, err := rulestoreIn(a.dir, nil, args...)
		if err != nil {
			t.Fatal(err, out)
		}
		return out
	}
	do("publish", "scenarios/one@1.1.0-rc.1")
	a.scenario("three", "Третий")
	do("publish", "scenarios/three@1.0.0-rc.1")
	a.scenario("four", "Четвёртый")
	var status struct{ Publications, Items int }
	if err := json.Unmarshal([]byte(do("status", "--format", "json")), &status); err != nil {
		t.Fatal(err)
	}
	if status.Publications != 7 || status.Items != 6 {
		t.Errorf("status counts %+v", status)
	}
	for _, args := range [][]string{{"--repo", "."}, {"--repo", ".", "--drafts"}} {
		out := do(append([]string{"check"}, args...)...)
		if !regexp.MustCompile(`: 7 publications of [68] items;`).MatchString(out) {
			t.Errorf("serve %s counts %s", args, out)
		}
	}
}
