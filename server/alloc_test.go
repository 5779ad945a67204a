package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"rulestore/server"
)

// sink is a response writer that costs nothing.
type sink struct {
	header http.Header
	status int
	length int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { s.length += len(b); return len(b), nil }

func TestHeadWritesNothing(t *testing.T) {
	h := server.New(server.Config{Sites: serving(storeSite()), Status: func() server.Status { return server.Status{} },
		Log: slog.New(slog.DiscardHandler)})
	for _, path := range []string{deposit, "/healthz", "/nowhere", "/api/v1/guidelines?status=current"} {
		w := &sink{header: http.Header{}}
		h.ServeHTTP(w, httptest.NewRequest(http.MethodHead, path, nil))
		if w.length != 0 {
			t.Errorf("%s: %d bytes", path, w.length)
		}
	}
}

// A request costs a look-up and a copy: what a handler allocates, the collector
// has to find again.
func TestAllocations(t *testing.T) {
	const most = 8
	e, stop := encoder(kindsSite())
	defer stop()
	h := handler(server.Config{Sites: serving(kindsSite()), Encoder: e, Log: slog.New(slog.DiscardHandler)})
	c := start(t, server.Config{Sites: serving(kindsSite()), Encoder: e})
	const path = "/api/v1/instructions/fraud-response"
	first := c.get(path).header
	tag, date := first.Get("Etag"), first.Get("Last-Modified")
	stop() // what it encodes for others would be counted too
	for _, test := range []struct {
		path, header, value string
		status              int
	}{
		{path, "Accept", "application/json", 200},
		{path, "Accept", "text/markdown", 200},
		{path + "/versions/1.0.0", "Accept", "application/json", 200},
		{"/api/v1/guidelines", "Accept", "application/json", 200},
		{path, "Accept-Encoding", "gzip, deflate, br, zstd", 200},
		{path, "Accept-Encoding", "gzip;q=0.8, br;q=0.1, *;q=0", 200},
		{path, "If-None-Match", `"a", "b", ` + tag, 304},
		{path, "If-Modified-Since", date, 304},
	} {
		req := httptest.NewRequest(http.MethodGet, test.path, nil)
		req.Header.Set(test.header, test.value)
		w := &sink{header: http.Header{}, status: http.StatusOK}
		n := testing.AllocsPerRun(200, func() {
			clear(w.header)
			h.ServeHTTP(w, req)
		})
		if n > most || w.status != test.status || test.status == 200 && w.length == 0 {
			t.Errorf("%v: %v allocations, at most %d are expected (status %d, %d bytes)", test, n, most, w.status, w.length)
		}
		if asked := test.header == "Accept-Encoding"; asked != (len(w.header["Content-Encoding"]) > 0) {
			t.Errorf("%v: %v", test, w.header)
		}
	}
}
