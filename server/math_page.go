package server

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// isForm reports whether a browser posts a form.
func isForm(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/x-www-form-urlencoded"
}

// ownBrowser lets the browser that sent a form show the answer again when the user goes back or
// forward to it; with no-store it would ask to send the form once more. Nothing else stores it,
// and it answers no other request.
const ownBrowser = "private, no-cache"

// calculateForm answers a form with a page: the result, or the faults of the form. What was sent
// is only on that page.
func calculateForm(w http.ResponseWriter, r *http.Request, s *site.Site, c *site.Calculation) {
	form, ok := readForm(w, r)
	if !ok {
		return
	}
	if r.URL.Query().Get(site.FormatParameter) == "csv" {
		if table := s.CalculatedCSV(c.Tool, form); table != nil {
			w.Header().Set("Content-Disposition", `attachment; filename="`+c.Tool.ID+`.csv"`)
			writeUnstored(w, r, "text/csv", table)
			return
		}
	}
	status := http.StatusOK
	p, ok := s.Calculated(c.Tool, form)
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

// exampleForm answers with the form of a tool, filled with an example.
func exampleForm(q *query) (*site.Resource, error) {
	number, tool := 1, q.resource.Calculation.Tool
	if asked := q.Text(site.ExampleParameter); q.Has(site.ExampleParameter) {
		ordinal := &api.Param{Type: api.Number, Least: 1, Most: len(tool.Examples)}
		q.addFaults(site.ExampleParameter, nil, ordinal.Check(asked)...)
		number, _ = strconv.Atoi(asked) // or it is a fault
	}
	if err := q.err(); err != nil {
		return nil, err
	}
	return q.site.ToolExample(tool, number), nil
}
