package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/content/markdown"
	"rulestore/server/api"
)

// itemHeaders are the headers of a version in a media type.
func (c Config) itemHeaders(p *preparedVersion, mediaType string) []Header {
	e := p.entry
	base := c.URL(e.Kind.ItemPath(e.Name))
	links := []string{link(c.URL(e.Path()), "canonical")}
	for _, other := range []string{api.JSONType, api.MarkdownType, api.HTMLType} {
		if other != mediaType {
			links = append(links, link(c.URL(e.Path()), "alternate")+`; type="`+other+`"`)
		}
	}
	if path := jsonSchemaPath(e.Publication); path != "" {
		links = append(links, link(c.URL(path), "alternate")+`; type="`+api.SchemaType+`"`)
	}
	links = append(links, link(base+"/versions", "version-history"))
	for _, l := range []struct {
		to  *content.Publication
		rel string
	}{
		{p.latest, "latest-version"}, {publication(e.Predecessor), "predecessor-version"},
		{publication(e.Successor), "successor-version"},
	} {
		if l.to != nil {
			links = append(links, link(c.URL(l.to.Path()), l.rel))
		}
	}
	if path := schemaPath(e, c.Schemas); path != "" {
		links = append(links, link(c.URL(path), "describedby"))
	}
	headers := append(versionHeaders(e, links...), Header{"X-Content-Checksum", []string{e.Checksum}})
	if index, ok := logged(p.log, e.Publication); ok {
		headers = append(headers, Header{"X-Log-Index", []string{strconv.FormatInt(index, 10)}})
	}
	return headers
}

// versionHeaders are those of a version and of its parts: which it is, and what git has of it. Output schemas
// have no format, as their X-Schema-Version is their own version.
func versionHeaders(e *content.Entry, links ...string) []Header {
	headers := []Header{
		{"Link", links},
		{e.Kind.Header + "-Id", []string{e.ID()}},
		{e.Kind.Header + "-Version", []string{e.Version.String()}},
		{e.Kind.Header + "-Status", []string{string(e.Status)}},
	}
	if !e.Draft {
		headers = append(headers, Header{"X-Source-Tag", []string{e.Tag()}}, Header{"X-Source-Blob", []string{e.Blob}})
	}
	if e.Kind.Header != "X-Schema" {
		headers = append(headers, Header{"X-Schema-Version", []string{e.Body().Text(e.Kind.Format)}})
	}
	return headers
}

func link(url, rel string) string { return "<" + url + `>; rel="` + rel + `"` }

// item lists the served fields of a version, without fetched_at.
func (c Config) item(e *content.Entry) content.Object {
	schema := c.format(e.Publication).Root()
	id := slices.IndexFunc(e.Body(), func(m content.Member) bool { return m.Name == e.Kind.ID })
	const added = 11 // fields, at most
	item := append(make(content.Object, 0, len(e.Body())+added), e.Body()[:id+1]...)
	add := func(name string, value json.RawMessage) {
		item = append(item, content.Member{Name: name, Value: value})
	}
	add(e.Kind.Version, content.String(e.Version.String()))
	add("status", content.String(string(e.Status)))
	for _, m := range e.Body()[id+1:] {
		if f := schema.Field(m.Name); f != nil && f.Records {
			add("total", strconv.AppendInt(nil, int64(count(m.Value)), 10))
		}
		add(m.Name, m.Value)
	}
	for _, f := range []struct {
		name  string
		value string
	}{
		{"published_at", stamp(e.PublishedAt)},
		{"updated_at", stamp(e.UpdatedAt)},
		{"change_note", e.Note()},
		{"canonical_url", c.URL(e.Path())},
		{"output_schema_url", c.outputSchema(e, schema)},
	} {
		if f.value != "" {
			add(f.name, content.String(f.value))
		}
	}
	if len(schema.Discovery) > 0 {
		add("discovery_urls", c.discovery(schema))
	}
	add("checksum_algorithm", content.String(content.Algorithm))
	add("content_checksum", content.String(e.Checksum))
	return item
}

// outputSchema is the address of the schema for results made with an item: the one that the item
// names, else its format. For an output schema it is the same as a JSON Schema.
func (c Config) outputSchema(e *content.Entry, schema *content.Field) string {
	if path := jsonSchemaPath(e.Publication); path != "" {
		return c.URL(path)
	}
	name := cmp.Or(e.Body().Text("output_schema"), schema.OutputSchema)
	if name == "" {
		return ""
	}
	return c.URL(content.OutputSchemas.ItemPath(name))
}

// discovery lists the addresses that the format declares, by name.
func (c Config) discovery(schema *content.Field) []byte {
	var o object
	for _, l := range schema.Discovery {
		o.text(l.Name, c.URL(l.Path))
	}
	return o.end().Bytes
}

