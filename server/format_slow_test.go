//go:build slow

package server_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var leadsTo = regexp.MustCompile(`(?:href|src)="(/[^"#]*)`)

// Every link of the page about connecting opens in a browser, also in one that names nothing but
// pages.
func TestLinksOfConnectOpen(t *testing.T) {
	c := ask(t, starterSite())
	_, main, _ := strings.Cut(string(c.get("/connect", "Accept", browser).body), "<main")
	main, _, _ = strings.Cut(main, "</main>")
	links := leadsTo.FindAllStringSubmatch(main, -1)
	for _, m := range links {
		for _, accept := range []string{browser, "text/html"} {
			if r := c.get(html.UnescapeString(m[1]), "Accept", accept); r.status != http.StatusOK {
				t.Errorf("%s: %d for %s", m[1], r.status, accept)
			}
		}
	}
	if len(links) < 10 {
		t.Errorf("only %d links", len(links))
	}
}
