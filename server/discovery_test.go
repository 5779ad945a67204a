package server_test

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// The plain files of what lives among the instructions, whatever its kind.
func TestStaticAliases(t *testing.T) {
	c := ask(t, kindsSite())
	for static, path := range map[string]string{
		"/instructions/fallback-policy":      "/api/v1/instructions/fallback-policy",
		"/guidelines/fraud.code.001/current": "/api/v1/guidelines/fraud.code.001",
	} {
		for ext, accept := range map[string]string{".json": jsonType, ".md": markdownType} {
			a, b := c.get(static+ext, "Accept", "text/html"), c.get(path, "Accept", accept)
			if a.status != http.StatusOK || string(a.blanked()) != string(b.blanked()) ||
				a.header.Get("Etag") != b.header.Get("Etag") || !slices.Equal(a.header["Link"], b.header["Link"]) {
				t.Errorf("%s%s is not %s as %s: %d", static, ext, path, accept, a.status)
			}
		}
	}
}

// currentItems counts the items that are not archived, of some kinds or of all.
func currentItems(s *site.Site, kinds ...*content.Kind) (n int) {
	for _, item := range s.Snapshot.Items {
		if item.Current != nil && item.Current.Status != content.Archived &&
			(len(kinds) == 0 || slices.Contains(kinds, item.Kind)) {
			n++
		}
	}
	return n
}

// The sitemap has every current item, as a page.
func TestSitemap(t *testing.T) {
	c := ask(t, kindsSite())
	var sitemap struct {
		URLs []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	}
	r := c.get("/sitemap.xml")
	if err := xml.Unmarshal(r.body, &sitemap); err != nil || r.header.Get("Content-Type") != "application/xml" {
		t.Fatalf("%v: %v", err, r.header)
	}
	pages := 0
	for _, u := range sitemap.URLs {
		r := c.get(strings.TrimPrefix(u.Loc, baseURL), "Accept", browser)
		if !r.isPage() || r.status != http.StatusOK {
			t.Errorf("%s is no page: %d", u.Loc, r.status)
		}
		if u.LastMod != "" {
			pages++
		}
	}
	if pages != currentItems(kindsSite()) {
		t.Errorf("%d items in the sitemap, %d are current", pages, currentItems(kindsSite()))
	}
}
