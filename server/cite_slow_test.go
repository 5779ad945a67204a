//go:build slow

package server_test

import (
	"net/http"
	"net/url"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Whatever is cited, in whatever form, is found again when it comes back, and told what became
// of it. What was redacted is not cited.
func TestCitationsComeBack(t *testing.T) {
	for name, s := range map[string]*site.Site{"starter": starterSite(), "store": storeSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) {
			c, n := ask(t, s), 0
			for _, item := range s.Snapshot.Items {
				for _, e := range item.Entries {
					path := item.ID() + "?version=" + url.QueryEscape(e.Version.String())
					if e.Status == content.Redacted {
						if r := c.get(api.CitePath + path); r.status != http.StatusGone {
							t.Errorf("%s: %d", path, r.status)
						}
						continue
					}
					n++
					made := c.cite(path + "&section=title")
					for form, text := range made.forms() {
						all := c.checkText("> "+text, e.PublishedAt.Format(content.Date))
						if len(all) != 1 {
							t.Fatalf("%s %s: %+v in\n%s", name, form, all, text)
						}
						got := all[0]
						newer := item.Current != nil && item.Current.Version.GreaterThan(e.Version)
						if got.Result != "matches" || got.Tag != e.Tag() || got.Differs != nil ||
							got.Status != string(e.Status) ||
							got.Now != (item.Current == e) || (got.Newer != "") != newer || got.Section == "missing" {
							t.Errorf("%s %s: %+v in\n%s", name, form, got, text)
						}
					}
				}
			}
		})
	}
}

// A day stands for its end, as in as_of: of the versions of an item at most one was current on
// it, the one that as_of answers, and the timeline tells the same.
func TestCitedDay(t *testing.T) {
	s := starterSite()
	c, told := ask(t, s), 0
	for _, item := range s.Snapshot.Items {
		for _, day := range s.Snapshot.Turns(item) {
			answer := c.get(item.Kind.ItemPath(item.Name) + "?as_of=" + day)
			if answer.status != http.StatusOK {
				continue // of some kinds there are only lists
			}
			current := answer.header.Get(item.Kind.Header + "-Version")
			for _, e := range item.Entries {
				got := c.checkText(e.Tag()+" "+e.Checksum, day)[0]
				if told++; current != "" && *got.Then != (e.Version.String() == current) {
					t.Errorf("%s on %s: %t, and as_of answers %s", e.Tag(), day, *got.Then, current)
				}
				known := c.timeline(item.ID() + "?as_of=" + day)
				if v := known.version(); v != "" && *got.Then != (v == e.Version.String()) {
					t.Errorf("%s on %s: %t, and the timeline says %s", e.Tag(), day, *got.Then, v)
				}
			}
		}
	}
	if told < 50 {
		t.Errorf("%d", told)
	}
}
