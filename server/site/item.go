package site

import (
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/markdown"
)

// entryPages is what is served of one version.
type entryPages struct {
	entry    *content.Entry
	seen     neighbours
	resource *Resource
	summary  Body // its element in a list
}

// neighbours is what the pages of a version say about other versions: pages are
// taken over from the site before if none of it changed.
type neighbours struct {
	status                         content.Status
	reason                         string
	modified                       int64
	predecessor, successor, latest string
}

func look(item *content.Item, e *content.Entry) neighbours {
	n := neighbours{status: e.Status, reason: e.Reason, modified: e.ModifiedAt.Unix()}
	if e.Predecessor != nil {
		n.predecessor = e.Predecessor.Path()
	}
	if e.Successor != nil {
		n.successor = e.Successor.Path()
	}
	if item.Current != nil {
		n.latest = item.Current.Path()
	}
	return n
}

// pages returns the pages of a version, and whether they are those of prev.
func (s *Site) pages(prev *Site, item *content.Item, e *content.Entry) (*entryPages, bool) {
	seen := look(item, e)
	if prev != nil {
		if p := prev.entries[e.Publication]; p != nil && p.seen == seen {
			return p, true
		}
	}
	p := &entryPages{entry: e, seen: seen}
	if e.Status == content.Redacted {
		p.resource = &Resource{Gone: &Gone{Item: e.Item(), Version: e.Version.String(), Reason: e.Reason, Checksum: e.Checksum}}
		return p, false
	}
	headers := s.itemHeaders(e, seen)
	p.resource = &Resource{Representations: []*Representation{
		represent(jsonType, e.ModifiedAt, headers, func() Body { return s.itemJSON(e) }),
		represent(markdownType, e.ModifiedAt, headers, func() Body { return Body{Bytes: s.itemMarkdown(e)} }),
	}}
	if e == item.Current {
		for _, r := range p.resource.Representations {
			r.Ready()
		}
		p.summary = s.summary(e)
	}
	return p, false
}

func (s *Site) itemHeaders(e *content.Entry, n neighbours) []Header {
	base := s.URL(e.Kind.Path + "/" + e.Name)
	links := []string{link(s.URL(e.Path()), "canonical")}
	links = append(links, link(base+"/versions", "version-history"))
	for _, l := range []struct{ path, rel string }{
		{n.latest, "latest-version"}, {n.predecessor, "predecessor-version"}, {n.successor, "successor-version"},
	} {
		if l.path != "" {
			links = append(links, link(s.URL(l.path), l.rel))
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
func (s *Site) item(e *content.Entry) content.Object {
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
		{"canonical_url", s.URL(e.Path())},
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

func (s *Site) itemJSON(e *content.Entry) Body {
	var o object
	for _, m := range s.item(e) {
		o.raw(m.Name, m.Value)
	}
	o.fetchedAt()
	return o.end()
}

func (s *Site) itemMarkdown(e *content.Entry) []byte {
	return markdown.Render(s.item(e), s.describe(e))
}

// describe returns what the fields of a version are called.
func (s *Site) describe(e *content.Entry) *content.Field {
	set := s.config.Schemas
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
func (s *Site) summary(e *content.Entry) Body {
	var o object
	o.text(e.Kind.ID, e.Name)
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
	for _, name := range []string{"scenario", "title", "summary", "description"} {
		if v := e.Body.Get(name); v != nil {
			o.raw(name, v)
		}
	}
	o.text("canonical_url", s.URL(e.Path()))
	o.text("content_checksum", e.Checksum)
	o.fetchedAt()
	return o.end()
}

// versions lists all versions of an item, highest first.
func (s *Site) versions(item *content.Item) *Resource {
	var all []Body
	for _, e := range item.Entries {
		var o object
		o.text(item.Kind.Version, e.Version.String())
		o.text("status", string(e.Status))
		o.optional("status_reason", e.Reason)
		o.time("published_at", e.PublishedAt)
		o.optional("change_note", e.ChangeNote)
		o.text("content_checksum", e.Checksum)
		o.text("canonical_url", s.URL(e.Path()))
		all = append(all, o.end())
	}
	return jsonResource(time.Time{}, func() Body {
		var o object
		o.text(item.Kind.ID, item.Name)
		o.value("total", len(all))
		o.fetchedAt()
		o.array("versions", all)
		return o.end()
	})
}

// jsonResource is a resource in JSON alone. A list has no date of modification:
// what leaves it leaves no date behind.
func jsonResource(modified time.Time, body func() Body) *Resource {
	return &Resource{Representations: []*Representation{represent(jsonType, modified, nil, body)}}
}
