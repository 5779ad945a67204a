package server

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// problem is an error for clients (RFC 9457): a text in Russian for people, a code for programs.
type problem struct {
	Type     string       `json:"type"`
	Title    string       `json:"title"`
	Status   int          `json:"status"`
	Detail   string       `json:"detail"`
	Instance string       `json:"instance"`
	Code     string       `json:"code"`
	Errors   []calc.Fault `json:"errors,omitempty"` // with pointers /query/<name>, or in a body
	Near     []near       `json:"near,omitempty"`   // similar names

	*site.Gone // of a redacted version

	// For pages.
	pageDetail string       // the detail on a page, which lists the rest below it; "" is Detail
	item       string       // folder and name of the item that is not served, or not as requested
	similar    []site.Link  // Near
	types      []string     // available media types
	params     []*api.Param // those that the request could have
}

// near is what may have been meant.
type near struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// orSimilar returns the problem with links to what may have been meant.
func (p problem) orSimilar(s *site.Site, similar []site.Link) problem {
	p.similar = similar
	for _, l := range similar {
		p.Near = append(p.Near, near{l.Title, s.URL(l.Path)})
	}
	return p
}

var titles = map[int]string{
	http.StatusBadRequest:            "Неверный запрос",
	http.StatusForbidden:             "Не для этого запроса",
	http.StatusNotFound:              "Не найдено",
	http.StatusMethodNotAllowed:      "Метод не поддерживается",
	http.StatusNotAcceptable:         "Нет подходящего формата",
	http.StatusRequestTimeout:        "Запрос не дошёл",
	http.StatusGone:                  "Публикация изъята",
	http.StatusRequestEntityTooLarge: "Слишком большой запрос",
	http.StatusUnsupportedMediaType:  "Неподдерживаемый формат запроса",
	http.StatusUnprocessableEntity:   "Запрос не прошёл проверку",
	http.StatusInternalServerError:   "Внутренняя ошибка",
	http.StatusServiceUnavailable:    "Сервис недоступен",
	http.StatusRequestURITooLong:     "Слишком длинный адрес",
	http.StatusTooManyRequests:       "Слишком много запросов",
}

// invalidProblem is a problem with several errors, whose details name their fields.
func invalidProblem(status int, code, detail string, faults []calc.Fault) problem {
	return problem{
		Status: status, Code: code, Detail: detail + ", см. errors.", Errors: faults, pageDetail: detail + ":",
	}
}

// notFoundProblem is the problem of what does not exist.
func notFoundProblem(code, detail string) problem {
	return problem{Status: http.StatusNotFound, Code: code, Detail: detail}
}

// unavailableProblem is the problem of what cannot be done at the moment.
func unavailableProblem(code, detail string) problem {
	return problem{Status: http.StatusServiceUnavailable, Code: code, Detail: detail}
}

// Error implements error.
func (p problem) Error() string { return p.Code + ": " + p.Detail }

// write sends the problem. It must not be stored: replicas lag, and what is missing here may exist
// a second later.
func (p problem) write(w http.ResponseWriter, r *http.Request) {
	p.Type = "urn:rulestore:problem:" + p.Code
	p.Title = titles[p.Status]
	p.Instance = r.URL.EscapedPath()
	if strings.HasPrefix(p.Instance, "//") { // or it would name a host (RFC 3986, section 4.2)
		p.Instance = "/." + p.Instance
	}
	h := w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Content-Encoding", "Cache-Control"} {
		h.Del(name)
	}
	h.Set("Content-Language", api.Language)
	h.Set("Vary", "Accept, Accept-Encoding")
	if s := pageSite(r); s != nil {
		writePage(w, r, p.Status, s, p.page(s, r, h))
		return
	}
	writeUncached(w, r, p.Status, api.ProblemType, p)
}

func redactedProblem(g *site.Gone) problem {
	return problem{Status: http.StatusGone, Code: "redacted", Detail: g.Detail(), Gone: g, pageDetail: g.What()}
}

func notAcceptableProblem(res *site.Resource) problem {
	var types []string
	for _, rep := range res.Representations {
		types = append(types, rep.Type)
	}
	slices.Sort(types)
	return problem{
		Status: http.StatusNotAcceptable, Code: "not_acceptable",
		types:  types,
		Detail: "Ресурс есть в форматах: " + strings.Join(types, ", ") + ". Укажите один из них в заголовке Accept.",
	}
}

func methodNotAllowed(w http.ResponseWriter, r *http.Request, methods string) {
	w.Header().Set("Allow", methods)
	problem{
		Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
		Detail: "Этот адрес отвечает на методы " + methods + ". Сервис только читает и считает.",
	}.write(w, r)
}

// maxURL is the maximum length of a request target.
const maxURL = 24 << 10

func urlTooLong(w http.ResponseWriter, r *http.Request) {
	r.URL.Path = "/" // the answer need not repeat it
	r.URL.RawPath = ""
	problem{
		Status: http.StatusRequestURITooLong, Code: "uri_too_long",
		Detail: "Адрес длиннее " + strconv.Itoa(maxURL) + " байт.",
	}.write(w, r)
}

// tooMany answers a client that has to wait.
func tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	seconds := int((wait + time.Second - 1) / time.Second)
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	problem{
		Status: http.StatusTooManyRequests, Code: "too_many_requests",
		Detail: "Слишком много запросов от одного клиента. Повторите через " + strconv.Itoa(seconds) + " с.",
	}.write(w, r)
}