// stamp formats a time, "" if it is zero.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func (c Config) itemJSON(e *content.Entry) Body {
	o := object{tells: true}
	o.members(c.item(e))
	o.fetchedAt()
	return o.end()
}

func (c Config) itemMarkdown(e *content.Entry) []byte {
	return markdown.Render(markdownFields(c.item(e)), c.describe(e.Kind, c.format(e.Publication)))
}

// markdownFields removes the fields that Markdown does not have: fetched_at, which would make each answer
// different, and the algorithm, which is a prefix of the checksum.
func markdownFields(item content.Object) content.Object {
	return slices.DeleteFunc(slices.Clone(item), func(m content.Member) bool {
		return m.Name == "fetched_at" || m.Name == "checksum_algorithm"
	})
}

// describe returns the schema of an item with the derived fields.
func (c Config) describe(k *content.Kind, schema content.Schema) *content.Field {
	all := *schema.Root()
	all.Fields = slices.Concat(all.Fields, c.Schemas.Derived().Fields)
	for i, f := range all.Fields {
		own := *f
		switch f.Name {
		case "version":
			own.Name, own.Evident = k.Version, true
		case k.ID, "status", "canonical_url", "content_checksum":
			own.Evident = true
		}
		all.Fields[i] = &own
	}
	return &all
}

// format returns the format of a version, the newest if it was sealed in one that this build does
// not know.
func (c Config) format(p *content.Publication) content.Schema {
	return c.formatOf(p.Kind, p.Name, p.Body().Text(p.Kind.Format))
}

func (c Config) formatOf(k *content.Kind, name, version string) content.Schema {
	folder := content.FormatsOf(c.Schemas, k, name)
	if schema := c.Schemas.Schema(folder, version); schema != nil {
		return schema
	}
	return content.NewestFormat(c.Schemas, folder)
}

// count returns the number of elements of an array, which is valid JSON; it reads nothing of them.
func count(array json.RawMessage) (n int) {
	if len(array) == 0 || array[0] != '[' {
		return 0
	}
	depth, quoted := 0, false
	for i := 0; i < len(array); i++ {
		switch c := array[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		}
	}
	if bytes.HasPrefix(bytes.TrimSpace(array[1:]), []byte("]")) {
		return 0
	}
	return n + 1
}

// summary is the element of a version in a list.
func (c Config) summary(e *content.Entry) Body {
	var o object
	o.version(e)
	for _, name := range e.Kind.Summary {
		if v := e.Body().Get(name); v != nil {
			o.raw(name, v)
		}
	}
	o.text("canonical_url", c.URL(e.Path()))
	o.text("content_checksum", e.Checksum)
	o.fetchedAt()
	return o.end()
}

// versions lists all versions of an item, highest first.
func (s *Site) versions(item *content.Item) *Resource {
	c, l := s.Config, s.log
	r := jsonResource(func() Body {
		all := bodies(item.Entries, func(e *content.Entry) Body { return c.version(e, l) })
		var o object
		o.text(item.Kind.ID, item.Entries[0].ID())
		o.total(len(all))
		o.fetchedAt()
		o.elements("versions", all)
		return o.end()
	})
	r.Action, r.Kind, r.Name = api.ListVersions, item.Kind, item.Name
	return r.addList(len(item.Entries), func(from, to int) []byte {
		return c.versionsMarkdown(item, item.Entries[from:to])
	}).with(ShownVersions{item})
}

func (c Config) version(e *content.Entry, l *log.Served) Body {
	var o object
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
	o.optional("status_reason", e.Reason)
	o.time("published_at", e.PublishedAt)
	o.optional("change_note", e.Note())
	if e.SignedBy != (content.Signature{}) {
		o.value("signed_by", e.SignedBy)
	}
	o.text("content_checksum", e.Checksum)
	o.logIndex(l, e.Publication)
	if !e.Draft {
		o.text("tag", e.Tag())
		o.text("blob", e.Blob)
		o.text("commit", e.Commit)
	}
	o.text("canonical_url", c.URL(e.Path()))
	return o.end()
}

// View selects the records of a registry on a page.
type View struct {
	AsOf    string // the day by which the version was requested, "" if there is none
	Offset  int
	Filters map[string]string

	// Only returns the fields that the page shows, of the values in force on the Day; nil: all.
	Only func() content.Object
	Day  string
}

// Status is the status of a version, in words.
func (c Config) Status(e *content.Entry) Status {
	if e.Draft {
		return Status{"draft", "черновик"}
	}
	return c.StatusOf(e.Status)
}

// StatusOf is a status, in words.
func (c Config) StatusOf(s content.Status) Status {
	if s == content.Redacted { // never in a body, so the derived fields have no label for it
		return Status{string(s), "изъята"}
	}
	return Status{string(s), c.Schemas.Derived().Field("status").Label(string(s))}
}

// About is the summary or the description of a version.
func About(e *content.Entry) string {
	return cmp.Or(e.Body().Text("summary"), e.Body().Text("description"))
}
