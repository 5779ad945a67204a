package site

import (
	"bytes"
	"testing"

	"rulestore/server/page"
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
	if links, left := by.links(new(page.Frame)); len(links) != maxReferring || left != 7 || links[0].Title != "a.b" {
		t.Errorf("%d links, %d left, %+v", len(links), left, links[0])
	}
}

func BenchmarkNaming(b *testing.B) {
	s := Build(nil, lastKinds(), config)
	before := s.references()
	for b.Loop() {
		s.makeReferences(before)
	}
}
