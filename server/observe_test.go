package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"rulestore/server"
	"rulestore/server/clients"
	"rulestore/server/observe"
)

// Requests are counted by route: with as many routes as there are kinds of
// addresses, however many items there are.
func TestRoutePatterns(t *testing.T) {
	s := starterSite()
	for path, want := range map[string]string{
		"/":                             "/",
		"/llms.txt":                     "/llms.txt",
		"/openapi.json":                 "/openapi.json",
		"/api/v1/search":                "/api/v1/search",
		"/api/v1/changelog":             "/api/v1/changelog",
		"/api/v1/guidelines":            "/api/v1/guidelines",
		benchmarked:                     "/api/v1/guidelines/{guideline_id}",
		benchmarked + "/versions":       "/api/v1/guidelines/{guideline_id}/versions",
		benchmarked + "/versions/1.0.0": "/api/v1/guidelines/{guideline_id}/versions/{version}",
		"/guidelines/product.common.001/current.md":      "/guidelines/{guideline_id}/current.md",
		"/api/v1/instructions/assistant":                 "/api/v1/instructions/{name}",
		"/api/v1/instructions/fallback-policy":           "/api/v1/instructions/{name}",
		"/instructions/assistant.json":                   "/instructions/{name}.json",
		"/api/v1/schemas/product-analysis-output":        "/api/v1/schemas/{name}",
		"/api/v1/schemas/math/loan-calculation":          "/api/v1/schemas/{name}",
		"/api/v1/schemas/math/loan-calculation/versions": "/api/v1/schemas/{name}/versions",
		"/schemas/guidelines/1.0.json":                   "/schemas/{format}.json",
		"/api/v1/fraud/signals":                          "/api/v1/fraud/signals",
		"/api/v1/fraud/signals/versions":                 "/api/v1/fraud/signals/versions",
		"/api/v1/math/tools/loan_payment":                "/api/v1/math/tools/{tool_id}",
		"/api/v1/calendars/ru-2026":                      "/api/v1/calendars/{calendar_id}",
	} {
		t.Run(path, func(t *testing.T) {
			res := s.Lookup(path)
			if res == nil || res.Route == nil {
				t.Errorf("%s: not counted", path)
				return
			}
			if res.Route.Pattern != want {
				t.Errorf("%s: counted as %s, want %s", path, res.Route.Pattern, want)
			}
		})
	}
	patterns := map[string]bool{}
	braces := regexp.MustCompile(`\{[^}]*\}`)
	for _, p := range places(s) {
		path, _, _ := strings.Cut(p.path, "?")
		res := s.Lookup(path)
		if res == nil {
			continue // the router's
		}
		patterns[res.Route.Pattern] = true
		template := "^" + braces.ReplaceAllString(strings.ReplaceAll(res.Route.Pattern, ".", `\.`), ".+") + "$"
		if !regexp.MustCompile(template).MatchString(path) {
			t.Errorf("%s is counted as %s", path, res.Route.Pattern)
		}
		for _, record := range []string{"/versions/1", "ru-2026", "product.common"} {
			if strings.Contains(res.Route.Pattern, record) {
				t.Errorf("%s is counted as %s, which names an item", path, res.Route.Pattern)
			}
		}
	}
	if n := len(patterns); n < 40 || n > 120 {
		t.Errorf("%d routes: %v", n, patterns)
	}
}

