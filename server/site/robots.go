package site

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

// aiCatalog lists what assistants can begin with (ai-catalog.io; SEP-2127, docs/discovery.md of the
// extension for cards of MCP servers).
func (s *Site) aiCatalog() *Resource {
	return &Resource{Static: true, Representations: []*Representation{
		represent(api.CatalogType, time.Time{}, nil, func() Body {
			in := s.Snapshot.Settings
			host := "localhost"
			if u, err := url.Parse(s.config.BaseURL); err == nil && u.Hostname() != "" {
				host = strings.Trim(strings.ReplaceAll(u.Hostname(), ":", "-"), "-") // of IPv6: a URN has other colons
			}
			entry := func(name, title, mediaType, path string) Body {
				var o object
				o.text("identifier", "urn:air:"+host+":"+name)
				o.text("displayName", title)
				o.text("type", mediaType)
				o.text("url", s.URL(path))
				return o.end()
			}
			var all []Body
			if s.config.MCP {
				all = append(all,
					entry(in.Service, line(in.Title), api.CardType, api.MCPCardPath),
					entry("skills", "Инструкции как навыки", api.JSONType, api.SkillIndexPath),
				)
			}
			all = append(all,
				entry("openapi", "Описание интерфейса", api.OpenAPIType+"+json", api.OpenAPIPath+".json"),
				entry("llms", "Краткий текст для языковых моделей", api.TextType, api.LLMsPath),
			)
			var publisher, o object
			publisher.text("displayName", line(in.Title))
			publisher.text("documentationUrl", s.URL(api.ConnectPath))
			o.text("specVersion", "1.0")
			o.raw("host", publisher.end().Bytes)
			o.array("entries", all)
			return o.end()
		}),
	}}
}

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
