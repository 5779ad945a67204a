package server

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// query parses the parameters of a request as declared, and collects the errors. An unknown
// parameter is an error: an agent's typo must not widen its result.
type query struct {
	site     *site.Site
	resource *site.Resource // at the path, if the site has one
	page     bool           // the answer is a page

	path, escaped string // of the request

	params  []*api.Param
	values  url.Values
	numbers map[string]int // by parameter, with defaults
	errors  []calc.Fault
}

// maxErrors is the maximum number of errors that are listed: a request may consist of nothing
// else.
const maxErrors = 20

// parseQuery parses the query of an operation; without one, all parameters are unknown.
func parseQuery(r *http.Request, s *site.Site, o *api.Operation) *query {
	q := &query{
		site: s, page: pageSite(r) != nil, path: r.URL.Path, escaped: r.URL.EscapedPath(),
		numbers: map[string]int{},
	}
	if o != nil {
		q.params = o.Query()
	}
	var err error
	if q.values, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		q.errors = append(q.errors, calc.Fault{
			Pointer: "/query", Code: "malformed", Detail: "Строка запроса записана с ошибкой.",
			Hint: "Кодируйте значения параметров как application/x-www-form-urlencoded.",
		})
	}
	q.checkNames(q.params, o != nil && o.Lenient)
	for _, p := range q.params {
		q.readParam(p)
	}
	return q
}

// checkNames finds unknown parameters, unless they are ignored, and repeated ones.
func (q *query) checkNames(params []*api.Param, lenient bool) {
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	known := "Допустимые параметры: " + strings.Join(names, ", ") + "."
	if len(names) == 0 {
		known = "У этого адреса нет параметров."
	}
	for name, given := range q.values {
		switch i := slices.Index(names, name); {
		case name == site.FormatParameter: // others were taken off
			q.Fault(name, "unknown_value", "Недопустимое значение.", "Укажите один раз json или markdown.")
		case i < 0 && !lenient:
			q.Fault(name, "unknown_parameter", "Неизвестный параметр.", known)
			delete(q.values, name)
		case i >= 0 && len(given) > 1 && params[i].Type != api.List:
			q.Fault(name, "repeated_parameter", "Параметр указан несколько раз.", "Укажите его один раз.")
		}
	}
	slices.SortFunc(q.errors, func(a, b calc.Fault) int { return strings.Compare(a.Pointer, b.Pointer) })
}

// readParam validates the value of a parameter.
func (q *query) readParam(p *api.Param) {
	given, value := q.values[p.Name], q.values.Get(p.Name)
	q.numbers[p.Name] = p.Default
	switch {
	case given == nil && p.Required:
		q.Fault(
			p.Name, "nothing_asked", "Обязательный параметр не указан.",
			"Добавьте его к адресу, например "+p.Name+"="+p.Example+".",
		)
		return
	case given == nil:
		return
	case p.Spelt != nil:
		given[0] = p.Spelt(value)
	case p.Type == api.DayOrInstant:
		given[0] = strings.Replace(value, " ", "+", 1) // of a zone, which nobody escapes
	case p.Type == api.Number:
		q.numbers[p.Name], _ = strconv.Atoi(value) // or it is a fault
	}
	if p.Type != api.List {
		given = given[:1]
	}
	for _, f := range p.Check(given...) {
		q.Fault(p.Name, f.Code, f.Detail, f.Hint)
	}
}

// checkValue validates a parameter with one of a few values, which depend on the content.
func (q *query) checkValue(name string, allowed []string) {
	if !q.values.Has(name) {
		return
	}
	if f := api.NotOneOf(q.values.Get(name), allowed); f != nil {
		q.Fault(name, f.Code, f.Detail, f.Hint)
	}
}

// Fault implements [site.Asked].
func (q *query) Fault(name, code, detail, hint string) {
	q.errors = append(q.errors, calc.Fault{Pointer: pointer(name), Code: code, Detail: detail, Hint: hint})
}

// Unknown implements [site.Asked]: it adds an error unless the parameter has another one.
func (q *query) Unknown(name, code, detail string, u *site.Unknown) {
	other := func(e calc.Fault) bool { return e.Pointer == pointer(name) && e.Code != code }
	if slices.ContainsFunc(q.errors, other) {
		return
	}
	q.Fault(name, code, detail, u.Hint())
}

// pointer is the JSON pointer of a parameter.
func pointer(name string) string { return calc.Join("/query", name) }

// Text implements [site.Asked].
func (q *query) Text(name string) string { return q.values.Get(name) }

// Number implements [site.Asked].
func (q *query) Number(name string) int { return q.numbers[name] }

// Has implements [site.Asked].
func (q *query) Has(name string) bool { return q.values.Has(name) }

// err returns the problem of the errors, nil if there are none.
func (q *query) err() error {
	if len(q.errors) == 0 {
		return nil
	}
	faults := q.errors[:min(len(q.errors), maxErrors)]
	p := invalidProblem(http.StatusBadRequest, "invalid_query", "Параметры запроса заданы неверно", faults)
	p.params = q.params
	return p
}
