package observe_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rulestore/server/observe"
)

// answering returns a handler that takes a route and answers as the path says.
func answering(q *observe.Requests) http.Handler {
	known := q.Route("/items/{id}")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/items/") {
			observe.Take(w, known)
		}
		switch r.URL.Path {
		case "/items/json":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{}")
		case "/items/md":
			w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
			w.WriteHeader(http.StatusOK)
			_, _ = io.WriteString(w, "# ")
		case "/items/304":
			observe.As(w, "text/markdown")
			w.WriteHeader(http.StatusNotModified)
		case "/items/early":
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusTeapot)
		case "/items/silent":
		default:
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusNotFound)
		}
	})
}

func get(h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestCounts(t *testing.T) {
	q := observe.NewRequests()
	h := observe.Handler(answering(q), observe.Config{Requests: q})
	for _, path := range []string{"/items/json", "/items/json?q=1", "/items/md", "/items/304", "/items/early",
		"/items/silent", "/elsewhere"} {
		get(h, path)
	}
	for pattern, want := range map[string][]observe.Count{
		"/items/{id}": {
			{Status: "200", Representation: "none", Requests: 1},
			{Status: "200", Representation: "json", Requests: 2},
			{Status: "200", Representation: "markdown", Requests: 1},
			{Status: "304", Representation: "markdown", Requests: 1},
			{Status: "other", Representation: "none", Requests: 1},
		},
		observe.Unmatched: {{Status: "404", Representation: "problem", Requests: 1}},
	} {
		r := q.Route(pattern)
		if got := slices.Collect(r.Counts()); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
		total := uint64(0)
		for _, c := range want {
			total += c.Requests
		}
		if got := r.Latency.Read().Count; got != total {
			t.Errorf("%s: %d latencies of %d requests", pattern, got, total)
		}
	}
	if got := q.Route("/items/{id}").Bytes(); got != 6 {
		t.Errorf("%d bytes, want 6", got)
	}
	if got := len(q.Routes()); got != 2 {
		t.Errorf("%d routes, want 2", got)
	}
	if got := q.InFlight(); got != 0 {
		t.Errorf("%d requests in flight", got)
	}
}

// A handler that gives up is counted too, and what it does is not changed.
func TestAbort(t *testing.T) {
	q := observe.NewRequests()
	h := observe.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		observe.Config{Requests: q})
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("panic with %v", v)
		}
		if q.InFlight() != 0 || q.Route(observe.Unmatched).Latency.Read().Count != 1 {
			t.Error("the request was not counted to its end")
		}
	}()
	get(h, "/")
}

func TestHistogram(t *testing.T) {
	var h observe.Histogram
	for _, d := range []time.Duration{0, 32 * time.Microsecond, 32*time.Microsecond + 1, 64 * time.Microsecond,
		time.Second, time.Hour} {
		h.Observe(d)
	}
	r := h.Read()
	if r.Count != 6 || r.Seconds != time.Hour.Seconds()+1+0.000128+1e-9 {
		t.Errorf("%d durations of %v s", r.Count, r.Seconds)
	}
	below := uint64(0)
	for bound, want := range map[float64]uint64{0.000032: 2, 0.000064: 4, 0.524288: 4, 1.048576: 5, 67.108864: 5} {
		if got := r.Buckets[bound]; got != want {
			t.Errorf("%d durations up to %v s, want %d", got, bound, want)
		}
		below = max(below, r.Buckets[bound])
	}
	if below > r.Count {
		t.Errorf("more in the buckets than there are: %v", r)
	}
}

// Durations fall into the bucket of the first bound that is not below them.
func TestHistogramBuckets(t *testing.T) {
	for us := 1; us < 1<<21; us = us*3/2 + 1 {
		var h observe.Histogram
		d := time.Duration(us) * time.Microsecond
		h.Observe(d)
		for bound, n := range h.Read().Buckets {
			if want := d.Seconds() <= bound; want != (n == 1) {
				t.Errorf("%s: %d in the bucket up to %v s", d, n, bound)
			}
		}
	}
}

