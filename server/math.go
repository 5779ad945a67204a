package server

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/clients"
	"rulestore/server/site"
)

// calculating lists the methods of the path of a calculation.
const calculating = "GET, HEAD, POST, OPTIONS"

// methods lists the methods of a resource.
func methods(res *site.Resource) string {
	switch {
	case res.Calculation == nil:
		return reading
	case res.Representations == nil:
		return "POST, OPTIONS"
	}
	return calculating
}

// calculations reads the filters of the registry of calculations.
func calculations(w http.ResponseWriter, r *http.Request, s *site.Site, _ *site.Resource, q *query) *site.Resource {
	if !q.ok(w, r) {
		return nil
	}
	return s.Calculations(q.get("family"), q.get("release"), q.get(site.TextParameter))
}

// tool describes a calculation; for pages, it fills the form with an example.
func tool(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource, q *query) *site.Resource {
	switch {
	case res.Representations == nil: // only for POST
		return res
	case pageSite(r) != nil:
		return example(w, r, s, res, q)
	}
	return whole(w, r, s, res, q)
}

// answers has the media types of a calculation's answer.
var answers = &site.Resource{Representations: []*site.Representation{
	{Type: api.JSONType}, {Type: api.MarkdownType},
}}

// calculate answers a request to a tool, with the calendars of this site.
func calculate(w http.ResponseWriter, r *http.Request, s *site.Site, c *site.Calculation) {
	if pageSite(r) != nil && isForm(r) {
		calculateForm(w, r, s, c)
		return
	}
	form, body, ok := postedFor(w, r)
	if !ok {
		return
	}
	answer, err := c.Tool.Calculate(body, s.Facts())
	if err != nil {
		refused(err).write(w, r)
		return
	}
	text := answer.JSON
	if form.Type == api.MarkdownType {
		text = answer.Markdown
	}
	assign(w.Header(), c.Headers)
	writeAnswer(w, r, form.Type, text())
}

// writeAnswer writes the answer of a calculation, which must not be stored.
func writeAnswer(w http.ResponseWriter, r *http.Request, mediaType string, body []byte) {
	w.Header().Set("Content-Language", api.Language)
	writeMade(w, r, http.StatusOK, mediaType, body)
}

// postedFor chooses the media type of the answer, and reads the JSON body of the request. Not ok
// means that the request has been answered.
func postedFor(w http.ResponseWriter, r *http.Request) (form *site.Representation, body []byte, ok bool) {
	if form = choose(answers, r.Header); form == nil {
		notAcceptable(answers).write(w, r)
		return nil, nil, false
	}
	body, ok = posted(w, r)
	return form, body, ok
}

// posted reads the JSON body of a request, up to a maximum size. Not ok means that the request has
// been answered.
func posted(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if !parseQuery(r, nil).ok(w, r) {
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
	unread(w, r, err)
	return nil, false
}

// unread answers a request whose body could not be read.
func unread(w http.ResponseWriter, r *http.Request, err error) {
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
	if errors.Is(err, clients.ErrBusy) {
		w.Header().Set("Retry-After", "1")
		p = problem{
			Status: http.StatusServiceUnavailable, Code: "too_many_bodies",
			Detail: "Слишком много запросов одного клиента ещё не дошли. Повторите запрос через секунду.",
		}
	}
	p.write(w, r)
}

// refusals are the status codes for errors of the engine.
var refusals = map[string]int{
	calc.CodeUnknownTool:      http.StatusNotFound,
	calc.CodeInvalidJSON:      http.StatusBadRequest,
	calc.CodeBodyTooLarge:     http.StatusRequestEntityTooLarge,
	calc.CodeValidationFailed: http.StatusUnprocessableEntity,
}

// refused converts an error of the engine to a problem.
func refused(err error) problem {
	e, ok := errors.AsType[*calc.Error](err)
	if !ok {
		panic(err) // the engine has no other errors
	}
	p := problem{Status: refusals[e.Code], Code: e.Code, Detail: e.Detail + "."}
	for _, f := range e.Faults {
		p.Errors = append(p.Errors, detailError(f))
	}
	return p
}

// unknownTool is the problem of an unknown tool, with a similar one.
func unknownTool(s *site.Site, id string) problem {
	detail := "Такого инструмента нет. Реестр: " + s.URL(api.MathPath)
	if near, ok := s.Math().Near(id); ok {
		detail = "Такого инструмента нет. Похожий: " + s.URL(api.ToolsPath+near.ID) + " Реестр: " + s.URL(api.MathPath)
	}
	return problem{Status: http.StatusNotFound, Code: calc.CodeUnknownTool, Detail: detail}
}
