package server

import (
	"net/http"

	"rulestore/content"
	"rulestore/server/site"
)

// inForceOn reads the day for which values in force are requested.
func (q *query) inForceOn(k *content.Kind) string {
	day := q.get(site.InForceParameter)
	site.CheckInForce(k, day, q.addError)
	return day
}

// periods returns the values of a parameter by period; nil if the request has been answered.
func periods(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource, q *query) *site.Resource {
	if !q.valid(w, r) {
		return nil
	}
	day := q.get("as_of")
	it := s.Snapshot.Item(res.Kind, res.Name)
	if series := s.Periods(it, day); series != nil {
		return series
	}
	return writeNotCurrent(w, r, s, it, day)
}

// inForce returns what was in force of an item on a day, or the requested part of the version that
// was; nil if the request has been answered. Parts cannot be selected if only a part of a version
// was in force.
func inForce(
	w http.ResponseWriter, r *http.Request, s *site.Site, it *content.Item, day, on string, wanted site.Part, q *query,
) *site.Resource {
	if e := s.InForceVersion(it, day, on); e != nil && !wanted.Whole() {
		return part(w, r, s, e, wanted, q)
	}
	if res := s.InForce(it, day, on); res != nil {
		return res
	}
	return writeNotCurrent(w, r, s, it, day)
}

// writeNotCurrent answers that no version of an item was current on a day, or is now; a redacted one
// is answered as such.
func writeNotCurrent(
	w http.ResponseWriter, r *http.Request, s *site.Site, it *content.Item, day string,
) *site.Resource {
	then := s.OnDay(it, day, "")
	switch {
	case then != nil && then.Status == content.Redacted:
		return s.Lookup(then.Path())
	case it.Current == nil && it.Entries[0].Status == content.Redacted:
		return s.Lookup(it.Kind.ItemPath(it.Name))
	case day == "":
		missingProblem(s, it.Kind.ItemPath(it.Name)).write(w, r)
	default:
		notCurrentProblem(s, it, day).write(w, r)
	}
	return nil
}

// notCurrentProblem says that an item had no current version on a day, and since when it has one.
func notCurrentProblem(s *site.Site, it *content.Item, day string) problem {
	return problem{
		Status: http.StatusNotFound, Code: "not_published_then", Detail: s.NothingOn(it, it.ID(), day, ""),
		pageDetail: s.NothingOn(it, quotedTitle(s, it), day, ""), item: it.ID(),
	}
}

// quotedTitle returns the title of an item in quotation marks, or its id if it has none.
func quotedTitle(s *site.Site, it *content.Item) string {
	if title := s.Title(it.ID()); title != it.ID() {
		return "«" + title + "»"
	}
	return it.ID()
}
