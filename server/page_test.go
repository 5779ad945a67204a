package server_test

import (
	"bytes"
	"html"
	"net/http"
	"regexp"
	"slices"
	"testing"
)

// browser is what a browser accepts.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// page asks for a path as a browser does.
func (c client) page(path string, status int) string {
	c.Helper()
	r := c.get(path, "Accept", browser)
	if kind := r.header.Get("Content-Type"); r.status != status || kind != "text/html; charset=utf-8" {
		c.Errorf("%s: %d %s, want a page with %d", path, r.status, kind, status)
	}
	return string(r.body)
}

var (
	linkIn = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	idIn   = regexp.MustCompile(` id="([^"]*)"`)
	values = regexp.MustCompile(`"[^"]*"`)
	inline = regexp.MustCompile(`<[^>]*\s(on[a-z]+|style)\s*=`)
)

// has says whether a page has the places that are linked to.
func (c client) has(path, body string, anchors []string) {
	c.Helper()
	var ids []string
	for _, m := range idIn.FindAllStringSubmatch(body, -1) {
		ids = append(ids, html.UnescapeString(m[1]))
	}
	for _, anchor := range anchors {
		if !slices.Contains(ids, anchor) {
			c.Errorf("%s has no place %s", path, anchor)
		}
	}
}

// The same request gives the same page, and a page that the client has is not sent
// again.
func TestPagesAreValidated(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{"/", "/api/v1/guidelines", deposit, deposit + "/versions", "/api/v1/changelog"} {
		first, again := c.get(path, "Accept", browser), c.get(path, "Accept", browser)
		if !bytes.Equal(first.body, again.body) || c.get(path).header.Get("Etag") == first.header.Get("Etag") {
			t.Errorf("%s: two answers, or the page and the data have one tag", path)
		}
		if r := c.get(path, "Accept", browser, "If-None-Match",
			first.header.Get("Etag")); r.status != http.StatusNotModified {
			t.Errorf("%s: %d for what the client has", path, r.status)
		}
	}
	r := c.get(deposit, "Accept", browser)
	for name, want := range map[string]string{"X-Guideline-Version": "2.0.0", "Vary": "Accept, Accept-Encoding",
		"Content-Language": "ru"} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	for _, a := range regexp.MustCompile(`/assets/[^"]+`).FindAllString(string(r.body), -1) {
		if got := c.get(a).header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control is %q", a, got)
		}
	}
}

// The link to JSON on a page leads to what the page shows, not to more.
func TestDataOfPages(t *testing.T) {
	c := ask(t, kindsSite())
	for page, data := range map[string]string{
		"/api/v1/guidelines?as_of=2026-05-01&offset=1":        "/api/v1/guidelines?as_of=2026-05-01",
		"/api/v1/fraud/signals?category=money&offset=1":       "/api/v1/fraud/signals?category=money",
		"/api/v1/changelog?since=2026-01-01&limit=1&offset=1": "/api/v1/changelog?since=2026-01-01&limit=1&offset=1",
		"/api/v1/math?family=kasko&release=":                  "/api/v1/math?family=kasko",
		"/api/v1/instructions/assistant?as_of=2026-02-02":     "/api/v1/instructions/assistant?as_of=2026-02-02",
		"/api/v1/instructions/assistant/versions/1.0.0?x=any": "/api/v1/instructions/assistant/versions/1.0.0",
	} {
		links := regexp.MustCompile(`<(?:a|link) [^>]*type="application/json"[^>]*>`)
		for _, m := range links.FindAllString(c.page(page, http.StatusOK), -1) {
			link := html.UnescapeString(linkIn.FindStringSubmatch(m)[1])
			if got, want := c.get(link, "Accept", browser), c.get(data); got.status != http.StatusOK ||
				!bytes.Equal(got.blanked(), want.blanked()) {
				t.Errorf("%s leads to %s: %d, not %s", page, link, got.status, data)
			}
		}
	}
}
