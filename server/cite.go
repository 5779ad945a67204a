package server

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// cite answers with the citation of a version, or of a section of it.
func (h *handler) cite(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	item := itemAtPath(s, r, api.CitePath)
	if item == nil {
		pathNotFoundProblem(s).write(w, r)
		return
	}
	q := parseQuery(r, api.Of(api.Cite, nil, ""))
	e := citable(q, item)
	if !q.valid(w, r) {
		return
	}
	if e == nil {
		problem{
			Status: http.StatusNotFound, Code: "not_published",
			Detail: "Цитировать нечего: действующей опубликованной версии нет. Черновик цитируют, когда он опубликован.",
		}.write(w, r)
		return
	}
	res, err := s.Cite(e, q.get(api.Section.Name))
	h.serveResult(w, r, s, q, res, err)
}

// itemAtPath returns the item that an address below a path names by folder and name, nil if there is
// none.
func itemAtPath(s *site.Site, r *http.Request, path string) *content.Item {
	folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, path), "/")
	if k := content.KindOf(folder); k != nil {
		return s.Snapshot.Item(k, name)
	}
	return nil
}

// citable returns the version to cite: the requested one, else the highest that is in force; nil
// if it is a draft, or there is none.
func citable(q *query, item *content.Item) *content.Entry {
	var versions []string
	for _, e := range item.Entries {
		if !e.Draft {
			versions = append(versions, e.Version.String())
		}
	}
	named := q.get("version")
	if q.checkValue("version", versions); named != "" {
		if i := slices.IndexFunc(item.Entries, func(e *content.Entry) bool {
			return !e.Draft && e.Version.String() == named
		}); i >= 0 {
			return item.Entries[i]
		}
		return nil
	}
	switch e := item.Current; {
	case e != nil && e.Draft:
		return e.Predecessor
	case e != nil:
		return e
	}
	if i := slices.IndexFunc(item.Entries, func(e *content.Entry) bool { return !e.Draft }); i >= 0 {
		return item.Entries[i] // all are redacted
	}
	return nil
}

// citationsForm answers with the page for checking citations.
func (h *handler) citationsForm(w http.ResponseWriter, r *http.Request) {
	if s := siteOf(r); parseQuery(r, nil).valid(w, r) {
		h.serve(w, r, s, s.CitationsForm(), false)
	}
}

// checkCitations checks the citations of a request. Nothing of the body is stored or logged.
func checkCitations(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	if pageSite(r) != nil && isForm(r) {
		checkCitationsForm(w, r, s)
		return
	}
	_, body, ok := negotiateAndReadJSON(w, r)
	if !ok {
		return
	}
	all, faults := s.ReadCitations(body)
	if len(faults) > 0 {
		details := make([]detailError, len(faults))
		for i, f := range faults {
			details[i] = detailError(f)
		}
		p := invalidProblem(http.StatusUnprocessableEntity, "validation_failed", "Цитаты заданы неверно", details)
		p.write(w, r)
		return
	}
	rep := choose(s.CheckCitations(all), r.Header).Ready()
	writeUnstored(w, r, rep.Type, rep.Body.Append(nil, clock()))
}

// checkCitationsForm answers a form with a page: the results, or the faults of the form. What was
// sent is only on that page.
func checkCitationsForm(w http.ResponseWriter, r *http.Request, s *site.Site) {
	form, ok := readForm(w, r)
	if !ok {
		return
	}
	status := http.StatusOK
	p, ok := s.CitationsChecked(form)
	if !ok {
		status = http.StatusUnprocessableEntity
	}
	w.Header().Set("Cache-Control", ownBrowser)
	writePage(w, r, status, s.Frame(), p)
}

// maxForm is the maximum size of a form in bytes: it is several times as large as the request made
// of it, as each value has a long name.
const maxForm = 4 * calc.MaxBody

// readForm parses a form. Not ok means that the request has been answered.
func readForm(w http.ResponseWriter, r *http.Request) (url.Values, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil {
		writeBodyError(w, r, err)
		return nil, false
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		problem{Status: http.StatusBadRequest, Code: "invalid_form", Detail: "Форма записана с ошибкой."}.write(w, r)
		return nil, false
	}
	return form, true
}
