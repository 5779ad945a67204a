package server

import (
	"net/http"
	"strings"

	"rulestore/content"
	"rulestore/server/site"
)

// compare answers with two versions of an item side by side; without parameters
// the current version is compared with the one before it.
func (h *handler) compare(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, site.ComparePath), "/")
	k := content.KindOf(folder)
	if k == nil || s.Snapshot.Item(k, name) == nil {
		pathNotFound(s).write(w, r)
		return
	}
	item := s.Snapshot.Item(k, name)
	to := item.Current
	if to == nil {
		to = item.Entries[0]
	}
	from := to.Predecessor
	if from == nil {
		from = to
	}
	q := parseQuery(r, "from", "to")
	from, to = chosen(q, item, "from", from), chosen(q, item, "to", to)
	if !q.ok(w, r) {
		return
	}
	h.serve(w, r, s.Compare(item, from, to), false)
}

// chosen reads a parameter that names a version of an item.
func chosen(q *query, item *content.Item, name string, standard *content.Entry) *content.Entry {
	var known []string
	e := standard
	for _, version := range item.Entries {
		if version.Status == content.Redacted {
			continue
		}
		known = append(known, version.Version.String())
		if q.values.Get(name) == version.Version.String() {
			e = version
		}
	}
	if q.enum(name, known); e.Status == content.Redacted {
		q.wrong(name, "redacted", "Версия изъята.", "Выберите другую: "+strings.Join(known, ", ")+".")
	}
	return e
}
