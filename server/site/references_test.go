package site

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git"
)

// However many name a thing, an answer lists so many of them, and says how many more there are.
func TestManyMentions(t *testing.T) {
	by := mentions{config: config}
	for range maxReferring + 7 {
		by.all = append(by.all, mention{&referrer{kind: "guideline", id: "a.b", path: "/x"},
			[]string{"1", "2", "3", "4", "5", "6"}})
	}
	var o object
	by.write(&o)
	text := o.end().Bytes
	if n := bytes.Count(text, []byte(`"id"`)); n != maxReferring ||
		!bytes.HasSuffix(text, []byte(`],"referenced_by_left":7}`)) ||
		!bytes.Contains(text, []byte(`"sections":["1","2","3","4","5"],`)) {
		t.Errorf("%d are listed: %s", n, text)
	}
	n := &references{incoming: map[string][]mention{"x": by.all}}
	s := &Site{references: func() *references { return n }}
	if links, left := s.Referrers("x"); len(links) != maxReferring || left != 7 || links[0] != (Link{"a.b", "/x#1"}) {
		t.Errorf("%d links, %d left, %+v", len(links), left, links[0])
	}
}

// Who names a thing changes what is said of it, and the validator of that. What it is told from is of no account.
func TestNaming(t *testing.T) {
	script := readStore("kinds.txtar")
	const file = "registries/fraud-scenarios"
	text := strings.Replace(string(script[0].Files[file+".yaml"]), "[APK_REQUESTED]", "[APK_REQUESTED, SECRECY_REQUESTED]", 1)
	snapshots := history(append(script, git.ScriptCommit{Date: time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC),
		Message: "x",
		Files:   map[string][]byte{file + ".yaml": []byte(text)},
		Tags:    []git.NewTag{{Name: file + "/v1.1.0", Message: "x"}}}), 1)
	before, changed := Build(nil, snapshots[0], config), 0
	before.Warm()
	for _, snapshot := range snapshots[1:] {
		after, alone := Build(before, snapshot, config), Build(nil, snapshot, config)
		after.Warm()
		for path, r := range after.resources {
			if r.referenced == nil {
				continue
			}
			now, was := after.Lookup(path), before.Lookup(path)
			if !same(now, alone.Lookup(path)) {
				t.Fatalf("%s: another answer after a swap", path)
			}
			if r == before.resources[path] {
				a, b := now.Representations[0].Ready(), was.Representations[0].Ready()
				alike := bytes.Equal(a.Body.Bytes, b.Body.Bytes)
				if a.ETag == b.ETag != alike {
					t.Errorf("%s: alike %v, by the tag %v", path, alike, a.ETag == b.ETag)
				}
				if !alike {
					changed++
				}
			}
		}
		before = after
	}
	if changed == 0 {
		t.Error("nothing was ever named by something new")
	}
}
