package mcpserver

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/site"
)

// connectorHits is the number of results of the connector's search.
const connectorHits = 10

// find answers search as the contract of the connector requires.
func (c *call) find() (reply, error) {
	kinds := slices.DeleteFunc(api.FoundKinds(), func(kind string) bool { return kind == api.FoundCalculation })
	var results []json.RawMessage
	asked := search.Query{Text: c.Text("query"), Kinds: kinds, Limit: connectorHits}
	for _, h := range c.site.Find(asked, site.HitView{}).Hits {
		e := h.Version()
		id, path := scheme+e.Tag(), e.Path()
		if h.IsRecord() {
			id, path = id+"#"+c.site.RecordsOf(e).Field.Name+"/"+h.ID, h.Path()
		}
		results = append(results, api.JSON(api.Object("id", id, "title", h.Title, "url", c.site.URL(path))))
	}
	return reply{json: api.JSON(api.Object("results", results))}, nil
}

// fetch answers fetch as the contract requires. An id can have the address of a
// section after #.
func (c *call) fetch() (reply, error) {
	id := strings.TrimSpace(c.Text("id"))
	name, section, partial := strings.Cut(strings.TrimPrefix(id, scheme), "#")
	e := entryAt(c.site, name)
	if e == nil || !strings.HasPrefix(id, scheme) {
		return refused("not_found", "Документа с таким id нет: id даёт search.")
	}
	wanted := site.Part{}
	if partial {
		wanted.Sections = []string{section}
	}
	res, err := c.site.Part(e, wanted)
	if err != nil {
		return refused("not_found", "Раздела с таким id нет: id даёт search.")
	}
	if _, err := c.resource(res, false); err != nil {
		return reply{}, err
	}
	text, title, path := c.body(res, api.MarkdownType), e.Body().Text("title"), e.Path()
	if called, own := c.site.RecordAt(e, section); called != "" {
		title, path = called, own
	}
	if e.Kind.Path == content.Instructions.Path {
		text = c.server.withFetchIDs(c.site, text)
	}
	return reply{json: api.JSON(api.Object(
		"id", id, "title", title, "text", string(text), "url", c.site.URL(path), "metadata", api.Object(
			"version", e.Version.String(), "status", string(e.Status), "content_checksum", e.Checksum,
			"published_at", e.PublishedAt.UTC().Format(site.TimeFormat),
		),
	))}, nil
}

// withFetchIDs replaces addresses in a text by ids for fetch, and that of the search by the
// tool search.
func (s *Server) withFetchIDs(current *site.Site, text []byte) []byte {
	return address.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := address.FindSubmatch(found)
		query, err := url.ParseQuery(strings.TrimPrefix(string(parts[3]), "?"))
		if err != nil {
			return found
		}
		if string(parts[2]) == api.SearchPath {
			return append(parts[1], "search"...)
		}
		tag := s.tagAt(current, string(parts[2]))
		if tag == "" {
			return found
		}
		ids := []string{scheme + tag}
		for i, section := range query[api.Section] {
			ids = append(ids[:i], scheme+tag+"#"+section)
		}
		return append(parts[1], "fetch "+strings.Join(ids, ", ")...)
	})
}

// tagAt is folder and name of the item at a path, with its version if the path has one; "" if
// there is no item.
func (s *Server) tagAt(current *site.Site, path string) string {
	a := s.callAt(path, url.Values{api.Section: nil})
	if a.tool == nil || a.tool.kind == nil || !a.args.Has(a.tool.kind.Argument()) {
		return ""
	}
	switch it, v := find(current, a.tool.kind, a.args.Get(a.tool.kind.Argument())), a.args.Get(versionName); {
	case it == nil:
		return ""
	case v != "":
		return it.ID() + "/v" + v
	default:
		return it.ID()
	}
}

// entryAt returns the version of a tag, or the current one of folder and name, nil if there
// is none.
func entryAt(s *site.Site, name string) *content.Entry {
	if it := s.Snapshot.ItemByID(name); it != nil {
		return it.Current
	}
	if _, e := entryOf(s, name); e != nil && s.Lookup(e.Path()) != nil {
		return e
	}
	return nil
}

// entryOf returns the item and the version of a tag, nil if there is none.
func entryOf(s *site.Site, tag string) (*content.Item, *content.Entry) {
	t, err := content.ParseTag(tag)
	if err != nil || t.Kind == nil {
		return nil, nil
	}
	it := s.Snapshot.Item(t.Kind, t.Name)
	if it == nil {
		return nil, nil
	}
	i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return e.Tag() == tag })
	if i < 0 {
		return it, nil
	}
	return it, it.Entries[i]
}
