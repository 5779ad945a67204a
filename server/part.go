package server

import (
	"errors"
	"net/http"
	"slices"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// part reads the requested part of an item.
func (q *query) part() site.Part {
	past := ""
	if q.values.Has(api.AsOf.Name) {
		past = api.AsOf.Name
	}
	return site.PartOf(q.values[api.Section.Name], q.get(api.View.Name), past, q.addError)
}

// partOfVersion reads the requested part of a version. Other parameters are ignored.
func partOfVersion(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource, q *query) *site.Resource {
	if !q.values.Has(api.Section.Name) && !q.values.Has(api.View.Name) {
		return res
	}
	wanted := q.part()
	if !q.valid(w, r) {
		return nil
	}
	it := s.Snapshot.Item(res.Kind, res.Name)
	i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return e.Path() == r.URL.Path })
	if i < 0 || wanted.Whole() {
		return res
	}
	return part(w, r, s, it.Entries[i], wanted, q)
}

// part returns a part of a version; nil if the request has been answered, as there is none.
func part(
	w http.ResponseWriter, r *http.Request, s *site.Site, e *content.Entry, p site.Part, q *query,
) *site.Resource {
	if pageSite(r) != nil && len(p.Sections) == 0 { // people read the whole item
		return s.LookupPage(e.Path())
	}
	res, err := s.Part(e, p)
	if !q.checkSection(w, r, err) {
		return nil
	}
	return res
}

// serveResult answers with a resource made for a request, or with the reason why there is none.
func (h *handler) serveResult(
	w http.ResponseWriter, r *http.Request, s *site.Site, q *query, res *site.Resource, err error,
) {
	switch {
	case !q.checkSection(w, r, err):
	case res == nil:
		pathNotFoundProblem(s).write(w, r)
	default:
		h.serve(w, r, s, res, false)
	}
}

// checkSection answers a request for an unknown section, and reports whether there was none.
func (q *query) checkSection(w http.ResponseWriter, r *http.Request, err error) bool {
	if unknown, ok := errors.AsType[*site.UnknownSection](err); ok {
		q.addUnknown(api.Section.Name, "unknown_section", site.NoSection, &unknown.Unknown)
	}
	return q.valid(w, r)
}
