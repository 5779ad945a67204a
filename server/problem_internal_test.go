package server

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"rulestore/server/observe"
)

// Every status that a problem can have is counted by its number.
func TestProblemsAreCounted(t *testing.T) {
	for status := range titles {
		q := observe.NewRequests()
		h := observe.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			problem{Status: status}.write(w, r)
		}), observe.Config{Requests: q})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
		for c := range q.Route(observe.Unmatched).Counts() {
			if c.Status != strconv.Itoa(status) {
				t.Errorf("%d is counted as %s", status, c.Status)
			}
		}
	}
}
