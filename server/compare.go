package server

import (
	"net/http"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// compare answers with two versions of an item side by side; those that are
// compared without parameters are [site.DefaultComparison] and [site.ComparedWith].
func (h *handler) compare(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	item := itemAtPath(s, r, api.ComparePath)
	if item == nil {
		pathNotFoundProblem(s).write(w, r)
		return
	}
	q := parseQuery(r, api.Of(api.Compare, nil, ""))
	to := versionParameter(q, item, "to", site.DefaultComparison(item))
	v := site.Comparison{
		From: versionParameter(q, item, "from", site.ComparedWith(to)), To: to, AsOf: q.get("as_of"),
		InForce: q.inForceOn(item.Kind),
		Only:    q.get("class"), Section: q.get(api.Section.Name), Sides: q.get(api.View.Name) == site.SidesView,
		Offset: q.numbers["offset"],
	}
	v.CheckFrom(q.values.Has("from"), q.addError)
	if !q.valid(w, r) {
		return
	}
	if v.AsOf+v.InForce != "" {
		if v.From = s.OnDay(item, v.AsOf, v.InForce); v.From == nil {
			nothingOnProblem(s, item, v).write(w, r)
			return
		}
	}
	res, err := s.Compare(item, v)
	h.serveResult(w, r, s, q, res, err)
}

// nothingOnProblem says that there was nothing on a day to compare with.
func nothingOnProblem(s *site.Site, item *content.Item, v site.Comparison) problem {
	if v.InForce == "" {
		return notCurrentProblem(s, item, v.AsOf)
	}
	return problem{
		Status: http.StatusNotFound, Code: "not_in_force_then",
		Detail: s.NothingOn(item, item.ID(), v.AsOf, v.InForce) + " Все версии: " +
			s.URL(item.Kind.ItemPath(item.Name)+"/versions"),
		pageDetail: s.NothingOn(item, quotedTitle(s, item), v.AsOf, v.InForce), item: item.ID(),
	}
}

// versionParameter reads a parameter that names a version of an item. Of a redacted one, which is not
// among the values that it suggests, the answer says what became of it.
func versionParameter(q *query, item *content.Item, name string, standard *content.Entry) *content.Entry {
	if e := item.Version(q.get(name)); e != nil {
		return e
	}
	var known []string
	for _, e := range site.ReadableVersions(item) {
		known = append(known, e.Version.String())
	}
	q.checkValue(name, known)
	return standard
}
