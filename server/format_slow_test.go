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

// Every link of the pages about connecting opens in a browser, also in one that names nothing but
// pages.
func TestLinksOfConnectOpen(t *testing.T) {
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
