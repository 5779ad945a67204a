package server

import (
	"net/http"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// compare answers with two versions of an item side by side; those that are
// compared without parameters are [site.Compared].
func (h *handler) compare(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	item := itemBelow(s, r, site.ComparePath)
	if item == nil {
		pathNotFound(s).write(w, r)
		return
	}
	from, to := site.Compared(item)
	if to == nil {
		gone(s.Lookup(item.Entries[0].Path()).Gone).write(w, r)
		return
	}
	q := parseQuery(r, api.Of(api.Compare, nil, ""))
	from, to = chosen(q, item, "from", from), chosen(q, item, "to", to)
	offset := q.numbers["offset"]
	if !q.ok(w, r) {
		return
	}
	if s.Lookup(from.Path()) == nil || s.Lookup(to.Path()) == nil {
		pathNotFound(s).write(w, r)
		return
	}
	h.serve(w, r, s, s.Compare(item, from, to, offset), false)
}

// chosen reads a parameter that names a version of an item.
func chosen(q *query, item *content.Item, name string, standard *content.Entry) *content.Entry {
	var known []string
	e := standard
	for _, version := range site.Served(item) {
		known = append(known, version.Version.String())
		if q.values.Get(name) == version.Version.String() {
			e = version
		}
	}
	q.enum(name, known)
	return e
}
