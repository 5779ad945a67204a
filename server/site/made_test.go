package site

import (
	"strings"
	"testing"

	"rulestore/content"
)

// Whoever reads all earlier versions gets each, and fills no memory with them; one that was read lately is
// not made again.
func TestEarlierVersions(t *testing.T) {
	const versions = 40
	var all []*content.Publication
	for n := range versions {
		p := madeUp(1, n)
		p.Text = content.Written{Object: p.Body().With("text", content.String(strings.Repeat("слово ", 20_000)))}
		all = append(all, p)
	}
	s := Build(nil, content.NewSnapshot(input(all...)), config)
	for _, p := range all {
		r := s.Lookup(p.Path())
		if !strings.Contains(string(r.Representations[0].Ready().Body.Bytes), `"`+p.Version.String()+`"`) {
			t.Errorf("%s is not at its path", p.Version)
		}
		if r != s.Lookup(p.Path()) {
			t.Errorf("%s is made again", p.Version)
		}
	}
	if s.recent.size > maxCached || len(s.recent.order) >= versions-1 {
		t.Errorf("%d versions of %d bytes are kept", len(s.recent.order), s.recent.size)
	}
	if r := s.resources[all[0].Path()]; r.Representations != nil {
		t.Error("what was made of an earlier version is kept beside the cache")
	}
}
