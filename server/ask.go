package server

import (
	"net/http"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/site"
)

// A queryHandler returns the resource for a request with a query; nil means that the request has been
// answered.
type queryHandler func(http.ResponseWriter, *http.Request, *site.Site, *site.Resource, *query) *site.Resource

var queryHandlers = map[api.Action]queryHandler{
	api.ListItems:        list,
	api.ReadItem:         itemOrRecords,
	api.ReadVersion:      partOfVersion,
	api.ListPeriods:      periods,
	api.ListChanges:      changelog,
	api.Search:           searchResults,
	api.ListChecksums:    checksums,
	api.BriefFraud:       fraudBrief,
	api.ListCalculations: calculations,
	api.Calculate:        describeTool,
	api.Closed:           withoutParameters,
}

// resolveQuery returns the resource for a request with parameters at a path of the site; nil means
// that the request has been answered.
func resolveQuery(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource) *site.Resource {
	return queryHandlers[res.Action](w, r, s, res, parseQuery(r, api.Of(res.Action, res.Kind, res.Name)))
}

// withoutParameters returns a resource without parameters.
func withoutParameters(
	w http.ResponseWriter, r *http.Request, _ *site.Site, res *site.Resource, q *query,
) *site.Resource {
	if !q.valid(w, r) {
		return nil
	}
	return res
}

// list reads the filters of a list.
func list(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource, q *query) *site.Resource {
	f := site.Filter{
		Scenario: q.get("scenario"), Status: content.Status(q.get("status")), ProductType: q.get("product_type"),
		Prefix: q.get("prefix"), AsOf: q.get("as_of"), InForce: q.get(site.InForceParameter),
		Text: q.get(site.TextParameter), Offset: q.numbers["offset"],
	}
	if u := s.UnknownProduct(f.ProductType); u != nil && f.AsOf == "" { // once there may have been others
		q.addUnknown("product_type", "unknown_value", site.NoValue, u)
	}
	if !q.valid(w, r) {
		return nil
	}
	return s.List(res.Kind, f)
}

// itemOrRecords reads the day and the part of an item that are requested, and the filters of a
// registry.
func itemOrRecords(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource, q *query) *site.Resource {
	it := s.Snapshot.Item(res.Kind, res.Name)
	day, on, wanted := q.get("as_of"), q.inForceOn(res.Kind), q.part()
	view := q.recordsOf(s, it, day, pageSite(r) != nil)
	q.refuseMixed(len(view.Filters) > 0, on, wanted)
	if !q.valid(w, r) {
		return nil
	}
	if on != "" {
		return inForce(w, r, s, it, day, on, wanted, q)
	}
	e := it.Current
	if day != "" {
		if e = s.Snapshot.On(day).Current(it); e != nil && s.Lookup(e.Path()) == nil {
			e = nil
		}
		switch {
		case e != nil && pageSite(r) != nil && s.Filters(it) != nil:
			view.AsOf, res = day, s.AsOf(e, day)
		case e != nil && pageSite(r) != nil:
			res = s.LookupPage(e.Path())
		case e != nil:
			res = s.Lookup(e.Path())
		}
	}
	switch {
	case res.Gone != nil:
	case e == nil && day == "":
		missingProblem(s, r.URL.Path).write(w, r)
		return nil
	case e == nil:
		notCurrentProblem(s, it, day).write(w, r)
		return nil
	case !wanted.Whole():
		return part(w, r, s, e, wanted, q)
	case len(view.Filters) > 0 || view.Sort != "" || view.Text != "" || view.Offset > 0:
		return s.Records(e, view)
	}
	return res
}

