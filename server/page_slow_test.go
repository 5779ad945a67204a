//go:build slow

package server_test

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// part is what asks for a section, of which one is as good as another of the same resource,
// or for a form, of which one of the same name is.
var part = regexp.MustCompile(`&(section=|format=[a-z]+)`)

// otherwise are addresses of a page that was seen, in another order or form.
var otherwise = regexp.MustCompile(`[?&](sort|class|view)=`)

// follow asks for what a page links to, and looks at it if it is a page.
func (c client) follow(path string) string {
	c.Helper()
	r := c.get(path, "Accept", browser)
	if r.status != http.StatusOK && r.status != http.StatusGone {
		c.Errorf("%s: %d", path, r.status)
	}
	if !r.isPage() {
		return ""
	}
	body := string(r.body)
	if m := inline.FindString(values.ReplaceAllString(body, "")); m != "" {
		c.Errorf("%s: code inline: %s", path, m)
	}
	if strings.Count(body, "<h1") != 1 || strings.Count(body, "<main") != 1 ||
		!strings.Contains(body, `<html lang="ru">`) || strings.Contains(body, "<title> ") {
		c.Errorf("%s: no page with one title", path)
	}
	ids := map[string]bool{}
	for _, m := range idIn.FindAllStringSubmatch(body, -1) {
		if ids[m[1]] {
			c.Errorf("%s: two places are called %s", path, m[1])
		}
		ids[m[1]] = true
	}
	return body
}

// Whoever follows links from the first page finds a page behind each, every anchor
// that is linked to, and nothing that the policy forbids or that is elsewhere.
func TestPagesByTheirLinks(t *testing.T) {
	for name, s := range map[string]*site.Site{"store": storeSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) {
			c := ask(t, s)
			pages, places, seen := map[string]string{"/": ""}, map[string][]string{}, map[string]bool{}
			for todo := []string{"/"}; len(todo) > 0; todo = todo[1:] {
				body := c.follow(todo[0])
				pages[todo[0]] = body
				for _, m := range linkIn.FindAllStringSubmatch(body, -1) {
					link := html.UnescapeString(m[1])
					path, anchor, _ := strings.Cut(link, "#")
					if place := cmp.Or(path, todo[0]); anchor != "" && strings.HasPrefix(place, "/") {
						places[place] = append(places[place], must(url.PathUnescape(anchor)))
					}
					resource, query, _ := strings.Cut(path, "?")
					one := part.FindString("&" + query)
					switch {
					case path == "":
					case one != "" && seen[resource+one]:
					case strings.HasPrefix(path, "/"):
						seen[resource+one] = true
						if _, known := pages[path]; !known && !otherwise.MatchString(path) {
							pages[path] = ""
							todo = append(todo, path)
						}
					case strings.HasPrefix(m[0], " src"), !strings.HasPrefix(path, "http") &&
						!strings.HasPrefix(path, "mailto:"):
						t.Errorf("%s: %s asks for %s", name, todo[0], link)
					}
				}
			}
			for path, anchors := range places {
				body := pages[path]
				if body == "" { // one as good as another was seen, but without these places
					body = c.follow(path)
				}
				c.has(path, body, anchors)
			}
			if want := len(s.Snapshot.Items) * 2; len(pages) < want {
				t.Errorf("%s: only %d pages of %d", name, len(pages), want)
			}
			for _, item := range s.Snapshot.Items {
				if item.Current != nil && item.Current.Status == content.Current &&
					pages[pathOf(item.Kind, item.Name)] == "" {
					t.Errorf("%s: nothing leads to %s", name, item.ID())
				}
			}
		})
	}
}
