//go:build slow

package server_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"rulestore/server/site"
)

// address is one of ours, as it stands in a body or a header.
var address = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `[^\s"'<>)]*`)

// Every address that an answer names leads somewhere; what is redacted says so.
func TestNoDeadLinks(t *testing.T) {
	for name, s := range map[string]*site.Site{"store": storeSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) {
			known := walk(ask(t, s), s)
			for _, path := range append(
				[]string{"/", "/api/v1/health", "/api/v1/guidelines", "/scenarios/fraud_risk/current.md"},
				leads[name]...,
			) {
				if !known[path] {
					t.Errorf("nothing leads to %s", path)
				}
			}
		})
	}
}

// walk follows every address from the entrances on and returns the paths.
func walk(c client, s *site.Site) map[string]bool {
	known := map[string]bool{"": true}
	queue := []string{"/", "/llms.txt"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		r := c.get(path)
		if r.status != http.StatusOK && r.status != http.StatusGone && !r.isPosted() {
			c.Errorf("%s: %d", path, r.status)
		}
		body := string(r.body)
		if r.isPage() {
			body = html.UnescapeString(body) // commands are quoted
		}
		text := body + headerText(r.header)
		if strings.HasPrefix(path, "/openapi.") { // its examples are examples
			continue
		}
		for _, found := range address.FindAllString(text, -1) {
			found, _, _ = strings.Cut(found, "#") // places of pages: see TestPagesByTheirLinks
			if next := filled(s, strings.TrimPrefix(found, baseURL)); !known[next] {
				known[next] = true
				queue = append(queue, next)
			}
		}
	}
	return known
}
