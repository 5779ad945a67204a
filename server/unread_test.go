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
)

// Who sent a body that was not taken is told why.
func TestUnreadBodies(t *testing.T) {
	h := server.New(*ask(t, kindsSite()).config)
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"too slow":  {io.ErrUnexpectedEOF, http.StatusRequestTimeout},
		"too large": {&http.MaxBytesError{Limit: 1}, http.StatusRequestEntityTooLarge},
	} {
		for _, path := range []string{"/api/v1/math/tools/loan_payment", "/mcp"} {
			t.Run(name+path, func(t *testing.T) {
				r := httptest.NewRequest(http.MethodPost, path,
					io.MultiReader(strings.NewReader("{"), iotest.ErrReader(test.err)))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != test.status || !json.Valid(w.Body.Bytes()) {
					t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
				}
			})
		}
	}
}
