package server

import (
	"io"
	"net/http"
	"net/url"

	"rulestore/server/calc"
	"rulestore/server/site"
)

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
