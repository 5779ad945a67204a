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
	for _, path := range []string{deposit, "/", "/llms.txt", "/healthz", "/nowhere", "/api/v1/guidelines?x=1",
		"/api/v1/guidelines?status=current"} {
		w := &sink{header: http.Header{}}
		h.ServeHTTP(w, httptest.NewRequest(http.MethodHead, path, nil))
		if w.length != 0 {
			t.Errorf("%s: %d bytes", path, w.length)
		}
	}
}
