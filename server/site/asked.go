package site

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
)

// Asked are the parameters of a request, over HTTP or MCP, which agree with their declarations. What
// is wrong with them beyond that is added as a fault.
type Asked interface {
	Text(name string) string // "" if it is absent
	Number(name string) int  // or its default
	Has(name string) bool
	// Fault adds what is wrong with a parameter: a code, and a sentence and a remedy in Russian.
	Fault(parameter, code, detail, hint string)
	// Unknown adds that a parameter has an unknown value.
	Unknown(parameter, code, detail string, u *Unknown)
}

// AskedFilter reads the filter of a list.
func (s *Site) AskedFilter(a Asked) Filter {
	f := Filter{
		Scenario: a.Text("scenario"), Status: content.Status(a.Text("status")), ProductType: a.Text("product_type"),
		Prefix: a.Text("prefix"), AsOf: a.Text("as_of"), InForce: a.Text(InForceParameter),
	}
	if u := s.UnknownProduct(f.ProductType); u != nil && f.AsOf == "" { // once there may have been others
		a.Unknown("product_type", "unknown_value", NoValue, u)
	}
	return f
}

// AskedRecords reads the filters of the records of an item, as of a day or, if that is "", of today.
// nil if it has no records.
func (s *Site) AskedRecords(item *content.Item, a Asked, asOf string) map[string]string {
	filters := s.Filters(item)
	if filters == nil {
		return nil
	}
	chosen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		if !a.Has(name) {
			continue
		}
		chosen[name] = a.Text(name)
		if filters[name] != nil || asOf != "" { // on another day there may have been other codes
			continue
		}
		if u := s.UnknownCode(item, name, chosen[name]); u != nil {
			a.Unknown(name, "unknown_value", NoValue, u)
		}
	}
	return chosen
}

// AskedSearch reads a search.
func AskedSearch(a Asked) (search.Query, HitView) {
	q := search.Query{
		Text: a.Text("q"), Scenario: a.Text("scenario"), ProductType: a.Text("product_type"), Signal: a.Text("signal"),
		Limit: a.Number("limit"), Offset: a.Number("offset"),
	}
	if kind := a.Text("kind"); kind != "" {
		q.Kinds = []string{kind}
	}
	return q, HitView{Full: a.Text("fields") != "", InForce: a.Text(InForceParameter), AsOf: a.Text("as_of")}
}

// IsSearch reports whether a request has a parameter that narrows a search, of which one is needed.
func IsSearch(a Asked) bool { return slices.ContainsFunc(api.Narrowing, a.Has) }

// AskedComparison reads which versions of an item are compared. version reads the one that a parameter
// names, or returns the default.
func AskedComparison(
	item *content.Item, a Asked, version func(name string, standard *content.Entry) *content.Entry,
) Comparison {
	to := version("to", DefaultComparison(item))
	v := Comparison{
		From: version("from", ComparedWith(to)), To: to, AsOf: a.Text("as_of"), InForce: AskedInForce(item.Kind, a),
		Only: a.Text("class"), Section: a.Text(api.Section), Offset: a.Number("offset"),
	}
	if a.Has("from") && v.AsOf+v.InForce != "" {
		a.Fault("from", "inconsistent", VersionAndDay, "Уберите from либо as_of и in_force.")
	}
	return v
}

// AskedInForce reads the day in force. Only some kinds have values in force.
func AskedInForce(k *content.Kind, a Asked) string {
	day := a.Text(InForceParameter)
	if day != "" && !api.HasPeriods(k) {
		a.Fault(
			InForceParameter, "not_dated", "У элементов этого вида нет дат действия.",
			"Что было опубликовано на день, говорит as_of.",
		)
	}
	return day
}

// AskedPart reads the part that sections or a view select. past names the parameters, if any, by
// which an earlier state is requested.
func AskedPart(sections []string, a Asked, past string) Part {
	view := a.Text(api.View)
	p := Part{Sections: sections, Brief: view == "brief", Referrers: view == ReferrersView}
	if view != "" && sections != nil {
		a.Fault(api.View, "inconsistent", "Указаны и разделы, и вид.", LeaveOne)
	}
	if p.Referrers && past != "" {
		a.Fault(api.View, "inconsistent", "Кто ссылается, известно только на сейчас.", "Уберите "+past+".")
	}
	return p
}

// FormatParameter is the parameter for links on pages that selects another media type than the
// Accept header.
const FormatParameter = "format"

// Query are the parameters that have a value.
func Query(all map[string]string) url.Values {
	q := url.Values{}
	for name, value := range all {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// Merged is a query with some parameters replaced; empty values remove them.
func Merged(q, otherwise url.Values) url.Values {
	for name, values := range otherwise {
		if q.Del(name); values[0] != "" {
			q.Set(name, values[0])
		}
	}
	return q
}

// Address is a path with a query, if there is one.
func Address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// NonDefault is a number as a parameter, "" if it is the default.
func NonDefault(n, standard int) string {
	if n == standard {
		return ""
	}
	return strconv.Itoa(n)
}

// What a request may name that does not exist, and other faults of requests, in Russian.
const (
	NoSection        = "Такого раздела нет."
	NoSignal         = "Такого признака нет."
	NoState          = "Такого состояния нет."
	NoValue          = "Такого значения нет."
	NoVersion        = "Такой версии нет."
	NoCurrentVersion = "Действующей версии нет."
	NothingAsked     = "Не указано, что искать."
	VersionAndDay    = "Указаны и версия, и день."
	LeaveOne         = "Оставьте что-то одно."
)
