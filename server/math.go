package server

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/html"
	"rulestore/server/site"
)

// calculationMethods lists the methods of the path of a calculation.
const calculationMethods = "GET, HEAD, POST, OPTIONS"

// methods lists the methods of a resource.
func methods(res *site.Resource) string {
	switch {
	case res.Calculation == nil:
		return readMethods
	case res.Representations == nil:
		return "POST, OPTIONS"
	}
	return calculationMethods
}

// calculations reads the filters of the registry of calculations.
func calculations(q *query) (*site.Resource, error) {
	return q.answered(func() *site.Resource { return q.site.Calculations(q.Text("family"), q.Text("release")) })
}

// describeTool describes a calculation.
func describeTool(q *query) (*site.Resource, error) {
	if q.resource.Representations == nil { // only for POST
		return q.resource, nil
	}
	return withoutParameters(q)
}

// calculationAnswer has the media types of a calculation's answer.
var calculationAnswer = &site.Resource{Representations: []*site.Representation{
	{Type: api.JSONType}, {Type: api.MarkdownType},
}}

// calculate answers a request to a tool, with the calendars of this site.
func calculate(w http.ResponseWriter, r *http.Request, s *site.Site, c *site.Calculation) {
	if pageSite(r) != nil && isForm(r) {
		calculateForm(w, r, s, c)
		return
	}
	form, body, ok := negotiateAndReadJSON(w, r, calculationAnswer)
	if !ok {
		return
	}
	answer, err := c.Tool.Calculate(body, s.Facts())
	if err != nil {
		engineProblem(err).write(w, r)
		return
	}
	text := answer.JSON
	if form.Type == api.MarkdownType {
		text = answer.Markdown
	}
	assign(w.Header(), c.Headers)
	writeUnstored(w, r, form.Type, text())
}

// isForm reports whether a browser posts a form.
func isForm(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/x-www-form-urlencoded"
}

// ownBrowser lets the browser that sent a form show the answer again when the user goes back or
// forward to it; with no-store it would ask to send the form once more. Nothing else stores it,
// and it answers no other request.
const ownBrowser = "private, no-cache"

// calculateForm answers a form with a page: the answer, or the faults of the form. What was sent
// is only on that page.
func calculateForm(w http.ResponseWriter, r *http.Request, s *site.Site, c *site.Calculation) {
	form, ok := readForm(w, r)
	if !ok {
		return
	}
	status := http.StatusOK
	p, ok := html.Calculate(s, c.Tool, form)
	if !ok {
		status = http.StatusUnprocessableEntity
	}
	w.Header().Set("Cache-Control", ownBrowser)
	writePage(w, r, status, s, p)
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

// writeUnstored writes the answer of a calculation, which must not be stored.
func writeUnstored(w http.ResponseWriter, r *http.Request, mediaType string, body []byte) {
	w.Header().Set("Content-Language", api.Language)
	writeBody(w, r, http.StatusOK, mediaType, body)
}

// negotiateAndReadJSON chooses the media type of the answer, and reads the JSON body of the request. Not ok
// means that the request has been answered.
func negotiateAndReadJSON(
	w http.ResponseWriter, r *http.Request, answer *site.Resource,
) (form *site.Representation, body []byte, ok bool) {
	if form = choose(answer, r.Header); form == nil {
		notAcceptableProblem(answer).write(w, r)
		return nil, nil, false
	}
	body, ok = readJSON(w, r)
	return form, body, ok
}

// readJSON reads the JSON body of a request, up to a maximum size. Not ok means that the request has
// been answered.
func readJSON(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if err := parseQuery(r, nil, nil).err(); err != nil {
		writeError(w, r, err)
		return nil, false
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if coding := r.Header.Get("Content-Encoding"); err != nil || kind != api.JSONType || coding != "" &&
		coding != "identity" {
		w.Header().Set("Accept-Post", api.JSONType)
		problem{
			Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type",
			Detail: "Запрос на расчёт — это JSON без сжатия: укажите Content-Type: application/json и не указывайте " +
				"Content-Encoding.",
		}.write(w, r)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, calc.MaxBody))
	if err == nil && r.Context().Err() == nil {
		return body, true
	}
	writeBodyError(w, r, err)
	return nil, false
}

// writeBodyError answers a request whose body could not be read.
func writeBodyError(w http.ResponseWriter, r *http.Request, err error) {
	p := problem{
		Status: http.StatusRequestTimeout, Code: "body_incomplete",
		Detail: "Тело запроса пришло не полностью. Повторите запрос.",
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		p = problem{
			Status: http.StatusRequestEntityTooLarge, Code: calc.CodeBodyTooLarge,
			Detail: "Тело запроса больше 64 КиБ.",
		}
	}
	p.write(w, r)
}

// engineStatus are the status codes for errors of the engine.
var engineStatus = map[string]int{
	calc.CodeUnknownTool:      http.StatusNotFound,
	calc.CodeInvalidJSON:      http.StatusBadRequest,
	calc.CodeBodyTooLarge:     http.StatusRequestEntityTooLarge,
	calc.CodeValidationFailed: http.StatusUnprocessableEntity,
}

// engineProblem converts an error of the engine to a problem.
func engineProblem(err error) problem {
	e, ok := errors.AsType[*calc.Error](err)
	if !ok {
		panic(err) // the engine has no other errors
	}
	return problem{Status: engineStatus[e.Code], Code: e.Code, Detail: e.Detail + ".", Errors: e.Faults}
}

// unknownToolProblem is the problem of an unknown tool, with a similar one.
func unknownToolProblem(s *site.Site, id string) problem {
	detail := "Такого инструмента нет. Реестр: " + s.URL(api.MathPath)
	if near := s.SimilarCalculation(id); near != "" {
		detail = "Такого инструмента нет. Похожий: " + s.URL(api.ToolsPath+near) + " Реестр: " + s.URL(api.MathPath)
	}
	return notFoundProblem(calc.CodeUnknownTool, detail)
}
