package server

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// query parses the parameters of a request as declared, and collects the errors. An unknown
// parameter is an error: an agent's typo must not widen its result.
type query struct {
	params  []*api.Param
	values  url.Values
	numbers map[string]int // by parameter, with defaults
	errors  []detailError
	allowed map[string][]string // the values of parameters that have others

	unknowns map[int]*site.Unknown // by the index of the error that is about one
}

// maxErrors is the maximum number of errors that are listed: a request may consist of nothing
// else.
const maxErrors = 20

// parseQuery parses the query of an operation; without one, all parameters are unknown.
func parseQuery(r *http.Request, o *api.Operation) *query {
	var params []*api.Param
	if o != nil {
		params = o.Query(pageSite(r) != nil)
	}
	q := &query{
		params: params, numbers: map[string]int{}, allowed: map[string][]string{}, unknowns: map[int]*site.Unknown{},
	}
	var err error
	if q.values, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		q.errors = append(
			q.errors,
			detailError{
				"/query", "malformed", "Строка запроса записана с ошибкой.",
				"Кодируйте значения параметров как application/x-www-form-urlencoded.",
			},
		)
	}
	q.names(params, o != nil && o.Lenient)
	for _, p := range params {
		q.read(p)
	}
	return q
}

// names finds unknown parameters, unless they are ignored, and repeated ones.
func (q *query) names(params []*api.Param, lenient bool) {
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
			q.wrong(name, "unknown_value", "Недопустимое значение.", "Укажите один раз json или markdown.")
		case i < 0 && !lenient:
			q.wrong(name, "unknown_parameter", "Неизвестный параметр.", known)
			delete(q.values, name)
		case i >= 0 && len(given) > 1 && params[i].Type != api.List:
			q.wrong(name, "repeated_parameter", "Параметр указан несколько раз.", "Укажите его один раз.")
		}
	}
	slices.SortFunc(q.errors, func(a, b detailError) int { return strings.Compare(a.Pointer, b.Pointer) })
}

// read validates the value of a parameter.
func (q *query) read(p *api.Param) {
	given, value := q.values[p.Name], q.values.Get(p.Name)
	q.numbers[p.Name] = p.Default
	switch {
	case given == nil:
		return
	case p.Type == api.List:
		q.list(p, given)
		return
	}
	switch p.Type {
	case api.Text:
		q.text(p, value)
	case api.Word, api.Switch:
		if p.Spelt != nil {
			q.values.Set(p.Name, p.Spelt(value))
		}
		if allowed := p.Allowed(); allowed != nil {
			q.enum(p.Name, allowed)
		}
	case api.Number:
		q.numbers[p.Name] = q.number(p.Name, p.Least, p.Most)
	case api.Date:
		if _, err := time.Parse(content.Date, value); err != nil {
			q.wrong(p.Name, "no_date", "Ожидается дата.", "Запишите день как 2026-05-01.")
		}
	case api.DayOrInstant:
		value = strings.Replace(value, " ", "+", 1) // of a zone, which nobody escapes
		q.values.Set(p.Name, value)
		if !content.IsAsOf(value) {
			q.wrong(
				p.Name, "no_date", "Ожидается день или момент с часовым поясом.",
				"Запишите день как 2026-05-01, момент — как 2026-05-01T12:20:00+03:00 или 2026-05-01T09:20:00Z.",
			)
		}
	}
}

// list validates the values of a parameter that may be repeated.
func (q *query) list(p *api.Param, values []string) {
	if len(values) > p.Many {
		q.wrong(p.Name, "too_many", "Значений слишком много.", fmt.Sprintf("Не больше %d за один запрос.", p.Many))
		return
	}
	for _, v := range values {
		q.text(p, v)
	}
}

// text validates a text, which must not be blank or too long.
func (q *query) text(p *api.Param, value string) {
	switch {
	case strings.TrimSpace(value) == "":
		q.wrong(p.Name, "empty_value", "Значение не указано.", "Укажите значение или уберите параметр.")
	case p.Length > 0 && utf8.RuneCountInString(value) > p.Length:
		q.wrong(p.Name, "too_long", "Значение слишком длинное.", fmt.Sprintf("Не больше %d знаков.", p.Length))
	}
}

// enum validates a parameter with one of a few values, which can depend on the content.
func (q *query) enum(name string, allowed []string) {
	if q.values.Has(name) && !slices.Contains(allowed, q.values.Get(name)) {
		q.allowed[name] = allowed
		q.wrong(
			name, "unknown_value", "Недопустимое значение.", "Допустимые значения: "+strings.Join(allowed, ", ")+".",
		)
	}
}

// number parses an integer within bounds.
func (q *query) number(name string, least, most int) int {
	n, err := strconv.Atoi(q.values.Get(name))
	if err != nil || n < least || n > most {
		q.wrong(
			name, "out_of_range", "Ожидается целое число в допустимых пределах.",
			fmt.Sprintf("От %d до %d.", least, most),
		)
	}
	return n
}

func (q *query) wrong(name, code, detail, hint string) {
	q.errors = append(q.errors, detailError{"/query/" + escapePointer(name), code, detail, hint})
}

// unknown is an error for a value that a parameter cannot have.
func (q *query) unknown(name, code, detail string, u *site.Unknown) {
	q.unknowns[len(q.errors)] = u
	q.wrong(name, code, detail, u.Hint())
}

// escapePointer escapes a name for a JSON pointer (RFC 6901).
func escapePointer(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

// get returns the value of a parameter, "" if it is missing.
func (q *query) get(name string) string { return q.values.Get(name) }

// ok answers the request if there are errors, and reports whether there are none.
func (q *query) ok(w http.ResponseWriter, r *http.Request) bool {
	if len(q.errors) == 0 {
		return true
	}
	faults := q.errors[:min(len(q.errors), maxErrors)]
	p := invalid(http.StatusBadRequest, "invalid_query", "Параметры запроса заданы неверно", faults)
	p.params, p.allowed, p.unknowns = q.params, q.allowed, q.unknowns
	p.write(w, r)
	return false
}
