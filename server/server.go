package server

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/server/api"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// Sites hands out the site that is current.
type Sites interface {
	// Current returns the site to serve, nil before the first.
	Current() *site.Site
}

// Config is what a handler needs.
type Config struct {
	Sites   Sites
	Status  func() Status // of the process; called for each request of a health document
	Encoder *site.Encoder // compresses bodies that last; nil: all are compressed when they are asked for
	MCP     http.Handler  // answers at site.MCPPath and beside it; nil: nobody does
	Bundles Bundles       // gives the repository away; nil: nobody does
	// Past finds a snapshot that was served; nil: nobody remembers any.
	Past func(snapshot string) (Past, bool)
	Log  *slog.Logger
	// HeldBack returns the value of the header that says what the repository has and is not
	// served, nil if nothing is; nil: nobody knows.
	HeldBack func() []string
	// Requests are where requests are counted for which no site has an answer,
	// if the handler is inside of observe.Handler; nil: nowhere.
	Requests *observe.Requests
	Rate     *Rate // limits what a client may ask for; nil: nothing does
	// Addr is the address that the process was told to listen on: drafts are served
	// under its host too, which may be a name.
	Addr string

	// Now is the clock by which caches are told how long to keep what they get; nil:
	// that of the machine.
	Now func() time.Time

	// Changed returns a channel that is closed when what is served changes next,
	// or the process is about to stop. nil: pages do not reload by themselves.
	Changed func() <-chan struct{}
}

// New returns the handler of the whole interface.
func New(c Config) http.Handler {
	h := &handler{Config: c}
	h.router = h.routes()
	return h
}

type handler struct {
	Config
	router   *mux.Router
	previews previews
}

// Headers that every response carries, as slices that are assigned and never
// changed (design, section 12).
var common = []site.Header{
	{Name: "Access-Control-Allow-Origin", Values: []string{"*"}},
	{Name: "Access-Control-Expose-Headers", Values: []string{exposed()}},
	{Name: "Content-Security-Policy", Values: []string{"default-src 'none'; frame-ancestors 'none'"}},
	{Name: "Referrer-Policy", Values: []string{"no-referrer"}},
	{Name: "X-Content-Type-Options", Values: []string{"nosniff"}},
}

// exposed lists the response headers that scripts of other origins may read.
func exposed() string {
	names := []string{
		"ETag", "Link", "Last-Modified", "Deprecation", "Retry-After", "X-Request-Id", "X-Snapshot", "X-Held-Back",
		"X-Content-Checksum", "X-Log-Index", "X-Schema-Version", "X-Source",
	}
	for _, k := range content.Kinds {
		for _, part := range []string{"-ID", "-Version", "-Status"} {
			if name := k.Header + part; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}

func assign(to http.Header, headers []site.Header) {
	for _, h := range headers {
		to[h.Name] = h.Values
	}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.rescue(w, r)
	assign(w.Header(), common)
	s := h.Sites.Current()
	if s != nil {
		w.Header()["X-Snapshot"] = s.Name()
		if h.HeldBack != nil {
			if held := h.HeldBack(); held != nil {
				w.Header()["X-Held-Back"] = held
			}
		}
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
	if wait := h.Rate.wait(r); wait > 0 {
		tooMany(w, r, wait)
		return
	}
	if s == nil {
		w.Header().Set("Retry-After", "5")
		problem{Status: http.StatusServiceUnavailable, Code: "not_ready", Detail: "Содержание ещё загружается."}.write(w, r)
		return
	}
	if prefersPage(r.Header) {
		r = forPage(r, s)
		defer h.rescue(w, r) // before the one above, so that a crash is a page too
		if res := previewed(s, r); res != nil {
			observe.Take(w, res.Route)
			h.serve(w, r, s, res, false)
			return
		}
	}
	if res := lookup(s, r); res != nil && r.URL.RawPath == "" {
		observe.Take(w, res.Route)
		if c := res.Calculation; c != nil {
			assign(w.Header(), c.Always)
			if r.Method == http.MethodPost {
				calculate(w, r, s, c)
				return
			}
		}
		answer := res
		if (r.URL.RawQuery != "" || len(res.Representations) == 0) && res.Does != api.Prepared && reads(r) {
			answer = asked(w, r, s, res)
		}
		if answer != nil {
			h.serve(w, r, s, answer, answer == res || answer.Kept)
		}
		return
	}
	h.router.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, s)))
}

// lookup returns what is at the path of a request, as who asks sees it.
func lookup(s *site.Site, r *http.Request) *site.Resource {
	if pageSite(r) != nil {
		return s.LookupPage(r.URL.Path)
	}
	return s.Lookup(r.URL.Path)
}

type siteKey struct{}

// siteOf returns the site that the request reads, the same from start to end.
func siteOf(r *http.Request) *site.Site { return r.Context().Value(siteKey{}).(*site.Site) }

// rescue answers for a handler that crashed.
func (h *handler) rescue(w http.ResponseWriter, r *http.Request) {
	switch v := recover(); v {
	case nil:
	case http.ErrAbortHandler:
		panic(v)
	default:
		crash.Tell(h.Log, crash.Of(v), "method", r.Method, "path", r.URL.Path, "request_id", observe.ID(w))
		problem{Status: http.StatusInternalServerError, Code: "internal", Detail: "Внутренняя ошибка сервиса. Повторите запрос позже."}.write(w, r)
	}
}