// Nothing of what a client sent is in the log but a well-formed request id and traceparent.
func TestAccessLog(t *testing.T) {
	var log bytes.Buffer
	q := observe.NewRequests()
	h := observe.Handler(answering(q), observe.Config{Requests: q, Access: slog.New(slog.NewTextHandler(&log, nil))})
	get(h, "/items/json?q=SECRET", "User-Agent", "SECRET", "X-Request-Id", "SECRET here", "Cookie", "SECRET",
		"Traceparent", "00-SECRET")
	get(h, "/SECRET/in/a/path?SECRET")
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	get(h, "/items/md", "X-Request-Id", "trace-1/a:b", "Traceparent", trace)
	if strings.Contains(log.String(), "SECRET") {
		t.Errorf("the log tells too much:\n%s", &log)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), &log)
	}
	for i, parts := range [][]string{
		{"method=GET", "route=/items/{id}", "status=200", "in=json", "bytes=2", "path=/items/json", "request_id="},
		{"route=unmatched", "status=404", "in=problem"},
		{"in=markdown", "request_id=trace-1/a:b", "traceparent=" + trace},
	} {
		for _, part := range parts {
			if !strings.Contains(lines[i], part) {
				t.Errorf("no %s in %s", part, lines[i])
			}
		}
	}
	if strings.Contains(lines[1], "path=") {
		t.Errorf("a path that is nowhere is in the log: %s", lines[1])
	}
}

func TestRequestIDs(t *testing.T) {
	for i, test := range []struct {
		given  string
		logged bool
		want   string // "" for none, "new" for one of its own
	}{
		{"", false, ""},
		{"", true, "new"},
		{"7f1c2b6e-9e37-4b58-a4d0-6f0c7a6a8d11", false, "7f1c2b6e-9e37-4b58-a4d0-6f0c7a6a8d11"},
		{strings.Repeat("a", 128), false, strings.Repeat("a", 128)},
		{strings.Repeat("a", 129), false, ""},
		{strings.Repeat("a", 129), true, "new"},
		{"two words", false, ""},
		{"quote\"", true, "new"},
		{"ключ", true, "new"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			q := observe.NewRequests()
			c := observe.Config{Requests: q}
			if test.logged {
				c.Access = slog.New(slog.DiscardHandler)
			}
			var headers []string
			if test.given != "" {
				headers = []string{"X-Request-Id", test.given}
			}
			got := get(observe.Handler(answering(q), c), "/items/json", headers...).Header().Get("X-Request-Id")
			if test.want == "new" && (len(got) < 20 || got == test.given) || test.want != "new" && got != test.want {
				t.Errorf("given %.40q, logged %v: %q", test.given, test.logged, got)
			}
		})
	}
}

// What goes wrong while a request is answered is logged under its name, which it
// gets then at the latest.
func TestIDOnDemand(t *testing.T) {
	q := observe.NewRequests()
	var id string
	h := observe.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { id = observe.ID(w) }),
		observe.Config{Requests: q})
	if got := get(h, "/").Header().Get("X-Request-Id"); got == "" || got != id {
		t.Errorf("the response names %q, the log %q", got, id)
	}
	if observe.ID(httptest.NewRecorder()) != "" {
		t.Error("a response that is not observed has a name")
	}
}

// What wraps the response lets streams through: flushes and deadlines arrive.
func TestStreams(t *testing.T) {
	q := observe.NewRequests()
	s := httptest.NewServer(observe.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, "first\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}), observe.Config{Requests: q}))
	defer s.Close()
	res, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := io.ReadFull(res.Body, line); err != nil || string(line) != "first\n" {
		t.Errorf("%q, %v", line, err)
	}
	if q.InFlight() != 1 {
		t.Errorf("%d requests in flight", q.InFlight())
	}
	res.Body.Close()
}

// The time that a request took is that of the handler.
func TestLatency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := observe.NewRequests()
		h := observe.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(3 * time.Second) }),
			observe.Config{Requests: q})
		get(h, "/")
		if r := q.Route(observe.Unmatched).Latency.Read(); r.Seconds != 3 {
			t.Errorf("%v s", r.Seconds)
		}
	})
}
