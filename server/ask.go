package server

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"rulestore/server/api"
	"rulestore/server/site"
)

// A resolver returns the resource that answers a request; the error is a problem. If both are nil,
// there is nothing at the address.
type resolver func(*query) (*site.Resource, error)

// resolvers are those for requests with parameters at a path of the site.
var resolvers = map[api.Action]resolver{
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
	api.ListVersions:     withoutParameters,
	api.ListUpcoming:     withoutParameters,
}

// resolveQuery returns the resource for a request with parameters at a path of the site; nil means
// that the request has been answered.
func resolveQuery(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource) *site.Resource {
	q := parseQuery(r, s, api.Of(res.Action, res.Kind, res.Name))
	q.resource = res
	res, err := resolvers[res.Action](q)
	if err != nil {
		writeError(w, r, err)
		return nil
	}
	if q.partOfList() {
		return site.PartOfList(res, q)
	}
	return res
}

// partOfList reports whether a part of a list that is whole by default is requested. People page
// through lists by the length of a page.
func (q *query) partOfList() bool {
	whole := slices.ContainsFunc(q.params, func(p *api.Param) bool { return p.Name == "limit" && p.Default < p.Least })
	return whole && !q.page && (q.Has("limit") || q.Has("offset"))
}

// resolved returns a handler that answers with the resource for an operation; without one, any
// parameter is an error.
func (h *handler) resolved(o *api.Operation, resolve resolver) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s := siteOf(r)
		res, err := resolve(parseQuery(r, s, o))
		switch {
		case err != nil:
			writeError(w, r, err)
		case res == nil:
			missingProblem(s, r.URL.Path).write(w, r)
		default:
			h.serve(w, r, s, res, false)
		}
	}
}

// writeError answers with a problem.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := errors.AsType[problem](err)
	if !ok {
		panic(err) // resolvers have no other errors
	}
	p.write(w, r)
}

// withoutParameters returns a resource without parameters.
func withoutParameters(q *query) (*site.Resource, error) { return q.resource, q.err() }

// answered returns what answers a query without faults.
func (q *query) answered(answer func() *site.Resource) (*site.Resource, error) {
	if err := q.err(); err != nil {
		return nil, err
	}
	return answer(), nil
}

// list reads the filters of a list.
func list(q *query) (*site.Resource, error) {
	f := q.site.AskedFilter(q)
	f.Offset = q.Number("offset")
	return q.answered(func() *site.Resource { return q.site.List(q.resource.Kind, f) })
}

// itemOrRecords reads the day and the part of an item that are requested, and the filters of a
// registry.
func itemOrRecords(q *query) (*site.Resource, error) {
	s, res := q.site, q.resource
	it := s.Snapshot.Item(res.Kind, res.Name)
	day, on, wanted := q.Text("as_of"), site.AskedInForce(res.Kind, q), q.part()
	view := site.View{Filters: s.AskedRecords(it, q, day)}
	if view.Filters != nil && q.page {
		view.Offset = q.Number("offset")
	}
	q.refuseMixed(len(view.Filters) > 0 || q.partOfList(), on, wanted)
	if err := q.err(); err != nil {
		return nil, err
	}
	if on != "" {
		return inForce(q, it, day, on, wanted)
	}
	e := it.Current
	if day != "" {
		if e = s.Snapshot.On(day).Current(it); e != nil && s.Lookup(e.Path()) == nil {
			e = nil
		}
		switch {
		case e != nil && q.page && view.Filters != nil:
			view.AsOf, res = day, s.AsOf(e, day)
		case e != nil:
			res = s.Lookup(e.Path())
		}
	}
	switch {
	case res.Gone != nil:
	case e == nil && day == "":
		return nil, missingProblem(s, q.path)
	case e == nil:
		return nil, notCurrentProblem(s, it, day)
	case !wanted.Whole():
		return part(q, e, wanted)
	case len(view.Filters) > 0 || view.Offset > 0 || q.partOfList():
		return s.Records(e, view), nil
	}
	return res, nil
}

// refuseMixed refuses filters together with a part of an item, and what was in force on a day
// together with filters or with what refers to the item.
func (q *query) refuseMixed(filtered bool, on string, wanted site.Part) {
	if filtered && !wanted.Whole() {
		q.Fault(
			api.View, "inconsistent", "Записи отбирают, или читают часть документа.",
			"Уберите отбор либо section и view.",
		)
	}
	if on != "" && (filtered || wanted.Referrers) {
		q.Fault(
			site.InForceParameter, "inconsistent", "Действовавшее на день не отбирают и ссылок на него не ищут.",
			"Уберите отбор либо in_force.",
		)
	}
}

// changelog reads the requested page of the changelog.
func changelog(q *query) (*site.Resource, error) {
	since := q.site.AskedSince(q)
	return q.answered(func() *site.Resource {
		return q.site.Changelog(since, q.Number("offset"), q.Number("limit"))
	})
}

// searchResults reads a query of the search. It needs at least one parameter that narrows the search.
func searchResults(q *query) (*site.Resource, error) {
	q.checkValue("scenario", q.site.AllScenarios())
	asked, view := site.AskedSearch(q)
	if len(q.errors) == 0 {
		q.site.CheckCodes(asked, q)
	}
	if !site.IsSearch(q) {
		if q.page && len(q.errors) == 0 {
			return q.site.SearchForm(), nil
		}
		q.Fault(
			"q", "nothing_asked", site.NothingAsked,
			"Укажите хотя бы один из параметров: "+strings.Join(api.Narrowing, ", ")+".",
		)
	}
	return q.answered(func() *site.Resource { return q.site.Search(asked, view) })
}

// fraudBrief reads the requested signals and states.
func fraudBrief(q *query) (*site.Resource, error) {
	signals, states := q.values["signal"], q.values["state"]
	if len(q.errors) == 0 {
		q.site.CheckFraud(signals, states, q)
	}
	return q.answered(func() *site.Resource { return q.site.FraudBrief(signals, states) })
}

// checksums reads the day since which publications are requested.
func checksums(q *query) (*site.Resource, error) {
	return q.answered(func() *site.Resource { return q.site.Checksums(q.Text("since")) })
}
