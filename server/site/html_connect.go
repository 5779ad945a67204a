package site

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// serverName matches names of servers in settings of clients.
var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)

// connectPage says how to connect assistants and programs, with the configured address, never one from a request.
func (s *Site) connectPage() page.Page {
	p := page.Connect{
		Head: page.Head{
			Title: "Подключение", Description: "Как подключить ассистента и программу: MCP и curl.",
			Path: s.frame.Root + api.ConnectPath, Crumbs: crumbs(s.frame),
		},
		Base: s.URL(""), Name: s.Snapshot.Settings.Service, MCP: s.config.MCP, HasLog: s.log != nil,
		Toolsets: api.Toolsets,
	}
	if !serverName.MatchString(p.Name) {
		p.Name = "rulestore"
	}
	for _, k := range content.Kinds {
		if len(s.lists[k]) == 0 || !k.List {
			continue
		}
		p.Feeds = append(p.Feeds, page.Link{Title: k.Title, Href: s.frame.Root + api.FeedsPath + k.Folder + ".atom"})
		if e := s.lists[k][0].entry; p.Item == "" {
			p.Item, p.Version, p.Checksum = s.URL(k.ItemPath(e.Name)), s.URL(e.Path()), e.Checksum
			p.Search = url.Values{"q": {e.Body().Text("title")}, "limit": {"3"}}.Encode()
		}
	}
	if t, ok := s.config.Math.Tool("loan_payment"); ok {
		p.Request = indentedJSON([]byte(t.Examples[0].Request))
	}
	return p
}

// indentedJSON is JSON with line breaks; other text is returned unchanged.
func indentedJSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
