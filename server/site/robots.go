package site

import (
	"encoding/xml"
	"fmt"

	"rulestore/content"
	"rulestore/server/api"
)

// robots lets robots read everything (RFC 9309), and says that it may be found and quoted
// (contentsignals.org); whether models may be trained on it is for its authors to say. Drafts are not for
// robots.
func (s *Site) robots() *Resource {
	return textResource(api.TextType, func() []byte {
		if s.Snapshot.Drafts {
			return []byte("User-agent: *\nDisallow: /\n")
		}
		return fmt.Appendf(nil, "User-agent: *\nContent-Signal: search=yes, ai-input=yes\nAllow: /\n\nSitemap: %s\n",
			s.URL(api.SitemapPath))
	})
}

// maxSitemap is the maximum number of addresses in a sitemap (sitemaps.org).
const maxSitemap = 50_000

// sitemap lists the pages for people: the home page, lists, and current items with the day of their last
// change.
func (s *Site) sitemap() *Resource {
	type address struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod,omitempty"`
	}
	return textResource(api.XMLType, func() []byte {
		all := []address{{Loc: s.URL(api.ManifestPath)}, {Loc: s.URL(api.MathPath)}, {Loc: s.URL(api.ChangelogPath)}}
		for _, k := range content.Kinds {
			if k.List && len(s.lists[k]) > 0 {
				all = append(all, address{Loc: s.URL(k.Path)})
			}
		}
		for _, k := range content.Kinds {
			for _, p := range s.lists[k] {
				e := p.entry
				all = append(all, address{s.URL(k.ItemPath(e.Name)), s.Snapshot.DayOf(e.PublishedAt)})
			}
		}
		out, err := xml.MarshalIndent(struct {
			XMLName struct{}  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
			All     []address `xml:"url"`
		}{All: all[:min(len(all), maxSitemap)]}, "", "  ")
		if err != nil {
			panic(err) // texts alone
		}
		return append([]byte(xml.Header), out...)
	})
}
