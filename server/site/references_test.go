package site

import (
	"bytes"
	"testing"

	"rulestore/server/page"
)

// Who names a thing changes what is said of it, and the validator of that; where it does
// not change, what was made is kept. What it is told from is of no account.
func TestNaming(t *testing.T) {
	inTurn(t)
	history := starterHistory()
	before, changed := Build(nil, history[0], config), 0
	before.Warm()
	for _, snapshot := range history[1:] {
		after := Build(before, snapshot, config)
		after.Warm()
		alone := Build(nil, snapshot, config)
		for path, r := range after.resources {
			if r.referenced == nil {
				continue
			}
			now := after.Lookup(path)
			if !same(now, alone.Lookup(path)) {
				t.Fatalf("%s: another answer after a swap", path)
			}
			if r != before.resources[path] {
				continue
			}
			was := before.Lookup(path)
			alike := bytes.Equal(jsonOf(now), jsonOf(was))
			if tagOf(now) == tagOf(was) != alike || now == was != alike {
				t.Errorf("%s: alike %v, by the tag %v, kept %v", path, alike, tagOf(now) == tagOf(was), now == was)
			}
			if !alike {
				changed++
			}
		}
		before = after
	}
	if changed == 0 {
		t.Error("nothing was ever named by something new")
	}
}

func jsonOf(r *Resource) []byte { return r.Representations[0].Ready().Body.Bytes }

func tagOf(r *Resource) string { return r.Representations[0].Ready().ETag }

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
	if links, left := by.links(new(page.Frame)); len(links) != maxReferring || left != 7 || links[0].Title != "a.b" {
		t.Errorf("%d links, %d left, %+v", len(links), left, links[0])
	}
}

func BenchmarkNaming(b *testing.B) {
	s := Build(nil, lastStarter(), config)
	before := s.references()
	for b.Loop() {
		s.makeReferences(before)
	}
}
