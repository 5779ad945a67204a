package site

import (
	"net/url"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// recordPage makes the page of a single record.
func (c Config) recordPage(
	frame *page.Frame, e *content.Entry, q *quoted, r *records, record content.Object, by mentions,
) page.Item {
	code := r.code(record)
	base := e.Kind.ItemPath(e.Name)
	path := base + "/" + url.PathEscape(code)
	p := page.Item{
		Head: page.Head{
			Title: r.title(record), Description: line(record.Text("description")), Path: frame.Root + path,
			Formats: formats(frame, path, nil, api.JSONType, api.MarkdownType),
			Crumbs:  kindCrumbs(frame, e.Kind, page.Link{Title: e.Body().Text("title"), Href: frame.Root + base}),
		},
		Kind: r.field.Items.Title, ID: code, Version: e.Version.String(), Status: c.status(e), Published: e.PublishedAt,
		Document: q.draw(c, e, document.Read(record, r.field.Items), page.Drawing{Root: frame.Root}),
		History:  frame.Root + base + "/versions",
	}
	p.Referrers, p.Others = by.links(frame)
	return p
}
