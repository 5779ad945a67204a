//go:build slow

package server_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	toSection = regexp.MustCompile(`<a href="([^"]*)\?section=([^"&]+)"`)
	toHere    = regexp.MustCompile(`<a [^>]*href="#([^"]+)"`)
	itemLink  = regexp.MustCompile(`href="(/api/v1/(?:guidelines|instructions|schemas|external-parameters|scenarios|calendars)/[^"?#]+)"`)
)

// folded reports whether the page of an item has a section, or one around it, only as a link.
func folded(body, address string) bool {
	for end := len(address); end > 0; end = strings.LastIndexByte(address[:end], '/') {
		id := regexp.QuoteMeta(html.EscapeString(address[:end]))
		if regexp.MustCompile(`<li id="` + id + `"><a href="[^"]*\?section=|<h\d id="` + id +
			`">.*</h\d>\n<p><a href="[^"]*\?section=[^"]*">Открыть`).MatchString(body) {
			return true
		}
	}
	return false
}

// A link to a section leads to where it is: to its place on the page of the item if that has it, else
// to the page of the section; no place that a link names is missing or only a link.
func TestLinksLeadToWhereSectionsAre(t *testing.T) {
	c := ask(t, starterSite())
	pages := map[string]string{}
	whole := func(path string) string {
		if pages[path] == "" {
			pages[path] = c.page(path, http.StatusOK)
		}
		return pages[path]
	}
	anchored, apart := 0, 0
	for _, list := range []string{"guidelines", "instructions", "schemas", "external-parameters",
		"scenarios", "calendars"} {
		for _, m := range itemLink.FindAllStringSubmatch(c.page("/api/v1/"+list, http.StatusOK), -1) {
			body := whole(m[1])
			for _, own := range toHere.FindAllStringSubmatch(body, -1) {
				anchored++
				if id := must(url.PathUnescape(html.UnescapeString(own[1]))); !strings.Contains(body,
					` id="`+html.EscapeString(id)+`"`) {
					t.Errorf("%s has no place %s", m[1], id)
				}
			}
			for _, of := range toSection.FindAllStringSubmatch(body, -1) {
				if strings.HasPrefix(of[1], "/api/v1/") {
					apart++
					if id := must(url.QueryUnescape(html.UnescapeString(of[2]))); !folded(whole(of[1]), id) {
						t.Errorf("%s links to the page of %s, which is on %s", m[1], id, of[1])
					}
				}
			}
		}
	}
	for _, words := range []string{"досрочное погашение", "код из смс", "омбудсмен", "страховка навязали вернуть",
		"шаги", "обязательные шаги", "маршрут"} {
		for _, m := range sectionIn.FindAllStringSubmatch(c.page(searchPath(words)+"&limit=100", http.StatusOK), -1) {
			href := html.UnescapeString(m[1])
			path, anchor, here := strings.Cut(href, "#")
			path, query, _ := strings.Cut(path, "?")
			id := must(url.PathUnescape(anchor))
			if !here {
				id = must(url.ParseQuery(query)).Get("section")
			}
			if is := folded(whole(path), id); is == here && id != "" {
				t.Errorf("%q leads to %s, folded: %v", words, href, is)
			}
		}
	}
	if anchored < 1000 || apart < 20 {
		t.Errorf("only %d places and %d pages of sections", anchored, apart)
	}
}