// Whatever answers, the request is counted under its route, status and
// representation.
func TestRequestsAreCounted(t *testing.T) {
	q := observe.NewRequests()
	s := starterSite() // counted elsewhere, so look for what the router answers
	h := observe.Handler(server.New(server.Config{Sites: serving(s),
		Status: func() server.Status { return server.Status{} }, Requests: q, Log: slog.New(slog.DiscardHandler)}),
		observe.Config{Requests: q})
	count := func(route, status, in string) (n uint64) {
		for _, q := range []*observe.Requests{q, counted} {
			for c := range q.Route(route).Counts() {
				if c.Status == status && c.Representation == in {
					n += c.Requests
				}
			}
		}
		return n
	}
	tag := s.Lookup(benchmarked).Representations[0].Ready().ETag
	for i, test := range []struct{ path, header, value, route, status, in string }{
		{benchmarked, "Accept", "*/*", "/api/v1/guidelines/{guideline_id}", "200", "json"},
		{benchmarked, "Accept", "text/markdown", "/api/v1/guidelines/{guideline_id}", "200", "markdown"},
		{benchmarked, "Accept", "image/png", "/api/v1/guidelines/{guideline_id}", "406", "problem"},
		{benchmarked, "If-None-Match", tag, "/api/v1/guidelines/{guideline_id}", "304", "json"},
		{"/api/v1/guidelines?x=1", "Accept", "*/*", "/api/v1/guidelines", "400", "problem"},
		{"/api/v1/health", "Accept", "*/*", "/api/v1/health", "200", "json"},
		{"/healthz", "Accept", "*/*", "/healthz", "200", "json"},
		{"/api/v1/guidelines/no", "Accept", "*/*", observe.Unmatched, "404", "problem"},
		{"/" + strings.Repeat("a", 25<<10), "Accept", "*/*", observe.Unmatched, "414", "problem"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			before := count(test.route, test.status, test.in)
			req := request(test.path)
			req.Header.Set(test.header, test.value)
			h.ServeHTTP(&sink{header: http.Header{}}, req)
			if got := count(test.route, test.status, test.in); got <= before {
				t.Errorf("%.40s with %s %s: not counted as %s %s %s", test.path, test.header, test.value,
					test.route, test.status, test.in)
			}
		})
	}
}

func request(path string) *http.Request {
	req := must(http.NewRequest(http.MethodGet, "http://rules.example.org"+path, nil))
	req.RequestURI = path
	req.RemoteAddr = "192.0.2.1:1234"
	return req
}

// A client that asks too much waits; others do not.
func TestRate(t *testing.T) {
	c := start(t, server.Config{Sites: serving(storeSite()),
		Rate: clients.NewRate(1, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})})
	statuses := func(client string, n int) (all []int) {
		for range n {
			r := c.get("/api/v1/changelog", "X-Forwarded-For", client)
			all = append(all, r.status)
			if r.status == http.StatusTooManyRequests && r.header.Get("Retry-After") == "" {
				t.Error("a 429 does not say when to come back")
			}
		}
		return all
	}
	if got := statuses("198.51.100.1", 8); got[0] != 200 || got[1] != 200 || got[7] != 429 {
		t.Errorf("one client: %v", got)
	}
	if got := statuses("2001:db8::1", 4); got[0] != 200 || got[3] != 429 {
		t.Errorf("an IPv6 client: %v", got)
	}
	if got := statuses("2001:db8::2, 127.0.0.3", 1); got[0] != 429 {
		t.Errorf("its neighbour in the same /64, behind two proxies: %v", got)
	}
	if got := statuses("2001:db8:0:1::1", 1); got[0] != 200 {
		t.Errorf("another network: %v", got)
	}
}

// What crashes is logged under the name that the client was told.
func TestCrashNamesTheRequest(t *testing.T) {
	var log bytes.Buffer
	q := observe.NewRequests()
	h := observe.Handler(server.New(server.Config{Sites: serving(storeSite()), Requests: q,
		Log:    slog.New(slog.NewTextHandler(&log, nil)),
		Status: func() server.Status { panic("broken") }}), observe.Config{Requests: q})
	w := &sink{header: http.Header{}}
	h.ServeHTTP(w, request("/healthz?q=SECRET"))
	id := w.header.Get("X-Request-Id")
	if w.status != http.StatusInternalServerError || id == "" || !strings.Contains(log.String(), "request_id="+id) ||
		strings.Contains(log.String(), "SECRET") {
		t.Errorf("%d, id %q, log:\n%s", w.status, id, &log)
	}
}
