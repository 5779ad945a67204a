//go:build slow

package server_test

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// Whoever follows links from the first page finds a page behind each, every anchor
// that is linked to, and nothing that the policy forbids or that is elsewhere.
func TestPagesByTheirLinks(t *testing.T) {
	for name, s := range map[string]*site.Site{"starter": starterSite(), "store": storeSite(), "kinds": kindsSite()} {
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
			if name == "starter" {
				c.short(pages)
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

// A page comes over the wire in less than 100 KB, with all that it needs, and is itself not
// larger: old versions, and lists in every order, among them.
func TestPagesAreSmall(t *testing.T) {
	s := starterSite()
	c := warmed(t, s)
	needs := 0
	for _, m := range linkIn.FindAllStringSubmatch(c.page("/", http.StatusOK), -1) {
		if strings.HasPrefix(m[1], "/assets/") && !strings.HasSuffix(m[0], `.svg"`) {
			needs += len(c.coded(m[1], "gzip").body)
		}
	}
	if needs == 0 || needs > 15<<10 {
		t.Errorf("stylesheet and script are %d bytes", needs)
	}
	for _, item := range s.Snapshot.Items {
		path := pathOf(item.Kind, item.Name)
		if size := len(c.coded(path, "gzip", "Accept", browser).body) + needs; size > 100<<10 {
			t.Errorf("%s: %d bytes", path, size)
		}
		for _, e := range item.Entries {
			c.small(path + "/versions/" + e.Version.String())
		}
	}
	for _, path := range []string{"/api/v1/fraud/signals", "/api/v1/fraud/signals?sort=category",
		"/api/v1/fraud/signals?sort=-severity", "/api/v1/glossary", "/api/v1/changelog", "/api/v1/external-parameters",
		"/api/v1/search?q=%D0%BA%D0%BE%D0%B4"} {
		c.small(path)
	}
}
