package site

import (
	"encoding/json"

	"rulestore/content"
	"rulestore/content/search"
)

// FindAll lists what a search finds on all pages, the best first.
func (s *Site) FindAll(q search.Query) []search.Document {
	entries := s.index().Find(q)
	found := make([]search.Document, len(entries))
	for i, e := range entries {
		found[i] = e.Document()
	}
	return found
}

// Section returns what stands at an address in a version, as it is written; not ok says
// that it has no such section.
func (s *Site) Section(e *content.Entry, address string) (value json.RawMessage, ok bool) {
	n := s.config.tree(e).At(address)
	if n == nil {
		return nil, false
	}
	return n.Raw, true
}

// Size is how many bytes the JSON of a version has, or of its brief; 0 of one that was
// taken away.
func (s *Site) Size(e *content.Entry, brief bool) int {
	r, err := s.Part(e, Part{Brief: brief})
	if err != nil || len(r.Representations) == 0 {
		return 0
	}
	return len(r.Representations[0].Ready().Body.Bytes)
}
