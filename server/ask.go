package server

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/site"
)

// asked returns what a request with parameters asks for at a path of the site;
// nil means that the request has been answered.
func asked(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource) *site.Resource {
	switch res.Ask {
	case site.OfList:
		return list(w, r, s, res.Kind)
	case site.OfItem:
		return itemOrRecords(w, r, s, res)
	case site.OfVersion:
		return partOfVersion(w, r, s, res)
	case site.OfPeriods:
		return periods(w, r, s, res)
	case site.OfChangelog:
		return changelog(w, r, s)
	case site.OfSearch:
		return find(w, r, s)
	case site.OfChecksums:
		return checksums(w, r, s)
	case site.OfFraud:
		return fraudBrief(w, r, s)
	case site.OfMath:
		return calculations(w, r, s)
	}
	switch {
	case res.Calculation == nil:
	case res.Representations == nil: // only to be posted to, whatever is asked
		return res
	case pageSite(r) != nil:
		return example(w, r, s, res)
	}
	if !parseQuery(r).ok(w, r) {
		return nil
	}
	return res
}

// list reads the filters of a list.
func list(w http.ResponseWriter, r *http.Request, s *site.Site, k *content.Kind) *site.Resource {
	allowed, scenarios := []string{"status"}, s.Scenarios(k)
	if scenarios != nil {
		allowed = []string{"scenario", "status"}
	}
	if s.HasProductTypes(k) {
		allowed = append(allowed, "product_type")
	}
	allowed = append(allowed, "prefix", "as_of")
	if api.HasPeriods(k) {
		allowed = append(allowed, site.InForceParameter)
	}
	if pageSite(r) != nil {
		allowed = append(allowed, "offset")
	}
	q := parseQuery(r, allowed...)
	f := site.Filter{
		Status:      content.Status(q.enum("status", statuses(k))),
		ProductType: q.text("product_type"),
		Prefix:      q.text("prefix"),
		AsOf:        q.date("as_of"),
		InForce:     q.date(site.InForceParameter),
		Offset:      q.number("offset", 0, 0, maxOffset),
	}
	if scenarios != nil {
		f.Scenario = q.enum("scenario", scenarios)
	}
	if hint := s.UnknownProduct(f.ProductType); hint != "" && f.AsOf == "" { // once there may have been others
		q.wrong("product_type", "unknown_value", "Такого значения нет.", hint)
	}
	if !q.ok(w, r) {
		return nil
	}
	return s.List(k, f)
}

func statuses(k *content.Kind) []string {
	all := []string{string(content.Current), string(content.Superseded), string(content.Archived)}
	if k.Expires {
		all = append(all, string(content.ReviewRequired))
	}
	return all
}

// itemOrRecords reads the day that an item is asked for, and the filters of a registry.
// Where there are no filters, what else is in the query means nothing.
func itemOrRecords(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource) *site.Resource {
	it := s.Snapshot.Item(res.Kind, res.Name)
	filters := s.Filters(it)
	allowed := append(slices.Sorted(maps.Keys(filters)), "as_of", site.InForceParameter, sectionParameter, viewParameter)
	viewed := filters != nil && pageSite(r) != nil
	if viewed {
		allowed = append(allowed, "sort", "offset")
	}
	q := parseQuery(r, allowed...)
	if filters == nil {
		q.errors = slices.DeleteFunc(q.errors, func(e detailError) bool { return e.Code == "unknown_parameter" })
	}
	day, on, wanted := q.date("as_of"), q.inForceOn(res.Kind), q.part("brief", site.ReferrersView)
	view, values := site.View{}, map[string]string{}
	if viewed {
		view.Sort, view.Offset = q.enum("sort", s.SortFields(it)), q.number("offset", 0, 0, maxOffset)
	}
	for name, allowed := range filters {
		switch {
		case !q.values.Has(name):
		case allowed != nil:
			values[name] = q.enum(name, allowed)
		default:
			values[name] = q.text(name)
			if hint := unknownCode(s, it, name, values[name], day); hint != "" {
				q.wrong(name, "unknown_value", "Такого значения нет.", hint)
			}
		}
	}
	if len(values) > 0 && !wanted.Whole() {
		q.wrong(
			viewParameter, "inconsistent", "Записи отбирают, или читают часть документа.",
			"Уберите отбор либо section и view.",
		)
	}
	if on != "" && (len(values) > 0 || wanted.Referrers) {
		q.wrong(
			site.InForceParameter, "inconsistent", "Действовавшее на день не отбирают и ссылок на него не ищут.",
			"Уберите отбор либо in_force.",
		)
	}
	if !q.ok(w, r) {
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
		case e != nil && viewed:
			view.AsOf, res = day, s.AsOf(e, day)
		case e != nil:
			res = s.Lookup(e.Path())
		}
	}
	switch {
	case res.Gone != nil:
	case e == nil && day == "":
		missing(s, r.URL.Path).write(w, r)
		return nil
	case e == nil:
		notCurrentThen(s, it, day).write(w, r)
		return nil
	case !wanted.Whole():
		return part(w, r, s, e, wanted, q)
	case len(values) > 0 || view.Sort != "" || view.Offset > 0:
		view.Filters = values
		return s.Records(e, view)
	}
	return res
}

