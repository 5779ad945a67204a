package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/gorilla/mux"

	"rulestore/content/crash"
	"rulestore/server/api"
	"rulestore/server/clients"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// Sites provides the current site.
type Sites interface {
	// Current returns the site to serve, nil before the first.
	Current() *site.Site
}

// Config is the configuration of a handler.
type Config struct {
	Sites   Sites
	Status  func() Status // of the process; called for each request of a health document
	Encoder *site.Encoder // compresses reusable bodies; nil: all are compressed per request
	MCP     http.Handler  // serves api.MCPPath and the documents beside it; nil: not served
	Log     *slog.Logger
	// Requests counts requests for which no site has a resource, if the handler is wrapped by
	// observe.Handler; nil: they are not counted.
	Requests *observe.Requests
	Rate     *clients.Rate // limits the requests of a client; nil: no limit
	// Addr is the configured listen address: drafts are also served under its host, which may
	// be a name.
	Addr string

	// Now is the clock for the lifetimes in cache headers; nil: the system's.
	Now func() time.Time
}

// New returns the handler of all public endpoints.
func New(c Config) http.Handler {
	h := &handler{Config: c}
	h.router = h.routes()
	return h
}

type handler struct {
	Config
	router *mux.Router
}

func assign(to http.Header, headers []site.Header) {
	for _, h := range headers {
		to[h.Name] = h.Values
	}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.rescue(w, r)
	assign(w.Header(), site.CommonHeaders)
	s := h.Sites.Current()
	if s != nil {
		w.Header()["X-Snapshot"] = s.Name()
		if s.Snapshot.Drafts {
			h.servePrivate(w, r, s)
			return
		}
	}
	h.answer(w, r, s)
}

// answer answers a request from a site, nil before the first.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, s *site.Site) {
	if len(r.RequestURI) > maxURL {
		urlTooLong(w, r)
		return
	}
	if h.Rate != nil {
		if wait := h.Rate.Wait(r); wait > 0 {
			tooMany(w, r, wait)
			return
		}
	}
	if s == nil {
		w.Header().Set("Retry-After", "5")
		unavailableProblem("not_ready", "Содержание ещё загружается.").write(w, r)
		return
	}
	if r.URL.RawPath != "" {
		r = normalizePath(r)
	}
	if isRead(r) {
		r = applyFormat(r)
	}
	if prefersHTML(r.Header) {
		r = adaptForPage(r, s)
		defer h.rescue(w, r) // before the deferred call above, so that a panic is answered by a page, too
	}
	if res := s.Lookup(r.URL.Path); res != nil && r.URL.RawPath == "" {
		observe.Take(w, res.Route)
		if c := res.Calculation; c != nil {
			assign(w.Header(), c.Always)
			if r.Method == http.MethodPost {
				calculate(w, r, s, c)
				return
			}
		}
		answer := res
		if (r.URL.RawQuery != "" || len(res.Representations) == 0) && res.Action != api.Prepared && isRead(r) {
			answer = resolveQuery(w, r, s, res)
		}
		if answer != nil {
			h.serve(w, r, s, answer, answer == res || answer.Kept)
		}
		return
	}
	h.router.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, s)))
}

// unreserved matches the escapes of characters that need none (RFC 3986, section 2.3).
var unreserved = regexp.MustCompile(`(?i)%(4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE]|3[0-9]|2[DE])`)

// normalizePath unescapes what need not be escaped in the path of a request: with and without these escapes it
// is the same path (RFC 3986, section 6.2.2.2).
func normalizePath(r *http.Request) *http.Request {
	changed, u := *r, *r.URL
	u.RawPath = unreserved.ReplaceAllStringFunc(u.RawPath, func(escape string) string {
		c, _ := url.PathUnescape(escape)
		return c
	})
	if plain := (&url.URL{Path: u.Path}).EscapedPath(); plain == u.RawPath {
		u.RawPath = ""
	}
	changed.URL = &u
	return &changed
}

type siteKey struct{}

// siteOf returns the site of a request, the same from start to end.
func siteOf(r *http.Request) *site.Site { return r.Context().Value(siteKey{}).(*site.Site) }

// rescue answers a request whose handler panicked.
func (h *handler) rescue(w http.ResponseWriter, r *http.Request) {
	switch v := recover(); v {
	case nil:
	case http.ErrAbortHandler:
		panic(v)
	default:
		crash.Tell(h.Log, crash.Of(v), "method", r.Method, "path", r.URL.Path, "request_id", observe.ID(w))
		problem{
			Status: http.StatusInternalServerError, Code: "internal",
			Detail: "Внутренняя ошибка сервиса. Повторите запрос позже.",
		}.write(w, r)
	}
}
