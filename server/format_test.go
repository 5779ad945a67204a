package server_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// An address selects the media type of its answer, whatever the client accepts: the answer is that
// of the same address for a client that accepts only this type.
func TestFormatOfAddresses(t *testing.T) {
	c := ask(t, starterSite())
	for _, path := range []string{
		"/", "/api/v1/guidelines", "/api/v1/guidelines?scenario=fraud_risk", deposit2, "/api/v1/health",
		"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4", "/api/v1/math/tools/loan_payment",
		"/api/v1/guidelines/nothing", "/api/v1/log",
	} {
		for format, mediaType := range map[string]string{"json": jsonType, "markdown": "text/markdown"} {
			want := c.get(path, "Accept", mediaType)
			to := path + "?format=" + format
			if strings.Contains(path, "?") {
				to = path + "&format=" + format
			}
			for _, accept := range []string{"", "*/*", browser, "text/html", "text/plain", "image/png"} {
				headers := []string{"Accept", accept}
				if accept == "" {
					headers = nil
				}
				r := c.get(to, headers...)
				if r.status != want.status || r.header.Get("Content-Type") != want.header.Get("Content-Type") ||
					r.header.Get("Etag") != want.header.Get("Etag") {
					t.Errorf("%s for %q: %d %s, want %d %s", to, accept, r.status, r.header.Get("Content-Type"),
						want.status, want.header.Get("Content-Type"))
				}
			}
		}
	}
	for _, query := range []string{"format=xml", "format=", "format=json&format=markdown"} {
		c.get("/api/v1/guidelines?"+query).want(t, http.StatusBadRequest, "invalid_query")
	}
	if r := c.get("/api/v1/guidelines?format=json&status=zz", "Accept", browser); r.status != http.StatusBadRequest ||
		r.isPage() {
		t.Errorf("an error is a page: %d", r.status)
	}
}

var leadsTo = regexp.MustCompile(`(?:href|src)="(/[^"#]*)`)

// Every link of the pages about connecting opens in a browser, also in one that names nothing but
// pages.
func TestLinksOfConnectOpen(t *testing.T) {
	manyValues(t)
	c := ask(t, starterSite())
	pages, opened := []string{"/connect"}, map[string]bool{"/connect": true}
	for len(pages) > 0 {
		path := pages[0]
		pages = pages[1:]
		_, main, _ := strings.Cut(string(c.get(path, "Accept", browser).body), "<main")
		main, _, _ = strings.Cut(main, "</main>")
		for _, m := range leadsTo.FindAllStringSubmatch(main, -1) {
			to := html.UnescapeString(m[1])
			if opened[to] {
				continue
			}
			opened[to] = true
			for _, accept := range []string{browser, "text/html"} {
				if r := c.get(to, "Accept", accept); r.status != http.StatusOK {
					t.Errorf("%s leads to %s: %d for %s", path, to, r.status, accept)
				}
			}
			if strings.HasPrefix(to, "/connect") {
				pages = append(pages, to)
			}
		}
	}
	if len(opened) < 100 {
		t.Errorf("only %d links", len(opened))
	}
}
