package server_test

import (
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
	s := kindsSite()
	const item = "/api/v1/guidelines/fraud.code.001"
	for path, want := range map[string]string{
		"/":                                     "/",
		item:                                    "/api/v1/guidelines/{guideline_id}",
		item + "/versions/1.0.0":                "/api/v1/guidelines/{guideline_id}/versions/{version}",
		"/guidelines/fraud.code.001/current.md": "/guidelines/{guideline_id}/current.md",
		"/api/v1/instructions/fallback-policy":  "/api/v1/instructions/{name}",
		"/api/v1/schemas/math/claim":            "/api/v1/schemas/{name}",
		"/schemas/guidelines/1.0.json":          "/schemas/{format}.json",
		"/api/v1/fraud/signals/versions":        "/api/v1/fraud/signals/versions",
		"/api/v1/math/tools/loan_payment":       "/api/v1/math/tools/{tool_id}",
	} {
		if res := s.Lookup(path); res == nil || res.Route == nil || res.Route.Pattern != want {
			t.Errorf("%s: not counted as %s", path, want)
		}
	}
	braces := regexp.MustCompile(`\{[^}]*\}`)
	for _, p := range places(s) {
		path, _, _ := strings.Cut(p.path, "?")
		res := s.Lookup(path)
		if res == nil {
			continue // the router's
		}
		template := "^" + braces.ReplaceAllString(strings.ReplaceAll(res.Route.Pattern, ".", `\.`), ".+") + "$"
		if !regexp.MustCompile(template).MatchString(path) || strings.Contains(res.Route.Pattern, "/versions/1") {
			t.Errorf("%s is counted as %s", path, res.Route.Pattern)
		}
	}
}

// Whatever answers, the request is counted under its route, status and
// representation.
func TestRequestsAreCounted(t *testing.T) {
	q := observe.NewRequests()
	s := kindsSite() // counted elsewhere, so look for what the router answers
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
	const item = "/api/v1/guidelines/fraud.code.001"
	tag := s.Lookup(item).Representations[0].Ready().ETag
	for _, test := range []struct{ path, header, value, route, status, in string }{
		{item, "Accept", "*/*", "/api/v1/guidelines/{guideline_id}", "200", "json"},
		{item, "Accept", "text/markdown", "/api/v1/guidelines/{guideline_id}", "200", "markdown"},
		{item, "Accept", "image/png", "/api/v1/guidelines/{guideline_id}", "406", "problem"},
		{item, "If-None-Match", tag, "/api/v1/guidelines/{guideline_id}", "304", "json"},
		{"/api/v1/guidelines?x=1", "Accept", "*/*", "/api/v1/guidelines", "400", "problem"},
		{"/api/v1/health", "Accept", "*/*", "/api/v1/health", "200", "json"},
		{"/healthz", "Accept", "*/*", "/healthz", "200", "json"},
		{"/api/v1/guidelines/no", "Accept", "*/*", observe.Unmatched, "404", "problem"},
		{"/" + strings.Repeat("a", 25<<10), "Accept", "*/*", observe.Unmatched, "414", "problem"},
	} {
		before := count(test.route, test.status, test.in)
		req := request(test.path)
		req.Header.Set(test.header, test.value)
		h.ServeHTTP(&sink{header: http.Header{}}, req)
		if got := count(test.route, test.status, test.in); got <= before {
			t.Errorf("%.40s with %s %s: not counted as %s %s %s", test.path, test.header, test.value,
				test.route, test.status, test.in)
		}
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
	if got := statuses("2001:db8:0:1::1", 1); got[0] != 200 {
		t.Errorf("another: %v", got)
	}
}