// recordsOf reads which records of a registry are requested. Only pages sort them and look for a
// text in them.
func (q *query) recordsOf(s *site.Site, it *content.Item, day string, page bool) site.View {
	filters := s.Filters(it)
	view := site.View{Filters: map[string]string{}}
	if filters != nil && page {
		q.checkValue("sort", s.SortFields(it))
		view.Sort, view.Text, view.Offset = q.get("sort"), q.get(site.TextParameter), q.numbers["offset"]
	}
	for name, allowed := range filters {
		if !q.values.Has(name) {
			continue
		}
		view.Filters[name] = q.get(name)
		if allowed != nil {
			continue
		}
		if u := unknownCode(s, it, name, view.Filters[name], day); u != nil {
			q.addUnknown(name, "unknown_value", site.NoValue, u)
		}
	}
	return view
}

// refuseMixed refuses filters together with a part of an item, and what was in force on a day
// together with filters or with what refers to the item.
func (q *query) refuseMixed(filtered bool, on string, wanted site.Part) {
	if filtered && !wanted.Whole() {
		q.addError(
			api.View.Name, "inconsistent", "Записи отбирают, или читают часть документа.",
			"Уберите отбор либо section и view.",
		)
	}
	if on != "" && (filtered || wanted.Referrers) {
		q.addError(
			site.InForceParameter, "inconsistent", "Действовавшее на день не отбирают и ссылок на него не ищут.",
			"Уберите отбор либо in_force.",
		)
	}
}

// unknownCode returns a code that no record has now. On another day there may have been others.
func unknownCode(s *site.Site, it *content.Item, name, code, day string) *site.Unknown {
	if day != "" || it.Current == nil {
		return nil
	}
	return s.UnknownCode(it, name, code)
}

// changelog reads the requested page of the changelog.
func changelog(w http.ResponseWriter, r *http.Request, s *site.Site, _ *site.Resource, q *query) *site.Resource {
	since := q.get("since")
	if code, detail, hint := s.SinceFault(since); q.values.Has("since") && code != "" {
		q.addError("since", code, detail, hint)
	}
	if !q.valid(w, r) {
		return nil
	}
	return s.Changelog(since, q.numbers["offset"], q.numbers["limit"])
}

// searchResults reads a query of the search. It needs at least one parameter that narrows the search.
func searchResults(w http.ResponseWriter, r *http.Request, s *site.Site, _ *site.Resource, q *query) *site.Resource {
	q.checkValue("scenario", s.AllScenarios())
	question := search.Query{
		Text: q.get("q"), Scenario: q.get("scenario"), ProductType: q.get("product_type"), Signal: q.get("signal"),
		Limit: q.numbers["limit"], Offset: q.numbers["offset"],
	}
	if kind := q.get("kind"); kind != "" {
		question.Kinds = []string{kind}
	}
	if len(q.errors) == 0 {
		s.Known(question, func(parameter string, u *site.Unknown) {
			q.addUnknown(parameter, "unknown_value", site.NoValue, u)
		})
	}
	if !slices.ContainsFunc(api.Narrowing, q.values.Has) {
		if pageSite(r) != nil && len(q.errors) == 0 {
			return s.SearchForm()
		}
		q.addError(
			"q", "nothing_asked", "Не указано, что искать.",
			"Укажите хотя бы один из параметров: "+strings.Join(api.Narrowing, ", ")+".",
		)
	}
	if !q.valid(w, r) {
		return nil
	}
	return s.Search(
		question,
		site.HitView{Full: q.get("fields") != "", InForce: q.get(site.InForceParameter), AsOf: q.get("as_of")},
	)
}

// fraudBrief reads the requested signals.
func fraudBrief(w http.ResponseWriter, r *http.Request, s *site.Site, _ *site.Resource, q *query) *site.Resource {
	codes := q.values["signal"]
	if len(q.errors) == 0 {
		for _, code := range codes {
			if u := s.UnknownSignal(code); u != nil {
				q.addUnknown("signal", "unknown_value", site.NoSignal, u)
			}
		}
	}
	if !q.valid(w, r) {
		return nil
	}
	return s.FraudBrief(codes)
}

// checksums reads the day since which publications are requested.
func checksums(w http.ResponseWriter, r *http.Request, s *site.Site, _ *site.Resource, q *query) *site.Resource {
	if !q.valid(w, r) {
		return nil
	}
	return s.Checksums(q.get("since"))
}
