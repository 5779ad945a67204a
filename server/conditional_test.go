package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// What FuzzIfNoneMatch says of lists, over HTTP.
func TestIfNoneMatch(t *testing.T) {
	c := ask(t, storeSite())
	tag := c.get(deposit).header.Get("Etag")
	strong := strings.TrimPrefix(tag, "W/")
	markdown := c.get(deposit, "Accept", markdownType).header.Get("Etag")
	for header, want := range map[string]int{
		tag: 304, strong: 304, // compared weakly
		" * ": 304, `"a",W/"b" ,` + tag + `,`: 304, `"a,b", ` + tag: 304,
		strings.Repeat(`"x", `, 3000) + tag: 304,

		markdown: 200, `W/"a", W/"b"`: 200, `""`: 200, "": 200, `"a" *`: 200,

		// Malformed: what comes after it is not trusted.
		strings.Trim(strong, `"`): 200, `unquoted, ` + tag: 200, "W/" + tag: 200, "w/" + strong: 200, tag[:len(tag)-1]: 200,
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if r := c.do(method, deposit, "If-None-Match", header); r.status != want {
				t.Errorf("%s, If-None-Match: %.80s: %d, want %d", method, header, r.status, want)
			}
		}
	}
	if r := c.get(deposit, "If-None-Match", `"a"`, "If-None-Match", tag); r.status != http.StatusNotModified {
		t.Errorf("two lines: %d", r.status)
	}
	if r := c.get(deposit, "If-None-Match", markdown, "Accept", markdownType); r.status != http.StatusNotModified {
		t.Errorf("Markdown with its own tag: %d", r.status)
	}
	for path, status := range map[string]int{"/nowhere": 404, "/api/v1/guidelines/investment.secret.001": 410,
		"/api/v1/guidelines?x=1": 400, "/api/v1/health": 200} {
		if r := c.get(path, "If-None-Match", "*"); r.status != status {
			t.Errorf("%s with If-None-Match: *: %d, want %d", path, r.status, status)
		}
	}
	if r := c.get(deposit, "If-None-Match", "*", "Accept", "image/png"); r.status != http.StatusNotAcceptable {
		t.Errorf("nothing acceptable, nothing to compare: %d", r.status)
	}
}

func TestIfModifiedSince(t *testing.T) {
	c := ask(t, storeSite())
	first := c.get(deposit)
	tag, date := first.header.Get("Etag"), first.header.Get("Last-Modified")
	at := must(http.ParseTime(date))
	text := func(t time.Time) string { return t.UTC().Format(http.TimeFormat) }
	for _, test := range []struct {
		since, match string
		want         int
	}{
		{date, "", 304},
		{text(at.Add(time.Hour)), "", 200}, // of a version that was taken back
		{text(at.Add(-time.Second)), "", 200},
		{at.UTC().Format(time.RFC850), "", 304},
		{"yesterday", "", 200},

		// If-None-Match alone counts where there is one.
		{date, `"a"`, 200},
		{date, "malformed", 200},
		{text(at.Add(-time.Hour)), tag, 304},
	} {
		headers := []string{"If-Modified-Since", test.since}
		if test.match != "" {
			headers = append(headers, "If-None-Match", test.match)
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if r := c.do(method, deposit, headers...); r.status != test.want {
				t.Errorf("%s %q: %d, want %d", method, headers, r.status, test.want)
			}
		}
	}
	for _, path := range []string{"/", "/api/v1/guidelines", "/api/v1/health", deposit + "/versions"} {
		if r := c.get(path, "If-Modified-Since", text(today)); r.status != http.StatusOK {
			t.Errorf("%s has no date and answers %d to If-Modified-Since", path, r.status)
		}
	}
	page := []string{"Accept", "text/html", "If-Modified-Since", date} // it changes with other items
	if r := c.get(deposit, page...); r.status != http.StatusOK {
		t.Errorf("a page answers %d to If-Modified-Since", r.status)
	}
}

func TestMethods(t *testing.T) {
	const allowed = "GET, HEAD, OPTIONS"
	c := ask(t, kindsSite())
	for _, path := range []string{
		"/", "/llms.txt", "/healthz", "/api/v1/health", "/api/v1/changelog?limit=1", "/api/v1/guidelines",
		"/api/v1/guidelines/fraud.code.001", "/api/v1/guidelines/unknown", "/instructions/assistant.md",
		"/api/v1/instructions/assistant?as_of=2026-01-01", "/openapi.json", "/schemas/guidelines/1.0.json",
		"/api/v1/search?limit=x", "/api/v1/fraud/signals?category=x", "/api/v1/fraud/signals/UNKNOWN",
		"/api/v1/fraud/signals/versions/1.0.0", "/api/v1/schemas/math/claim", // 1.0.0 is redacted
	} {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE", "get"} {
			r := c.do(method, path)
			r.want(t, http.StatusMethodNotAllowed, "method_not_allowed")
			if got := r.header.Get("Allow"); got != allowed {
				t.Errorf("%s %s: Allow is %q", method, path, got)
			}
		}
		r := c.do(http.MethodOptions, path, "Origin", "https://app.example", "Access-Control-Request-Method", "GET",
			"Access-Control-Request-Headers", "if-none-match")
		if r.status != http.StatusNoContent || r.header.Get("Allow") != allowed ||
			r.header.Get("Access-Control-Allow-Methods") != allowed || r.header.Get("Access-Control-Max-Age") == "" ||
			r.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("OPTIONS %s: %d %v", path, r.status, r.header)
		}
		if headers := strings.ToLower(r.header.Get("Access-Control-Allow-Headers")); !strings.Contains(headers,
			"if-none-match") || !strings.Contains(headers, "accept") {
			t.Errorf("OPTIONS %s: allowed headers are %q", path, headers)
		}
	}
	for _, method := range []string{"POST", "OPTIONS"} {
		c.do(method, "/nowhere").want(t, http.StatusNotFound, "path_not_found")
	}
}
