package server

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
)

// query reads the parameters of a request and collects what is wrong with them.
// A parameter that nobody knows is wrong: an agent's typo must not widen its
// result.
type query struct {
	values url.Values
	errors []detailError
}

// maxErrors is how many of the errors of a request are named: it may consist of
// nothing else.
const maxErrors = 20

func parseQuery(r *http.Request, allowed ...string) *query {
	q := &query{}
	var err error
	if q.values, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		q.errors = append(q.errors, detailError{"/query", "malformed", "Строка запроса записана с ошибкой.", "Кодируйте значения параметров как application/x-www-form-urlencoded."})
	}
	known := "Допустимые параметры: " + strings.Join(allowed, ", ") + "."
	if len(allowed) == 0 {
		known = "У этого адреса нет параметров."
	}
	for name, values := range q.values {
		switch {
		case !slices.Contains(allowed, name):
			q.wrong(name, "unknown_parameter", "Неизвестный параметр.", known)
		case len(values) > 1 && name != sectionParameter:
			q.wrong(name, "repeated_parameter", "Параметр указан несколько раз.", "Укажите его один раз.")
		}
	}
	slices.SortFunc(q.errors, func(a, b detailError) int { return strings.Compare(a.Pointer, b.Pointer) })
	return q
}

func (q *query) wrong(name, code, detail, hint string) {
	q.errors = append(q.errors, detailError{"/query/" + escapePointer(name), code, detail, hint})
}

// escapePointer writes a name as a part of a JSON pointer (RFC 6901).
func escapePointer(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

// text reads a parameter that has any value but a blank one.
func (q *query) text(name string) string {
	v := q.values.Get(name)
	if q.values.Has(name) && strings.TrimSpace(v) == "" {
		q.wrong(name, "empty_value", "Значение не указано.", "Укажите значение или уберите параметр.")
	}
	return v
}

// enum reads a parameter that has one of a few values.
func (q *query) enum(name string, allowed []string) string {
	v := q.values.Get(name)
	if q.values.Has(name) && !slices.Contains(allowed, v) {
		q.wrong(name, "unknown_value", "Недопустимое значение.", "Допустимые значения: "+strings.Join(allowed, ", ")+".")
	}
	return v
}

// number reads a whole number within bounds.
func (q *query) number(name string, standard, least, most int) int {
	if !q.values.Has(name) {
		return standard
	}
	n, err := strconv.Atoi(q.values.Get(name))
	if err != nil || n < least || n > most {
		q.wrong(name, "out_of_range", "Ожидается целое число в допустимых пределах.", fmt.Sprintf("От %d до %d.", least, most))
	}
	return n
}

// ok answers the request itself if something is wrong with it.
func (q *query) ok(w http.ResponseWriter, r *http.Request) bool {
	if len(q.errors) == 0 {
		return true
	}
	problem{
		Status: http.StatusBadRequest, Code: "invalid_query",
		Detail: "Параметры запроса заданы неверно, см. errors.", Errors: q.errors[:min(len(q.errors), maxErrors)],
	}.write(w, r)
	return false
}

// date reads a parameter that is a day.
func (q *query) date(name string) string {
	v := q.values.Get(name)
	if _, err := time.Parse(content.Date, v); err != nil && q.values.Has(name) {
		q.wrong(name, "no_date", "Ожидается дата.", "Запишите день как 2026-05-01.")
	}
	return v
}
