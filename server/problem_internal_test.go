package server

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/html"
	"rulestore/server/observe"
	"rulestore/server/site"
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

// Whatever an error says, its page shows it as text.
func TestProblemOfHostileWords(t *testing.T) {
	const evil = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'\u202e"
	s := site.Build(nil, content.NewSnapshot(content.Input{Source: content.Source{Date: "2026-11-20"}}),
		site.Config{BaseURL: "https://rules.example.org", Schemas: schemas.Embedded()})
	r := httptest.NewRequest(http.MethodGet, "/x", nil)
	p := problem{
		Title: evil, Status: http.StatusNotFound, Detail: evil,
		Gone:    &site.Gone{Since: evil, Reason: evil, Checksum: evil},
		Errors:  []calc.Fault{{Pointer: "/query/" + evil, Detail: evil, Hint: evil}},
		similar: []site.Link{{Title: evil, Path: "javascript:alert(1)"}},
	}.page(s, r, http.Header{"Retry-After": {evil}})
	p.Query = evil
	page := string(html.Render(s, p))
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img src=x") ||
		strings.Contains(page, `href="javascript:`) || strings.Contains(page, "\u202e") ||
		strings.Count(page, "[U+202E]") < 8 {
		t.Errorf("it looks like what it is not:\n%s", page)
	}
}
