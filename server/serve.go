package server

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// readMethods lists the methods of every resource.
const readMethods = "GET, HEAD, OPTIONS"

// serve answers with a resource, which is one of the site (lasting) or made for this request.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, s *site.Site, res *site.Resource, lasting bool) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		options(w, methods(res))
		return
	default:
		methodNotAllowed(w, r, methods(res))
		return
	}
	if res.Representations == nil && res.Calculation != nil {
		methodNotAllowed(w, r, methods(res))
		return
	}
	if res.Gone != nil {
		redactedProblem(res.Gone).write(w, r)
		return
	}
	rep := choose(res, r.Header)
	if rep == nil {
		notAcceptableProblem(res).write(w, r)
		return
	}
	if rep.Type == api.HTMLType {
		rep, lasting = html.Page(s, res), false
	}
	rep = rep.Ready()
	if notModified(rep, r.Header) {
		observe.As(w, rep.Type)
		assign(w.Header(), rep.NotModified)
		h.limit(w, s)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if i := site.CodingFor(r.Header); i >= 0 {
		if coded := h.Encoder.Encode(rep, i, clock(), lasting); coded != nil {
			assign(w.Header(), coded.Headers)
			h.limit(w, s)
			write(w, r, coded)
			return
		}
	}
	assign(w.Header(), rep.Headers)
	h.limit(w, s)
	write(w, r, &rep.Body)
}

// limit limits the lifetime in caches to the next change of the content.
func (h *handler) limit(w http.ResponseWriter, s *site.Site) {
	if !s.ChangesByDate() {
		return
	}
	now := time.Now
	if h.Now != nil {
		now = h.Now
	}
	headers := w.Header()
	if site.IsContentControl(headers["Cache-Control"]) {
		headers["Cache-Control"] = s.CacheControl(now())
	}
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// timedBody is a body, or a coded one.
type timedBody interface {
	Append(dst []byte, now string) []byte
}

// write sends a body with the present time in it.
func write(w http.ResponseWriter, r *http.Request, body timedBody) {
	if r.Method == http.MethodHead {
		return
	}
	buf := buffers.Get().(*[]byte)
	*buf = body.Append((*buf)[:0], clock())
	_, _ = w.Write(*buf) // the client may be gone
	buffers.Put(buf)
}

// second is a formatted time, cached for its second.
type second struct {
	unix int64
	text string
}

var lastSecond atomic.Pointer[second]

// clock returns the present time in site.TimeFormat.
func clock() string {
	now := time.Now()
	if s := lastSecond.Load(); s != nil && s.unix == now.Unix() {
		return s.text
	}
	s := &second{now.Unix(), now.UTC().Format(site.TimeFormat)}
	lastSecond.Store(s)
	return s.text
}

// notModified reports whether the client has the representation, by the preconditions of its
// request (RFC 9110, section 13.2.2): If-None-Match, compared weakly, and only without it
// If-Modified-Since. That must be the same date, since dates become older when a version is
// withdrawn. A page changes with other items as well, so it has no date.
func notModified(rep *site.Representation, h http.Header) bool {
	if tags, ok := h["If-None-Match"]; ok {
		return slices.ContainsFunc(tags, func(list string) bool { return matches(list, rep.ETag) })
	}
	since, ok := h["If-Modified-Since"]
	if !ok || rep.LastModified.IsZero() || rep.Type == api.HTMLType {
		return false
	}
	t, err := http.ParseTime(since[0])
	return err == nil && rep.LastModified.Equal(t)
}

// matches reports whether a list of entity tags has a tag, or is *.
func matches(list, tag string) bool {
	if list == tag || strings.Trim(list, " \t") == "*" {
		return true
	}
	opaque := strings.TrimPrefix(tag, "W/")
	for list = strings.TrimLeft(list, " \t,"); list != ""; list = strings.TrimLeft(list, " \t,") {
		list = strings.TrimPrefix(list, "W/")
		if list == "" || list[0] != '"' {
			return false // malformed: the rest is ignored
		}
		end := strings.IndexByte(list[1:], '"')
		if end < 0 {
			return false
		}
		if list[:end+2] == opaque {
			return true
		}
		list = list[end+2:]
	}
	return false
}

// options answers an OPTIONS request, also a preflight request of a browser.
func options(w http.ResponseWriter, methods string) {
	h := w.Header()
	h.Set("Allow", methods)
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match, If-Modified-Since")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}
