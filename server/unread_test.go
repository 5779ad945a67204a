package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"rulestore/server"
	"rulestore/server/clients"
)

// Who sent a body that was not taken is told why, and when to come back.
func TestUnreadBodies(t *testing.T) {
	h := server.New(server.Config{Sites: serving(starterSite()), MCP: assistant()})
	for name, test := range map[string]struct {
		err    error
		status int
		retry  bool
	}{
		"too many of its client": {clients.ErrBusy, http.StatusServiceUnavailable, true},
		"too slow":               {io.ErrUnexpectedEOF, http.StatusRequestTimeout, false},
		"too large":              {&http.MaxBytesError{Limit: 1}, http.StatusRequestEntityTooLarge, false},
	} {
		for _, path := range []string{"/api/v1/math/tools/loan_payment", "/mcp"} {
			t.Run(name+path, func(t *testing.T) {
				r := httptest.NewRequest(http.MethodPost, path,
					io.MultiReader(strings.NewReader("{"), iotest.ErrReader(test.err)))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != test.status || (w.Header().Get("Retry-After") != "") != test.retry ||
					!json.Valid(w.Body.Bytes()) {
					t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
				}
			})
		}
	}
}
