package server

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/server/site"
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
		case len(values) > 1:
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

// text reads a parameter that has any value but none.
func (q *query) text(name string) string {
	v := q.values.Get(name)
	if q.values.Has(name) && v == "" {
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

// list answers a list with filters.
func list(k *content.Kind) http.HandlerFunc {
	statuses := []string{string(content.Current), string(content.Superseded), string(content.Archived)}
	if k.Expires {
		statuses = append(statuses, string(content.ReviewRequired))
	}
	return func(w http.ResponseWriter, r *http.Request) {
		s := siteOf(r)
		allowed := []string{"status", "product_type"}
		scenarios := s.Scenarios(k)
		if scenarios != nil {
			allowed = append([]string{"scenario"}, allowed...)
		}
		q := parseQuery(r, allowed...)
		f := site.Filter{Status: content.Status(q.enum("status", statuses)), ProductType: q.text("product_type")}
		if scenarios != nil {
			f.Scenario = q.enum("scenario", scenarios)
		}
		if q.ok(w, r) {
			serve(w, r, s.List(k, f))
		}
	}
}

// versions answers the list of an item's versions.
func versions(k *content.Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		res := siteOf(r).Lookup(r.URL.EscapedPath())
		if res == nil {
			itemNotFound(k)(w, r)
			return
		}
		if parseQuery(r).ok(w, r) {
			serve(w, r, res)
		}
	}
}

// maxOffset keeps an offset within what any repository can have.
const maxOffset = 1_000_000_000

// changelog answers a page of the changelog.
func changelog(w http.ResponseWriter, r *http.Request) {
	q := parseQuery(r, "limit", "offset")
	limit := q.number("limit", site.DefaultLimit, 1, site.MaxLimit)
	offset := q.number("offset", 0, 0, maxOffset)
	if q.ok(w, r) {
		serve(w, r, siteOf(r).Changelog(offset, limit))
	}
}
