//go:build slow

package loader_test

import (
	"maps"
	"strings"
	"testing"

	"rulestore/content"
)

// What turns out not to be what was sealed is never shown, and the next load says
// what a new one does.
func TestBeginWhatIsNotSealed(t *testing.T) {
	right := sealsOf(t, many(t, "", ownCommit))
	seals := maps.Clone(right)
	wrong := func(rule, version int) {
		s := seals[ruleTag(rule, version)]
		s.Checksum = "sha256:" + strings.Repeat("0", 64)
		seals[s.Tag] = s
	}
	wrong(3, 5)                  // nobody has it
	wrong(4, versions-1)         // the highest: the one below is current
	wrong(4, versions-2)         // nor that
	moved := ruleTag(5, 7)       // the content is elsewhere
	delete(seals, ruleTag(6, 2)) // no seal: it cannot wait
	source := many(t, sealLines(seals), func(rule, version int) int {
		if ruleTag(rule, version) == moved {
			return version + 1
		}
		return version
	})
	l := manyLoader(source)
	begun, err := l.Begin(t.Context())
	first := entries(t, begun, err)
	for tag, e := range first {
		if lost := tag == ruleTag(3, 5) || tag == moved; e.Sound() == lost || lost && e.Body() != nil {
			t.Errorf("%s: sound %t", tag, e.Sound())
		}
	}
	for _, version := range []int{versions - 1, versions - 2} {
		if first[ruleTag(4, version)] != nil {
			t.Errorf("%s is served", ruleTag(4, version))
		}
	}
	if e := first[ruleTag(4, versions-3)]; e.Status != content.Current {
		t.Errorf("%s is %s", e.Tag(), e.Status)
	}
	loaded, err := manyLoader(source).Load(t.Context())
	whole := entries(t, loaded, err)
	again, err := l.Load(t.Context())
	second := entries(t, again, err)
	sameLines(t, describe(again, nil), describe(loaded, nil))
	if e := second[moved]; e == nil || !e.Sound() ||
		string(e.Body().AppendJSON(nil)) != string(whole[moved].Body().AppendJSON(nil)) {
		t.Errorf("%s is %v", moved, e)
	}
	if second[ruleTag(3, 5)] != nil {
		t.Errorf("%s is still served", ruleTag(3, 5))
	}
}
