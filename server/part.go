package server

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/site"
)

// The parameters that ask for a part of an item.
const (
	sectionParameter = "section"
	viewParameter    = "view"
)

// maxAddress is how many characters the address of a section may have.
const maxAddress = 300

// part reads which part of an item is asked for, in one of some views.
func (q *query) part(views ...string) site.Part {
	view := q.enum(viewParameter, views)
	p := site.Part{Sections: q.values[sectionParameter], Brief: view == "brief", Referrers: view == site.ReferrersView}
	switch {
	case view != "" && p.Sections != nil:
		q.wrong(viewParameter, "inconsistent", "Указаны и разделы, и вид.", "Оставьте что-то одно.")
	case p.Referrers && q.values.Has("as_of"):
		q.wrong(viewParameter, "inconsistent", "Кто ссылается, известно только на сейчас.", "Уберите as_of.")
	case len(p.Sections) > site.MaxSections:
		q.wrong(sectionParameter, "too_many", "Разделов слишком много.", fmt.Sprintf(
			"Не больше %d за один запрос.", site.MaxSections,
		))
	}
	for _, a := range p.Sections {
		switch {
		case strings.TrimSpace(a) == "":
			q.wrong(sectionParameter, "empty_value", "Значение не указано.", "Укажите адрес раздела или уберите параметр.")
		case utf8.RuneCountInString(a) > maxAddress:
			q.wrong(sectionParameter, "too_long", "Значение слишком длинное.", fmt.Sprintf("Не больше %d знаков.", maxAddress))
		}
	}
	return p
}

// partOfVersion reads which part of a version is asked for. What else is in the query
// means nothing.
func partOfVersion(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource) *site.Resource {
	q := parseQuery(r, sectionParameter, viewParameter)
	if !q.values.Has(sectionParameter) && !q.values.Has(viewParameter) {
		return res
	}
	q.errors = slices.DeleteFunc(q.errors, func(e detailError) bool { return e.Code == "unknown_parameter" })
	wanted := q.part("brief")
	if !q.ok(w, r) {
		return nil
	}
	it := s.Snapshot.Item(res.Kind, res.Name)
	i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return e.Path() == r.URL.Path })
	if i < 0 || wanted.Whole() {
		return res
	}
	return part(w, r, s, it.Entries[i], wanted, q)
}

// part returns a part of a version, nil if there is none and the request has been
// answered.
func part(
	w http.ResponseWriter, r *http.Request, s *site.Site, e *content.Entry, p site.Part, q *query,
) *site.Resource {
	res, err := s.Part(e, p)
	if unknown, ok := errors.AsType[*site.UnknownSection](err); ok {
		q.wrong(sectionParameter, "unknown_section", "Такого раздела нет.", unknown.Hint())
		q.ok(w, r)
		return nil
	}
	return res
}
