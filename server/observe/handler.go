package observe

import (
	"log/slog"
	"net/http"
	"regexp"
	"time"
)

// Config is the configuration of metrics and access log.
type Config struct {
	Requests *Requests
	Access   *slog.Logger // the access log; nil: none
}

// Handler returns next with metrics and access log.
func Handler(next http.Handler, c Config) http.Handler { return &handler{c, next} }

type handler struct {
	Config
	next http.Handler
}

// epoch makes a clock of time.Since, which is cheaper than time.Now.
var epoch = time.Now()

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Since(epoch)
	h.Requests.inFlight.Add(1)
	x := &exchange{ResponseWriter: w, route: h.Requests.unmatched}
	x.identify(r, h.Access != nil)
	defer h.finish(x, r, start)
	h.next.ServeHTTP(x, r)
}

// finish counts and logs what has been answered.
func (h *handler) finish(x *exchange, r *http.Request, start time.Duration) {
	took := time.Since(epoch) - start
	h.Requests.inFlight.Add(-1)
	if x.status == 0 { // nothing was written: net/http sends a 200
		x.status = http.StatusOK
	}
	if x.in == none {
		if t := x.Header()["Content-Type"]; len(t) > 0 {
			x.in = representationOf(t[0])
		}
	}
	x.route.count(x.status, x.in, x.bytes, took)
	if h.Access != nil {
		h.log(x, r, took)
	}
}

// traceParent matches the header that carries a trace through several programs (W3C Trace Context,
// version 00).
var traceParent = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

// log writes a line of the access log.
func (h *handler) log(x *exchange, r *http.Request, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("method", Method(r)),
		slog.String("route", x.route.Pattern),
		slog.Int("status", x.status),
		slog.String("in", representations[x.in]),
		slog.Int64("bytes", x.bytes),
		slog.Duration("took", took),
		slog.String("request_id", x.id),
		slog.String("snapshot", x.snapshot()),
	}
	if trace := r.Header.Get("Traceparent"); traceParent.MatchString(trace) {
		attrs = append(attrs, slog.String("traceparent", trace))
	}
	if x.route != h.Requests.unmatched && x.status < http.StatusBadRequest {
		attrs = append(attrs, slog.String("path", r.URL.Path))
	}
	h.Access.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// Method returns the method of a request if it is a common one, since clients may send any
// word.
func Method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete:
		return r.Method
	}
	return "other"
}
