package server

import (
	"net/http"

	"rulestore/content"
	"rulestore/server/site"
)

// periods returns the values of a parameter by period.
func periods(q *query) (*site.Resource, error) {
	if err := q.err(); err != nil {
		return nil, err
	}
	day := q.Text("as_of")
	it := q.site.Snapshot.Item(q.resource.Kind, q.resource.Name)
	if series := q.site.Periods(it, day); series != nil {
		return series, nil
	}
	return notCurrent(q.site, it, day)
}

// inForce returns what was in force of an item on a day, or the requested part of the version that
// was. Parts cannot be selected if only a part of a version was in force.
func inForce(q *query, it *content.Item, day, on string, wanted site.Part) (*site.Resource, error) {
	if e := q.site.InForceVersion(it, day, on); e != nil && !wanted.Whole() {
		return part(q, e, wanted)
	}
	if res := q.site.InForce(it, day, on); res != nil {
		return res, nil
	}
	return notCurrent(q.site, it, day)
}

// notCurrent says that no version of an item was current on a day, or is now; a redacted one is
// answered as such.
func notCurrent(s *site.Site, it *content.Item, day string) (*site.Resource, error) {
	then := s.OnDay(it, day, "")
	switch {
	case then != nil && then.Status == content.Redacted:
		return s.Lookup(then.Path()), nil
	case it.Current == nil && it.Entries[0].Status == content.Redacted:
		return s.Lookup(it.Kind.ItemPath(it.Name)), nil
	case day == "":
		return nil, missingProblem(s, it.Kind.ItemPath(it.Name))
	}
	return nil, notCurrentProblem(s, it, day)
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
