package site

import (
	"encoding/json"

	"rulestore/content"
	"rulestore/content/search"
)

// FindAll lists all hits of a search, without pages, the best first.
func (s *Site) FindAll(q search.Query) []search.Document {
	entries := s.index().Find(q)
	found := make([]search.Document, len(entries))
	for i, e := range entries {
		found[i] = e.Document()
	}
	return found
}

// Section returns the value at an address in a version, as written; not ok if it has no such
// section.
func (s *Site) Section(e *content.Entry, address string) (value json.RawMessage, ok bool) {
	n := s.config.tree(e).At(address)
	if n == nil {
		return nil, false
	}
	return n.Raw, true
}

// Size returns the size of the JSON of a version, or of its brief, in bytes; 0 for a redacted
// one.
func (s *Site) Size(e *content.Entry, brief bool) int {
	r, err := s.Part(e, Part{Brief: brief})
	if err != nil || len(r.Representations) == 0 {
		return 0
	}
	return len(r.Representations[0].Ready().Body.Bytes)
}
