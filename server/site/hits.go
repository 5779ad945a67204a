package site

import (
	"cmp"
	"slices"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
)

// Hit is a search result for people.
type Hit struct {
	search.Hit
	Kind    string // its title
	Path    string
	Version *content.Entry // of the item, or of the registry of a record; nil for a calculation
	Record  bool
	InForce content.Object // about the requested day
}

// Hits are the hits of a search, and other documents with such words in the title.
func (s *Site) Hits(of ShownSearch) (r search.Result, hits []Hit, near []Link) {
	x := s.index()
	r = x.Search(of.Query)
	for _, h := range r.Hits {
		f := x.found[h.Entry]
		hit := Hit{
			Hit: h, Kind: f.kind.title, Path: f.path, Record: f.partial,
			InForce: s.hitInForce(f, h.Entry.Document().ID, of.View),
		}
		if f.pages != nil {
			hit.Version = f.pages.entry
		}
		if hit.Version != nil && !f.partial {
			hit.Kind = s.newest(hit.Version.Kind).Title
		}
		hits = append(hits, hit)
	}
	if r.Suggestion == nil {
		return r, hits, nil
	}
	for _, e := range r.Suggestion.Titles {
		if !slices.ContainsFunc(r.Hits, func(h search.Hit) bool { return h.Entry == e }) {
			near = append(near, Link{e.Document().Title, x.found[e].path})
		}
	}
	return r, hits, near
}

// FoundKindTitle is the title of a kind of results.
func FoundKindTitle(name string) string {
	for _, k := range content.Kinds {
		if k.Name == name {
			return k.Title
		}
	}
	if name == calculationKind.name {
		return calculationKind.titles
	}
	return cmp.Or(recordKinds[name].titles, recordKinds[api.FoundRecord].titles)
}
