package observe

import (
	"log/slog"
	"net/http"
	"time"
)

// Config is the configuration of access log and tracing.
type Config struct {
	Requests *Requests
	Access   *slog.Logger // the access log; nil: none
	Tracer   Tracer       // nil: requests are not traced
}

// Tracer follows requests through several services.
type Tracer interface {
	// Start returns the request to continue with, and a function to call after the response.
	Start(r *http.Request) (*http.Request, func(Outcome))
}

// Outcome is the result of a request.
type Outcome struct {
	Route    string // its pattern
	Status   int
	Bytes    int64 // of the body as sent
	Snapshot string
	ID       string // of the request; empty if it has none
}

// Handler returns next with metrics, access log and tracing.
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
	if h.Tracer == nil {
		defer h.finish(x, r, start)
		h.next.ServeHTTP(x, r)
		return
	}
	traced, end := h.Tracer.Start(r)
	defer func() {
		h.finish(x, traced, start)
		end(x.outcome())
	}()
	h.next.ServeHTTP(x, traced)
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
