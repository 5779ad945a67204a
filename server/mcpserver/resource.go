package mcpserver

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// scheme is the prefix of every item's URI, followed by its tag or, for the current version, by
// folder and name. With markdownSuffix it is read as Markdown.
const (
	scheme         = "rulestore://"
	markdownSuffix = ".md"
)

// resourcePage is the number of resources in an answer.
const resourcePage = 100

// listResources answers resources/list: the current version of every item.
func (s *Server) listResources(p *mcp.ListResourcesParams) (mcp.Result, error) {
	all := s.view().resources
	from := 0
	if p != nil && p.Cursor != "" {
		after, err := base64.RawURLEncoding.DecodeString(p.Cursor)
		if err != nil {
			return nil, invalid("no such cursor: take nextCursor of the page before")
		}
		at, found := slices.BinarySearchFunc(
			all, string(after), func(r *mcp.Resource, uri string) int { return cmp.Compare(r.URI, uri) },
		)
		from = at
		if found {
			from++
		}
	}
	to := min(from+resourcePage, len(all))
	r := &mcp.ListResourcesResult{
		Resources: append([]*mcp.Resource{}, all[from:to]...), Cacheable: s.cacheable(contentLife),
	}
	if to < len(all) {
		r.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(all[to-1].URI))
	}
	return r, nil
}

// resources describes the current version of every item, by URI.
func resources(s *site.Site) (all []*mcp.Resource) {
	for _, it := range s.Snapshot.Items {
		e := it.Current
		if e == nil || e.Status == content.Archived {
			continue
		}
		res := s.Lookup(it.Kind.ItemPath(it.Name))
		for mediaType, suffix := range map[string]string{api.JSONType: "", api.MarkdownType: markdownSuffix} {
			all = append(all, &mcp.Resource{
				URI: scheme + it.ID() + suffix, Name: it.ID() + suffix, MIMEType: mediaType,
				Title:       e.Body().Text("title"),
				Description: cmp.Or(e.Body().Text("summary"), e.Body().Text("description")),
				Size:        int64(len(representation(res, mediaType).Body.Bytes)),
				Annotations: &mcp.Annotations{LastModified: e.ModifiedAt.UTC().Format(time.RFC3339)},
			})
		}
	}
	slices.SortFunc(all, func(a, b *mcp.Resource) int { return cmp.Compare(a.URI, b.URI) })
	return all
}

// listTemplates answers resources/templates/list: the versions of each kind.
func (s *Server) listTemplates() *mcp.ListResourceTemplatesResult {
	r := &mcp.ListResourceTemplatesResult{Cacheable: s.cacheable(toolsLife)}
	for _, k := range content.Kinds {
		for mediaType, suffix := range map[string]string{api.JSONType: "", api.MarkdownType: markdownSuffix} {
			r.ResourceTemplates = append(r.ResourceTemplates, &mcp.ResourceTemplate{
				URITemplate: template(k) + suffix, Name: k.Name + "_version" + suffix, MIMEType: mediaType,
				Title: k.Title + ": версия", Description: "Одна версия, навсегда. Номера версий даёт list_versions.",
			})
		}
	}
	slices.SortFunc(
		r.ResourceTemplates, func(a, b *mcp.ResourceTemplate) int { return cmp.Compare(a.URITemplate, b.URITemplate) },
	)
	return r
}

// template is the URI template of the versions of a kind (RFC 6570).
func template(k *content.Kind) string {
	name := "{name}"
	if k.Folders {
		name = "{+name}"
	}
	return scheme + k.Folder + "/" + name + "/v{version}"
}

// readResource answers resources/read.
func (s *Server) readResource(uri string) (*readResult, error) {
	now := time.Now().UTC().Format(site.TimeFormat)
	current := s.Sites.Current()
	if text, mediaType := s.fileOfSkill(uri); text != nil {
		return s.contents(uri, mediaType, text), nil
	}
	res, mediaType := locate(current, uri)
	switch {
	case res == nil:
		return nil, notFound(uri)
	case res.Gone != nil:
		return nil, isRedacted(res.Gone)
	}
	return s.contents(uri, mediaType, bodyOf(res, mediaType, now)), nil
}

func (s *Server) contents(uri, mediaType string, text []byte) *readResult {
	return &readResult{
		Contents:  []*mcp.ResourceContents{{URI: uri, MIMEType: mediaType, Text: string(text)}},
		Cacheable: s.cacheable(contentLife),
	}
}

// locate returns the resource of a URI and the requested media type, nil if there is none.
// Names that end like a suffix have precedence.
func locate(s *site.Site, uri string) (*site.Resource, string) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if plain, err := url.PathUnescape(rest); ok && err == nil {
		if res := resourceOf(s, plain); res != nil {
			return res, api.JSONType
		}
		if plain, ok := strings.CutSuffix(plain, markdownSuffix); ok {
			return resourceOf(s, plain), api.MarkdownType
		}
	}
	return nil, ""
}

// resourceOf returns the resource of an item, given as folder and name or as a tag.
func resourceOf(s *site.Site, name string) *site.Resource {
	if it := s.Snapshot.ItemByID(name); it != nil {
		res := s.Lookup(it.Kind.ItemPath(it.Name))
		if len(res.Representations) == 0 && res.Gone == nil {
			return nil // there is no current version
		}
		return res
	}
	if _, e := entryOf(s, name); e != nil {
		return s.Lookup(e.Path())
	}
	return nil
}

// lists has what is listed of a site.
type lists struct {
	site      *site.Site
	resources []*mcp.Resource
	skills    []*skill
}

// view returns the lists of the current site. Concurrent requests may make it twice, with
// equal results.
func (s *Server) view() *lists {
	current := s.Sites.Current()
	if v := s.seen.Load(); v != nil && v.site == current {
		return v
	}
	v := &lists{site: current, resources: resources(current), skills: s.skills(current)}
	s.seen.Store(v)
	return v
}