// unknownCode says what to do about a code that nothing has now. On another day there may
// have been others.
func unknownCode(s *site.Site, it *content.Item, name, code, day string) string {
	if strings.TrimSpace(code) == "" || day != "" || it.Current == nil {
		return ""
	}
	return s.UnknownCode(it, name, code)
}

// maxOffset keeps an offset within what any repository can have.
const maxOffset = 1_000_000_000

// changelog reads which page of the changelog is asked for.
func changelog(w http.ResponseWriter, r *http.Request, s *site.Site) *site.Resource {
	q := parseQuery(r, "limit", "offset", "since")
	limit := q.number("limit", site.DefaultLimit, 1, site.MaxLimit)
	offset := q.number("offset", 0, 0, maxOffset)
	since := q.values.Get("since")
	if code, detail, hint := s.SinceFault(since); q.values.Has("since") && code != "" {
		q.wrong("since", code, detail, hint)
	}
	if !q.ok(w, r) {
		return nil
	}
	return s.Changelog(since, offset, limit)
}

// maxSearch is how many characters a parameter of a search may have.
const maxSearch = 200

// narrowing are the parameters of a search that say what is searched for.
var narrowing = []string{"q", "kind", "scenario", "product_type", "signal"}

// kind reads the kind of what is searched for.
func (q *query) kind() []string {
	if k := q.enum("kind", api.FoundKinds()); k != "" {
		return []string{k}
	}
	return nil
}

// find reads what is searched for. Only what narrows the search counts as a
// parameter: without any of it there is no question.
func find(w http.ResponseWriter, r *http.Request, s *site.Site) *site.Resource {
	q := parseQuery(r, append(slices.Clone(narrowing), "limit", "offset", "fields", site.InForceParameter)...)
	question := search.Query{
		Text: q.text("q"), Kinds: q.kind(), Scenario: q.enum("scenario", s.AllScenarios()),
		ProductType: q.text("product_type"), Signal: q.text("signal"),
		Limit:  q.number("limit", search.DefaultLimit, 1, site.MaxLimit),
		Offset: q.number("offset", 0, 0, maxOffset),
	}
	for _, name := range []string{"q", "product_type", "signal"} {
		if utf8.RuneCountInString(q.values.Get(name)) > maxSearch {
			q.wrong(name, "too_long", "Значение слишком длинное.", fmt.Sprintf("Не больше %d знаков.", maxSearch))
		}
	}
	wanted := site.HitView{Full: q.enum("fields", []string{"full"}) != "", InForce: q.date(site.InForceParameter)}
	if len(q.errors) == 0 {
		s.Known(question, func(parameter, hint string) {
			q.wrong(parameter, "unknown_value", "Такого значения нет.", hint)
		})
	}
	if !slices.ContainsFunc(narrowing, q.values.Has) {
		if pageSite(r) != nil && len(q.errors) == 0 {
			return s.SearchForm()
		}
		q.wrong(
			"q", "nothing_asked", "Не указано, что искать.",
			"Укажите хотя бы один из параметров: "+strings.Join(narrowing, ", ")+".",
		)
	}
	if !q.ok(w, r) {
		return nil
	}
	return s.Search(question, wanted)
}

// fraudBrief reads the signals that are asked about.
func fraudBrief(w http.ResponseWriter, r *http.Request, s *site.Site) *site.Resource {
	q := parseQuery(r, "signal")
	q.errors = slices.DeleteFunc(q.errors, func(e detailError) bool { return e.Code == "repeated_parameter" })
	codes := q.values["signal"]
	switch {
	case len(codes) == 0:
		q.wrong("signal", "nothing_asked", "Не указано ни одного признака.", "Укажите коды признаков: signal=A&signal=B.")
	case len(codes) > site.MaxSignals:
		q.wrong("signal", "too_many", "Признаков слишком много.", fmt.Sprintf(
			"Не больше %d за один запрос.", site.MaxSignals,
		))
		codes = nil
	}
	for _, code := range codes {
		if utf8.RuneCountInString(code) > maxSearch {
			q.wrong("signal", "too_long", "Значение слишком длинное.", fmt.Sprintf("Не больше %d знаков.", maxSearch))
		} else if hint := s.UnknownSignal(code); hint != "" {
			q.wrong("signal", "unknown_value", "Такого признака нет.", hint)
		}
	}
	if !q.ok(w, r) {
		return nil
	}
	return s.FraudBrief(codes)
}

// checksums reads since when publications are asked for.
func checksums(w http.ResponseWriter, r *http.Request, s *site.Site) *site.Resource {
	q := parseQuery(r, "since")
	since := q.date("since")
	if !q.ok(w, r) {
		return nil
	}
	return s.Checksums(since)
}
