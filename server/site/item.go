package site

import (
	"slices"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/markdown"
)

// entryPages is what is served of one version. Nothing in it leads back to the
// site that made it: pages outlive many sites.
type entryPages struct {
	entry    *content.Entry
	seen     neighbours
	path     string
	resource *Resource

	// Made when a list first needs them.
	once     sync.Once
	summary  Body     // its element in a list
	products []string // the product types that lists are filtered by
}

// listed returns the pages with what a list needs.
func (p *entryPages) listed(c Config) *entryPages {
	p.once.Do(func() { p.summary, p.products = c.summary(p.entry), productTypes(p.entry) })
	return p
}

// neighbours is what the pages of a version say about other versions: pages are
// taken over from the site before if none of it changed.
type neighbours struct {
	status                         content.Status
	reason                         string
	modified                       int64
	predecessor, successor, latest *content.Publication // nil if there is none
}

func look(item *content.Item, e *content.Entry) neighbours {
	return neighbours{
		status: e.Status, reason: e.Reason, modified: e.ModifiedAt.Unix(),
		predecessor: publication(e.Predecessor), successor: publication(e.Successor), latest: publication(item.Current),
	}
}

func publication(e *content.Entry) *content.Publication {
	if e == nil {
		return nil
	}
	return e.Publication
}

// pages returns the pages of a version, and whether they are those of prev.
func (s *Site) pages(prev *Site, item *content.Item, e *content.Entry) (*entryPages, bool) {
	seen := look(item, e)
	if prev != nil {
		if p := prev.entries[e.Publication]; p != nil && p.seen == seen {
			return p, true
		}
	}
	p := &entryPages{entry: e, seen: seen, path: e.Path()}
	if e.Status == content.Redacted {
		p.resource = &Resource{Gone: &Gone{Item: e.Item(), Version: e.Version.String(), Reason: e.Reason, Checksum: e.Checksum}}
		return p, false
	}
	c := s.config
	headers := c.itemHeaders(e, seen)
	p.resource = &Resource{Representations: []*Representation{
		represent(jsonType, e.ModifiedAt, headers, func() Body { return c.itemJSON(e) }),
		represent(markdownType, e.ModifiedAt, headers, func() Body { return Body{Bytes: c.itemMarkdown(e)} }),
	}}
	if e == item.Current {
		for _, r := range p.resource.Representations {
			r.Ready()
		}
	}
	return p, false
}

func (c Config) itemHeaders(e *content.Entry, n neighbours) []Header {
	base := c.url(e.Kind.Path + "/" + e.Name)
	links := []string{link(c.url(e.Path()), "canonical")}
	links = append(links, link(base+"/versions", "version-history"))
	for _, l := range []struct {
		to  *content.Publication
		rel string
	}{
		{n.latest, "latest-version"}, {n.predecessor, "predecessor-version"}, {n.successor, "successor-version"},
	} {
		if l.to != nil {
			links = append(links, link(c.url(l.to.Path()), l.rel))
		}
	}
	return []Header{
		{"Link", links},
		{e.Kind.Header + "-Id", []string{e.Name}},
		{e.Kind.Header + "-Version", []string{e.Version.String()}},
		{e.Kind.Header + "-Status", []string{string(e.Status)}},
		{"X-Content-Checksum", []string{e.Checksum}},
		{"X-Schema-Version", []string{e.Body.Text("schema_version")}},
	}
}

func link(url, rel string) string { return "<" + url + `>; rel="` + rel + `"` }

// item lists the fields of a version as they are served, without fetched_at.
func (c Config) item(e *content.Entry) content.Object {
	id := slices.IndexFunc(e.Body, func(m content.Member) bool { return m.Name == e.Kind.ID })
	item := slices.Clone(e.Body[:id+1])
	item = item.With(e.Kind.Version, content.String(e.Version.String()))
	item = item.With("status", content.String(string(e.Status)))
	item = append(item, e.Body[id+1:]...)
	for _, f := range []struct {
		name  string
		value string
	}{
		{"published_at", stamp(e.PublishedAt)},
		{"updated_at", stamp(e.UpdatedAt)},
		{"change_note", e.ChangeNote},
		{"canonical_url", c.url(e.Path())},
		{"checksum_algorithm", content.Algorithm},
		{"content_checksum", e.Checksum},
	} {
		if f.value != "" {
			item = item.With(f.name, content.String(f.value))
		}
	}
	return item
}

// stamp writes a time that may be missing.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func (c Config) itemJSON(e *content.Entry) Body {
	var o object
	for _, m := range c.item(e) {
		o.raw(m.Name, m.Value)
	}
	o.fetchedAt()
	return o.end()
}

func (c Config) itemMarkdown(e *content.Entry) []byte {
	return markdown.Render(c.item(e), c.describe(e))
}

// describe returns what the fields of a version are called.
func (c Config) describe(e *content.Entry) *content.Field {
	set := c.Schemas
	schema := set.Schema(e.Kind.Folder, e.Body.Text("schema_version"))
	if schema == nil { // sealed in a format that this build does not know
		formats := set.Formats(e.Kind.Folder)
		schema = set.Schema(e.Kind.Folder, formats[len(formats)-1])
	}
	all := *schema.Root()
	all.Fields = slices.Clone(all.Fields)
	for _, f := range set.Derived().Fields {
		if f.Name == "version" {
			named := *f
			named.Name = e.Kind.Version
			f = &named
		}
		all.Fields = append(all.Fields, f)
	}
	return &all
}

// summary is a version as a list shows it.
func (c Config) summary(e *content.Entry) Body {
	var o object
	o.text(e.Kind.ID, e.Name)
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
	for _, name := range []string{"scenario", "title", "summary", "description"} {
		if v := e.Body.Get(name); v != nil {
			o.raw(name, v)
		}
	}
	o.text("canonical_url", c.url(e.Path()))
	o.text("content_checksum", e.Checksum)
	o.fetchedAt()
	return o.end()
}

// versions lists all versions of an item, highest first.
func (c Config) versions(item *content.Item) *Resource {
	r := jsonResource(func() Body {
		var all []Body
		for _, e := range item.Entries {
			all = append(all, c.version(e))
		}
		var o object
		o.text(item.Kind.ID, item.Name)
		o.value("total", len(all))
		o.fetchedAt()
		o.array("versions", all)
		return o.end()
	})
	r.Query = true
	return r
}

func (c Config) version(e *content.Entry) Body {
	var o object
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
	o.optional("status_reason", e.Reason)
	o.time("published_at", e.PublishedAt)
	o.optional("change_note", e.ChangeNote)
	o.text("content_checksum", e.Checksum)
	o.text("canonical_url", c.url(e.Path()))
	return o.end()
}

// jsonResource is a resource in JSON alone. A list has no date of modification:
// what leaves it leaves no date behind.
func jsonResource(body func() Body) *Resource {
	return &Resource{Representations: []*Representation{represent(jsonType, time.Time{}, nil, body)}}
}
